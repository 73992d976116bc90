//! The archive: games that have ended, and corrections of their results.
//!
//! Invariants: the records of a row are never changed; a correction is written with all that follows from it, or not at all,
//! and the last one of a game says what it was corrected to.

use tokio_postgres::Row;
use zeitnot_protocol::GameId;

use super::connection::{Failure, Link};
use super::game_rows::archived;
use super::{ratings, search};
use crate::storage::correcting::{Accepted, accept, score_of, score_tag};
use crate::storage::{Corrected, Correction, GameFacts, Rater};

/// Corrects the result of a game that has ended, with what that does to both ratings and what the game is found by.
pub(super) async fn correct(
    link: &Link,
    rater: &dyn Rater,
    game: GameId,
    to: Correction,
) -> Result<Corrected, Failure> {
    match try_to_correct(link, rater, game, to).await {
        Err(Failure::Damaged(why)) => {
            tracing::error!(%game, why, "a result was not corrected");
            Ok(Corrected::Damaged)
        }
        corrected => corrected,
    }
}

/// Nothing is written before all that it needs is read.
async fn try_to_correct(
    link: &Link,
    rater: &dyn Rater,
    game: GameId,
    to: Correction,
) -> Result<Corrected, Failure> {
    // Locked: two corrections of one game are made one after the other.
    let sql = "SELECT records FROM archive WHERE game = $1 FOR UPDATE";
    let Some(row) = link.row(sql, &[&game.as_str()]).await? else { return Ok(Corrected::NotEnded) };
    let records = archived(game, row.try_get(0)?).map_err(Failure::Damaged)?;
    let from = last_correction(link, game).await?;
    let count = count_of(link, game).await?;
    let Accepted { was, is } = match accept(&records, from, count, to) {
        Ok(accepted) => accepted,
        Err(Corrected::NotEnded) => {
            return Err(Failure::Damaged("its records have no beginning or no end".to_owned()));
        }
        Err(why) => return Ok(why),
    };
    let counts = rater.counts(&records, Some(to)).map(|counted| counted.points);
    let is_rated = ratings::correct(link, rater, game, was.setup, counts, to.at_unix_ms).await?;
    insert(link, game, to).await?;
    search::change(link, game, &GameFacts::of_ended(&is)).await?;
    Ok(Corrected::From { score: was.outcome.score, is_rated })
}

/// The last correction of a game.
pub(super) async fn last_correction(link: &Link, game: GameId) -> Result<Option<Correction>, Failure> {
    let sql = "SELECT score, at_unix_ms FROM corrections WHERE game = $1 ORDER BY id DESC LIMIT 1";
    link.row(sql, &[&game.as_str()]).await?.map(|row| correction_of(&row, 0)).transpose()
}

/// The correction in this column and the next one.
pub(super) fn correction_of(row: &Row, first: usize) -> Result<Correction, Failure> {
    let score = u8::try_from(row.try_get::<_, i16>(first)?).ok().and_then(score_of);
    let score = score.ok_or_else(|| Failure::Damaged("a correction has a score that is none".to_owned()))?;
    Ok(Correction { score, at_unix_ms: row.try_get::<_, i64>(first + 1)?.unsigned_abs() })
}

/// How often a game was corrected.
async fn count_of(link: &Link, game: GameId) -> Result<usize, Failure> {
    let row = link.row("SELECT count(*) FROM corrections WHERE game = $1", &[&game.as_str()]).await?;
    Ok(row.and_then(|row| usize::try_from(row.get::<_, i64>(0)).ok()).unwrap_or_default())
}

/// Writes one more.
async fn insert(link: &Link, game: GameId, correction: Correction) -> Result<(), Failure> {
    let sql = "INSERT INTO corrections (game, score, after, at_unix_ms) \
               VALUES ($1, $2, (SELECT coalesce(max(id), 0) FROM archive), $3)";
    let score = i16::from(score_tag(correction));
    let at = i64::try_from(correction.at_unix_ms).unwrap_or(i64::MAX);
    link.run(sql, &[&game.as_str(), &score, &at]).await?;
    Ok(())
}
