//! Ratings as rows: where each player stands, and every change.
//!
//! Invariants: the changes of a game are written in the statement that archives it, and those of a correction with the
//! correction; the key (player, category, number) keeps two writers from giving one number twice.

use std::collections::HashMap;

use serde::Serialize;
use tokio_postgres::Row;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Category, GameSetup};

use super::accounts::{account_of, key};
use super::connection::{Failure, Link};
use super::game_rows::game_of;
use super::store::PostgresStore;
use crate::storage::damage_log::DamageLog;
use crate::storage::rating::{correction_events, in_all, pairs};
use crate::storage::rating_tags::{
    category_of, category_tag, cause_of, cause_tag, color_of, color_tag, points_of, points_tag,
};
use crate::storage::{Points, Rater, Rating, RatingChange, RatingEvent, RatingStore, Reading, Standing};

impl RatingStore for PostgresStore {
    fn standings(&self, account: AccountId) -> Reading<Vec<(Category, Standing)>> {
        self.reads.accounts.read(account, |link, account| async move { standings(&link, account).await })
    }

    fn rating_history(
        &self,
        account: AccountId,
        category: Category,
        before: Option<u64>,
        most: usize,
    ) -> Reading<Vec<RatingEvent>> {
        let with = (account, category, before, most);
        self.reads.games.read(with, |link, (account, category, before, most)| async move {
            history(&link, account, category, before, most).await
        })
    }
}

/// A row of `rating_events`, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct EventRow {
    account: String,
    category: u8,
    number: u64,
    cause: u8,
    game: String,
    change: usize,
    color: u8,
    opponent: String,
    opponent_points: u32,
    opponent_deviation: u32,
    opponent_volatility: u32,
    score: u8,
    before_points: u32,
    before_deviation: u32,
    before_volatility: u32,
    after_points: u32,
    after_deviation: u32,
    after_volatility: u32,
    games: u32,
    at_unix_ms: u64,
}

/// The rows of the changes by a game or by a correction, White's first. `change` counts those by the game.
pub(super) fn event_rows(
    players: ByColor<AccountId>,
    category: Category,
    change: usize,
    events: &ByColor<RatingEvent>,
) -> [EventRow; 2] {
    Color::ALL.map(|color| {
        let event = &events[color];
        let RatingChange { before, after } = event.change;
        EventRow {
            account: players[color].to_string(),
            category: category_tag(category),
            number: event.number,
            cause: cause_tag(event.cause),
            game: event.game.to_string(),
            change,
            color: color_tag(color),
            opponent: event.opponent.to_string(),
            opponent_points: event.opponent_rating.points,
            opponent_deviation: event.opponent_rating.deviation,
            opponent_volatility: event.opponent_rating.volatility,
            score: points_tag(event.points),
            before_points: before.points,
            before_deviation: before.deviation,
            before_volatility: before.volatility,
            after_points: after.points,
            after_deviation: after.deviation,
            after_volatility: after.volatility,
            games: event.games,
            at_unix_ms: event.at_unix_ms,
        }
    })
}

/// Writes what changed where players stand, after the changes `r`.
pub(super) const PUT_STANDINGS: &str = "INSERT INTO ratings \
     (account, category, points, deviation, volatility, games, number, at_unix_ms) \
     SELECT r.account, r.category, r.after_points, r.after_deviation, r.after_volatility, r.games, r.number, r.at_unix_ms \
     FROM changes r ORDER BY r.account, r.category \
     ON CONFLICT (account, category) DO UPDATE SET points = excluded.points, deviation = excluded.deviation, \
     volatility = excluded.volatility, games = excluded.games, number = excluded.number, at_unix_ms = excluded.at_unix_ms";

/// Writes the changes of a correction.
const PUT_CORRECTED: &str = "WITH given AS (SELECT $1::jsonb AS rows), \
     changes AS (SELECT r.* FROM given, jsonb_populate_recordset(NULL::rating_events, rows) r), \
     events AS (INSERT INTO rating_events SELECT * FROM changes) ";

/// Writes what the correction of a game does to both ratings; whether anything. `points` is what each player has got now, if
/// the game counts.
pub(super) async fn correct(
    link: &Link,
    rater: &dyn Rater,
    game: GameId,
    setup: &GameSetup,
    points: Option<ByColor<Points>>,
    at_unix_ms: u64,
) -> Result<bool, Failure> {
    let (players, category) = (setup.players.map(AccountId::from_u128), setup.category());
    let past = events_of_game(link, game).await?;
    let white = standing(link, players.white, category).await?;
    let before = ByColor { white, black: standing(link, players.black, category).await? };
    let events = correction_events(rater, game, players, points, &past, before, at_unix_ms);
    let Some(events) = events else { return Ok(false) };
    let rows = event_rows(players, category, past.len(), &events);
    let rows = serde_json::to_value(rows).map_err(|error| Failure::Rejected(error.to_string()))?;
    link.execute(&format!("{PUT_CORRECTED}{PUT_STANDINGS}"), &[&rows]).await?;
    Ok(true)
}

