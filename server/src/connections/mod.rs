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
pub use inbox::{Inbox, Outbox, QUEUE_MAX, SendError, Signals};
pub(crate) use notice::{FENCE_PATIENCE, send};
pub use notice::{Notice, NoticeKind, PostAnswer, ReadAnswer, TailChunk};
pub(crate) use registry::Connections;
pub use waker_groups::{Member, WakerGroups};

use crate::storage::{NodeNumber, Person};

/// The number of a connection: no two of one process are the same. Those of another node's connections name the node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ConnectionId(pub u64);

/// The number of a node stands above this bit: a process has fewer connections in its life.
const NODE_SHIFT: u32 = 40;

impl ConnectionId {
    /// A connection of another node, by its number there.
    pub(crate) fn elsewhere(node: NodeNumber, number: u64) -> Self {
        Self(u64::from(node.0) << NODE_SHIFT | number & ((1 << NODE_SHIFT) - 1))
    }

    /// The mirror of a game on another node, as the owner of the game reaches it. No connection has its number.
    pub(crate) fn of_mirror(node: NodeNumber) -> Self {
        Self::elsewhere(node, 0)
    }

    /// Its number on its own node.
    pub(crate) fn number(self) -> u64 {
        self.0 & ((1 << NODE_SHIFT) - 1)
    }

    /// The node of a connection that is not one of this process's sessions.
    pub(crate) fn node(self) -> Option<NodeNumber> {
        let node = u32::try_from(self.0 >> NODE_SHIFT).unwrap_or(u32::MAX);
        (node != 0).then_some(NodeNumber(node))
    }
}

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
    /// What came of a line that another node was asked to post.
    Posted(Box<PostAnswer>),
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
