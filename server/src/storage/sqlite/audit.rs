//! What admins have done, as rows. They are only ever added to.

use rusqlite::{Connection, params};

use super::store::SqliteStore;
use crate::storage::{AuditEntry, AuditStore, ReadError, Reading, Writing};

impl AuditStore for SqliteStore {
    fn note_act(&self, entry: AuditEntry) -> Writing<()> {
        self.write(move |connection| note(connection, &entry))
    }

    fn acts(&self, most: usize) -> Reading<Vec<AuditEntry>> {
        self.read(&self.reads.accounts, move |connection| acts(connection, most))
    }
}

fn note(connection: &Connection, AuditEntry { at_unix_ms, by, act }: &AuditEntry) -> rusqlite::Result<()> {
    let sql = "INSERT INTO audit (at_unix_ms, by, act, sum) VALUES (?1, ?2, ?3, row_sum(?1, ?2, ?3))";
    connection.prepare_cached(sql)?.execute(params![at_unix_ms, by, act]).map(drop)
}

/// A row that is not as it was written says so in place of the act.
fn acts(connection: &Connection, most: usize) -> Result<Vec<AuditEntry>, ReadError> {
    let sql =
        "SELECT at_unix_ms, by, act, sum = row_sum(at_unix_ms, by, act) FROM audit ORDER BY id DESC LIMIT ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([most], |row| {
        let act = if row.get(3)? { row.get(2)? } else { "damaged".to_owned() };
        Ok(AuditEntry { at_unix_ms: row.get(0)?, by: row.get(1)?, act })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
