//! The last messages of an actor reach its sessions after the events before them, also when the
//! sessions find the actor gone first; a session that is told of the game only then sees its outcome.

use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use zeitnot_protocol::{AccountId, CloseCode, Code};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Event, GameInstant, Profile};

use super::actor::{heard, reading_session};
use super::table::{blitz, game_id, setup};
use crate::connections::{ConnectionId, Notice, NoticeKind, ToSession};
use crate::games::effects::GameOwner;
use crate::games::inputs::{ActorEnd, Mail};
use crate::games::{GameHandle, Games};
use crate::session::tests::simulated::{SimulatedSession, Up};
use crate::storage::{JournalOffset, MemoryStore, Record};
use crate::tasks::Tasks;
use crate::time::ServiceClock;

/// Lets all tasks that are ready run.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

/// Sessions and games, in the runtime's virtual time.
struct World {
    games: Games,
    clock: ServiceClock,
}

impl World {
    fn new() -> Self {
        let clock = ServiceClock::of_runtime();
        let games = Games::new(Arc::new(MemoryStore::default()), clock.clone(), Tasks::default());
        Self { games, clock }
    }

    /// A game between accounts 1 and 2.
    async fn game(&self) -> GameHandle {
        let setup = setup(Profile::fide_online(), blitz());
        self.games.create(game_id(), setup, ByColor::default()).await.unwrap()
    }

    async fn session(&self, number: u64) -> SimulatedSession {
        let account = Some(AccountId::from_u128(number.into()));
        let at = self.clock.now();
        let mut session = SimulatedSession::open(ConnectionId(number), account, at, Waker::noop().clone());
        session.identified(&self.games, &self.clock).unwrap();
        settle().await;
        session.handle_messages(&self.games, &self.clock).unwrap();
        session.flush();
        session
    }

