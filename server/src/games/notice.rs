//! What a game tells one session: everything that is not a public event.
//!
//! Public events come from the [`Feed`](super::Feed), to players and spectators alike. A notice says after which event it
//! belongs: the session first writes the feed's frames up to it, so `ok` and `turn` always come after their event.

use zeitnot_protocol::{Code, CommandId, GameId};
use zeitnot_rules::game::Seq;

use super::{Frame, TailChunk};
use crate::session::{Outbox, ToSession};

/// A message from a game to a session. Small: rare contents are boxed.
#[derive(Clone, PartialEq, Debug)]
pub struct Notice {
    /// Which game.
    pub game: GameId,
    /// Write the game's frames up to this event first, where the feed has them.
    pub after: Seq,
    /// What.
    pub what: News,
}

/// What a session is told.
#[derive(Clone, PartialEq, Debug)]
pub enum News {
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
    /// The command, or the request, was refused. Write `rejected`.
    Refused {
        /// The command's id.
        id: Option<Box<CommandId>>,
        /// Why.
        code: Code,
    },
    /// The game as it stands. Write the frame, then go on in the feed after its seq, with the clock. For a game that is
    /// not live there is no feed: a [`News::Message`] with the clock follows.
    Snapshot(Frame),
    /// A piece of the events that were asked for with [`Games::send_tail`](super::Games::send_tail).
    Tail(Box<TailChunk>),
    /// Forward everything that was read from the socket until now, then answer with
    /// [`Seat::fenced`](super::Seat::fenced). Nothing is written.
    Fence(u32),
    /// How many watch now. Write `watchers`.
    Watchers(u32),
    /// The session did not answer a fence in time, and is no longer connected to the game. Close the socket with
    /// "come back".
    Silent,
    /// The game must be taken up again from what is stored. Close the socket with `game_reset`.
    Reset,
    /// The game has ended a while ago and its actor with it: forget the handle. Nothing is written.
    Gone,
}

/// Tells a session. One whose queue is full closes its socket and comes back; one that has ended need not hear.
pub(super) fn send(outbox: &Outbox<ToSession>, notice: Notice) {
    let game = notice.game;
    if let Err(error) = outbox.try_send(ToSession::Game(notice)) {
        tracing::debug!(game = %game, ?error, "a session was not told");
    }
}
