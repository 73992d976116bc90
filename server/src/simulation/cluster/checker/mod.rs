//! The checker of several nodes: looks at what is durable and at what clients are told, from outside, and keeps the first
//! complaint.
//!
//! It shares no code with nodes and stores but the decoder of rows, and uses the fold of the rules for positions.
//!
//! | file | what it looks at |
//! |---|---|
//! | `clients` | what tabs hear |
//! | `log` | what becomes durable |
//! | `links` | what nodes take on their links |

mod clients;
mod links;
mod log;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use zeitnot_protocol::{AccountId, GameId, ServerMessage};
use zeitnot_rules::game::{Game, GameSetup, Seq};

use super::client::Connection;
use crate::simulation::checker::clients::place;
use crate::storage::{NodeNumber, Record};
use crate::time::ServiceInstant;
use clients::{Tries, View};
use links::LinkBook;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// Somebody was told of what is not durable.
    NotDurable,
    /// The log of a game has a gap, or an event that cannot follow.
    BrokenLog,
    /// A command had its effect twice.
    Doubled,
    /// A node wrote to a game that another one had claimed.
    NotItsOwner,
    /// A flag fell although a move had been read in time, on a node that lives and is not found dead.
    FalseFlag,
    /// A turn was charged more than it took.
    Charged,
    /// Two games for one place.
    TwoGames,
    /// A game ended without its row in the archive, or has one and is live.
    EndWithoutRecord,
    /// A node took something on a link that was not sent on it, or not then.
    BrokenLink,
    /// A node gave up although no other one reaches the bus either.
    GivenUp,
    /// A client's events have a gap, or came twice.
    Gap,
    /// One event has two texts, or a snapshot is not the state at its seq.
    WrongFrame,
    /// `ok` for what is not in the log, or another `ok` for the same command.
    WrongOk,
    /// A command was rejected although it had been accepted.
    RejectedAfterOk,
    /// Something does not come to its end although nothing is wrong any more.
    Stuck,
    /// Code panicked.
    Panicked,
}

/// A complaint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Complaint {
    pub(super) fault: Fault,
    pub(super) detail: String,
}

/// What is durable of a game.
#[derive(Debug)]
pub(super) struct Book {
    pub(super) setup: Arc<GameSetup>,
    pub(super) records: Vec<(Arc<Record>, ServiceInstant)>,
    /// Their fold.
    pub(super) game: Game,
    /// Its position after each event, in FEN, and whether it had ended.
    shown: Vec<(String, bool)>,
    texts: BTreeMap<Seq, String>,
    is_archived: bool,
}

/// A move as a session read it.
#[derive(Clone, Debug)]
struct Read {
    connection: Connection,
    account: AccountId,
    game: GameId,
    on: Seq,
    text: String,
    at: ServiceInstant,
}

/// What is known, and the first complaint.
#[derive(Debug, Default)]
pub(super) struct Checker {
    pub(super) books: BTreeMap<GameId, Book>,
    /// Who has claimed or begun each game, and the number of its last row.
    owners: BTreeMap<GameId, (NodeNumber, i32)>,
    pub(super) boots: BTreeMap<uuid::Uuid, NodeNumber>,
    views: BTreeMap<(u32, GameId), View>,
    tabs: BTreeMap<u32, Connection>,
    oks: BTreeMap<(AccountId, String), Seq>,
    /// The commands with an id that were accepted, and the first event of each.
    commands: BTreeMap<(GameId, AccountId, String), Seq>,
    /// What became of commands with an id on each connection.
    tries: BTreeMap<(Connection, GameId, String), Tries>,
    /// Whose connections are.
    accounts: BTreeMap<Connection, AccountId>,
    /// What was sent with an id.
    texts: BTreeMap<(AccountId, String), String>,
    /// Commands that were sent, and effects of such commands, by their kinds.
    sent: BTreeMap<(GameId, AccountId, String), usize>,
    effects: BTreeMap<(GameId, AccountId, String), usize>,
    reads: Vec<Read>,
    /// When a command of a player was read last on a node.
    acted: BTreeMap<(GameId, AccountId, NodeNumber), ServiceInstant>,
    links: LinkBook,
    /// When a turn was first written to a session of a node.
    written: BTreeMap<(NodeNumber, GameId, Seq), ServiceInstant>,
    /// The connections that are open at their nodes, and the nodes that live.
    open: BTreeSet<Connection>,
    pub(super) living: BTreeSet<NodeNumber>,
    /// Those that others have found dead, or that have left, whether they know it or not.
    dead: BTreeSet<NodeNumber>,
    complaint: Option<Complaint>,
    pub(super) coverage: BTreeMap<String, u64>,
}

impl Checker {
    pub(super) fn complain(&mut self, fault: Fault, detail: impl Into<String>) {
        if self.complaint.is_none() {
            self.complaint = Some(Complaint { fault, detail: detail.into() });
        }
    }

    pub(super) fn complaint(&self) -> Option<&Complaint> {
        self.complaint.as_ref()
    }

    pub(super) fn hit(&mut self, what: impl Into<String>) {
        *self.coverage.entry(what.into()).or_default() += 1;
    }

    /// Keeps the complaint that a look at something comes to.
    fn keep(&mut self, look: Look, what: &str) {
        if let Err((fault, detail)) = look {
            self.complain(fault, format!("{what}: {detail}"));
        }
    }
}

/// What a look at something comes to.
type Look = Result<(), (Fault, String)>;

/// Complains unless something holds.
fn holds(it_does: bool, fault: Fault, detail: impl FnOnce() -> String) -> Look {
    if it_does { Ok(()) } else { Err((fault, detail())) }
}

/// The game that shows itself with a message.
pub(super) fn game_of(message: &ServerMessage) -> Option<GameId> {
    match message {
        ServerMessage::Snapshot(snapshot) => Some(snapshot.game),
        ServerMessage::Clock(clock) => Some(clock.game),
        message => place(message).map(|(game, _)| game),
    }
}
