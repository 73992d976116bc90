//! `zeitnot import --cluster`: everything that is in a data folder goes into an empty database.
//!
//! | file | what it is |
//! |---|---|
//! | `tables` | the tables whose rows are copied as they are |
//! | `games` | finished games, live games and games at rest |
//!
//! The folder is locked and checked first: one with damage is not moved. All is written in one transaction, so after an import
//! that was ended there is nothing, and it is begun again. The folder gets one more start in its list, as if a server had begun
//! and ended, and is not changed otherwise. Live games go on where they were, with what their running turns had taken.
//!
//! Deliberately absent: what PostgreSQL must be (`storage::postgres`), and the history that clients know: the server that
//! starts on the database draws a new epoch, because the folder may be served from again.

mod games;
mod tables;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Path, PathBuf};

use uuid::Uuid;
use zeitnot_protocol::EpochId;

use self::games::LiveGames;
use super::check::{CheckError, check};
use super::report::Report;
use crate::storage::postgres::{ClusterUrl, Filling, OpenError};
use crate::storage::sqlite::{self, DataFolder, Loaded, SegmentSettings, connect, database_in, load};
use crate::storage::{NoRatings, Rebuild};

/// Why a folder is not moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// There is nothing to move.
    #[error("{} holds no database: name a data folder with --data", .0.display())]
    NoDatabase(PathBuf),
    /// The folder cannot be used; a server may serve from it.
    #[error(transparent)]
    Folder(#[from] sqlite::OpenError),
    /// It cannot be read.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// Not all of it is as it was written.
    #[error(
        "the data folder is damaged, and nothing was moved. Save what can be read with `zeitnot check --save FOLDER`, and move \
         that folder\n{0}"
    )]
    Damaged(Box<Report>),
    /// A row of it cannot be read.
    #[error("nothing was moved: {0}")]
    Row(String),
    /// The database cannot be filled.
    #[error("nothing was moved")]
    Database(#[from] OpenError),
    /// PostgreSQL was told to make it durable, and has not said that it has.
    #[error("all was moved or nothing: run the import again, which says whether the database is empty")]
    Unconfirmed(#[source] OpenError),
}

impl From<rusqlite::Error> for MoveError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Row(error.to_string())
    }
}

/// What was moved.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Moved(Vec<(&'static str, u64)>);

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(what, count)| writeln!(f, "{what}: {count}"))
    }
}

/// Moves all that is in the data folder `data` into the empty database at `url`. `boot` is an id that no process has had;
/// `rebuild` replays the games for the check.
///
/// # Errors
/// See [`MoveError`].
pub fn move_in(
    data: &Path,
    url: &ClusterUrl,
    boot: Uuid,
    rebuild: &mut dyn Rebuild,
) -> Result<Moved, MoveError> {
    if !database_in(data).is_file() {
        return Err(MoveError::NoDatabase(data.to_owned()));
    }
    let folder = DataFolder::take(data)?;
    let report = check(folder.path(), None, rebuild)?;
    if !report.is_in_order() {
        return Err(MoveError::Damaged(Box::new(report)));
    }
    let mut live = LiveGames::default();
    let connection = connect(&folder.database())?;
    // Of a folder that has an epoch this one is not used.
    let epoch = EpochId::from_random(boot.as_u128());
    let Loaded { committer, start, found, .. } =
        load(connection, SegmentSettings::SERVICE, &NoRatings, epoch, &mut live)?;
    if let Some((game, why)) = found.set_aside.first() {
        return Err(MoveError::Row(format!("the game {game} cannot be played on: {why}")));
    }
    let source = committer.connection;
    source.execute_batch("BEGIN")?;
    let idle = source.query_row("SELECT sum(idle) FROM starts", [], |row| row.get(0))?;
    let mut filling = Filling::begin(url, boot, start, idle)?;
    let mut moved = Moved::default();
    for table in tables::ALL {
        moved.0.push((table.what, table.copy(&source, &mut filling)?));
    }
    moved.0.push(("finished games", games::finished(&source, &mut filling)?));
    moved.0.push(("live games", live.copy(&found.live, start, &mut filling)?));
    moved.0.push(("games at rest", games::resting(&source, &mut filling)?));
    filling.finish().map_err(MoveError::Unconfirmed)?;
    Ok(moved)
}
