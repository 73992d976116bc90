//! `zeitnot backup FILE`: a copy of a data folder's database, also while a server writes it.
//!
//! The copy is one file, whole and durable when this returns, and marked: the first server that
//! starts from it draws a new epoch, so that clients do not mistake its seqs for those of the
//! history that they know.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::storage::sqlite::{COPY, connect_reader, database_in, set_fact, sync};

/// What users of the machine may do with the copy: its owner may read and write it, as with the data folder itself.
const MODE: u32 = 0o600;

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// There is nothing to copy.
    #[error("{0} holds no database; name the data folder with --data")]
    NoDatabase(PathBuf),
    /// The file is there already.
    #[error("{0} exists; name a new file")]
    Exists(PathBuf),
    /// The copy cannot be written.
    #[error("the copy cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The database cannot be read, or the copy cannot be written.
    #[error("the copy failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
}

/// Copies the database of the data folder `from` to the new file `to`.
///
/// # Errors
/// See [`BackupError`]. Then `to` does not exist.
pub fn backup(from: &Path, to: &Path) -> Result<(), BackupError> {
    let database = database_in(from);
    if !database.exists() {
        return Err(BackupError::NoDatabase(from.to_owned()));
    }
    if to.exists() {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let folder = match to.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    // In the same folder under another name, so that FILE is never half a copy.
    let part = tempfile::Builder::new().prefix(".zeitnot-backup-").tempdir_in(folder)?;
    let unfinished = part.path().join("copy");
    let text = unfinished.to_str().ok_or_else(|| io::Error::other("the file's name is not UTF-8"))?;
    connect_reader(&database)?.execute("VACUUM INTO ?1", [text])?;
    let copy = Connection::open(&unfinished)?;
    copy.execute_batch("PRAGMA synchronous = FULL;")?;
    set_fact(&copy, COPY, "1")?;
    copy.close().map_err(|(_, error)| error)?;
    std::fs::set_permissions(&unfinished, Permissions::from_mode(MODE))?;
    File::open(&unfinished)?.sync_all()?;
    give_name(&unfinished, to)?;
    sync(folder)?;
    Ok(())
}

/// A link, unlike a rename, overwrites nothing; but not every file system has links.
fn give_name(unfinished: &Path, to: &Path) -> Result<(), BackupError> {
    match std::fs::hard_link(unfinished, to) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(BackupError::Exists(to.to_owned())),
        Err(_) => Ok(std::fs::rename(unfinished, to)?),
    }
}
