//! Corrections of results as rows. Each has a checksum.
//!
//! Deliberately absent: what else a correction changes (`archive`).
//!
//! Invariants: rows are only ever added; the last one of a game says what it was corrected to.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use zeitnot_protocol::GameId;

use crate::storage::correcting::{score_of, score_tag};
use crate::storage::{Correction, ReadError};

/// Why rows say nothing.
#[derive(Debug)]
pub(crate) enum RowError {
    /// They cannot be read.
    Sqlite(rusqlite::Error),
    /// They are not as they were written.
    Damaged(&'static str),
}

impl From<rusqlite::Error> for RowError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<RowError> for ReadError {
    fn from(error: RowError) -> Self {
        match error {
            RowError::Sqlite(error) => error.into(),
            RowError::Damaged(why) => Self::Damaged(why.to_owned()),
        }
    }
}

/// A correction with its game and its place among the ends of games: the last row of the archive before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlacedCorrection {
    pub(crate) game: GameId,
    pub(crate) after: i64,
    pub(crate) correction: Correction,
}

/// The columns of a correction, and after them whether the row is as it was written.
pub(crate) const CORRECTION: &str =
    "game, score, after, at_unix_ms, sum = row_sum(game, score, after, at_unix_ms)";

/// The correction in the columns of [`CORRECTION`] from this one on; `None` when the row is not as it was written.
pub(crate) fn correction_of(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<PlacedCorrection>> {
    // Without a row, which a damaged index names, all columns are NULL.
    if row.get::<_, Option<bool>>(first + 4)? != Some(true) {
        return Ok(None);
    }
    let game = std::str::from_utf8(row.get_ref(first)?.as_blob()?).ok().and_then(|text| text.parse().ok());
    let (Some(game), Some(score)) = (game, score_of(row.get(first + 1)?)) else { return Ok(None) };
    let (after, at_unix_ms) = (row.get(first + 2)?, row.get(first + 3)?);
    Ok(Some(PlacedCorrection { game, after, correction: Correction { score, at_unix_ms } }))
}

/// The last correction of a game. A damaged page may hide a row from a look-up, and then the game would count as something
/// else: what one index finds must be what the other one has.
pub(crate) fn last_of(connection: &Connection, game: GameId) -> Result<Option<Correction>, RowError> {
    let sql = format!(
        "SELECT id, {CORRECTION} FROM corrections INDEXED BY corrections_by_game WHERE game = ?1 \
         ORDER BY id DESC LIMIT 1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let read = |row: &Row<'_>| Ok((row.get::<_, Option<i64>>(0)?, correction_of(row, 1)?));
    let found = statement.query_row([game.as_bytes()], read).optional()?;
    let again = "SELECT max(id) FROM corrections INDEXED BY corrections_again WHERE game = ?1";
    let id: Option<i64> = connection.prepare_cached(again)?.query_row([game.as_bytes()], |row| row.get(0))?;
    match found {
        None if id.is_none() => Ok(None),
        Some((found, Some(placed))) if found == id && placed.game == game => Ok(Some(placed.correction)),
        _ => Err(RowError::Damaged("the correction of a result is not as it was written")),
    }
}

/// How often a game was corrected.
pub(super) fn count_of(connection: &Connection, game: GameId) -> rusqlite::Result<usize> {
    let sql = "SELECT count(*) FROM corrections WHERE game = ?1";
    connection.prepare_cached(sql)?.query_row([game.as_bytes()], |row| row.get(0))
}

/// Writes one more.
pub(super) fn insert(connection: &Connection, game: GameId, correction: Correction) -> rusqlite::Result<()> {
    let sql = "INSERT INTO corrections (game, score, after, at_unix_ms, sum) \
               SELECT ?1, ?2, last, ?3, row_sum(?1, ?2, last, ?3) \
               FROM (SELECT coalesce(max(id), 0) AS last FROM archive)";
    let score = score_tag(correction);
    connection.prepare_cached(sql)?.execute(params![game.as_bytes(), score, correction.at_unix_ms]).map(drop)
}
