//! The check of corrections of results. What is in order is saved.
//!
//! Deliberately absent: what they do to ratings (`ratings`), and to what games are found by (`search_index`).

use std::collections::HashMap;

use rusqlite::Connection;
use rusqlite::types::Value;
use zeitnot_protocol::GameId;

use super::check::Checked;
use super::rows::{Table, each};
use crate::storage::Correction;
use crate::storage::sqlite::corrections::{CORRECTION, PlacedCorrection, correction_of};

/// The first schema with corrections.
pub(super) const SINCE: usize = 20;

/// The last correction of each game that has one.
pub(super) type LastCorrections = HashMap<GameId, Correction>;

/// Checks the rows.
pub(super) fn check(at: &mut Checked<'_>) -> LastCorrections {
    let (mut last, mut count) = (HashMap::new(), 0_u64);
    if at.version < SINCE {
        return last;
    }
    let columns = format!("id, sum, {CORRECTION}");
    let table = Table { name: "corrections", columns: &columns, key: "id" };
    // Behind damage the rows come the last one first.
    let mut ids: HashMap<GameId, i64> = HashMap::new();
    let source = at.source;
    let error = each(source, table, &mut |row| {
        let Ok(Some(PlacedCorrection { game, correction, .. })) = correction_of(row, 2) else {
            return at.report.damaged("corrections", "a correction is not as it was written".to_owned());
        };
        count += 1;
        let id = row.get(0).unwrap_or_default();
        if ids.get(&game).is_none_or(|known| *known < id) {
            ids.insert(game, id);
            last.insert(game, correction);
        }
        let values: Vec<Value> = (0..6).map(|column| row.get(column).unwrap_or(Value::Null)).collect();
        let values: Vec<&dyn rusqlite::ToSql> = values.iter().map(|value| value as _).collect();
        let sql = "INSERT INTO corrections (id, sum, game, score, after, at_unix_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        at.save(sql, &values);
    });
    at.unreadable("the corrections", error);
    at.report.in_order(format!("corrections: {count}"));
    last
}

/// All corrections, in their order, and how many are not as they were written.
///
/// # Errors
/// When they cannot be read.
pub(super) fn all(source: &Connection) -> rusqlite::Result<(Vec<PlacedCorrection>, usize)> {
    let mut statement = source.prepare(&format!("SELECT {CORRECTION} FROM corrections ORDER BY id"))?;
    let rows: Vec<_> =
        statement.query_map([], |row| correction_of(row, 0))?.collect::<rusqlite::Result<_>>()?;
    let damaged = rows.iter().filter(|row| row.is_none()).count();
    Ok((rows.into_iter().flatten().collect(), damaged))
}
