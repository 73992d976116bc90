//! Why a data folder cannot be served from.
//!
//! Deliberately absent: failures after the start. A read that fails is a `ReadError`; a write that
//! fails ends the process (`fatal`).

use std::path::PathBuf;

/// Why a data folder cannot be served from. Each says what to do about it.
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
    /// SQLite cannot open or read it.
    #[error("the database in the data folder cannot be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A thread does not start.
    #[error("a thread of the store does not start: {0}")]
    Thread(std::io::Error),
}
