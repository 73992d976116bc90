//! One socket, one session, one task.
//!
//! `logic` says what a connection may do and when, as a plain state machine; `following` keeps its place in each game it
//! plays or watches; `socket` moves bytes; `task` runs them. The rest of the server reaches a session through its
//! [`Outbox`].
//!
//! Deliberately absent: chess, and anything that waits for an actor.

mod buffers;
mod closing;
mod directory;
#[cfg(test)]
mod echo;
mod following;
mod inbox;
mod lobby;
mod logic;
mod output;
mod perform;
mod pulse;
mod refusal;
#[cfg(test)]
mod rfc6455;
mod saying;
#[cfg(test)]
pub(crate) mod simulated;
mod socket;
mod task;
mod welcome;

use std::sync::Arc;

use zeitnot_protocol::ServerMessage;
use zeitnot_rules::game::PlayerName;

use crate::games::{GameHandle, Notice, Talk};

pub(crate) use directory::Directory;
#[cfg(test)]
pub(crate) use echo::spawn as spawn_echo;
pub use inbox::{Inbox, Outbox, QUEUE_MAX, SendError};
pub(crate) use logic::Bounds;
pub(crate) use task::spawn;

/// What a session is told by the rest of the server.
#[derive(Debug)]
pub enum ToSession {
    /// By a game.
    Game(Notice),
    /// A game of the session's account has begun: take the seat. The reply to who asked for it is written behind the
    /// game's first event, whatever else the game says meanwhile.
    Begun { game: GameHandle, reply: Option<Notice> },
    /// People talk about a game of the session's account: hear it.
    Talk(Arc<Talk>),
    /// To be written as it is.
    Text(Arc<str>),
    /// The session's account has this name from now on.
    Renamed(PlayerName),
    /// The token of the session's account was revoked: close.
    Revoked,
}

impl ToSession {
    /// A message, encoded once for all sessions it goes to.
    #[must_use]
    pub fn message(message: &ServerMessage) -> Arc<str> {
        message.to_text().into()
    }
}
