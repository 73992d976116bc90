//! The archive: games that have ended, and the rows of games that were set aside.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::game::Event;

use super::damage_log::DamageLog;
use super::game_rows::Segments;
use crate::storage::encoding::{self, DecodeError, Row, WholeGame, result_tags};
use crate::storage::{FinishedGame, Record};

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
    let Some(Event::Started(setup)) = first else { panic!("the records of a game begin with its start") };
    let last = records.last().and_then(|record| record.events.last());
    let Some(Event::Ended { outcome, .. }) = last else { panic!("a game is archived when it has ended") };
    let players = setup.players.map(u128::to_be_bytes);
    let (score, reason) = result_tags(outcome);
    let sql = "INSERT INTO archive (game, ended_unix_ms, white, black, score, reason, records, sum) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, row_sum(?1, ?2, ?3, ?4, ?5, ?6))";
    connection.prepare_cached(sql)?.execute(params![
        game.as_bytes(),
        ended_unix_ms,
        players.white,
        players.black,
        score,
        reason,
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
        Row::Archived(whole) if whole.game == game => Ok(whole.records),
        _ => Err(DecodeError::BadValue("archive row")),
    }))
}

/// The query for the games of an account: their row ids by the indexes first, and only then the
/// rows of one page.
pub(super) const FINISHED_GAMES: &str = "SELECT id, ended_unix_ms, records, \
     sum IS NULL OR sum = row_sum(game, ended_unix_ms, white, black, score, reason) FROM archive WHERE id IN ( \
     SELECT id FROM (SELECT id FROM archive WHERE white = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3) \
     UNION SELECT id FROM (SELECT id FROM archive WHERE black = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3) \
     ORDER BY id DESC LIMIT ?3) ORDER BY id DESC";

/// The games of an account, the last one first. A row that cannot be read is left out, and noted.
pub(super) fn finished_games(
    connection: &Connection,
    damage: &DamageLog,
    account: AccountId,
    before: Option<u64>,
    most: usize,
) -> rusqlite::Result<Vec<FinishedGame>> {
    let before = before.and_then(|place| i64::try_from(place).ok()).unwrap_or(i64::MAX);
    let mut statement = connection.prepare_cached(FINISHED_GAMES)?;
    let mut rows = statement.query(params![account.as_u128().to_be_bytes(), before, most])?;
    let mut finished = Vec::new();
    while let Some(row) = rows.next()? {
        let (place, ended_unix_ms, is_as_written) = (row.get(0)?, row.get(1)?, row.get(3)?);
        match encoding::decode(row.get_ref(2)?.as_blob()?) {
            Ok(Row::Archived(WholeGame { game, records })) if is_as_written => {
                finished.push(FinishedGame { place, game, ended_unix_ms, records });
            }
            Ok(_) => damage.note(&format!("row {place} of the archive is not as it was written")),
            Err(error) => damage.note(&format!("row {place} of the archive is bad: {error}")),
        }
    }
    Ok(finished)
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
