//! Facts about the data folder as a whole: its epoch, and whether it is a copy.

use rusqlite::{Connection, OptionalExtension as _};
use zeitnot_protocol::EpochId;

/// The key of the epoch: the name of this history of the data.
pub(super) const EPOCH: &str = "epoch";
/// The key that marks a file as made by a backup, until a server starts from it.
pub(super) const COPY: &str = "copy";

pub(super) fn set(connection: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?1, ?2)", [name, value])?;
    Ok(())
}

fn get(connection: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    connection.query_row("SELECT value FROM facts WHERE name = ?1", [name], |row| row.get(0)).optional()
}

/// The epoch that is stored; that of a copy does not count. Without one, `new` is stored.
pub(super) fn epoch(connection: &Connection, new: EpochId) -> rusqlite::Result<EpochId> {
    let stored = get(connection, EPOCH)?.and_then(|text| text.parse().ok());
    let is_copy = get(connection, COPY)?.is_some();
    match stored {
        Some(epoch) if !is_copy => Ok(epoch),
        Some(_) | None => {
            set(connection, EPOCH, new.as_str())?;
            connection.execute("DELETE FROM facts WHERE name = ?1", [COPY])?;
            Ok(new)
        }
    }
}
