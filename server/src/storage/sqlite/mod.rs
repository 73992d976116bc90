//! The journal on disk: SQLite in a data folder, with accounts and open challenges beside the games.
//!
//! One thread writes (`writer`, and `committer` for what it does): it takes all that waits, commits it in one transaction
//! with one fsync, and answers. Others read (`readers`) and move the log into the database (`checkpoint`). A failure to
//! write ends the process (`fatal`).
//!
//! A game's records are rows in segments (`game_rows`), which are dropped as a whole when live games have been carried forward
//! (`rollover`). A game that has ended is one row of the archive (`archive`), written with its last record. At a start
//! every row is read once (`recovery`).
//!
//! Deliberately absent: what records mean (`games` rebuilds from them), and any index by game over the live journal.

mod accounts;
mod archive;
mod backup;
mod challenges;
mod checkpoint;
mod committer;
mod completions;
mod fatal;
mod folder;
mod game_rows;
mod meta;
mod open;
mod queue;
mod readers;
mod recovery;
mod requests;
mod rollover;
mod schema;
mod shared;
mod store;
#[cfg(test)]
mod tests;
mod unsettled_turns;
mod writer;

use std::path::PathBuf;

pub use backup::{BackupError, backup};
pub use fatal::Fatal;
pub use folder::{DataFolder, TEMPORARY};
pub use recovery::{Found, FoundGame, Rebuild};
pub use requests::OpenChallenge;
pub use store::{Opened, Store, StoreSettings, WriteError};

/// For a simulation: the writer without its thread, on a database in memory.
#[cfg(test)]
pub(crate) use {
    committer::{Now, SegmentSettings},
    open::{Loaded, load_from},
    requests::Request,
};

/// Why a data folder cannot be served from.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be made or written.
    #[error("the data folder {} cannot be used: {error}; give another one with --data", .folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Another server serves from it.
    #[error("another zeitnot serves from the data folder {}; stop it, or give this one another with --data", .folder.display())]
    InUse {
        /// Which.
        folder: PathBuf,
    },
    /// It was written by a newer server.
    #[error(
        "the data folder was written by a newer zeitnot (its schema is version {found}, this program knows up to {known}): \
         start that one, or restore a backup that this one made"
    )]
    Newer {
        /// The folder's version.
        found: i64,
        /// The latest version that is known here.
        known: usize,
    },
    /// SQLite refuses.
    #[error("the database in the data folder cannot be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A thread does not start.
    #[error("a thread for the journal does not start: {0}")]
    Thread(std::io::Error),
}
