//! Reading a table of which pages may be damaged.
//!
//! Rows are read in the order of the key up to the first page that cannot be read, then from the other end backwards. What
//! lies between two damaged pages is not found.

use rusqlite::types::Value;
use rusqlite::{Connection, Row};

/// What is read: the columns, the first of which is the key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a> {
    pub(super) name: &'a str,
    pub(super) columns: &'a str,
    pub(super) key: &'a str,
}

/// Gives every row that can be read to `each`: first those before the damage, in order, then those after it, the last one
/// first. The answer is why some could not be read.
pub(super) fn each(
    connection: &Connection,
    table: Table<'_>,
    each: &mut dyn FnMut(&Row<'_>),
) -> Option<rusqlite::Error> {
    let mut last: Option<Value> = None;
    let forward = walk(connection, table, "ASC", &mut |row| {
        last = row.get(0).ok();
        each(row);
        true
    });
    let error = forward.err()?;
    let backward = walk(connection, table, "DESC", &mut |row| {
        let is_new = last.is_none() || row.get::<_, Value>(0).ok() != last;
        if is_new {
            each(row);
        }
        is_new
    });
    // The reason is the same, or it was no page at all and everything was found.
    drop(backward);
    Some(error)
}

fn walk(
    connection: &Connection,
    Table { name, columns, key }: Table<'_>,
    order: &str,
    each: &mut dyn FnMut(&Row<'_>) -> bool,
) -> rusqlite::Result<()> {
    let mut statement = connection
        .prepare(&format!("SELECT {columns} FROM {name} NOT INDEXED ORDER BY {name}.{key} {order}"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if !each(row) {
            break;
        }
    }
    Ok(())
}
