//! Ratings as rows: where each player stands, and every change. Each row has a checksum.
//!
//! Invariants: the changes of a game are written in the transaction that archives it, once, and those of a correction with
//! the correction; White's row comes before Black's. A player's standing is what
//! the last change left: where its row is damaged or missing, the last change says it.

use rusqlite::{Connection, Row, ToSql, params};
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Category, GameSetup};

use super::corrections::RowError;
use super::store::SqliteStore;
use crate::storage::rating::{correction_events, events, in_all, pairs};
use crate::storage::rating_tags::{
    category_of, category_tag, cause_of, cause_tag, color_of, color_tag, points_of, points_tag,
};
use crate::storage::{
    CountedGame, FinishedGame, Points, Rater, Rating, RatingChange, RatingEvent, RatingStore, ReadError,
    Reading, Standing,
};

impl RatingStore for SqliteStore {
    fn standings(&self, account: AccountId) -> Reading<Vec<(Category, Standing)>> {
        self.read(&self.reads.accounts, move |connection| standings(connection, account))
    }

    fn rating_history(
        &self,
        account: AccountId,
        category: Category,
        before: Option<u64>,
        most: usize,
    ) -> Reading<Vec<RatingEvent>> {
        self.read(&self.reads.games, move |connection| history(connection, account, category, before, most))
    }
}

/// Writes what a game has done to both ratings. A player whose rows are damaged is noted, and nothing changes then.
pub(super) fn put(
    connection: &Connection,
    rater: &dyn Rater,
    game: GameId,
    counted: &CountedGame,
    at_unix_ms: u64,
) -> rusqlite::Result<()> {
    let before = match both_standings(connection, counted.players, counted.category) {
        Ok(before) => before,
        Err(RowError::Sqlite(error)) => return Err(error),
        Err(RowError::Damaged(why)) => {
            tracing::error!(%game, why, "a rated game changes no rating: `zeitnot ratings` says what it should be");
            return Ok(());
        }
    };
    let events = events(rater, game, counted, before, at_unix_ms);
    for color in Color::ALL {
        insert(connection, counted.players[color], counted.category, &events[color])?;
    }
    Ok(())
}

/// Writes what the correction of a game does to both ratings, whether anything or nothing. `points` is what each player has
/// got now, if the game counts.
pub(super) fn correct(
    connection: &Connection,
    rater: &dyn Rater,
    game: GameId,
    setup: &GameSetup,
    points: Option<ByColor<Points>>,
    at_unix_ms: u64,
) -> Result<bool, RowError> {
    let (players, category) = (setup.players.map(AccountId::from_u128), setup.category());
    let past = events_of_game(connection, game)?;
    let before = both_standings(connection, players, category)?;
    let events = correction_events(rater, game, players, points, &past, before, at_unix_ms);
    let Some(events) = events else { return Ok(false) };
    for color in Color::ALL {
        insert(connection, players[color], category, &events[color])?;
    }
    Ok(true)
}

/// Where both players stand.
fn both_standings(
    connection: &Connection,
    players: ByColor<AccountId>,
    category: Category,
) -> Result<ByColor<Option<Standing>>, RowError> {
    let standing = |account| standing(connection, account, category);
    Ok(ByColor { white: standing(players.white)?, black: standing(players.black)? })
}

