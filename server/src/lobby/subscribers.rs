//! The sessions that have entered the lobby, and a ring of encoded updates that all of them share.
//!
//! As with a game's feed, a session holds a cursor and pulls. A session whose cursor fell out of the
//! ring gets the whole lobby again.
//!
//! Invariants: the ring holds consecutive updates up to the head, at most [`RING_FRAMES`] and about
//! [`RING_BYTES`]. The ring goes on after every whole lobby that is given out.

use std::sync::{Arc, Mutex, MutexGuard};

use zeitnot_protocol::{CommandId, ServerMessage};

use super::lobby_view::{LobbyView, news};
use crate::connections::{Frame, FrameRing, Member, Outbox, WakerGroups};
use crate::sync::unpoisoned;
use crate::tasks::Tasks;
use crate::time::ServiceInstant;

/// The most updates kept: a session that missed more gets the whole lobby.
const RING_FRAMES: usize = 8;

/// The most bytes kept. One frame is always kept.
const RING_BYTES: usize = 16 * 1024;

/// Everybody that the lobby is shown to.
#[derive(Debug, Default)]
pub(crate) struct Subscribers {
    wakers: Arc<WakerGroups>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    news: FrameRing,
    /// What the lobby shows after the last update; `None` while nobody looks.
    view: Option<Arc<LobbyView>>,
    /// The same encoded, once a session has needed it; until the next look, if clocks run in it.
    whole: Option<Frame>,
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

    /// Hands over every update after `cursor`, in order, under a short lock: `each` copies bytes and
    /// does nothing else. The cursor now; `None` when it fell out of the ring, and the whole lobby is
    /// needed.
    pub(crate) fn pull(&self, cursor: u32, each: impl FnMut(&Frame)) -> Option<u32> {
        let state = self.state();
        if cursor + 1 < state.news.first() {
            return None;
        }
        state.news.after(cursor).for_each(each);
        Some(state.news.head())
    }

    /// The whole lobby at `at`, as the answer to the command with this id. Its seq is the cursor after it.
    pub(crate) fn whole(&self, id: Option<CommandId>, at: ServiceInstant) -> Frame {
        let mut state = self.state();
        let (view, head) = (state.view.clone().unwrap_or_default(), state.news.head());
        let encoded = |id| Frame::new(head, &ServerMessage::Lobby(view.message(id, at)));
        match id {
            Some(_) => {
                drop(state);
                encoded(id)
            }
            None => state.whole.get_or_insert_with(|| encoded(None)).clone(),
        }
    }

    /// What the lobby shows now. The subscribers are woken when something has changed.
    pub(super) fn publish(&self, view: LobbyView, now: ServiceInstant) {
        let mut state = self.state();
        let Some(before) = state.view.clone() else { return };
        if before.has_running_clocks() {
            state.whole = None;
        }
        if let Some(news) = news(&before, &view, now) {
            let frame = Frame::new(state.news.head() + 1, &ServerMessage::LobbyNews(news));
            state.news.push(frame, RING_FRAMES, RING_BYTES);
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
            state.news.clear();
            (state.view, state.whole) = (None, None);
        }
        is_deserted
    }
}

#[cfg(test)]
mod tests;
