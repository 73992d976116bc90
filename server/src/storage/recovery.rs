//! What a start finds in a store, and how games are made of records again.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, EpochId, GameId};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Micros;

use super::account::OpenChallenge;
use super::contact::Block;
use super::nodes::NodeStore;
use super::record::{JournalOffset, Record};
use super::restriction::Restrictions;
use super::store::Store;

/// A store and what was found in it.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Arc<dyn Store>,
    /// What this process needs beside others, if several may serve from the store.
    pub nodes: Option<Arc<dyn NodeStore>>,
    /// This history of the data.
    pub epoch: EpochId,
    /// The live games, which were rebuilt while they were read.
    pub found: Found,
    /// The open challenges, in the order in which they were made.
    pub challenges: Vec<OpenChallenge>,
    /// What admins have put in force, also what is over.
    pub restrictions: Restrictions,
    /// Who has blocked whom.
    pub blocks: Vec<Block>,
}

/// Makes games of records while a store is opened. A record that it rejects sets the game aside.
pub trait Rebuild {
    /// The next record of a game; the first has seq 1.
    ///
    /// # Errors
    /// Why the record cannot follow.
    fn record(&mut self, record: &Record) -> Result<(), String>;

    /// All records of a game so far, in place of those it had.
    ///
    /// # Errors
    /// Why the records make no game.
    fn all(&mut self, game: GameId, records: &[Arc<Record>]) -> Result<(), String>;

    /// The game has ended or is set aside.
    fn forget(&mut self, game: GameId);
}

/// A live game that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FoundGame {
    /// The game.
    pub game: GameId,
    /// The offset of its last record.
    pub offset: JournalOffset,
    /// What its running turn has taken.
    pub spent: Micros,
}

/// A game at rest, as a start finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RestingGame {
    /// The game.
    pub game: GameId,
    /// Its players.
    pub players: ByColor<AccountId>,
}

/// The games that were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The live games, in the order of their ids.
    pub live: Vec<FoundGame>,
    /// The live games at rest.
    pub resting: Vec<RestingGame>,
    /// The games that were set aside at this start, and why.
    pub set_aside: Vec<(GameId, String)>,
}
