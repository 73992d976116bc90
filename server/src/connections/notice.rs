//! What a game tells one session: everything that is not a public event.
//!
//! Public events come from the game's feed, to players and spectators alike. A notice says after which event it belongs:
//! the session first writes the feed's frames up to it, so `ok` and `turn` always come after their event.

use std::time::Duration;

use zeitnot_protocol::{ChatRoom, Code, CommandId, GameId};
use zeitnot_rules::game::Seq;

use super::{Frame, Outbox, ToSession};
use crate::time::ServiceInstant;

/// How long a session may take to answer [`NoticeKind::Fence`]. Its task answers, not the client: one that does not is stuck.
pub(crate) const FENCE_PATIENCE: Duration = Duration::from_secs(2);

/// A message from a game to a session. Small: rare contents are boxed.
#[derive(Clone, PartialEq, Debug)]
pub struct Notice {
    /// Which game.
    pub game: GameId,
    /// Write the game's frames up to this event first, where the feed has them.
    pub after: Seq,
    /// What the session is told.
    pub kind: NoticeKind,
}

/// What a session is told.
#[derive(Clone, PartialEq, Debug)]
pub enum NoticeKind {
    /// The feed has something new; nothing else.
    Events,
    /// To be written as it is: `turn`, `presence`, `history`, or the `clock` of a game that is not live. Its seq says
    /// nothing.
    Message(Frame),
    /// The command took effect; `seq` is the first event it led to. Write `ok`.
    Done {
        /// The command's id.
        id: Option<Box<CommandId>>,
        /// The first event.
        seq: Seq,
    },
    /// The command, or the request, was rejected. Write `rejected`.
    Rejected {
        /// The command's id.
        id: Option<Box<CommandId>>,
        /// Why.
        code: Code,
    },
    /// The game as it stands. Write the frame, then go on in the feed after its seq, with the clock. For a game that is
    /// not live there is no feed: a [`NoticeKind::Message`] with the clock follows.
    Snapshot(Frame),
    /// A piece of the events that were asked for from the journal.
    Tail(Box<TailChunk>),
    /// Forward everything that was read from the socket until now, then answer the
    /// fence of this number. Nothing is written.
    Fence {
        /// What the answer names.
        number: u32,
        /// When the deadline passed that is to be decided.
        due: ServiceInstant,
    },
    /// How many watch now. Write `watchers`.
    Watchers(u32),
    /// The session did not answer a fence in time, and is no longer connected to the game. Close the socket with
    /// "come back".
    Silent,
    /// The game must be recovered from the journal. Close the socket with `game_reset`.
    Reset,
    /// The answer to something that this session asked storage for. Nothing is written if it is no longer wanted.
    Answer(Box<ReadAnswer>),
    /// In an answer: the game is live, or is again after a recovery, and what was asked for comes from it. Nothing is
    /// written.
    Live,
    /// The game has ended a while ago and its actor with it: forget the handle. Nothing is written.
    Gone,
}

/// What came of a line that another node was asked to post.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PostAnswer {
    /// In the chat of which game.
    pub game: GameId,
    /// In which room.
    pub room: ChatRoom,
    /// The command's id.
    pub id: Option<CommandId>,
    /// The number of the line in its room, which was told before, or why nobody heard it.
    pub answer: Result<u32, Code>,
}

/// What a read from storage found.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadAnswer {
    /// The number that the session gave to the read.
    pub read: u32,
    /// What the session is told, in order.
    pub news: Vec<NoticeKind>,
}

/// A piece of a game's events, made again from the journal.
#[derive(Clone, PartialEq, Debug)]
pub struct TailChunk {
    /// The frames, in order and without gaps.
    pub frames: Vec<Frame>,
    /// Whether there is more: ask again, after the last of `frames`, when these are on the socket. If not, the feed of a
    /// live game goes on here; for one that is not live a [`NoticeKind::Message`] with the clock follows.
    pub more: bool,
}

/// Tells a session. A session whose queue is full closes its socket and comes back; one that has ended needs no notice.
pub(crate) fn send(outbox: &Outbox, notice: Notice) {
    let game = notice.game;
    if let Err(error) = outbox.try_send(ToSession::Game(notice)) {
        tracing::debug!(game = %game, ?error, "a session was not told");
    }
}
