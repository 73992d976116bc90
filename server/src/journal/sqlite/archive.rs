//! Games that have ended, and rows that cannot be read.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Event;

use super::chain::Segments;
use crate::journal::Record;
use crate::journal::encoding::{self, DecodeError, Row, reason_tag, score_tag};

/// Writes the row of a game that has ended. `encoded` is what [`get`] gives back.
///
/// # Panics
/// When the records do not begin a game and end it.
pub(super) fn put(
    connection: &Connection,
    game: GameId,
    ended_unix_ms: u64,
    records: &[Arc<Record>],
    encoded: &[u8],
) -> rusqlite::Result<()> {
    let first = records.first().and_then(|record| record.events.first());
    let Some(Event::Started(setup)) = first else { panic!("the chain of a game begins with its start") };
    let last = records.last().and_then(|record| record.events.last());
    let Some(Event::Ended { outcome, .. }) = last else { panic!("a game is archived when it has ended") };
    let players = setup.players.map(u128::to_be_bytes);
    let sql = "INSERT INTO archive (game, ended_unix_ms, white, black, score, reason, records) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    connection.prepare_cached(sql)?.execute(params![
        game.as_bytes(),
        ended_unix_ms,
        players.white,
        players.black,
        score_tag(outcome.score),
        reason_tag(outcome.reason),
        encoded
    ])?;
    Ok(())
}

/// The records of a game that has ended; `None` when there is no such game.
pub(super) fn get(
    connection: &Connection,
    game: GameId,
) -> rusqlite::Result<Option<Result<Vec<Arc<Record>>, DecodeError>>> {
    let mut statement = connection.prepare_cached("SELECT records FROM archive WHERE game = ?1")?;
    let decode = |row: &rusqlite::Row<'_>| Ok(encoding::decode(row.get_ref(0)?.as_blob()?));
    let row = statement.query_row([game.as_bytes()], decode).optional()?;
    Ok(row.map(|row| match row? {
        Row::Archived { game: found, records } if found == game => Ok(records),
        _ => Err(DecodeError::BadValue("archive row")),
    }))
}

/// Whether a game is in the archive.
pub(super) fn has(connection: &Connection, game: GameId) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM archive WHERE game = ?1")?.exists([game.as_bytes()])
}

/// Keeps the rows of a game as they are, also when their segment is dropped.
pub(super) fn keep_rows(connection: &Connection, segments: &Segments, game: GameId) -> rusqlite::Result<()> {
    for segment in &segments.0 {
        let sql = format!(
            "INSERT OR IGNORE INTO set_aside SELECT id, game, seq, record FROM journal_{} WHERE game = ?1",
            segment.number
        );
        connection.execute(&sql, [game.as_bytes()])?;
    }
    Ok(())
}