/// Where a player stands, by the row for that or else by the last change.
pub(super) async fn standing(
    link: &Link,
    account: AccountId,
    category: Category,
) -> Result<Option<Standing>, Failure> {
    let sql = "SELECT category, points, deviation, volatility, games, number, at_unix_ms \
               FROM ratings WHERE account = $1 AND category = $2";
    let row = link.row(sql, &[&key(account), &i16::from(category_tag(category))]).await?;
    if let Some(row) = row {
        return Ok(Some(standing_of(&row)?));
    }
    let last = history(link, account, category, None, 1).await?;
    Ok(last.first().map(RatingEvent::standing))
}

async fn standings(link: &Link, account: AccountId) -> Result<Vec<(Category, Standing)>, Failure> {
    let sql = "SELECT category, points, deviation, volatility, games, number, at_unix_ms \
               FROM ratings WHERE account = $1 ORDER BY category";
    let rows = link.rows(sql, &[&key(account)]).await?;
    let standings = rows.iter().map(|row| {
        let category = category_of(small(row, 0)?).ok_or_else(damaged)?;
        Ok((category, standing_of(row)?))
    });
    standings.collect()
}

fn standing_of(row: &Row) -> Result<Standing, Failure> {
    let rating = rating(row, 1)?;
    Ok(Standing { rating, games: small(row, 4)?, number: small(row, 5)?, at_unix_ms: small(row, 6)? })
}

/// The rating in the columns from this one on.
fn rating(row: &Row, first: usize) -> Result<Rating, Failure> {
    let (points, deviation) = (small(row, first)?, small(row, first + 1)?);
    Ok(Rating { points, deviation, volatility: small(row, first + 2)? })
}

/// A number in a column, which is a smallint or a bigint there.
fn small<T: TryFrom<i64>>(row: &Row, column: usize) -> Result<T, Failure> {
    let number = match row.try_get::<_, i16>(column) {
        Ok(number) => i64::from(number),
        Err(_) => row.try_get::<_, i64>(column)?,
    };
    T::try_from(number).map_err(|_| damaged())
}

fn damaged() -> Failure {
    Failure::Damaged("a row of a rating is not one that a server writes".to_owned())
}

/// The columns of a change.
const EVENT: &str = "SELECT number, cause, game, color, opponent, opponent_points, opponent_deviation, \
     opponent_volatility, score, before_points, before_deviation, before_volatility, after_points, after_deviation, \
     after_volatility, games, at_unix_ms FROM rating_events";

fn event_of(row: &Row) -> Result<RatingEvent, Failure> {
    Ok(RatingEvent {
        number: small(row, 0)?,
        cause: cause_of(small(row, 1)?).ok_or_else(damaged)?,
        game: game_of(row.try_get(2)?)?,
        color: color_of(small(row, 3)?).ok_or_else(damaged)?,
        opponent: account_of(row.try_get(4)?),
        opponent_rating: rating(row, 5)?,
        points: points_of(small(row, 8)?).map_err(|_| damaged())?,
        change: RatingChange { before: rating(row, 9)?, after: rating(row, 12)? },
        games: small(row, 15)?,
        at_unix_ms: small(row, 16)?,
    })
}

async fn history(
    link: &Link,
    account: AccountId,
    category: Category,
    before: Option<u64>,
    most: usize,
) -> Result<Vec<RatingEvent>, Failure> {
    let before = before.and_then(|number| i64::try_from(number).ok()).unwrap_or(i64::MAX);
    let sql =
        format!("{EVENT} WHERE account = $1 AND category = $2 AND number < $3 ORDER BY number DESC LIMIT $4");
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let category = i16::from(category_tag(category));
    link.query(&sql, &[&key(account), &category, &before, &most]).await?.iter().map(event_of).collect()
}

/// What a game has done to both ratings, with its corrections; `None` when it changed none.
pub(super) async fn changes(link: &Link, game: GameId) -> Result<Option<ByColor<RatingChange>>, Failure> {
    Ok(in_all(&events_of_game(link, game).await?))
}

/// The same of each of these games that changed any. Of a game whose rows are damaged nothing is told, and they are noted.
pub(super) async fn changes_of(
    link: &Link,
    damage: &DamageLog,
    games: &[String],
) -> Result<HashMap<GameId, ByColor<RatingChange>>, Failure> {
    let sql = format!("{EVENT} WHERE game = ANY($1) ORDER BY game, change, color");
    let rows = link.query(&sql, &[&games]).await?;
    let mut changes = HashMap::new();
    for of_game in rows.chunk_by(|one, other| one.get::<_, &str>(2) == other.get::<_, &str>(2)) {
        let game: &str = of_game[0].get(2);
        match paired(of_game) {
            Ok(events) => changes.extend(game.parse().ok().zip(in_all(&events))),
            Err(Failure::Damaged(why)) => damage.note(&format!("of the game {game}, {why}")),
            Err(failure) => return Err(failure),
        }
    }
    Ok(changes)
}

/// The changes by the end of a game and by its corrections, in their order.
async fn events_of_game(link: &Link, game: GameId) -> Result<Vec<ByColor<RatingEvent>>, Failure> {
    let sql = format!("{EVENT} WHERE game = $1 ORDER BY change, color");
    paired(&link.query(&sql, &[&game.as_str()]).await?)
}

fn paired(rows: &[Row]) -> Result<Vec<ByColor<RatingEvent>>, Failure> {
    let found = rows.iter().map(event_of).collect::<Result<Vec<_>, _>>()?;
    pairs(&found).ok_or_else(damaged)
}
