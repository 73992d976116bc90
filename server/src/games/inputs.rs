//! What is queued for a game's actor: the inputs that sessions and the pool of verdicts give its
//! machine.
//!
//! The machine takes each of them as it is. Only a join carries more, the way to the session, which
//! the machine does not need.

use zeitnot_protocol::CommandId;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Micros, Seq};
use zeitnot_rules::verdict::Outcome;

use crate::connections::{ConnectionId, Outbox};
use crate::time::ServiceInstant;

/// One message in an actor's mailbox.
#[derive(Debug)]
pub(crate) enum Mail {
    /// A connection of a player joins; what concerns it goes to `outbox`.
    Join { join: Join, outbox: Outbox },
    /// Everything else that comes from players' sessions.
    Seat(SeatInput),
    /// The answer to a question.
    Verdict(Box<VerdictAnswer>),
    /// A bug, for tests.
    #[cfg(test)]
    Break,
}

/// A connection takes a seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join {
    pub(crate) connection: ConnectionId,
    pub(crate) seat: Color,
    /// The smoothed round trip, if it was measured.
    pub(crate) round_trip: Option<Micros>,
}

/// What a connection at a seat gives the machine.
#[derive(Debug)]
pub(crate) enum SeatInput {
    /// The connection is gone.
    Leave { connection: ConnectionId },
    /// A player's command, read from the socket at `stamp`.
    Command { connection: ConnectionId, stamp: ServiceInstant, command: SeatCommand },
    /// The connection has forwarded all it had read when this fence asked it.
    Fenced { connection: ConnectionId, fence: u32 },
    /// The connection's smoothed round trip has changed.
    RoundTrip { connection: ConnectionId, smoothed: Micros },
    /// The connection's cursor fell out of the ring: it needs a snapshot.
    Resync { connection: ConnectionId },
}

/// A command from one of the players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatCommand {
    /// The client's own name for it.
    pub id: Option<CommandId>,
    /// What is asked for. Its moves are as the client wrote them: `Game::decide` knows both
    /// spellings of castling.
    pub command: Command,
}

/// What a search about the game after event `about` has found.
#[derive(Debug)]
pub(crate) struct VerdictAnswer {
    pub(crate) about: Seq,
    pub(crate) outcome: Option<Outcome>,
}
