//! The sessions that have entered the lobby, and a ring of encoded updates that all of them share.
//!
//! As with a game's feed, a session holds a cursor and pulls. A session whose cursor fell out of the
//! ring gets the whole lobby again.
//!
//! Invariants: the ring holds consecutive updates up to the head, at most [`RING_FRAMES`] and about
//! [`RING_BYTES`]. The ring goes on after every whole lobby that is given out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use zeitnot_protocol::{CommandId, LobbyNews, ServerMessage};

use super::lobby_view::LobbyView;
use crate::connections::{Frame, Member, Outbox, WakerGroups};
use crate::sync::unpoisoned;
use crate::tasks::Tasks;

/// The most updates kept: a session that missed more gets the whole lobby.
const RING_FRAMES: usize = 8;

/// The most bytes kept. One frame is always kept.
const RING_BYTES: usize = 16 * 1024;

/// Everybody that the lobby is shown to.
#[derive(Debug, Default)]
pub(super) struct Subscribers {
    wakers: Arc<WakerGroups>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of the last update.
    head: u32,
    news: VecDeque<Frame>,
    bytes: usize,
    /// What the lobby shows after the last update; `None` while nobody looks.
    view: Option<Arc<LobbyView>>,
    /// The same encoded, once a session has needed it.
    whole: Option<Frame>,
}

/// The outcome of a pull.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pulled {
    /// Everything after the cursor was handed over. This is the cursor now.
    Up(u32),
    /// The cursor fell out of the ring: the whole lobby is needed.
    Fell,
}

/// A session's place among the subscribers. Dropping it leaves the lobby.
#[derive(Debug)]
pub(crate) struct Subscription {
    wakers: Arc<WakerGroups>,
    member: Member,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.wakers.leave(&self.member);
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
        (self.view, self.whole) = (None, None);
    }
}

impl Subscribers {
    fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    /// Adds a session, which is woken when there is an update. Returns `true` with the first one:
    /// then `view` says what the lobby shows, and the lobby must be looked at.
    pub(super) fn enter(
        &self,
        outbox: Outbox,
        tasks: &Tasks,
        view: impl FnOnce() -> LobbyView,
    ) -> (Subscription, bool) {
        let mut state = self.state();
        let member = self.wakers.enter(outbox, tasks);
        let is_first = state.view.is_none();
        if is_first {
            state.view = Some(Arc::new(view()));
        }
        (Subscription { wakers: Arc::clone(&self.wakers), member }, is_first)
    }

    /// What the lobby shows after the last update.
    pub(super) fn shown(&self) -> Arc<LobbyView> {
        self.state().view.clone().unwrap_or_default()
    }

    /// Everything that came after `cursor`, in order, under a short lock: `each` copies bytes and does
    /// nothing else.
    pub(super) fn pull(&self, cursor: u32, each: impl FnMut(&Frame)) -> Pulled {
        let state = self.state();
        let missed = state.head.wrapping_sub(cursor) as usize;
        if missed > state.news.len() {
            return Pulled::Fell;
        }
        state.news.range(state.news.len() - missed..).for_each(each);
        Pulled::Up(state.head)
    }

    /// The whole lobby, as the answer to the command with this id. Its seq is the cursor after it.
    pub(super) fn whole(&self, id: Option<CommandId>) -> Frame {
        let mut state = self.state();
        let (view, head) = (state.view.clone().unwrap_or_default(), state.head);
        let encoded = |id| Frame::new(head, &ServerMessage::Lobby(view.lobby(id)));
        match id {
            Some(_) => {
                drop(state);
                encoded(id)
            }
            None => state.whole.get_or_insert_with(|| encoded(None)).clone(),
        }
    }

    /// What the lobby shows now. The subscribers are woken when something has changed.
    pub(super) fn publish(&self, view: LobbyView) {
        let mut state = self.state();
        let Some(before) = state.view.clone() else { return };
        if let Some(news) = view.news_since(&before) {
            state.push(&news);
            (state.view, state.whole) = (Some(Arc::new(view)), None);
            drop(state);
            self.wakers.notify_all();
        }
    }

    /// Whether there are no subscribers any more. Then nothing is kept, and nobody need look.
    pub(super) fn is_deserted(&self) -> bool {
        let mut state = self.state();
        let is_deserted = self.wakers.count() == 0;
        if is_deserted {
            state.forget();
        }
        is_deserted
    }
}

#[cfg(test)]
mod tests;
