//! The archive: games that have ended, and the rows of games that were set aside.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use zeitnot_protocol::GameId;

use super::game_rows::Segments;
use super::search_index;
use super::shared::DamageLog;
use crate::storage::encoding::{self, DecodeError, Row, WholeGame, result_tags};
use crate::storage::{EndedGame, FinishedGame, GameFacts, Record, Search};

/// Writes the row of a game that has ended, and those by which it is found. `encoded` is what [`get`] gives back.
///
/// # Panics
/// When the records do not begin a game and end it.
pub(crate) fn put(
    connection: &Connection,
    game: GameId,
    ended_unix_ms: u64,
    records: &[Arc<Record>],
    encoded: &[u8],
) -> rusqlite::Result<()> {
    let ended = EndedGame::of(records).expect("a game is archived when it has ended, from its start on");
    let players = ended.setup.players.map(u128::to_be_bytes);
    let (score, reason) = result_tags(ended.outcome);
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
    search_index::add(connection, connection.last_insert_rowid(), &GameFacts::of_ended(&ended))
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

/// The games of these rows, in this order, for a search whose indexes name them. A row that cannot be read is left out,
/// and noted; so is one that the search is not about, which a damaged index may name.
pub(super) fn games(
    connection: &Connection,
    damage: &DamageLog,
    search: &Search,
    ids: &[i64],
) -> rusqlite::Result<Vec<FinishedGame>> {
    let sql = "SELECT ended_unix_ms, records, \
               sum IS NULL OR sum = row_sum(game, ended_unix_ms, white, black, score, reason) \
               FROM archive WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut games = Vec::with_capacity(ids.len());
    for id in ids {
        let mut rows = statement.query([id])?;
        let Some(row) = rows.next()? else {
            damage.note(&format!("row {id} of the archive is indexed and not there"));
            continue;
        };
        let (ended_unix_ms, is_as_written) = (row.get(0)?, row.get(2)?);
        match encoding::decode(row.get_ref(1)?.as_blob()?) {
            Ok(Row::Archived(WholeGame { game, records })) if is_as_written => {
                let is_found = GameFacts::of(&records).is_some_and(|facts| search.takes_game(&facts));
                if !is_found {
                    damage.note(&format!("row {id} of the archive is indexed as another game"));
                } else if search.takes_end(ended_unix_ms) {
                    // The time of day may have jumped back, and then some rows of the range are not in it.
                    games.push(FinishedGame { place: id.unsigned_abs(), game, ended_unix_ms, records });
                }
            }
            Ok(_) => damage.note(&format!("row {id} of the archive is not as it was written")),
            Err(error) => damage.note(&format!("row {id} of the archive is bad: {error}")),
        }
    }
    Ok(games)
}

/// Whether a game is in the archive.
pub(crate) fn has(connection: &Connection, game: GameId) -> rusqlite::Result<bool> {
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
