//! The nodes that serve from one store, as one of them sees and uses them.
//!
//! Deliberately absent: who is dead, and when games are claimed (`cluster`).

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Micros;

use super::account::OpenChallenge;
use super::change::Change;
use super::record::{JournalOffset, Record};

/// How many processes may serve from a database at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nodes {
    /// One, which takes over all games of those before it at its start.
    One,
    /// Several, which declare each other dead and claim the games of the dead while they run.
    Several,
}

/// The number of a node: of one process, from its start to its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct NodeNumber(pub u32);

impl fmt::Display for NodeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A node that lives, as far as anybody knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeBeat {
    /// Its number.
    pub node: NodeNumber,
    /// What tells it from all other processes.
    pub boot: Uuid,
    /// Where its beat stands: it moves while the node lives.
    pub beat: u64,
}

/// What a node says of the bus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hearing {
    /// Which node.
    pub node: NodeNumber,
    /// Whether its own heartbeat comes back.
    pub reaches_bus: bool,
    /// The others that it hears.
    pub hears: Vec<NodeNumber>,
}

/// What a poll found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polled {
    /// The nodes that live, with this one, in the order of their numbers.
    pub living: Vec<NodeBeat>,
    /// What they say of the bus.
    pub hearing: Vec<Hearing>,
    /// Whether there are live games that nobody owns who lives.
    pub has_free_games: bool,
    /// Whether nobody has the lobby who lives.
    pub has_free_lobby: bool,
    /// Whether the connection was made anew for this poll.
    pub is_reconnected: bool,
}

/// Where a live game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// This node.
    Own,
    /// Another node that lives, as far as anybody knows.
    Other(NodeNumber),
    /// Nobody, until a node claims it.
    Nobody,
    /// Nobody, until somebody needs it: it rests.
    Rests,
}

/// A live game that this node has claimed: it is the only one that may append to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimedGame {
    /// The game.
    pub game: GameId,
    /// All of its records.
    pub records: Vec<Arc<Record>>,
    /// What its next record comes after.
    pub offset: JournalOffset,
    /// What its running turn has taken.
    pub spent: Micros,
}

/// The lobby of all nodes, which this one has from here on until it is dead, with what is kept of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenLobby {
    /// Counts the nodes that have had it.
    pub epoch: u64,
    /// The challenges that are open.
    pub challenges: Vec<OpenChallenge>,
}

/// Why a node was not told what it asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NodeError {
    /// The database cannot be reached, or is busy.
    #[error("{0}")]
    Failed(String),
    /// This node serves no longer.
    #[error("this node serves no longer")]
    Ended,
}

/// The answer to a node.
pub type NodeAnswer<'a, T> = BoxFuture<'a, Result<T, NodeError>>;

/// What a node needs of a store that several nodes serve from. Its futures are to be awaited on one runtime, which need not be
/// that of anything else. Polls and changes use a connection of their own, so that no
/// claim delays them.
pub trait NodeStore: fmt::Debug + Send + Sync + 'static {
    /// This node.
    fn own(&self) -> NodeNumber;

    /// Says that this node lives, and reads which others do, in one transaction.
    fn poll(&self) -> NodeAnswer<'_, Polled>;

    /// What any node has changed about people since this was asked last, or since before the store was opened; of very much a
    /// part. Changes of the same thing are in their order.
    fn changes(&self) -> NodeAnswer<'_, Vec<Change>>;

    /// What this node says of the bus with its polls, from the next one on.
    fn set_hearing(&self, hearing: Hearing);

    /// Declares a node dead, if its beat still stands there; whether it did.
    fn declare_dead(&self, node: NodeBeat) -> NodeAnswer<'_, bool>;

    /// Others say that this node was declared dead: it ends, before the database tells it.
    fn was_declared_dead(&self);

    /// Claims some of the live games whose owners are dead, after the connections of those are ended. `None` when all were
    /// looked at once: the next call begins anew.
    fn claim(&self) -> NodeAnswer<'_, Option<Vec<ClaimedGame>>>;

    /// Takes the lobby of all nodes, after the connections of those that are dead are ended. `None` when a node has it that
    /// lives. From here on no game begins that the one before would begin.
    fn take_lobby(&self) -> NodeAnswer<'_, Option<TakenLobby>>;
}
