//! `zeitnot check`: whether everything in a data folder, or in a backup, is as it was written; and `--save`, a new folder
//! with all that is.
//!
//! The database is only read, in one transaction, so a server may serve from it meanwhile. SQLite looks at its pages, then
//! every row is decoded, compared with its checksum, and every game is replayed.
//!
//! Deliberately absent: any repair of the folder itself. What is damaged there may be all that is left of something.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::report::Report;
use super::saving::Saving;
use super::{accounts, credentials, games, ratings};
use crate::storage::Rebuild;
use crate::storage::sqlite::{STEPS, connect_reader, database_in};

/// Findings of SQLite about pages that are asked for: one damaged page may lead to thousands.
const PAGE_FINDINGS_MAX: usize = 100;

/// The version of the schema from which on the archive is searched.
const SEARCH: usize = 9;

/// Why nothing could be checked or saved.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// There is nothing to check.
    #[error("{0} holds no database; name a data folder or a backup")]
    NoDatabase(PathBuf),
    /// It was written by a newer server.
    #[error("{0} was written by a newer zeitnot: check it with that one")]
    Newer(PathBuf),
    /// Not even the list of its tables can be read.
    #[error("{0} cannot be read at all: {1}. Restore a backup: see \"Damage\" in docs/operating.md")]
    Unreadable(PathBuf, rusqlite::Error),
    /// What can be read cannot be saved.
    #[error("nothing was saved in {0}: {1}")]
    Save(PathBuf, String),
}

/// What a check looks at, and where it puts what it finds.
pub(super) struct Checked<'a> {
    pub(super) source: &'a Connection,
    /// The version of its schema.
    pub(super) version: usize,
    pub(super) report: &'a mut Report,
    pub(super) saving: Option<&'a Saving>,
}

impl Checked<'_> {
    /// Whether rows of accounts, tokens and challenges have checksums.
    pub(super) fn has_sums(&self) -> bool {
        self.version >= 3
    }

    /// Whether there are passwords, and what is shown of tokens.
    pub(super) fn has_credentials(&self) -> bool {
        self.version >= 8
    }

    /// Whether there may be games at rest.
    pub(super) fn has_rest(&self) -> bool {
        self.version >= 4
    }

    /// Whether the archive has tables that it is searched by.
    pub(super) fn has_search(&self) -> bool {
        self.version >= SEARCH
    }

    /// Copies a row into the folder where what can be read is saved.
    pub(super) fn save(&mut self, sql: &str, values: &[&dyn rusqlite::ToSql]) {
        if let Some(Err(error)) = self.saving.map(|saving| saving.execute(sql, values)) {
            self.report.damaged("not saved", error.to_string());
        }
    }

    /// A table, or a part of it, cannot be read.
    pub(super) fn unreadable(&mut self, what: &str, error: Option<rusqlite::Error>) {
        if let Some(error) = error {
            self.report.damaged("pages", format!("not all of {what} can be read: {error}"));
        }
    }
}

/// Checks the database of a data folder, or a backup. `rebuild` replays the games. With `save`, all that is in order is
/// written to that new folder.
///
/// # Errors
/// See [`CheckError`].
pub fn check(what: &Path, save: Option<&Path>, rebuild: &mut dyn Rebuild) -> Result<Report, CheckError> {
    let (source, database, version) = open(what)?;
    let mut report = Report::of(&database);
    if version == 0 {
        report.in_order("nothing was ever written to it".to_owned());
        return Ok(report);
    }
    let saving = save.map(Saving::begin).transpose()?;
    pages(&source, &mut report);
    let mut checked = Checked { source: &source, version, report: &mut report, saving: saving.as_ref() };
    accounts::check(&mut checked);
    credentials::check(&mut checked);
    games::check(&mut checked, rebuild);
    ratings::check(&mut checked);
    if let Some(saving) = saving {
        report.saved = Some(saving.finish()?);
    }
    Ok(report)
}

/// Opens the database of a data folder, or a backup, for reading: with the file that it is, and the version of its schema.
pub(super) fn open(what: &Path) -> Result<(Connection, PathBuf, usize), CheckError> {
    let database = if what.is_dir() { database_in(what) } else { what.to_owned() };
    if !database.is_file() {
        return Err(CheckError::NoDatabase(what.to_owned()));
    }
    let unreadable = |error| CheckError::Unreadable(database.clone(), error);
    let source = connect_reader(&database).map_err(unreadable)?;
    let version = begin(&source).map_err(unreadable)?;
    if version > STEPS.len() { Err(CheckError::Newer(database)) } else { Ok((source, database, version)) }
}

/// Begins the one transaction in which everything is read; the version of the schema.
fn begin(source: &Connection) -> rusqlite::Result<usize> {
    source.execute_batch("BEGIN")?;
    let version: i64 = source.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    // The list of the tables is read here.
    source.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

/// What SQLite says of its own pages and indexes.
fn pages(source: &Connection, report: &mut Report) {
    let found = || -> rusqlite::Result<Vec<String>> {
        let mut statement = source.prepare(&format!("PRAGMA integrity_check({PAGE_FINDINGS_MAX})"))?;
        statement.query_map([], |row| row.get(0))?.collect()
    };
    match found() {
        Ok(lines) if lines == ["ok"] => report.in_order("the pages and indexes of the database".to_owned()),
        Ok(lines) => lines.into_iter().for_each(|line| report.damaged("pages", line)),
        Err(error) => report.damaged("pages", error.to_string()),
    }
}
