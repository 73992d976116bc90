//! What an actor said last reaches its sessions behind the events before it, also when they find it gone first.

use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use zeitnot_protocol::{AccountId, CloseCode};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Profile;

use super::table::{blitz, game_id, setup};
use crate::games::handle::SeatMessage;
use crate::games::{ConnectionId, Games};
use crate::journal::MemoryJournal;
use crate::session::simulated::{SimulatedSession, Up};
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
    async fn session(&self, number: u64) -> SimulatedSession {
        let account = Some(AccountId::from_u128(number.into()));
        let at = self.clock.now();
        let mut session = SimulatedSession::open(ConnectionId(number), account, at, Waker::noop().clone());
        session.identified(&self.games, &self.clock).unwrap();
        settle().await;
        session.hear(&self.games, &self.clock).unwrap();
        session.flush();
        session
    }

    fn say(&self, session: &mut SimulatedSession, on: u32, uci: &str) {
        let text = format!(r#"{{"t":"move","d":{{"game":"{}","on":{on},"uci":"{uci}"}}}}"#, game_id());
        session.take(&Up::Text(text), self.clock.now(), &self.games, &self.clock).unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_words_of_an_actor_come_behind_their_events() {
    let clock = ServiceClock::of_runtime();
    let games = Games::new(Arc::new(MemoryJournal::default()), clock.clone(), Tasks::default());
    let world = World { games, clock };
    let game = world
        .games
        .create(game_id(), setup(Profile::fide_online(), blitz()), ByColor::default())
        .await
        .unwrap();
    let (mut white, mut black) = (world.session(1).await, world.session(2).await);
    world.say(&mut white, 1, "e2e4");
    settle().await;
    // Black has not heard yet, and the actor dies of a bug.
    game.mailbox().send(SeatMessage::Break).unwrap();
    settle().await;
    world.say(&mut black, 2, "e7e5");
    assert_eq!(black.hear(&world.games, &world.clock), Err(CloseCode::GameReset));
    let written = String::from_utf8_lossy(&black.flush()).into_owned();
    let place = |what: &str| written.find(&format!(r#"{{"t":"{what}""#));
    let (event, turn) =
        (place("move").expect("the event is written"), place("turn").expect("so is the turn"));
    assert!(event < turn, "{written}");
}
