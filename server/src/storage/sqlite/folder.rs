//! The folder with everything that a server keeps, the lock that keeps a second server out of it,
//! and why a server cannot start from it.
//!
//! Invariant: while a [`DataFolder`] lives, no other process has one of the same folder. A
//! temporary folder is removed with it.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use tempfile::TempDir;

/// The value of `--data` for a folder that is removed at exit.
pub const TEMPORARY: &str = ":memory:";

const DATABASE: &str = "zeitnot.db";
const LOCK: &str = "zeitnot.lock";

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
    /// SQLite cannot open or read it. Not a source: it would say the same again.
    #[error("the database in the data folder cannot be used: {0}. {advice}", advice = advice(.0))]
    Sqlite(rusqlite::Error),
    /// A thread does not start.
    #[error("a thread of the store does not start: {0}")]
    Thread(std::io::Error),
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

/// Whether an error says that the database is not as it was written: its pages, or values that nobody wrote.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    match error.sqlite_error_code() {
        Some(code) => matches!(code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase),
        None => matches!(
            error,
            rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::Utf8Error(..)
        ),
    }
}

/// What to do about a failure of the database.
pub(super) fn advice(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "Free some space on that disk, then start again",
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::ReadOnly
            | ErrorCode::PermissionDenied
            | ErrorCode::SystemIoFailure
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::OutOfMemory,
        ) => "Look after that disk and the rights to that folder, then start again",
        _ => {
            "It is damaged, and nothing was changed. `zeitnot check` says what of it; restore a backup, or save what can \
             be read into a new folder with `zeitnot check --save FOLDER`: see \"Damage\" in docs/operating.md"
        }
    }
}

/// A locked folder.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    _lock: File,
    _temporary: Option<TempDir>,
}

impl DataFolder {
    /// Locks the folder, and makes it if it is not there. [`TEMPORARY`] makes one that is removed
    /// at the end.
    ///
    /// # Errors
    /// When it cannot be made or written, or another server has it.
    pub fn take(path: &Path) -> Result<Self, OpenError> {
        let temporary = if path == Path::new(TEMPORARY) {
            let made = tempfile::Builder::new().prefix("zeitnot-").tempdir();
            Some(made.map_err(|error| OpenError::Folder { folder: std::env::temp_dir(), error })?)
        } else {
            None
        };
        let path = temporary.as_ref().map_or(path, TempDir::path).to_owned();
        let failed = |error| OpenError::Folder { folder: path.clone(), error };
        make(&path).map_err(failed)?;
        let lock = lock(&path.join(LOCK), &path)?;
        sync(&path).map_err(failed)?;
        Ok(Self { path, _lock: lock, _temporary: temporary })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The database in it.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        database_in(&self.path)
    }
}

/// The database in a folder that may be another server's.
pub(crate) fn database_in(folder: &Path) -> PathBuf {
    folder.join(DATABASE)
}

/// Makes a folder, and the folders that it is in, so that it survives a power cut: a name is
/// durable once the folder that holds it has been synced. A folder that is there already may have
/// been made a moment before a crash.
fn make(folder: &Path) -> io::Result<()> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_there = folder.is_dir();
    if !is_there {
        make(parent)?;
        // Other users of the machine may not read it.
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    match sync(parent) {
        // The parent belongs to another user, who is responsible for it.
        Err(error) if is_there && error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        done => done,
    }
}

/// Makes the names of the files in a folder durable.
pub(crate) fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn lock(path: &Path, folder: &Path) -> Result<File, OpenError> {
    let failed = |error| OpenError::Folder { folder: folder.to_owned(), error };
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse { folder: folder.to_owned() }),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}
