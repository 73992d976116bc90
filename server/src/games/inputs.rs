//! What a game's machine is given, and what of it waits in the mailbox.
//!
//! The machine takes each input as it is. Only a join carries more while it waits: the way to the
//! session, which the machine does not need.

use zeitnot_protocol::CommandId;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Micros, Seq};
use zeitnot_rules::verdict::Outcome;

use super::snapshot::RatingChanges;
use crate::connections::{ConnectionId, Outbox};
use crate::storage::{AppendAnswer, NodeNumber, ReadError, Tail, WriteError};
use crate::time::ServiceInstant;

/// One message in an actor's mailbox.
#[derive(Debug)]
pub(crate) enum Mail {
    /// A connection of a player joins; what concerns it goes to `outbox`.
    Join { join: Join, outbox: Outbox },
    /// The mirror of another node; what concerns it goes to `outbox`. It leaves as a connection does.
    Mirror { mirror: ConnectionId, outbox: Outbox },
    /// Everything else that comes from players' sessions, and verdicts.
    Input(GameInput),
    /// A bug, for tests.
    #[cfg(test)]
    Break,
}

/// Something that happened to a game.
#[derive(Debug)]
pub(crate) enum GameInput {
    /// A connection takes a seat.
    Join(Join),
    /// The connection is gone.
    Leave { connection: ConnectionId },
    /// A player's command.
    Command(StampedCommand),
    /// The connection has forwarded all it had read when this fence asked it; a mirror, all that its node's sessions had.
    Fenced { connection: ConnectionId, fence: u32 },
    /// The connection's smoothed round trip has changed.
    RoundTrip { connection: ConnectionId, smoothed: Micros },
    /// The connection's cursor fell out of the ring: it needs a snapshot.
    Resync { connection: ConnectionId },
    /// Spectators need a snapshot.
    SnapshotWanted,
    /// This many watch now.
    Watchers(u32),
    /// Another node has a mirror of the game from now on.
    Mirrored { mirror: ConnectionId },
    /// The link with a node is lost. All that the node had sent before `complete` has come.
    NodeLost { node: NodeNumber, complete: ServiceInstant },
    /// The node is found dead, or is heard again: who does not come soon does not come.
    NodeSettled(NodeNumber),
    /// The answer to `TaskRequest::Append`.
    Appended(AppendAnswer),
    /// The answer to `TaskRequest::ReadTail`.
    TailRead(Result<Tail, ReadError>),
    /// The answer to `TaskRequest::Rest`: whether the game is at rest.
    Rested(Result<bool, WriteError>),
    /// The answer to `TaskRequest::Confirm`.
    Confirmed(Result<(), WriteError>),
    /// The answer to `TaskRequest::ReadRatings`; `None` when the game has changed none, or that cannot be read.
    RatingsRead(Option<RatingChanges>),
    /// The answer to `TaskRequest::StampTurn`: the turn's message is on its way to the player since
    /// this instant.
    TurnQueued,
    /// The answer to `TaskRequest::AskVerdict`. It may come late, or never for a position that is
    /// no longer on the board.
    Verdict(VerdictAnswer),
    /// The game has ended, and late readers are to read it from storage.
    LetGo,
    /// `GameMachine::wake` has come.
    Tick,
    /// The server stops.
    Stop,
    /// Another node is to play the game on.
    Release,
}

/// A connection takes a seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join {
    pub(crate) connection: ConnectionId,
    pub(crate) seat: Color,
    /// The smoothed round trip, if it was measured.
    pub(crate) round_trip: Option<Micros>,
}

/// A player's command as it waits to be decided.
#[derive(Debug)]
pub(crate) struct StampedCommand {
    pub(crate) connection: ConnectionId,
    pub(crate) seat: Color,
    /// When it was read from the socket.
    pub(crate) stamp: ServiceInstant,
    /// How long the turn had gone on then that it is about, as the player's node measured it. `None` if that is this one.
    pub(crate) took: Option<Micros>,
    pub(crate) command: SeatCommand,
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

/// What becomes of a game whose actor has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ActorEnd {
    /// It has ended, or the server stops.
    Over,
    /// It is recovered from its records.
    Recovers,
    /// It is at rest.
    Rests,
    /// Another node plays it on.
    Released,
}
