//! The checksum of rows that hold plain values: an SQL function, so that one statement writes a row with its checksum and
//! another one compares them.
//!
//! `row_sum(a, b, …)` is the CRC-32C over each value's type, length and bytes. Every connection has it.
//!
//! Deliberately absent: rows of games, whose encoding has a checksum of its own (`encoding`).
//!
//! Invariant: a shipped sum never changes its meaning, because stored rows have it.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

/// Gives a connection the function.
pub(in crate::storage::sqlite) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("row_sum", -1, flags, row_sum)
}

fn row_sum(values: &Context<'_>) -> rusqlite::Result<u32> {
    let mut sum = 0;
    for index in 0..values.len() {
        sum = match values.get_raw(index) {
            ValueRef::Null => add(sum, 0, &[]),
            ValueRef::Integer(number) => add(sum, 1, &number.to_le_bytes()),
            ValueRef::Real(number) => add(sum, 2, &number.to_le_bytes()),
            ValueRef::Text(text) => add(sum, 3, text),
            ValueRef::Blob(bytes) => add(sum, 4, bytes),
        };
    }
    Ok(sum)
}

fn add(sum: u32, kind: u8, bytes: &[u8]) -> u32 {
    let sum = crc32c::crc32c_append(sum, &[kind]);
    let sum = crc32c::crc32c_append(sum, &(bytes.len() as u64).to_le_bytes());
    crc32c::crc32c_append(sum, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PINNED: u32 = 916_374_910;

    fn sum_of(values: &str) -> u32 {
        let connection = Connection::open_in_memory().unwrap();
        register(&connection).unwrap();
        connection.query_row(&format!("SELECT row_sum({values})"), [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn the_sum_is_pinned_because_rows_have_it() {
        assert_eq!(sum_of("x'0102', 7, 'name', NULL"), PINNED);
        let mut bytes = vec![4, 2, 0, 0, 0, 0, 0, 0, 0, 1, 2, 1, 8, 0, 0, 0, 0, 0, 0, 0];
        bytes.extend(7_u64.to_le_bytes());
        bytes.extend([3, 4, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(b"name");
        bytes.extend([0; 9]);
        assert_eq!(crc32c::crc32c(&bytes), PINNED);
    }

    #[test]
    fn values_count_with_type_and_length() {
        let values = ["''", "x''", "NULL", "0", "'a', 'b'", "'ab'", "'ab', ''", "x'6162'", "'ab', NULL"];
        let sums: std::collections::BTreeSet<_> = values.iter().map(|values| sum_of(values)).collect();
        assert_eq!(sums.len(), values.len());
    }
}
