//! Those who have entered the lobby, and what they are told: a ring of encoded news, shared by all of them.
//!
//! As with a game's feed, a session holds a cursor and pulls; one whose cursor fell out of the ring gets the whole lobby
//! again. What the lobby shows is looked at twice a second, its games once, and only while somebody has entered.
//!
//! Invariants: the ring holds consecutive news up to the head, at most [`RING_FRAMES`] and about [`RING_BYTES`]; the whole
//! lobby that is given out is one behind which the ring goes on; while somebody is there, exactly one task looks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use zeitnot_protocol::{CommandId, Limits, LobbyNews, ServerMessage};

use super::board::{Board, live_games};
use crate::connections::{Frame, Member, Outbox, WakerGroups};
use crate::games::GameHandle;
use crate::server::Server;

/// How often the lobby is looked at, and so the shortest time between two news.
const LOOK_EVERY: Duration = Duration::from_millis(500);

const SEEKS_MAX: usize = Limits::STANDARD.lobby_seeks as usize;
const LIVE_GAMES_MAX: usize = Limits::STANDARD.lobby_live_games as usize;

/// The most news kept: what a reader may be behind.
const RING_FRAMES: usize = 8;

/// The most bytes kept, but for one frame, which is always kept.
const RING_BYTES: usize = 16 * 1024;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Subscribers {
    relay: Arc<WakerGroups>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of the last news.
    head: u32,
    news: VecDeque<Frame>,
    bytes: usize,
    /// What the lobby shows behind the last news; `None` while nobody is there and nobody looks.
    board: Option<Arc<Board>>,
    /// The same encoded, if somebody needed it.
    whole: Option<Frame>,
}

/// What a pull came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pulled {
    /// Everything behind the cursor was handed over; the cursor now.
    Up(u32),
    /// The cursor fell out of the ring: the whole lobby is needed.
    Fell,
}

/// A session's place among those who have entered. Dropping it is leaving.
#[derive(Debug)]
pub(crate) struct Subscription {
    relay: Arc<WakerGroups>,
    place: Member,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.relay.leave(&self.place);
    }
}

impl State {
    fn push(&mut self, news: &LobbyNews) {
        self.head = self.head.wrapping_add(1);
        let frame = Frame::new(self.head, &ServerMessage::LobbyNews(news.clone()));
        self.bytes += frame.framed().len();
        self.news.push_back(frame);
        while self.news.len() > RING_FRAMES || self.bytes > RING_BYTES && self.news.len() > 1 {
            let oldest = self.news.pop_front().expect("the ring is not empty: it is too long");
            self.bytes -= oldest.framed().len();
        }
    }

    fn forget(&mut self) {
        (self.news, self.bytes) = (VecDeque::new(), 0);
        (self.board, self.whole) = (None, None);
    }
}

impl Subscribers {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything that came after `cursor`, in order, under a short lock: `each` copies bytes and does nothing else.
    pub(crate) fn pull(&self, cursor: u32, each: impl FnMut(&Frame)) -> Pulled {
        let state = self.state();
        let behind = state.head.wrapping_sub(cursor) as usize;
        if behind > state.news.len() {
            return Pulled::Fell;
        }
        state.news.range(state.news.len() - behind..).for_each(each);
        Pulled::Up(state.head)
    }

    /// The whole lobby, as the answer to the command with this id; the cursor behind it is its seq.
    pub(crate) fn whole(&self, id: Option<CommandId>) -> Frame {
        let mut state = self.state();
        let (board, head) = (state.board.clone().unwrap_or_default(), state.head);
        let encoded = |id| Frame::new(head, &ServerMessage::Lobby(board.lobby(id)));
        match id {
            Some(_) => {
                drop(state);
                encoded(id)
            }
            None => state.whole.get_or_insert_with(|| encoded(None)).clone(),
        }
    }

    /// What the lobby shows now. Everybody who has entered is rung when that is news.
    fn publish(&self, board: Board) {
        let mut state = self.state();
        let Some(before) = state.board.clone() else { return };
        if let Some(news) = board.news_since(&before) {
            state.push(&news);
            (state.board, state.whole) = (Some(Arc::new(board)), None);
            drop(state);
            self.relay.notify_all();
        }
    }

    /// Whether nobody is there any more: then nothing is kept, and nobody need look.
    fn is_deserted(&self) -> bool {
        let mut state = self.state();
        let is_deserted = self.relay.count() == 0;
        if is_deserted {
            state.forget();
        }
        is_deserted
    }
}

/// Enters the lobby: the session is rung when there is news. Who is the first has it looked at from now on.
pub(crate) fn enter(server: &Arc<Server>, outbox: Outbox) -> Subscription {
    let subscribers = &server.lobby.subscribers;
    let relay = Arc::clone(&subscribers.relay);
    let mut state = subscribers.state();
    let place = relay.enter(outbox, &server.tasks);
    if state.board.is_none() {
        state.board = Some(Arc::new(show(server, &Board::default(), true)));
        server.tasks.spawn(look(Arc::clone(server)));
    }
    Subscription { relay, place }
}

/// Looks at the lobby as long as somebody is there.
async fn look(server: Arc<Server>) {
    let subscribers = &server.lobby.subscribers;
    let mut looks = 0_u32;
    loop {
        let next = server.clock.now() + LOOK_EVERY;
        tokio::select! {
            biased;
            () = server.tasks.stopping().cancelled() => return,
            () = server.clock.sleep_until(next) => {}
        }
        if subscribers.is_deserted() {
            return;
        }
        looks = looks.wrapping_add(1);
        let before = subscribers.state().board.clone().unwrap_or_default();
        subscribers.publish(show(&server, &before, looks.is_multiple_of(2)));
    }
}

/// What the lobby shows now, if it showed `before`. Without `looks_at_games` these are as they were.
fn show(server: &Server, before: &Board, looks_at_games: bool) -> Board {
    let seeks = server.lobby.challenges().newest_seeks().take(SEEKS_MAX).cloned().collect::<Vec<_>>();
    let pools = server.lobby.pools().view();
    let live = if looks_at_games {
        let (total, games) = server.games.most_watched(LIVE_GAMES_MAX);
        let featured = before.live().featured.and_then(|game| server.games.get(game));
        let featured = featured.filter(|game| !game.has_ended()).map(|game| game.live_game());
        let games = games.iter().map(GameHandle::live_game).collect::<Vec<_>>();
        live_games(total, &games, featured.as_ref())
    } else {
        before.live().clone()
    };
    Board::new(seeks.iter().map(|offer| offer.view(None)), pools, live)
}

#[cfg(test)]
#[path = "subscribers_tests.rs"]
mod tests;
