//! The store in a PostgreSQL database: one process at a time serves from it, or several of which each owns some of the live
//! games.
//!
//! One task appends: it takes all that waits, appends it in one statement with all that follows from it, and answers when
//! PostgreSQL has. Another one writes what is not of games. Four connections read. A database that is away is waited for: games
//! stand, and their clocks with them.
//!
//! A live game is rows of the journal, whose key keeps two writers apart, and one row of `live`. A game that has ended is one
//! row of the archive, written with its last record. At a start, or when their owner is dead, live games are claimed.
//!
//! | file | what it is |
//! |---|---|
//! | `store` | [`PostgresStore`]: the trait [`Store`](super::Store) over the tasks |
//! | `connection`, `keeper` | one connection, its settings and errors; a connection and its successors, transactions |
//! | `nodes/` | which processes serve from a database; one of several: it polls, declares others dead, claims their games |
//! | `queue`, `requests` | the way to the tasks that write; what they are asked for, and what is known of them |
//! | `claims` | how a process comes to own live games |
//! | `journal`, `appends`, `endings` | the task that appends; its statement; what follows when a game ends |
//! | `segments`, `beats`, `resting`, `game_rows` | parts of the journal; heartbeats and turns; games at rest; the rows of a game |
//! | `people` | the task that writes what is not of games |
//! | `readers` | connections that read |
//! | `archive`, `search` | games that have ended; finding them |
//! | `accounts`, `tokens`, `credentials`, `authorization`, `admins`, `contacts`, `challenges`, `ratings` | tables beside the games' |
//! | `filling` | what a data folder had, into an empty database |
//! | `schema/`, `open/` | all tables, and how an older database is brought up to date; a start, and what it demands |
//! | `fatal` | the end of a process that may not serve any longer |
//!
//! Deliberately absent: what records mean (`games` rebuilds from them), checksums of rows beside those of records (PostgreSQL
//! has its own, of pages), and who is dead (`cluster`).

mod accounts;
mod admins;
mod appends;
mod archive;
mod authorization;
mod beats;
mod challenges;
mod claims;
mod connection;
mod contacts;
mod credentials;
mod endings;
mod fatal;
mod filling;
mod game_rows;
mod journal;
mod keeper;
mod nodes;
mod open;
mod people;
mod queue;
mod ratings;
mod readers;
mod requests;
mod resting;
mod schema;
mod search;
mod segments;
mod store;
#[cfg(test)]
pub(crate) mod tests;
mod tokens;

use uuid::Uuid;
use zeitnot_protocol::EpochId;

pub use connection::ClusterUrl;
#[cfg(test)]
pub(crate) use connection::Dial;
/// For what moves a data folder here (`upkeep`).
pub(crate) use filling::{Archived, Cell, Filling, Form, SEGMENT};
pub use open::OpenError;
pub use segments::SegmentSettings;
pub use store::PostgresStore;
#[cfg(test)]
pub(crate) use store::by_hand::{ByHand, open_by_hand};

use super::{Nodes, Opened, Rater, Rebuild};
use crate::time::ServiceClock;

/// Opens the store in a database, for a process with this boot that serves alone or beside others, with the settings of a server.
///
/// # Errors
/// See [`OpenError`].
pub(super) fn open(
    url: &ClusterUrl,
    boot: Uuid,
    nodes: Nodes,
    rater: &'static dyn Rater,
    clock: &ServiceClock,
    new_epoch: EpochId,
    rebuild: &mut dyn Rebuild,
) -> Result<Opened, OpenError> {
    let (settings, halt) = (SegmentSettings::SERVICE, fatal::Halt::exit());
    let opened = PostgresStore::open(url, boot, nodes, settings, rater, halt, clock, new_epoch, rebuild)?;
    tracing::info!(
        database = %url,
        live = opened.found.live.len(),
        resting = opened.found.resting.len(),
        set_aside = opened.found.set_aside.len(),
        challenges = opened.challenges.len(),
        "the database is open"
    );
    Ok(opened)
}
