//! Adds games to the archive of a folder that no server serves from, many in one transaction.
//!
//! A game gets the rows that one gets which ends here, and its place by the instant at which it is added.
//!
//! Deliberately absent: everything about live games and accounts. The next start of a server finds the folder as the last
//! one left it, with more games in the archive.
//!
//! Invariant: while it lives no server can start. What it has not finished is not there.

use std::path::Path;

use rusqlite::Connection;

use crate::storage::encoding::{self, Row, WholeGame};
use crate::storage::sqlite::OpenError;
use crate::storage::sqlite::{DataFolder, STEPS, connect, is_archived, migrate, put_archived};
use crate::time::unix_now_ms;

/// Pages of the log after which a commit moves them to the database: nobody waits for a commit here.
const CHECKPOINT_PAGES: u32 = 4_000;

/// Adds games to an archive.
pub(super) struct ArchiveWriter {
    connection: Connection,
    games_per_commit: usize,
    /// Games of the transaction that is open; 0: none is.
    pending: usize,
    unix_ms: u64,
    buffer: Vec<u8>,
    _folder: DataFolder,
}

impl ArchiveWriter {
    /// Takes a folder, makes it if it is not there, and brings its database up to date.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub(super) fn open(folder: &Path, games_per_commit: usize) -> Result<Self, OpenError> {
        let folder = DataFolder::take(folder)?;
        let mut connection = connect(&folder.database())?;
        migrate(&mut connection, STEPS)?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        Ok(Self { connection, games_per_commit, pending: 0, unix_ms: 0, buffer: Vec::new(), _folder: folder })
    }

    /// Adds a game that has ended; whether it was not there already.
    ///
    /// # Errors
    /// When the database cannot be written. Games since the last commit are not there then.
    pub(super) fn add(&mut self, whole: WholeGame) -> rusqlite::Result<bool> {
        if is_archived(&self.connection, whole.game)? {
            return Ok(false);
        }
        if self.pending == 0 {
            self.unix_ms = unix_now_ms();
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
        }
        let (game, row) = (whole.game, Row::Archived(whole));
        encoding::encode(&row, &mut self.buffer);
        if let Row::Archived(whole) = &row {
            put_archived(&self.connection, game, self.unix_ms, &whole.records, &self.buffer)?;
        }
        self.buffer.clear();
        self.pending += 1;
        if self.pending >= self.games_per_commit {
            self.commit()?;
        }
        Ok(true)
    }

    /// Makes all games durable, and the log short.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub(super) fn finish(mut self) -> rusqlite::Result<()> {
        self.commit()?;
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }

    fn commit(&mut self) -> rusqlite::Result<()> {
        if self.pending > 0 {
            self.connection.execute_batch("COMMIT")?;
            self.pending = 0;
        }
        Ok(())
    }
}