/// Where a player stands, by the row for that or else by the last change.
fn standing(
    connection: &Connection,
    account: AccountId,
    category: Category,
) -> Result<Option<Standing>, RowError> {
    let account = account.as_u128().to_be_bytes();
    let sql = format!("SELECT {STANDING} FROM ratings WHERE account = ?1 AND category = ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![account, category_tag(category)])?;
    if let Some(row) = rows.next()?
        && row.get(STANDING_IS_SOUND)?
    {
        return Ok(Some(standing_of(row)?));
    }
    let sql = format!(
        "SELECT {EVENT} FROM rating_events WHERE account = ?1 AND category = ?2 ORDER BY number DESC LIMIT 1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params![account, category_tag(category)])?;
    match rows.next()?.map(event_of).transpose()? {
        None => Ok(None),
        Some(Some(event)) => Ok(Some(event.standing())),
        Some(None) => Err(RowError::Damaged("the last change of a rating is not as it was written")),
    }
}

fn insert(
    connection: &Connection,
    account: AccountId,
    category: Category,
    event: &RatingEvent,
) -> rusqlite::Result<()> {
    let (account, category) = (account.as_u128().to_be_bytes(), category_tag(category));
    let RatingEvent { number, cause, game, color, opponent, opponent_rating, points, change, .. } = *event;
    let RatingChange { before, after } = change;
    let (color, opponent) = (color_tag(color), opponent.as_u128().to_be_bytes());
    let (cause, points) = (cause_tag(cause), points_tag(points));
    let mut values: Vec<&dyn ToSql> = vec![&account, &category, &number, &cause];
    let game = game.as_bytes();
    values.extend([&game as &dyn ToSql, &color, &opponent]);
    values.extend(columns(&opponent_rating));
    values.push(&points);
    values.extend(columns(&before));
    values.extend(columns(&after));
    values.extend([&event.games as &dyn ToSql, &event.at_unix_ms]);
    connection.prepare_cached(INSERT_EVENT)?.execute(&*values)?;
    let Standing { rating, games, number, at_unix_ms } = event.standing();
    connection.prepare_cached(PUT_STANDING)?.execute(params![
        account,
        category,
        rating.points,
        rating.deviation,
        rating.volatility,
        games,
        number,
        at_unix_ms
    ])?;
    Ok(())
}

fn columns(rating: &Rating) -> [&dyn ToSql; 3] {
    [&rating.points, &rating.deviation, &rating.volatility]
}

/// Writes where a player stands.
const PUT_STANDING: &str = "INSERT INTO ratings \
     (account, category, points, deviation, volatility, games, number, at_unix_ms, sum) VALUES \
     (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, row_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)) \
     ON CONFLICT (account, category) DO UPDATE SET points = excluded.points, deviation = excluded.deviation, \
     volatility = excluded.volatility, games = excluded.games, number = excluded.number, \
     at_unix_ms = excluded.at_unix_ms, sum = excluded.sum";

/// Writes a change.
const INSERT_EVENT: &str = "INSERT INTO rating_events \
     (account, category, number, cause, game, color, opponent, opponent_points, opponent_deviation, \
      opponent_volatility, score, before_points, before_deviation, before_volatility, after_points, \
      after_deviation, after_volatility, games, at_unix_ms, sum) VALUES \
     (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, \
      row_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19))";

/// The columns of a standing, and after them whether the row is as it was written.
pub(crate) const STANDING: &str = "account, category, points, deviation, volatility, games, number, at_unix_ms, \
     sum = row_sum(account, category, points, deviation, volatility, games, number, at_unix_ms)";

/// Where [`STANDING`] says that.
pub(crate) const STANDING_IS_SOUND: usize = 8;

/// The columns of a change, and after them whether the row is as it was written.
pub(crate) const EVENT: &str = "account, category, number, cause, game, color, opponent, opponent_points, \
     opponent_deviation, opponent_volatility, score, before_points, before_deviation, before_volatility, after_points, \
     after_deviation, after_volatility, games, at_unix_ms, \
     sum = row_sum(account, category, number, cause, game, color, opponent, opponent_points, opponent_deviation, \
     opponent_volatility, score, before_points, before_deviation, before_volatility, after_points, after_deviation, \
     after_volatility, games, at_unix_ms)";

/// Where [`EVENT`] says that.
pub(crate) const EVENT_IS_SOUND: usize = 19;

/// The standing in a row of [`STANDING`].
pub(crate) fn standing_of(row: &Row<'_>) -> rusqlite::Result<Standing> {
    Ok(Standing { rating: rating(row, 2)?, games: row.get(5)?, number: row.get(6)?, at_unix_ms: row.get(7)? })
}

/// The change in a row of [`EVENT`]; `None` when the row is not as it was written.
pub(crate) fn event_of(row: &Row<'_>) -> rusqlite::Result<Option<RatingEvent>> {
    if !row.get::<_, bool>(EVENT_IS_SOUND)? {
        return Ok(None);
    }
    let game = std::str::from_utf8(row.get_ref(4)?.as_blob()?).ok().and_then(|text| text.parse().ok());
    let color = color_of(row.get(5)?);
    let points = points_of(row.get(10)?).ok();
    let cause = cause_of(row.get(3)?);
    let (Some(game), Some(color), Some(points), Some(cause)) = (game, color, points, cause) else {
        return Ok(None);
    };
    Ok(Some(RatingEvent {
        number: row.get(2)?,
        cause,
        game,
        color,
        opponent: AccountId::from_u128(u128::from_be_bytes(row.get(6)?)),
        opponent_rating: rating(row, 7)?,
        points,
        change: RatingChange { before: rating(row, 11)?, after: rating(row, 14)? },
        games: row.get(17)?,
        at_unix_ms: row.get(18)?,
    }))
}

/// The rating in the columns from this one on.
fn rating(row: &Row<'_>, first: usize) -> rusqlite::Result<Rating> {
    Ok(Rating { points: row.get(first)?, deviation: row.get(first + 1)?, volatility: row.get(first + 2)? })
}

fn standings(connection: &Connection, account: AccountId) -> Result<Vec<(Category, Standing)>, ReadError> {
    let sql = format!("SELECT {STANDING} FROM ratings WHERE account = ?1 ORDER BY category");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([account.as_u128().to_be_bytes()])?;
    let mut standings = Vec::new();
    while let Some(row) = rows.next()? {
        let category = category_of(row.get(1)?).filter(|_| row.get(STANDING_IS_SOUND).unwrap_or(false));
        let category = category.ok_or_else(|| damaged("a rating", account))?;
        standings.push((category, standing_of(row)?));
    }
    Ok(standings)
}

fn history(
    connection: &Connection,
    account: AccountId,
    category: Category,
    before: Option<u64>,
    most: usize,
) -> Result<Vec<RatingEvent>, ReadError> {
    let before = before.and_then(|number| i64::try_from(number).ok()).unwrap_or(i64::MAX);
    let sql = format!(
        "SELECT {EVENT} FROM rating_events WHERE account = ?1 AND category = ?2 AND number < ?3 \
         ORDER BY number DESC LIMIT ?4"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows =
        statement.query(params![account.as_u128().to_be_bytes(), category_tag(category), before, most])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(event_of(row)?.ok_or_else(|| damaged("a change of the rating", account))?);
    }
    Ok(events)
}

/// What a game has done to both ratings, with its corrections; `None` when it changed none.
pub(super) fn changes(
    connection: &Connection,
    game: GameId,
) -> Result<Option<ByColor<RatingChange>>, RowError> {
    Ok(in_all(&events_of_game(connection, game)?))
}

/// The same for a list of games. One of which the rows are damaged is shown without it, and `note` is told.
pub(crate) fn changes_in_list(
    connection: &Connection,
    found: &FinishedGame,
    note: impl FnOnce(&str),
) -> rusqlite::Result<Option<ByColor<RatingChange>>> {
    if !found.is_rated() {
        return Ok(None);
    }
    match changes(connection, found.game) {
        Ok(changes) => Ok(changes),
        Err(RowError::Sqlite(error)) => Err(error),
        Err(RowError::Damaged(why)) => {
            note(&format!("of the game {}, {why}", found.game));
            Ok(None)
        }
    }
}

/// The changes by the end of a game and by its corrections, in their order.
fn events_of_game(connection: &Connection, game: GameId) -> Result<Vec<ByColor<RatingEvent>>, RowError> {
    let bad = || RowError::Damaged("the changes of ratings by a game are not as they were written");
    let sql = format!("SELECT {EVENT} FROM rating_events WHERE game = ?1 ORDER BY id");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([game.as_bytes()])?;
    let mut found: Vec<RatingEvent> = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(event_of(row)?.ok_or_else(bad)?);
    }
    pairs(&found).ok_or_else(bad)
}

fn damaged(what: &str, account: AccountId) -> ReadError {
    ReadError::Damaged(format!("{what} of the account {account} is not as it was written"))
}
