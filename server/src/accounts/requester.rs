//! The account and the connection that a command comes from, and the way its answer takes.
//!
//! Invariant: an answer goes to the one connection that sent the command; what the account's other
//! connections are to know, the caller says to them.

use zeitnot_protocol::{Code, CommandId, GameId, OkAnswer, Rejected, ServerMessage};

use super::Person;
use crate::connections::{ConnectionId, Outbox, ToSession};
use crate::net::Address;
use crate::telemetry::metrics;

/// An account that sent a command, and the connection that it sent it over.
#[derive(Clone, Debug)]
pub(crate) struct Requester {
    pub(crate) person: Person,
    pub(crate) connection: ConnectionId,
    /// Where the connection comes from.
    pub(crate) address: Address,
    pub(crate) outbox: Outbox,
}

impl Requester {
    /// Sends a message to the connection. A session whose queue is full closes its socket by
    /// itself.
    fn send(&self, message: &ServerMessage) {
        if let Err(error) = self.outbox.try_send(ToSession::Text(ToSession::message(message))) {
            tracing::debug!(connection = self.connection.0, ?error, "an answer was not queued");
        }
    }

    /// Answers that a command that leads to nothing more has been done.
    pub(crate) fn done(&self, id: Option<CommandId>) {
        self.send(&ServerMessage::Ok(OkAnswer { id, game: None, seq: None }));
    }

    /// Rejects a command. Without a message the code's meaning is said.
    pub(crate) fn reject(&self, id: Option<CommandId>, code: Code, message: Option<String>) {
        self.reject_about(None, id, code, message);
    }

    /// Rejects a command about a game.
    pub(crate) fn reject_about(
        &self,
        game: Option<GameId>,
        id: Option<CommandId>,
        code: Code,
        message: Option<String>,
    ) {
        let message = message.unwrap_or_else(|| code.meaning().to_owned());
        metrics().frames_rejected.count(&[("code", code.as_str())]);
        self.send(&ServerMessage::Rejected(Rejected { id, game, code, message }));
    }
}
