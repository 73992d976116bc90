//! The store in a data folder: an SQLite database that one server at a time has.
//!
//! One thread writes: it takes all that waits, commits it in one transaction with one fsync, and
//! answers. Two threads read, and one moves the log into the database. A failure to write ends the
//! process.
//!
//! A game's records are rows in segments, which are dropped as a whole when the live games have
//! been carried forward. A game that has ended is one row of the archive, written with its last
//! record. At a start every row is read once.
//!
//! | file | what it is |
//! |---|---|
//! | `store` | [`SqliteStore`]: the trait [`Store`](super::Store) over the threads |
//! | `writer`, `committer` | the writing thread; one transaction after the other, without a thread |
//! | `requests`, `queue` | what the writer is asked for, and the way to it |
//! | `readers`, `shared` | the reading threads; what they know of what is committed |
//! | `checkpoint` | the thread that keeps the log short |
//! | `game_rows`, `rollover` | a game's rows and the segments they are in; from one segment to the next |
//! | `resting` | live games that have left the segments, and the axis of their turns |
//! | `archive`, `challenges`, `ratings`, `corrections`, `contacts` | tables beside the games' |
//! | `accounts`, `tokens`, `credentials` | accounts and names; tokens; passwords, recovery codes and second factors |
//! | `search_index`, `search` | the tables that the archive is searched by; searching |
//! | `schema/` | all tables, how an older database is brought up to date, its epoch, and the checksum of rows that are not of games |
//! | `open`, `scan` | a start: the database is brought up to date and every row is read |
//! | `folder` | the data folder, its lock, and why it cannot be opened |
//! | `fatal` | the end of the process on a dead disk |
//!
//! Who imports whom, from the top down; no arrow goes up:
//!
//! ```text
//! store
//! open, writer
//! rollover, scan ─▶ committer ◀─▶ resting        checkpoint, readers
//! archive ─▶ shared, ratings        accounts ◀─▶ tokens, credentials, challenges, contacts        search
//! search_index, ratings ─▶ corrections
//! requests        game_rows        schema, fatal ─▶ folder
//! queue
//! ```
//!
//! Deliberately absent: what records mean (`games` rebuilds from them), and any index by game over
//! the live rows.

mod accounts;
mod admins;
mod archive;
mod challenges;
mod checkpoint;
mod committer;
mod contacts;
pub(crate) mod corrections;
mod credentials;
mod fatal;
mod folder;
mod game_rows;
mod open;
mod queue;
pub(crate) mod ratings;
mod readers;
mod requests;
mod resting;
mod rollover;
mod scan;
mod schema;
mod search;
mod search_index;
mod shared;
mod store;
#[cfg(test)]
mod tests;
mod tokens;
mod writer;

use std::path::Path;

use zeitnot_protocol::EpochId;

pub use committer::SegmentSettings;
pub use fatal::Fatal;
pub use folder::{DataFolder, OpenError, TEMPORARY};
pub use store::SqliteStore;

/// For what is done with a folder beside serving from it (`upkeep`).
pub(crate) use {
    archive::{has as is_archived, put as put_archived},
    folder::{database_in, sync},
    game_rows::{Segment, Segments, game_of},
    open::{Loaded, load},
    rollover::create as create_segment,
    scan::Scan,
    schema::{COPY, STEPS, connect, connect_reader, migrate, set_fact},
    search::last_before,
    search_index::{forget as forget_index, key as player_key, unindexed},
};

/// For a simulation: the writer without its thread, on a database in memory.
#[cfg(test)]
pub(crate) use {committer::Now, requests::Request};

use super::{Opened, Rater, Rebuild};
use crate::time::ServiceClock;

/// The version of the schema that this program writes.
#[must_use]
pub const fn schema_version() -> usize {
    schema::STEPS.len()
}

/// Takes a data folder and opens the store in it, with the settings of a server.
///
/// # Errors
/// See [`OpenError`].
pub(super) fn open(
    path: &Path,
    rater: &'static dyn Rater,
    clock: &ServiceClock,
    new_epoch: EpochId,
    rebuild: &mut dyn Rebuild,
) -> Result<Opened, OpenError> {
    let folder = DataFolder::take(path)?;
    let (fatal, shown) = (Fatal::exit(folder.path()), folder.path().display().to_string());
    let opened =
        SqliteStore::open(folder, SegmentSettings::SERVICE, rater, fatal, clock, new_epoch, rebuild)?;
    tracing::info!(
        folder = shown,
        live = opened.found.live.len(),
        resting = opened.found.resting.len(),
        set_aside = opened.found.set_aside.len(),
        challenges = opened.challenges.len(),
        "the data folder is open"
    );
    Ok(opened)
}