    fn play(&self, session: &mut SimulatedSession, on: u32, uci: &str) {
        self.say(session, "move", &format!(r#","on":{on},"uci":"{uci}""#));
    }

    fn say(&self, session: &mut SimulatedSession, t: &str, fields: &str) {
        let text = format!(r#"{{"t":"{t}","d":{{"game":"{}"{fields}}}}}"#, game_id());
        session.take(&Up::Text(text), self.clock.now(), &self.games, &self.clock).unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_words_of_an_actor_come_behind_their_events() {
    let world = World::new();
    let game = world.game().await;
    let (mut white, mut black) = (world.session(1).await, world.session(2).await);
    world.play(&mut white, 1, "e2e4");
    settle().await;
    // Black has not heard yet, and the actor dies of a bug.
    game.mailbox().send(Mail::Break).unwrap();
    settle().await;
    world.play(&mut black, 2, "e7e5");
    assert_eq!(black.handle_messages(&world.games, &world.clock), Err(CloseCode::GameReset));
    let written = String::from_utf8_lossy(&black.flush()).into_owned();
    let place = |what: &str| written.find(&format!(r#"{{"t":"{what}""#));
    let (event, turn) =
        (place("move").expect("the event is written"), place("turn").expect("so is the turn"));
    assert!(event < turn, "{written}");
}

/// What the lobby tells the one who accepted.
fn begun(game: &GameHandle) -> ToSession {
    let ok = NoticeKind::Done { id: None, seq: 1 };
    ToSession::GameStarted { game: game.id(), reply: Some(Notice { game: game.id(), after: 1, kind: ok }) }
}

#[tokio::test(start_paused = true)]
async fn a_session_told_of_a_game_whose_actor_has_ended_sees_how_it_ended() {
    let world = World::new();
    let mut black = world.session(2).await;
    let game = world.game().await;
    let mut white = world.session(1).await;
    world.say(&mut white, "abort", "");
    tokio::time::sleep(Duration::from_secs(31)).await;
    assert!(world.games.get(game_id()).is_none(), "the actor has ended");
    black.tell(begun(&game));
    for _ in 0..3 {
        black.handle_messages(&world.games, &world.clock).unwrap();
        settle().await;
    }
    let written = String::from_utf8_lossy(&black.flush()).into_owned();
    let place = |what: &str| {
        written.find(&format!(r#"{{"t":"{what}""#)).unwrap_or_else(|| panic!("{what}: {written}"))
    };
    assert!(place("snapshot") < place("clock") && place("clock") < place("ok"), "{written}");
    assert_eq!(written.matches(r#"{"t":"#).count(), 3, "each once: {written}");
}

#[tokio::test(start_paused = true)]
async fn a_player_whose_snapshot_does_not_come_any_more_gets_it_from_the_journal() {
    let world = World::new();
    let game = world.game().await;
    let (mut white, mut black) = (world.session(1).await, world.session(2).await);
    world.say(&mut white, "abort", "");
    assert!(written(&world, &mut black).await.contains(&"ended".to_owned()));
    world.say(&mut black, "watch", "");
    // The actor ends without having seen that.
    drop(game.mailbox().close());
    tokio::time::sleep(Duration::from_secs(31)).await;
    assert!(world.games.get(game_id()).is_none(), "the actor has ended");
    assert_eq!(written(&world, &mut black).await, ["snapshot", "clock"]);
}

/// Handles what comes until nothing more does, and says which messages were written.
async fn written(world: &World, session: &mut SimulatedSession) -> Vec<String> {
    for _ in 0..4 {
        session.handle_messages(&world.games, &world.clock).unwrap();
        settle().await;
    }
    let text = String::from_utf8_lossy(&session.flush()).into_owned();
    text.split(r#"{"t":""#).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// The actor of the game is gone, and another one is made as soon as tasks run.
fn actor_dies(world: &World, game: &GameHandle) {
    Arc::clone(world.games.shared()).actor_ended(game, ActorEnd::Recovers);
    assert!(world.games.get(game.id()).is_none());
}

#[tokio::test(start_paused = true)]
async fn a_session_told_of_a_game_in_recovery_takes_its_seat_after_it() {
    let world = World::new();
    let mut black = world.session(2).await;
    let game = world.game().await;
    actor_dies(&world, &game);
    black.tell(begun(&game));
    assert_eq!(written(&world, &mut black).await, ["snapshot", "clock", "ok", "presence", "presence"]);
    // It has the seat: the same position is on the board, and the actor takes its command.
    world.say(&mut black, "resign", "");
    assert!(written(&world, &mut black).await.contains(&"ended".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_session_opened_while_its_game_recovers_takes_its_seat_after_it() {
    let world = World::new();
    let game = world.game().await;
    actor_dies(&world, &game);
    let account = Some(AccountId::from_u128(2));
    let mut black =
        SimulatedSession::open(ConnectionId(2), account, world.clock.now(), Waker::noop().clone());
    black.identified(&world.games, &world.clock).unwrap();
    world.say(&mut black, "resign", "");
    let written = written(&world, &mut black).await;
    assert_eq!(written[..2], ["welcome", "snapshot"]);
    assert!(written.contains(&"ended".to_owned()), "the command came before the seat: {written:?}");
}

#[tokio::test(start_paused = true)]
async fn whatever_is_asked_of_a_game_in_recovery_is_answered_after_it() {
    let world = World::new();
    let (game, mut third) = (world.game().await, world.session(3).await);
    let mut white = world.session(1).await;
    world.play(&mut white, 1, "e2e4");
    settle().await;
    for (t, fields, answer) in [
        ("resign", "", &["rejected"][..]),
        ("watch", r#","after":0"#, &["started", "move", "clock"]),
        ("watch", "", &["snapshot", "clock"]),
    ] {
        actor_dies(&world, &world.games.get(game.id()).expect("it was recovered"));
        world.say(&mut third, t, fields);
        let written = written(&world, &mut third).await;
        let answers: Vec<_> = written.iter().filter(|t| *t != "watchers").collect();
        assert_eq!(answers, answer, "{t} {fields}");
        world.say(&mut third, "unwatch", "");
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_that_is_no_longer_watched_is_not_watched_after_its_recovery() {
    let world = World::new();
    let (game, mut third) = (world.game().await, world.session(3).await);
    actor_dies(&world, &game);
    world.say(&mut third, "watch", "");
    third.handle_messages(&world.games, &world.clock).unwrap();
    world.say(&mut third, "unwatch", "");
    assert_eq!(written(&world, &mut third).await, ["rejected"]);
    let game = world.games.get(game_id()).expect("it was recovered");
    assert_eq!(game.relay().count(), 0);
}

/// The colour whose clock runs, by the `clock` messages that a session has written.
async fn running(world: &World, session: &mut SimulatedSession) -> Vec<String> {
    for _ in 0..4 {
        session.handle_messages(&world.games, &world.clock).unwrap();
        settle().await;
    }
    let text = String::from_utf8_lossy(&session.flush()).into_owned();
    let clocks = text.split(r#"{"t":"clock""#).skip(1);
    let running =
        |clock: &str| clock.split(r#""running":"#).nth(1)?.split([',', '}']).next().map(str::to_owned);
    clocks.map(|clock| running(clock).expect("every clock says it")).collect()
}

#[tokio::test(start_paused = true)]
async fn when_a_recovered_turn_goes_on_everybody_is_told_that_the_clock_runs() {
    for (player, waits) in [(Some(1), Duration::ZERO), (None, Duration::from_secs(31))] {
        let world = World::new();
        let game = world.game().await;
        // Only from the second move on does a clock run.
        let (mut white, mut black) = (world.session(1).await, world.session(2).await);
        world.play(&mut white, 1, "e2e4");
        settle().await;
        world.play(&mut black, 2, "e7e5");
        settle().await;
        drop((white, black));
        settle().await;
        actor_dies(&world, &game);
        let (mut black, mut third) = (world.session(2).await, world.session(3).await);
        world.say(&mut third, "watch", "");
        black.handle_messages(&world.games, &world.clock).unwrap();
        assert_eq!(running(&world, &mut third).await, ["null"]);
        running(&world, &mut black).await;
        // White comes, or does not come in time.
        if let Some(player) = player {
            world.session(player).await;
        }
        tokio::time::sleep(waits).await;
        for session in [&mut black, &mut third] {
            assert_eq!(running(&world, session).await, [r#""white""#], "once, to a player and a spectator");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_a_game_whose_recovery_dies() {
    let world = World::new();
    let game = world.game().await;
    // The rules panic on it, as the actor may have.
    let (at, events) = (GameInstant(1), vec![Event::TakenBack { plies: 9, charge: None }]);
    let record = Record { game: game.id(), first_seq: 2, at, account: None, command: None, events };
    world.games.shared().store.append(JournalOffset(1), Arc::new(record)).await.unwrap();
    actor_dies(&world, &game);
    settle().await;
    let (inbox, reader) = reading_session();
    let _read = world.games.send_snapshot(game.id(), None, &reader);
    settle().await;
    assert_eq!(heard(&inbox), [NoticeKind::Rejected { id: None, code: Code::Unavailable }]);
    assert_eq!(world.games.live_count(game.players()[Color::White]), 0);
}

/// The messages with an `id`, as they are written.
async fn ids(world: &World, session: &mut SimulatedSession) -> Vec<String> {
    for _ in 0..4 {
        session.handle_messages(&world.games, &world.clock).unwrap();
        settle().await;
    }
    let text = String::from_utf8_lossy(&session.flush()).into_owned();
    let id_of = |message: &str| {
        let (t, rest) = message.split_once('"')?;
        let id = rest.split_once(r#""id":""#)?.1.split('"').next()?;
        Some(format!("{t} {id}"))
    };
    text.split(r#"{"t":""#).skip(1).filter_map(id_of).collect()
}

#[tokio::test(start_paused = true)]
async fn each_watch_of_an_ended_game_is_answered_once_also_when_another_or_unwatch_follows() {
    let world = World::new();
    let _game = world.game().await;
    let mut white = world.session(1).await;
    world.say(&mut white, "abort", "");
    tokio::time::sleep(Duration::from_secs(31)).await;
    let (tail, snapshot) = (r#","after":0,"id":"a""#, r#","id":"a""#);
    for first in [tail, snapshot] {
        for second in [r#","id":"b""#, r#","after":0,"id":"b""#] {
            let mut third = world.session(3).await;
            world.say(&mut third, "watch", first);
            world.say(&mut third, "watch", second);
            assert_eq!(ids(&world, &mut third).await, ["rejected a", "clock b"], "{first} {second}");
        }
        let mut third = world.session(3).await;
        world.say(&mut third, "watch", first);
        world.say(&mut third, "unwatch", "");
        assert_eq!(ids(&world, &mut third).await, ["rejected a"], "{first}");
        world.say(&mut third, "history", r#","from":1,"id":"c""#);
        assert_eq!(ids(&world, &mut third).await, ["history c"], "the next read goes on");
    }
}

#[tokio::test(start_paused = true)]
async fn a_watch_is_answered_once_however_near_to_the_end_of_the_actor_it_comes() {
    for fields in [r#","id":"a""#, r#","after":0,"id":"a""#] {
        // The actor ends 30 s after its game.
        let (mut live, mut gone) = (0, 0);
        for ms in 29_990..=30_010 {
            let world = World::new();
            let _game = world.game().await;
            let (mut white, mut third) = (world.session(1).await, world.session(3).await);
            world.say(&mut white, "abort", "");
            tokio::time::sleep(Duration::from_millis(ms)).await;
            let is_live = world.games.get(game_id()).is_some();
            (live, gone) = (live + u32::from(is_live), gone + u32::from(!is_live));
            world.say(&mut third, "watch", fields);
            assert_eq!(ids(&world, &mut third).await, ["clock a"], "{ms} ms, {fields}");
        }
        assert!(live > 0 && gone > 0, "{live} before the actor's end, {gone} after it");
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_watch_again_is_answered_once_more_or_for_both() {
    let world = World::new();
    let _game = world.game().await;
    let mut white = world.session(1).await;
    world.say(&mut white, "abort", "");
    tokio::time::sleep(Duration::from_secs(31)).await;
    for fields in [r#","after":0,"id":"a""#, r#","id":"a""#] {
        for steps in 0..5 {
            let mut third = world.session(3).await;
            world.say(&mut third, "watch", fields);
            for _ in 0..steps {
                settle().await;
                third.handle_messages(&world.games, &world.clock).unwrap();
            }
            let first = String::from_utf8_lossy(&third.flush()).matches(r#""id":"a""#).count();
            world.say(&mut third, "watch", fields);
            assert_eq!(ids(&world, &mut third).await, ["clock a"], "{steps}, {fields}, {first} before");
            assert!(first <= 1, "{steps}, {fields}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_player_who_says_unwatch_while_the_game_recovers_has_the_seat_after_it() {
    let world = World::new();
    let game = world.game().await;
    actor_dies(&world, &game);
    let mut white = world.session(1).await;
    world.say(&mut white, "unwatch", "");
    written(&world, &mut white).await;
    world.play(&mut white, 1, "e2e4");
    assert!(written(&world, &mut white).await.contains(&"ok".to_owned()));
}
