//! The archive: games that have ended, corrections of their results, and the rows of games that were set aside.
//!
//! Invariants: a row of the archive is never changed; a correction is written with all that follows from it, or not at all.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _, params};
use zeitnot_protocol::GameId;

use super::corrections::RowError;
use super::game_rows::Segments;
use super::{corrections, ratings, search_index};
use crate::storage::correcting::{Accepted, accept};
use crate::storage::damage_log::DamageLog;
use crate::storage::encoding::{self, DecodeError, Row, WholeGame, result_tags};
use crate::storage::{Corrected, Correction, EndedGame, FinishedGame, GameFacts, Rater, Record, Search};

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
    let ended =
        EndedGame::of(records, None).expect("a game is archived when it has ended, from its start on");
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

/// Corrects the result of a game that has ended, with what that does to both ratings and what the game is found by.
pub(crate) fn correct(
    connection: &Connection,
    rater: &dyn Rater,
    game: GameId,
    to: Correction,
) -> rusqlite::Result<Corrected> {
    match try_to_correct(connection, rater, game, to) {
        Ok(corrected) => Ok(corrected),
        Err(RowError::Sqlite(error)) => Err(error),
        Err(RowError::Damaged(why)) => {
            tracing::error!(%game, why, "a result was not corrected");
            Ok(Corrected::Damaged)
        }
    }
}

/// Nothing is written before all that it needs is read.
fn try_to_correct(
    connection: &Connection,
    rater: &dyn Rater,
    game: GameId,
    to: Correction,
) -> Result<Corrected, RowError> {
    let records = match get(connection, game)? {
        None => return Ok(Corrected::NotEnded),
        Some(Err(_)) => return Err(RowError::Damaged("its row in the archive is bad")),
        Some(Ok(records)) => records,
    };
    let from = corrections::last_of(connection, game)?;
    let count = corrections::count_of(connection, game)?;
    let Accepted { was, is } = match accept(&records, from, count, to) {
        Ok(accepted) => accepted,
        Err(Corrected::NotEnded) => {
            return Err(RowError::Damaged("its records have no beginning or no end"));
        }
        Err(why) => return Ok(why),
    };
    let counts = rater.counts(&records, Some(to)).map(|counted| counted.points);
    let is_rated = ratings::correct(connection, rater, game, was.setup, counts, to.at_unix_ms)?;
    corrections::insert(connection, game, to)?;
    let sql = "SELECT id FROM archive WHERE game = ?1";
    let id = connection.prepare_cached(sql)?.query_row([game.as_bytes()], |row| row.get(0))?;
    search_index::change(connection, id, GameFacts::of_ended(&was).facet, &GameFacts::of_ended(&is))?;
    Ok(Corrected::From { score: was.outcome.score, is_rated })
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
                let correction = match corrections::last_of(connection, game) {
                    Ok(correction) => correction,
                    Err(RowError::Sqlite(error)) => return Err(error),
                    Err(RowError::Damaged(why)) => {
                        damage.note(&format!("of row {id} of the archive, {why}"));
                        continue;
                    }
                };
                let facts = GameFacts::of(&records, correction);
                if !facts.is_some_and(|facts| search.takes_game(&facts)) {
                    damage.note(&format!("row {id} of the archive is indexed as another game"));
                } else if search.takes_end(ended_unix_ms) {
                    // The time of day may have jumped back, and then some rows of the range are not in it.
                    let place = id.unsigned_abs();
                    let mut found =
                        FinishedGame { place, game, ended_unix_ms, records, correction, ratings: None };
                    found.ratings = ratings::changes_in_list(connection, &found, |why| damage.note(why))?;
                    games.push(found);
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
