//! `zeitnot export`: the games of a data folder that have ended, also while a server runs.
//!
//! They come in the order of their ends. Some are read at a time, each time in a transaction of its own: a long one would
//! keep the server's log from becoming short again.
//!
//! Deliberately absent: what a game looks like outside (`games`).

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};

use super::corrections::SINCE;
use super::ratings;
use crate::storage::FinishedGame;
use crate::storage::encoding::{self, Row, WholeGame};
use crate::storage::sqlite::corrections::{RowError, last_of};
use crate::storage::sqlite::ratings::changes_in_list;
use crate::storage::sqlite::{STEPS, connect_reader, database_in, last_before};

/// Games that are read at once.
const GAMES_PER_READ: usize = 100;

/// Why games are not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// There is nothing to export.
    #[error("{0} holds no database; name the data folder with --data")]
    NoDatabase(PathBuf),
    /// It was written by a newer server.
    #[error("{0} was written by a newer zeitnot: export it with that one")]
    Newer(PathBuf),
    /// The database cannot be read.
    #[error("the games cannot be read: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The games cannot be written.
    #[error("the games cannot be written: {0}")]
    Io(#[from] io::Error),
}

/// What was exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exported {
    /// Games that were written.
    pub games: u64,
    /// Games whose rows are not as they were written.
    pub damaged: u64,
}

/// Gives `write` every game of the data folder `data` that ended at `since_unix_ms` or later. Games that cannot be read
/// are left out, and counted.
///
/// # Errors
/// See [`ExportError`].
pub fn export(
    data: &Path,
    since_unix_ms: Option<u64>,
    write: &mut dyn FnMut(&FinishedGame) -> io::Result<()>,
) -> Result<Exported, ExportError> {
    let database = database_in(data);
    if !database.exists() {
        return Err(ExportError::NoDatabase(data.to_owned()));
    }
    let source = connect_reader(&database)?;
    let version: usize = source.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if version > STEPS.len() {
        return Err(ExportError::Newer(database));
    }
    let mut exported = Exported::default();
    if version == 0 {
        return Ok(exported);
    }
    let mut after = since_unix_ms.map(|since| last_before(&source, since)).transpose()?.unwrap_or(0);
    loop {
        let rows = read(&source, after, version)?;
        let Some((last, _)) = rows.last() else { return Ok(exported) };
        after = *last;
        for (_, game) in &rows {
            match game {
                Some(game) => {
                    write(game)?;
                    exported.games += 1;
                }
                None => exported.damaged += 1,
            }
        }
    }
}

/// The next rows after this one; `None` for a game that is not as it was written.
fn read(
    source: &Connection,
    after: i64,
    version: usize,
) -> rusqlite::Result<Vec<(i64, Option<FinishedGame>)>> {
    let sql = "SELECT id, ended_unix_ms, records FROM archive WHERE id > ?1 ORDER BY id LIMIT ?2";
    let mut statement = source.prepare_cached(sql)?;
    let rows = statement.query_map(params![after, GAMES_PER_READ], |row| {
        let id: i64 = row.get(0)?;
        let Ok(Row::Archived(WholeGame { game, records })) =
            encoding::decode(row.get_ref(2)?.as_blob().unwrap_or_default())
        else {
            return Ok((id, None));
        };
        let last = if version < SINCE { Ok(None) } else { last_of(source, game) };
        let correction = match last {
            Ok(correction) => correction,
            Err(RowError::Damaged(_)) => return Ok((id, None)),
            Err(RowError::Sqlite(error)) => return Err(error),
        };
        let (place, ended_unix_ms) = (id.unsigned_abs(), row.get(1)?);
        let mut found = FinishedGame { place, game, ended_unix_ms, records, correction, ratings: None };
        if version >= ratings::SINCE {
            // The game is whole without them.
            found.ratings = changes_in_list(source, &found, |_| ())?;
        }
        Ok((id, Some(found)))
    })?;
    rows.collect()
}
