//! A new data folder for what can be read of a damaged one.
//!
//! Invariant: the folder is new, everything in it is one transaction, and a server that starts from it draws a new epoch.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, ToSql};

use super::check::CheckError;
use crate::storage::sqlite::{DataFolder, STEPS, Segment, connect, create_segment, forget_index, migrate};

/// The new folder.
#[derive(Debug)]
pub(super) struct Saving {
    folder: DataFolder,
    connection: Connection,
}

impl Saving {
    /// Makes the folder and an empty database in it.
    pub(super) fn begin(folder: &Path) -> Result<Self, CheckError> {
        if folder.exists() {
            return Err(CheckError::Save(folder.to_owned(), "it exists already; name a new one".to_owned()));
        }
        let failed = |error: &dyn ToString| CheckError::Save(folder.to_owned(), error.to_string());
        let folder = DataFolder::take(folder).map_err(|error| failed(&error))?;
        let mut connection = connect(&folder.database()).map_err(|error| failed(&error))?;
        migrate(&mut connection, STEPS).map_err(|error| failed(&error))?;
        connection.execute_batch("BEGIN IMMEDIATE").map_err(|error| failed(&error))?;
        Ok(Self { folder, connection })
    }

    pub(super) fn execute(&self, sql: &str, values: &[&dyn ToSql]) -> rusqlite::Result<()> {
        self.connection.prepare_cached(sql)?.execute(values).map(drop)
    }

    /// Makes the table of a segment.
    pub(super) fn segment(&self, segment: Segment) -> rusqlite::Result<()> {
        create_segment(&self.connection, segment)
    }

    /// Makes all of it durable.
    pub(super) fn finish(self) -> Result<PathBuf, CheckError> {
        let folder = self.folder.path().to_owned();
        // The server that starts from here makes the tables that the archive is searched by.
        let done = forget_index(&self.connection)
            .and_then(|()| self.connection.execute_batch("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)"));
        done.map_err(|error| CheckError::Save(folder.clone(), error.to_string()))?;
        Ok(folder)
    }
}
