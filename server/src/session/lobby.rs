//! A session's place in the lobby: entering, the news, leaving.
//!
//! A cursor in what all who have entered share. Invariant: whoever is behind by more than is kept gets the whole lobby
//! again, so that nothing waits here but the id of one command.

use zeitnot_protocol::{Code, CommandId, JoinPool, LobbyCommand, OkAnswer, ServerMessage};

use super::output::Output;
use super::rejection::Rejection;
use super::task::Session;
use crate::lobby::{self, Pulled, Subscription};
use crate::telemetry::metrics;

/// See the module.
#[derive(Debug)]
pub(super) struct Visit {
    /// Given back when the visit ends.
    _place: Subscription,
    /// The last news written; `None`: the whole lobby is due.
    cursor: Option<u32>,
    /// Of the command that the whole lobby answers.
    id: Option<CommandId>,
    is_due: bool,
}

impl Session {
    /// Answers `enter_lobby`. Entering again is asking for the whole lobby again.
    pub(super) fn enter_lobby(&mut self, wanted: &LobbyCommand, output: &mut Output) {
        match &mut self.visit {
            // One answer at a time, or whoever does not read could have us write for ever.
            Some(visit) if visit.cursor.is_none() => {
                metrics().frames_refused.increment(1);
                return output.message(&Rejection::plain(wanted.id, Code::Unavailable).into_message());
            }
            Some(visit) => (visit.cursor, visit.id) = (None, wanted.id),
            None => {
                let place = lobby::enter(&self.server, self.line.outbox.clone());
                let visit = Visit { _place: place, cursor: None, id: wanted.id, is_due: true };
                self.visit = Some(Box::new(visit));
            }
        }
        self.look_around(output);
    }

    /// Answers `leave_lobby`.
    pub(super) fn leave_lobby(&mut self, wanted: &LobbyCommand, output: &mut Output) {
        if let Some(visit) = self.visit.take().filter(|visit| visit.cursor.is_none()) {
            // There was no room yet for the lobby that it asked for.
            output.message(&Rejection::plain(visit.id, Code::Unavailable).into_message());
        }
        output.message(&ServerMessage::Ok(OkAnswer { id: wanted.id, game: None, seq: None }));
    }

    /// Answers `join_pool`.
    pub(super) fn join_pool(&self, wanted: &JoinPool) {
        if let Some(requester) = self.requester() {
            lobby::join_pool(&self.server, &requester, wanted);
        }
    }

    /// Answers `leave_pool`.
    pub(super) fn leave_pool(&self, wanted: &LobbyCommand) {
        if let Some(requester) = self.requester() {
            lobby::leave_pool(&self.server, &requester, wanted.id);
        }
    }

    /// Somebody rang: there may be news.
    pub(super) fn lobby_notified(&mut self) {
        if let Some(visit) = &mut self.visit {
            visit.is_due = true;
        }
    }

    /// Whether there may be something to write.
    pub(super) fn lobby_is_due(&self) -> bool {
        self.visit.as_ref().is_some_and(|visit| visit.is_due)
    }

    /// Writes what is new in the lobby, if there is room.
    pub(super) fn look_around(&mut self, output: &mut Output) {
        let Some(visit) = &mut self.visit else { return };
        visit.is_due = !output.has_room();
        if visit.is_due {
            return;
        }
        let subscribers = &self.server.lobby.subscribers;
        if let Some(cursor) = visit.cursor {
            match subscribers.pull(cursor, |frame| output.framed(frame.framed())) {
                Pulled::Up(cursor) => return visit.cursor = Some(cursor),
                Pulled::Fell => {}
            }
        }
        let whole = subscribers.whole(visit.id.take());
        output.framed(whole.framed());
        visit.cursor = Some(whole.seq());
    }
}
