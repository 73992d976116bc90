//! The tables, the steps from an older database to the present one, and the facts about a database as
//! a whole: its epoch, and whether it is a copy.
//!
//! The version of a database is its `user_version`. Each step of [`STEPS`] leads from one version
//! to the next, in one transaction; a database of a version beyond the last step was written by a
//! newer server and is rejected. The segments `journal_N` are made and dropped by `rollover`.

pub(super) mod row_sum;

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, TransactionBehavior};
use zeitnot_protocol::EpochId;

use super::folder::OpenError;

/// "Znot": tells `file` and the like whose database it is.
const APPLICATION_ID: i32 = 0x5a6e_6f74;

/// From each version to the next. Never changed once shipped; only ever longer.
pub(crate) const STEPS: &[&str] = &[
    include_str!("1.sql"),
    include_str!("2.sql"),
    include_str!("3.sql"),
    include_str!("4.sql"),
    include_str!("5.sql"),
    include_str!("6.sql"),
    include_str!("7.sql"),
    include_str!("8.sql"),
    include_str!("9.sql"),
    include_str!("10.sql"),
    include_str!("11.sql"),
    include_str!("12.sql"),
    include_str!("13.sql"),
    include_str!("14.sql"),
    include_str!("15.sql"),
    include_str!("16.sql"),
    include_str!("17.sql"),
    include_str!("18.sql"),
    include_str!("19.sql"),
    include_str!("20.sql"),
    include_str!("21.sql"),
    include_str!("22.sql"),
];

/// How long a connection waits for another one's lock. Only starting and checkpoints ever wait.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// Opens the database for one of a server's threads.
pub(crate) fn connect(database: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(database)?;
    connection.busy_timeout(BUSY)?;
    // A commit is an fsync of the log. Without `wal_autocheckpoint` a commit never does more than
    // that.
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY;",
    )?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Opens the database for reading, also one that another process writes.
pub(crate) fn connect_reader(database: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(database, flags)?;
    connection.busy_timeout(BUSY)?;
    row_sum::register(&connection)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Takes the database from its version to that of the last of `steps`.
///
/// # Errors
/// When it is of a later version, or cannot be written.
pub(crate) fn migrate(connection: &mut Connection, steps: &[&str]) -> Result<(), OpenError> {
    let known = steps.len();
    row_sum::register(connection)?;
    loop {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        let version = usize::try_from(found).unwrap_or(usize::MAX);
        if version > known {
            return Err(OpenError::Newer { found, known });
        }
        let Some(step) = steps.get(version) else { return Ok(()) };
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", version + 1)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.commit()?;
    }
}

/// The key of the epoch: the name of this history of the data.
const EPOCH: &str = "epoch";
/// The key that marks a file as made by a backup, until a server starts from it.
pub(crate) const COPY: &str = "copy";

pub(crate) fn set_fact(connection: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?1, ?2)", [name, value])?;
    Ok(())
}

pub(super) fn fact(connection: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    connection.query_row("SELECT value FROM facts WHERE name = ?1", [name], |row| row.get(0)).optional()
}

/// The epoch that is stored; that of a copy does not count. Without one, `new` is stored.
pub(super) fn epoch(connection: &Connection, new: EpochId) -> rusqlite::Result<EpochId> {
    let stored = fact(connection, EPOCH)?.and_then(|text| text.parse().ok());
    let is_copy = fact(connection, COPY)?.is_some();
    match stored {
        Some(epoch) if !is_copy => Ok(epoch),
        Some(_) | None => {
            set_fact(connection, EPOCH, new.as_str())?;
            connection.execute("DELETE FROM facts WHERE name = ?1", [COPY])?;
            Ok(new)
        }
    }
}
