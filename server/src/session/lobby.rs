//! What a session shows of the lobby: entering, updates, leaving.
//!
//! Updates are shared by all subscribers; a session has a cursor in them. Invariant: a session that
//! missed more updates than are kept gets the whole lobby again, so nothing waits here but the id of
//! one command.

use zeitnot_protocol::{Code, LobbyCommand, OkAnswer, ServerMessage};

use super::output::Output;
use super::rejection::Rejection;
use super::subscriptions::LobbyView;
use super::task::Session;
use crate::telemetry::metrics;

impl Session {
    /// Answers `enter_lobby`. A session that enters again asks for the whole lobby again.
    pub(super) fn enter_lobby(&mut self, wanted: &LobbyCommand, output: &mut Output) {
        match &mut self.lobby {
            // One answer at a time, or a client that does not read could have us write for ever.
            Some(view) if view.cursor.is_none() => {
                metrics().frames_rejected.count(&[("code", Code::Unavailable.as_str())]);
                return output.message(&Rejection::plain(wanted.id, Code::Unavailable).into_message());
            }
            Some(view) => (view.cursor, view.id) = (None, wanted.id),
            None => {
                let subscription = self.sessions.lobby.enter(self.line.outbox.clone());
                let view = LobbyView::new(subscription, wanted.id);
                self.lobby = Some(Box::new(view));
            }
        }
        self.write_lobby(output);
    }

    /// Answers `leave_lobby`.
    pub(super) fn leave_lobby(&mut self, wanted: &LobbyCommand, output: &mut Output) {
        if let Some(view) = self.lobby.take().filter(|view| view.cursor.is_none()) {
            // There was no room yet for the lobby that the session asked for.
            output.message(&Rejection::plain(view.id, Code::Unavailable).into_message());
        }
        output.message(&ServerMessage::Ok(OkAnswer { id: wanted.id, game: None, seq: None }));
    }

    /// The session was woken: there may be updates.
    pub(super) fn lobby_notified(&mut self) {
        if let Some(view) = &mut self.lobby {
            view.is_due = true;
        }
    }

    /// Whether there may be something to write.
    pub(super) fn lobby_is_due(&self) -> bool {
        self.lobby.as_ref().is_some_and(|view| view.is_due)
    }

    /// Writes what is new in the lobby, if there is room.
    pub(super) fn write_lobby(&mut self, output: &mut Output) {
        let Some(view) = &mut self.lobby else { return };
        view.is_due = !output.has_room();
        if view.is_due {
            return;
        }
        let subscribers = &self.sessions.lobby.subscribers;
        if let Some(cursor) = view.cursor {
            view.cursor = subscribers.pull(cursor, |frame| output.framed(frame.framed()));
            if view.cursor.is_some() {
                return;
            }
        }
        let whole = subscribers.whole(view.id.take(), self.sessions.clock.now());
        output.framed(whole.framed());
        view.cursor = Some(whole.seq());
    }
}
