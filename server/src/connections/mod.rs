//! How the rest of the server reaches a session: by its number, by its account, or in a crowd.
//!
//! A session owns an [`Inbox`]; everybody else holds its [`Outbox`]. [`Connections`] lists all sessions and those of each
//! account; [`WakerGroups`] wakes those who watch the same thing. [`ToSession`] is everything that a session can be
//! told: it carries ids and encoded [`Frame`]s, never a handle of a game or a chat, so this module depends on neither.
//!
//! Deliberately absent: sockets, and what a session does with a message (`session`).

mod frame;
mod frame_ring;
mod inbox;
mod notice;
mod registry;
mod waker_groups;

use std::sync::Arc;

use zeitnot_protocol::{GameId, ServerMessage};

pub use frame::Frame;
pub(crate) use frame::frame_header;
pub(crate) use frame_ring::FrameRing;
pub use inbox::{Inbox, Outbox, QUEUE_MAX, SendError};
pub(crate) use notice::send;
pub use notice::{Notice, NoticeKind, ReadAnswer, TailChunk};
pub(crate) use registry::Connections;
pub use waker_groups::{Member, WakerGroups};

use crate::storage::Person;

/// The number of a connection: no two of one process are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConnectionId(pub u64);

/// How the rest of the server knows and reaches one session.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionRef {
    pub(crate) id: ConnectionId,
    pub(crate) outbox: Outbox,
}

/// What a session is told by the rest of the server.
#[derive(Debug)]
pub enum ToSession {
    /// By a game.
    Game(Notice),
    /// A game of the session's account has started: take the seat. The reply to the command that asked for the game is
    /// written after the game's first event, whatever else the game says meanwhile.
    GameStarted {
        /// Which game.
        game: GameId,
        /// For the connection that asked for it.
        reply: Option<Notice>,
    },
    /// A chat about a game of the session's account has begun: subscribe to it.
    ChatOpened(GameId),
    /// To be written as it is.
    Text(Arc<str>),
    /// The session's account is this from now on: its name or its kind has changed.
    Changed(Person),
    /// The token that the session came in with was revoked: close.
    Revoked,
    /// The network that the session comes from was cut: close.
    CutOff,
}

impl ToSession {
    /// A message, encoded once for all sessions it goes to.
    #[must_use]
    pub fn message(message: &ServerMessage) -> Arc<str> {
        message.to_text().into()
    }
}
