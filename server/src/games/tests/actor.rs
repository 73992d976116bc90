//! The actor as a task: games created, played, broken, stopped and read, each through its handle.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use zeitnot_protocol::{AccountId, Code, GameId, ServerMessage, decode_server};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Command, Event, Game, GameInstant, GameSetup, Profile};

use super::table::{blitz, game_id, plain, play, setup};
use crate::connections::{ConnectionId, Inbox, NoticeKind, SendError, ToSession};
use crate::games::inputs::Mail;
use crate::games::{CreateError, GameHandle, Games, KeptTail, Pull, Reader, Seat, Spectator, TailWanted};
use crate::net::Address;
use crate::storage::{Fault, GameStore as _, JournalOffset, MemoryStore, Record};
use crate::tasks::Tasks;
use crate::time::ServiceClock;

/// All that runs a few games, in the runtime's virtual time.
pub(super) struct World {
    pub(super) games: Games,
    pub(super) journal: Arc<MemoryStore>,
    pub(super) clock: ServiceClock,
    tasks: Tasks,
}

/// A session that only listens.
struct ChatSubscription {
    inbox: Inbox,
    seat: Seat,
}

impl World {
    pub(super) fn new() -> Self {
        let (journal, clock, tasks) =
            (Arc::new(MemoryStore::default()), ServiceClock::of_runtime(), Tasks::default());
        let games = Games::new(Arc::clone(&journal) as _, clock.clone(), tasks.clone());
        Self { games, journal, clock, tasks }
    }

    async fn game(&self, number: u128) -> GameHandle {
        self.games.create(GameId::from_random(number), online(), ByColor::default()).await.unwrap()
    }
}

/// Where everybody is.
pub(super) fn here() -> Address {
    IpAddr::from([127, 0, 0, 1]).into()
}

/// A session that asks for reads, and hears the answers.
pub(super) fn reading_session() -> (Inbox, Reader) {
    let inbox = Inbox::default();
    let reader = Reader { outbox: inbox.outbox(), account: None, address: here(), read: 1 };
    (inbox, reader)
}

fn wanted(game: GameId, published: Option<u32>) -> TailWanted {
    TailWanted { game, after: 0, published, id: None }
}

fn sit(game: &GameHandle, seat: Color, connection: u64) -> ChatSubscription {
    let inbox = Inbox::default();
    let seat = game.join(seat, ConnectionId(connection), inbox.outbox(), None).unwrap();
    ChatSubscription { inbox, seat }
}

fn watch(game: &GameHandle) -> (Inbox, Spectator) {
    let inbox = Inbox::default();
    let spectator = game.watch(inbox.outbox());
    (inbox, spectator)
}

impl ChatSubscription {
    fn send(&self, world: &World, command: crate::games::SeatCommand) {
        self.seat.command(world.clock.now(), command).unwrap();
    }

    async fn heard(&self) -> Vec<NoticeKind> {
        settle().await;
        heard(&self.inbox)
    }
}

pub(super) fn heard(inbox: &Inbox) -> Vec<NoticeKind> {
    std::iter::from_fn(|| inbox.pop())
        .filter_map(|told| if let ToSession::Game(notice) = told { Some(notice.kind) } else { None })
        .flat_map(|kind| if let NoticeKind::Answer(answer) = kind { answer.news } else { vec![kind] })
        .collect()
}

pub(super) fn online() -> GameSetup {
    setup(Profile::fide_online(), blitz())
}

