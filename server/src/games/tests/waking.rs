//! Games at rest in their tasks: without an actor, and woken by whoever asks, or when they are due.

use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use zeitnot_protocol::{AccountId, Code};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::{Event, Micros, Profile, TimeControl};

use super::actor::reading_session;
use super::table::{game_id, setup};
use crate::connections::ConnectionId;
use crate::games::resting::{WAKES_PER_MINUTE_MAX, WOKEN_AT_ONCE_MAX};
use crate::games::{Games, Reader, RecoveredGames};
use crate::session::tests::simulated::{SimulatedSession, Up};
use crate::storage::{Found, GameStore as _, MemoryStore};
use crate::tasks::Tasks;
use crate::time::ServiceClock;

const SECOND: Duration = Duration::from_secs(1);
/// By then every game has come to rest that nobody has followed: some wait half as long again.
const LONG_ENOUGH: Duration = Duration::from_secs(901);

/// Sessions and games, in the runtime's virtual time.
struct World {
    games: Games,
    store: Arc<MemoryStore>,
    clock: ServiceClock,
    tasks: Tasks,
}

impl World {
    /// With a game between accounts 1 and 2 that is at rest.
    async fn at_rest(time_control: TimeControl) -> Self {
        let (store, clock, tasks) =
            (Arc::new(MemoryStore::default()), ServiceClock::of_runtime(), Tasks::default());
        let games = Games::new(Arc::clone(&store) as _, clock.clone(), tasks.clone());
        games.recover_all(RecoveredGames::default(), &Found::default());
        let setup = setup(Profile::casual(), time_control);
        drop(games.create(game_id(), setup, ByColor::default()).await.unwrap());
        let world = Self { games, store, clock, tasks };
        tokio::time::sleep(LONG_ENOUGH).await;
        assert_eq!((world.games.count(), world.games.get(game_id()).is_none()), (0, true));
        world
    }

    fn session(&self, account: u128, connection: u64) -> SimulatedSession {
        let account = Some(AccountId::from_u128(account));
        let at = self.clock.now();
        let mut session =
            SimulatedSession::open(ConnectionId(connection), account, at, Waker::noop().clone());
        session.identified(&self.games, &self.clock).unwrap();
        session
    }

    /// Lets the session handle what comes until nothing more does, and says what was written.
    async fn written(&self, session: &mut SimulatedSession) -> String {
        for _ in 0..6 {
            tokio::time::sleep(Duration::from_millis(1)).await;
            session.handle_messages(&self.games, &self.clock).unwrap();
        }
        String::from_utf8_lossy(&session.flush()).into_owned()
    }

