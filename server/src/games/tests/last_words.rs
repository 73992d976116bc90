//! The last messages of an actor reach its sessions after the events before them, also when the
//! sessions find the actor gone first; a session that is told of the game only then sees its outcome.

use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use zeitnot_protocol::{AccountId, CloseCode};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Profile;

use super::table::{blitz, game_id, setup};
use crate::connections::{ConnectionId, Notice, NoticeKind, ToSession};
use crate::games::inputs::Mail;
use crate::games::{GameHandle, Games};
use crate::session::tests::simulated::{SimulatedSession, Up};
use crate::storage::MemoryStore;
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
async fn a_session_told_of_a_game_in_recovery_comes_back() {
    let world = World::new();
    let mut black = world.session(2).await;
    let game = world.game().await;
    // Nobody else runs in between, so the game is not recovered before this session is told of it.
    world.games.shared().retire(&game, true);
    black.tell(begun(&game));
    assert_eq!(black.handle_messages(&world.games, &world.clock), Err(CloseCode::GameReset));
}

#[tokio::test(start_paused = true)]
async fn a_session_opened_while_its_game_recovers_comes_back_for_it() {
    let world = World::new();
    let game = world.game().await;
    // Nobody else runs in between, so the game is not recovered before this session opens.
    world.games.shared().retire(&game, true);
    let account = Some(AccountId::from_u128(2));
    let mut black =
        SimulatedSession::open(ConnectionId(2), account, world.clock.now(), Waker::noop().clone());
    assert_eq!(black.identified(&world.games, &world.clock), Err(CloseCode::GameReset));
}