/// Lets all tasks that are ready run, several times over.
pub(super) async fn settle() {
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

pub(super) fn types(kind: &[NoticeKind]) -> Vec<String> {
    let name = |kind: &NoticeKind| match kind {
        NoticeKind::Message(frame) | NoticeKind::Snapshot(frame) => {
            let text = frame.text();
            text[6..].split('"').next().unwrap().to_owned()
        }
        other => format!("{other:?}").split([' ', '(']).next().unwrap().to_owned(),
    };
    kind.iter().map(name).collect()
}

#[tokio::test(start_paused = true)]
async fn a_move_goes_from_one_session_to_the_other_and_to_the_feed() {
    let world = World::new();
    let game = world.game(1).await;
    let (white, black) = (sit(&game, Color::White, 1), sit(&game, Color::Black, 2));
    assert_eq!(types(&white.heard().await), ["snapshot", "presence", "presence", "turn", "presence"]);
    assert_eq!(types(&black.heard().await), ["snapshot", "presence", "presence"]);
    white.send(&world, play(1, "e2e4"));
    assert_eq!(white.heard().await, [NoticeKind::Done { id: None, seq: 2 }]);
    assert_eq!(types(&black.heard().await), ["turn"]);
    let mut frames = Vec::new();
    let pull = game.feed().pull(1, false, |frame| frames.push(frame.text().to_owned()));
    assert!(matches!(pull, Pull::Frames { cursor: 2, .. }));
    assert!(frames[0].contains(r#""san":"e4""#));
}

#[tokio::test(start_paused = true)]
async fn a_spectator_asks_for_a_snapshot_and_is_notified() {
    let world = World::new();
    let game = world.game(1).await;
    let white = sit(&game, Color::White, 1);
    let (inbox, spectator) = watch(&game);
    assert_eq!(spectator.snapshot(), None);
    settle().await;
    assert!(inbox.signals().notified);
    let ServerMessage::Snapshot(snapshot) = decode_server(spectator.snapshot().unwrap().text()).unwrap()
    else {
        panic!("a snapshot")
    };
    assert_eq!(snapshot.seq, 1);
    assert_eq!(game.feed().watchers().count, 1);
    assert!(white.heard().await.contains(&NoticeKind::Watchers(1)));
    white.send(&world, play(1, "d2d4"));
    settle().await;
    assert!(inbox.signals().notified);
    drop(spectator);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(game.feed().watchers().count, 0);
}

#[tokio::test(start_paused = true)]
async fn timers_run_on_the_service_clock() {
    let world = World::new();
    let game = world.game(1).await;
    let white = sit(&game, Color::White, 1);
    white.heard().await;
    tokio::time::sleep(Duration::from_millis(30_100)).await;
    let fence = heard(&white.inbox).iter().find_map(|kind| match kind {
        NoticeKind::Fence { number, .. } => Some(*number),
        _ => None,
    });
    assert!(!world.games.live_of(AccountId::from_u128(1)).is_empty());
    white.seat.fenced(fence.expect("the first move is late"));
    settle().await;
    assert!(world.games.live_of(AccountId::from_u128(1)).is_empty(), "it has ended");
    assert!(world.games.get(game.id()).is_some(), "and still answers");
    tokio::time::sleep(Duration::from_secs(31)).await;
    assert!(world.games.get(game.id()).is_none());
    assert!(game.feed().is_closed());
    assert!(heard(&white.inbox).contains(&NoticeKind::Gone));
    assert_eq!(white.seat.command(world.clock.now(), plain(Command::Resign)), Err(SendError::Closed));
}

#[tokio::test(start_paused = true)]
async fn the_game_of_an_actor_that_dies_is_recovered_and_all_others_live() {
    let world = World::new();
    let (game, other) = (world.game(1).await, world.game(2).await);
    let white = sit(&game, Color::White, 1);
    let bystander = sit(&other, Color::White, 2);
    let (watcher, spectator) = watch(&game);
    white.send(&world, play(1, "e2e4"));
    white.heard().await;
    assert!(!watcher.signals().stop);
    game.mailbox().send(Mail::Break).unwrap();
    assert_eq!(white.heard().await, [NoticeKind::Reset]);
    assert!(watcher.signals().notified && spectator.game().feed().is_closed());
    bystander.heard().await;
    bystander.send(&world, play(1, "c2c4"));
    assert_eq!(bystander.heard().await, [NoticeKind::Done { id: None, seq: 2 }]);
    let again = world.games.get(game.id()).expect("it was recovered");
    assert!(!again.is_same(&game));
    assert_eq!(world.games.live_of(AccountId::from_u128(1)).len(), 2);
    let white = sit(&again, Color::White, 3);
    white.heard().await;
    white.send(&world, play(1, "e2e4"));
    assert_eq!(white.heard().await, [NoticeKind::Done { id: None, seq: 2 }], "what was said holds");
}

#[tokio::test(start_paused = true)]
async fn a_bug_that_always_strikes_sets_its_game_aside() {
    let world = World::new();
    let id = world.game(1).await.id();
    for _ in 0..4 {
        world.games.get(id).unwrap().mailbox().send(Mail::Break).unwrap();
        settle().await;
    }
    assert!(world.games.get(id).is_none());
    assert_eq!(world.games.live_count(AccountId::from_u128(1)), 0);
}

#[tokio::test(start_paused = true)]
async fn a_conflict_takes_the_game_up_again_from_what_is_stored() {
    let world = World::new();
    let game = world.game(1).await;
    let white = sit(&game, Color::White, 1);
    white.heard().await;
    world.journal.inject([Some(Fault::Conflict)]);
    white.send(&world, play(1, "e2e4"));
    assert_eq!(white.heard().await, [NoticeKind::Reset]);
    let again = world.games.get(game.id()).unwrap();
    let white = sit(&again, Color::White, 2);
    white.heard().await;
    white.send(&world, play(1, "e2e4"));
    assert_eq!(white.heard().await, [NoticeKind::Done { id: None, seq: 2 }]);
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_every_actor_after_its_append() {
    let world = World::new();
    let game = world.game(1).await;
    world.game(2).await;
    let white = sit(&game, Color::White, 1);
    watch(&game);
    white.heard().await;
    world.journal.inject([Some(Fault::Delayed)]);
    white.send(&world, play(1, "e2e4"));
    settle().await;
    world.tasks.stop();
    world.games.stop();
    settle().await;
    assert_eq!(world.tasks.count(), 1, "the one with an append in flight goes on");
    world.journal.release();
    world.tasks.ended().await;
    assert_eq!(heard(&white.inbox), [NoticeKind::Done { id: None, seq: 2 }]);
    let rejected = world.games.create(GameId::from_random(3), online(), ByColor::default()).await;
    assert_eq!(rejected.err(), Some(CreateError::Unavailable));
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_an_append_is_kept_when_the_game_comes_to_rest() {
    let world = World::new();
    let game = world.game(1).await;
    let (white, black) = (sit(&game, Color::White, 1), sit(&game, Color::Black, 2));
    white.send(&world, play(1, "e2e4"));
    white.heard().await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    world.journal.inject([Some(Fault::Delayed), None]);
    black.send(&world, play(2, "e7e5"));
    white.send(&world, plain(Command::Resign));
    tokio::time::sleep(Duration::from_secs(2)).await;
    world.journal.release();
    assert!(white.heard().await.contains(&NoticeKind::Done { id: None, seq: 4 }));
}

#[tokio::test(start_paused = true)]
async fn a_flood_is_rejected_and_the_rest_is_answered() {
    let world = World::new();
    let game = world.game(1).await;
    let white = sit(&game, Color::White, 1);
    white.heard().await;
    let sent = (0..1_000)
        .take_while(|_| white.seat.command(world.clock.now(), plain(Command::OfferTakeback)).is_ok())
        .count();
    assert_eq!(sent, 256);
    let rejected =
        white.heard().await.into_iter().filter(|kind| matches!(kind, NoticeKind::Rejected { .. })).count();
    assert_eq!(rejected, 256);
}

#[tokio::test(start_paused = true)]
async fn creating_survives_an_unknown_outcome_and_tells_a_failure() {
    let world = World::new();
    world.journal.inject([Some(Fault::UnknownKept)]);
    let game = world.game(1).await;
    assert_eq!(game.feed().head(), 1);
    world.journal.inject([Some(Fault::UnknownLost), None]);
    world.game(2).await;
    world.journal.inject([Some(Fault::Failed)]);
    let failed = world.games.create(GameId::from_random(3), online(), ByColor::default()).await;
    assert_eq!(failed.err(), Some(CreateError::Unavailable));
    assert_eq!(world.games.live_count(AccountId::from_u128(2)), 2);
    let mut over = online();
    over.start = zeitnot_rules::notation::fen::parse("7k/8/8/8/8/8/8/7K w - - 0 1").unwrap();
    assert!(matches!(
        world.games.create(game_id(), over, ByColor::default()).await,
        Err(CreateError::Start(_))
    ));
}

#[tokio::test(start_paused = true)]
async fn a_game_that_is_no_longer_live_is_read_from_the_journal() {
    let world = World::new();
    let game = world.game(1).await;
    let (id, white) = (game.id(), sit(&game, Color::White, 1));
    white.send(&world, play(1, "e2e4"));
    white.send(&world, plain(Command::Resign));
    tokio::time::sleep(Duration::from_secs(32)).await;
    assert!(world.games.get(id).is_none());
    assert!(world.games.read(id, here()).await.unwrap().unwrap().has_ended());
    assert!(world.games.read(game_id(), here()).await.unwrap().is_none());
    let school = join_all((0..120).map(|_| world.games.read(id, here()))).await;
    assert!(school.into_iter().all(|read| read.is_ok()), "many at one address wait for their turns");

    let (inbox, reader) = reading_session();
    let told = async || {
        settle().await;
        types(&heard(&inbox))
    };
    let _read = world.games.send_snapshot(id, None, &reader);
    assert_eq!(told().await, ["snapshot", "clock"]);
    let _read = world.games.send_tail(wanted(id, None), &KeptTail::default(), &reader);
    assert_eq!(told().await, ["Tail", "clock"]);
    let _read = world.games.send_history(id, 1, None, &reader);
    assert_eq!(told().await, ["history"]);
    let account = AccountId::from_u128(1);
    let _read = world.games.send_answer(id, account, play(1, "e2e4"), &reader);
    settle().await;
    assert_eq!(heard(&inbox), [NoticeKind::Done { id: None, seq: 2 }]);
    for (account, game, code) in [
        (account, id, Code::GameOver),
        (AccountId::from_u128(9), id, Code::NotYourGame),
        (account, game_id(), Code::UnknownGame),
    ] {
        let _read = world.games.send_answer(game, account, plain(Command::Resign), &reader);
        settle().await;
        assert_eq!(heard(&inbox), [NoticeKind::Rejected { id: None, code }]);
    }
}

/// Found by the simulation: such a player waited for a snapshot for ever, on a seat of an actor
/// that was gone.
#[tokio::test(start_paused = true)]
async fn who_takes_a_seat_while_the_actor_ends_is_told_to_come_back() {
    let world = World::new();
    let game = world.game(1).await;
    let white = sit(&game, Color::White, 1);
    white.heard().await;
    world.journal.inject([Some(Fault::Delayed), None]);
    white.send(&world, play(1, "e2e4"));
    settle().await;
    let black = sit(&game, Color::Black, 2);
    settle().await;
    assert_eq!(heard(&black.inbox), [], "the actor takes nothing while it appends");
    let (at, events) = (GameInstant(1), vec![Event::DrawOffered { by: Color::Black }]);
    let rival = Record { game: game.id(), first_seq: 2, at, account: None, command: None, events };
    world.journal.append(JournalOffset(1), Arc::new(rival)).await.unwrap();
    world.journal.release();
    settle().await;
    assert_eq!(heard(&black.inbox), [NoticeKind::Reset]);
}

/// Found by the simulation: a spectator who asked for a game without an actor got `clock`, and then
/// nothing more.
#[tokio::test(start_paused = true)]
async fn a_game_that_could_not_be_recovered_is_unavailable() {
    let world = World::new();
    let (game, events) = (GameId::from_random(5), Game::start(&online()).unwrap());
    let at = GameInstant::START;
    let record = Record { game, first_seq: 1, at, account: None, command: None, events };
    world.journal.append(JournalOffset::NONE, Arc::new(record)).await.unwrap();
    let (inbox, reader) = reading_session();
    let unavailable = [NoticeKind::Rejected { id: None, code: Code::Unavailable }];
    let _read = world.games.send_snapshot(game, None, &reader);
    settle().await;
    assert_eq!(heard(&inbox), unavailable);
    let _read = world.games.send_tail(wanted(game, None), &KeptTail::default(), &reader);
    settle().await;
    assert_eq!(heard(&inbox), unavailable);
}

#[tokio::test(start_paused = true)]
async fn a_tail_of_a_live_game_ends_where_its_feed_stands() {
    let world = World::new();
    let game = world.game(1).await;
    let white = sit(&game, Color::White, 1);
    white.send(&world, play(1, "e2e4"));
    white.heard().await;
    let (inbox, reader) = reading_session();
    let _read = world.games.send_tail(wanted(game.id(), None), &KeptTail::default(), &reader);
    settle().await;
    assert_eq!(heard(&inbox), [NoticeKind::Live], "a session that does not follow it yet is to ask it");
    let published = game.feed().head();
    let _read = world.games.send_tail(wanted(game.id(), Some(published)), &KeptTail::default(), &reader);
    settle().await;
    let [NoticeKind::Tail(chunk)] = &heard(&inbox)[..] else { panic!("a tail and no clock") };
    assert_eq!(chunk.frames.iter().map(|frame| frame.seq()).collect::<Vec<_>>(), [1, 2]);
    assert!(!chunk.more);
}