    fn say(&self, session: &mut SimulatedSession, t: &str, fields: &str) {
        let text = format!(r#"{{"t":"{t}","d":{{"game":"{}"{fields}}}}}"#, game_id());
        session.take(&Up::Text(text), self.clock.now(), &self.games, &self.clock).unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_at_rest_counts_as_live_and_waits_for_its_player() {
    let world = World::at_rest(TimeControl::Unlimited).await;
    assert_eq!(world.games.unended_of(AccountId::from_u128(1)), [game_id()]);
    assert_eq!(world.games.live_count(AccountId::from_u128(2)), 1);
    let mut white = world.session(1, 1);
    let heard = world.written(&mut white).await;
    let place =
        |what: &str| heard.find(&format!(r#"{{"t":"{what}""#)).unwrap_or_else(|| panic!("{what}: {heard}"));
    assert!(place("snapshot") < place("turn"), "{heard}");
    world.say(&mut white, "move", r#","on":1,"uci":"e2e4","id":"m1""#);
    let heard = world.written(&mut white).await;
    assert!(heard.contains(r#""t":"ok""#) && heard.contains(r#""id":"m1""#), "{heard}");
    assert_eq!(world.games.count(), 1);
    world.tasks.stop();
}

#[tokio::test(start_paused = true)]
async fn whoever_comes_at_once_finds_one_actor() {
    let world = World::at_rest(TimeControl::Unlimited).await;
    let (mut white, mut again, mut black) = (world.session(1, 1), world.session(1, 2), world.session(2, 3));
    let mut spectator = world.session(3, 4);
    world.say(&mut spectator, "watch", r#","id":"w""#);
    for session in [&mut white, &mut again, &mut black, &mut spectator] {
        let heard = world.written(session).await;
        assert_eq!(heard.matches(r#""t":"snapshot""#).count(), 1, "{heard}");
    }
    world.say(&mut white, "move", r#","on":1,"uci":"e2e4""#);
    for session in [&mut white, &mut again, &mut black, &mut spectator] {
        let heard = world.written(session).await;
        assert_eq!(heard.matches(r#""t":"move""#).count(), 1, "{heard}");
    }
    assert_eq!(world.games.count(), 1);
    world.tasks.stop();
}

#[tokio::test(start_paused = true)]
async fn a_deadline_at_rest_is_recorded_at_its_instant_within_a_second() {
    let world = World::at_rest(TimeControl::DaysPerMove { days: 1 }).await;
    let day = Duration::from_secs(24 * 3_600);
    tokio::time::sleep(day.saturating_sub(LONG_ENOUGH + SECOND)).await;
    let has_ended = async || world.store.tail(game_id(), 1).await.unwrap().has_ended();
    assert!(!has_ended().await);
    tokio::time::sleep(SECOND * 2).await;
    let tail = world.store.tail(game_id(), 1).await.unwrap();
    assert!(tail.has_ended(), "a second after its flag");
    let flag = tail.records.iter().find(|record| matches!(record.events[0], Event::FlagFell { .. })).unwrap();
    assert_eq!(flag.at.0, Micros::from_secs(24 * 3_600).0);
    world.tasks.stop();
}

#[tokio::test(start_paused = true)]
async fn a_woken_game_that_nobody_follows_comes_to_rest_again() {
    let world = World::at_rest(TimeControl::Unlimited).await;
    let mut white = world.session(1, 1);
    world.written(&mut white).await;
    assert_eq!(world.games.count(), 1);
    drop(white);
    tokio::time::sleep(SECOND * 59).await;
    assert_eq!(world.games.count(), 1);
    tokio::time::sleep(SECOND * 2).await;
    assert_eq!(world.games.count(), 0, "a minute, because it was woken");
    let mut black = world.session(2, 2);
    assert!(world.written(&mut black).await.contains(r#""t":"snapshot""#));
    world.tasks.stop();
}

#[tokio::test(start_paused = true)]
async fn an_address_wakes_so_many_games_of_others() {
    let world = World::at_rest(TimeControl::Unlimited).await;
    let (_inbox, reader) = reading_session();
    let wake = async |reader: &Reader| world.games.find(game_id(), reader).await.map(drop);
    for _ in 0..WAKES_PER_MINUTE_MAX {
        world.games.shared().wakes.spend(reader.address, 1, world.clock.now()).unwrap();
    }
    assert_eq!(wake(&reader).await, Err(Code::Unavailable));
    let own = Reader { account: Some(AccountId::from_u128(2)), ..reader };
    assert_eq!(wake(&own).await, Ok(()), "its own players wake it");
    world.tasks.stop();
}

#[tokio::test(start_paused = true)]
async fn games_are_woken_so_many_at_once() {
    let world = World::at_rest(TimeControl::Unlimited).await;
    let places = &world.games.shared().resting.places;
    let taken = places.try_acquire_many(WOKEN_AT_ONCE_MAX as u32).unwrap();
    let shared = Arc::clone(world.games.shared());
    let waking = world.tasks.spawn(async move { shared.wake(game_id()).await });
    tokio::time::sleep(SECOND).await;
    assert_eq!(world.games.count(), 0, "it waits its turn");
    drop(taken);
    waking.await.unwrap();
    assert_eq!(world.games.count(), 1);
    world.tasks.stop();
}
