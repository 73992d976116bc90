//! Games of other nodes: they are not played here before they are claimed, and then they go on.

use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use zeitnot_protocol::{AccountId, Code, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Game, GameInstant, Micros, Profile, TimeControl};

use super::actor::{World, heard, online, reading_session, settle};
use super::table::{play, setup};
use crate::connections::{ConnectionId, Inbox, NoticeKind};
use crate::games::{Games, RecoveredGames};
use crate::session::tests::simulated::SimulatedSession;
use crate::storage::{
    ClaimedGame, Fault, Found, GameStore as _, JournalOffset, MemoryStore, NodeNumber, Owner, Record,
    RestMark,
};
use crate::tasks::Tasks;
use crate::time::ServiceClock;

const OTHER: Owner = Owner::Other(NodeNumber(2));

fn id() -> GameId {
    GameId::from_random(1)
}

/// The first record of a game.
fn first() -> Arc<Record> {
    let events = Game::start(&online()).unwrap();
    Arc::new(Record {
        game: id(),
        first_seq: 1,
        at: GameInstant::START,
        account: None,
        command: None,
        events,
    })
}

/// A game that another node has begun.
async fn of_another_node(store: &MemoryStore, owner: Owner) {
    store.append(JournalOffset::NONE, first()).await.unwrap();
    store.say_owner(id(), owner);
}

fn claimed() -> ClaimedGame {
    ClaimedGame { game: id(), records: vec![first()], offset: JournalOffset(1), spent: Micros::from_secs(3) }
}

#[tokio::test(start_paused = true)]
async fn a_game_that_another_node_has_claimed_is_not_played_on_here() {
    let world = World::new();
    let game = world.games.create(id(), online(), ByColor::default()).await.unwrap();
    let inbox = Inbox::default();
    let seat = game.join(Color::White, ConnectionId(1), inbox.outbox(), None).unwrap();
    world.journal.inject([Some(Fault::Conflict)]);
    world.journal.say_owner(id(), OTHER);
    seat.command(world.clock.now(), play(1, "e2e4")).unwrap();
    settle().await;
    assert!(world.games.get(id()).is_none());
    assert_eq!(world.games.unended_of(AccountId::from_u128(1)), []);
    let (answers, reader) = reading_session();
    let _read = world.games.send_snapshot(id(), None, &reader);
    settle().await;
    assert_eq!(heard(&answers), [NoticeKind::Rejected { id: None, code: Code::Unavailable }]);
}

#[tokio::test(start_paused = true)]
async fn whoever_asks_for_a_game_that_nobody_owns_waits_until_it_is_claimed() {
    let world = World::new();
    of_another_node(&world.journal, Owner::Nobody).await;
    let (answers, reader) = reading_session();
    let _read = world.games.send_snapshot(id(), None, &reader);
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(heard(&answers), []);
    world.games.play_on(vec![claimed()]).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(heard(&answers), [NoticeKind::Live]);
    assert_eq!(world.games.unended_of(AccountId::from_u128(2)), [id()]);
    let handle = world.games.get(id()).unwrap();
    let inbox = Inbox::default();
    let seat = handle.join(Color::White, ConnectionId(1), inbox.outbox(), None).unwrap();
    settle().await;
    seat.command(world.clock.now(), play(1, "e2e4")).unwrap();
    settle().await;
    assert!(heard(&inbox).contains(&NoticeKind::Done { id: None, seq: 2 }));
}

#[tokio::test(start_paused = true)]
async fn a_player_who_comes_before_a_game_is_claimed_has_a_seat_after_it() {
    let world = World::new();
    of_another_node(&world.journal, Owner::Nobody).await;
    let clock = &world.clock;
    let mut white = SimulatedSession::open(
        ConnectionId(1),
        Some(AccountId::from_u128(1)),
        clock.now(),
        Waker::noop().clone(),
    );
    white.identified(&world.games, clock).unwrap();
    let mut written = async |seconds: u64| {
        for _ in 0..10 * seconds {
            tokio::time::sleep(Duration::from_millis(100)).await;
            white.handle_messages(&world.games, clock).unwrap();
        }
        String::from_utf8_lossy(&white.flush()).into_owned()
    };
    let before = written(2).await;
    assert!(!before.contains(r#""t":"snapshot""#), "{before}");
    world.games.play_on(vec![claimed()]).await;
    let after = written(2).await;
    assert!(after.contains(r#""t":"snapshot""#) && after.contains(r#""t":"turn""#), "{after}");
}

#[tokio::test(start_paused = true)]
async fn a_game_that_nobody_claims_is_unavailable_after_15_s() {
    let world = World::new();
    of_another_node(&world.journal, Owner::Nobody).await;
    let (answers, reader) = reading_session();
    let _read = world.games.send_snapshot(id(), None, &reader);
    tokio::time::sleep(Duration::from_millis(14_900)).await;
    assert_eq!(heard(&answers), []);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(heard(&answers), [NoticeKind::Rejected { id: None, code: Code::Unavailable }]);
}

#[tokio::test(start_paused = true)]
async fn a_claimed_game_whose_records_make_none_is_not_played_and_the_others_are() {
    let world = World::new();
    let bad = ClaimedGame { game: GameId::from_random(2), records: Vec::new(), ..claimed() };
    world.games.play_on(vec![bad, claimed()]).await;
    assert_eq!(world.games.count(), 1);
    assert!(world.games.get(id()).is_some());
}

#[tokio::test(start_paused = true)]
async fn a_game_that_came_to_rest_on_another_node_is_woken_when_it_is_due() {
    let (store, clock, tasks) =
        (Arc::new(MemoryStore::default()), ServiceClock::of_runtime(), Tasks::default());
    let games = Games::new(Arc::clone(&store) as _, clock.clone(), tasks.clone());
    store.say_owner(id(), Owner::Rests);
    games.recover_all(RecoveredGames::default(), &Found::default());
    let events = Game::start(&setup(Profile::casual(), TimeControl::Unlimited)).unwrap();
    let record = Record { events, ..Record::clone(&first()) };
    let after = store.append(JournalOffset::NONE, Arc::new(record)).await.unwrap();
    let (at, away_since) = (GameInstant(1_000_000), ByColor::both(GameInstant::START));
    let mark = RestMark { at, took: Micros::ZERO, away_since, due: at + Micros::from_secs(60) };
    assert_eq!(store.rest(id(), after, mark, clock.now()).await, Ok(true));
    tokio::time::sleep(Duration::from_secs(59)).await;
    assert_eq!(games.count(), 0);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(games.count(), 1);
    tasks.stop();
}
