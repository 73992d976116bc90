//! Ratings: whether their rows are as they were written (`zeitnot check`), and whether they are what the games in the
//! archive come to (`zeitnot ratings --verify`).
//!
//! The second folds all rated games anew, in the order in which they ended, and compares every number. The database is
//! only read, in one transaction, so a server may serve from it meanwhile.
//!
//! Deliberately absent: any repair.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params};
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::Category;

use super::check::{CheckError, Checked, open};
use super::games::shown;
use super::rows::{Table, each};
use crate::storage::encoding::{self, Row};
use crate::storage::sqlite::ratings::{EVENT, STANDING, STANDING_IS_SOUND, event_of, standing_of, tag};
use crate::storage::{CountedGame, Rater, RatingEvent, Standing, rating};

/// The first schema with ratings.
const SINCE: usize = 7;

/// Differences that are named; the others are counted.
const NAMED_MAX: usize = 50;

/// Checks the rows of ratings. What is in order is saved.
pub(super) fn check(at: &mut Checked<'_>) {
    if at.version < SINCE {
        return;
    }
    let standings = "id, account, category, points, deviation, volatility, games, number, at_unix_ms, sum, \
         sum = row_sum(account, category, points, deviation, volatility, games, number, at_unix_ms)";
    copy(at, Table { name: "ratings", columns: standings, key: "id" }, 10);
    let events = "id, account, category, number, cause, game, color, opponent, opponent_points, opponent_deviation, \
         opponent_volatility, score, before_points, before_deviation, before_volatility, after_points, \
         after_deviation, after_volatility, games, at_unix_ms, sum, \
         sum = row_sum(account, category, number, cause, game, color, opponent, opponent_points, \
         opponent_deviation, opponent_volatility, score, before_points, before_deviation, before_volatility, \
         after_points, after_deviation, after_volatility, games, at_unix_ms)";
    copy(at, Table { name: "rating_events", columns: events, key: "id" }, 21);
}

/// Checks and saves the rows of a table with so many columns, after which stands whether a row is as it was written.
fn copy(at: &mut Checked<'_>, table: Table<'_>, columns: usize) {
    let (source, mut sound) = (at.source, 0_u64);
    let places = (1..=columns).map(|place| format!("?{place}")).collect::<Vec<_>>().join(", ");
    let sql = format!("INSERT INTO {} VALUES ({places})", table.name);
    let error = each(source, table, &mut |row| {
        let values: rusqlite::Result<Vec<Value>> = (0..columns).map(|column| row.get(column)).collect();
        match (values, row.get::<_, bool>(columns)) {
            (Ok(values), Ok(true)) => {
                sound += 1;
                let values: Vec<&dyn rusqlite::ToSql> = values.iter().map(|value| value as _).collect();
                at.save(&sql, &values);
            }
            _ => at.report.damaged("ratings", format!("a row of {} is not as it was written", table.name)),
        }
    });
    at.unreadable("the ratings", error);
    at.report.in_order(format!("{}: {sound}", table.name));
}

/// What a comparison of the ratings with the games has found.
#[derive(Debug, Default)]
pub struct Verified {
    games: u64,
    players: usize,
    differences: Vec<String>,
    count: usize,
}

impl Verified {
    /// Whether every number is what the games come to.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        self.count == 0
    }

    fn differs(&mut self, what: String) {
        self.count += 1;
        if self.differences.len() < NAMED_MAX {
            self.differences.push(what);
        }
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Rated games: {}. Ratings: {}.", self.games, self.players)?;
        self.differences.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        match self.count {
            0 => writeln!(f, "Every rating is what the games come to."),
            count => writeln!(f, "{count} differences, {} of them named.", self.differences.len()),
        }
    }
}

/// Folds all rated games in the database of a data folder, or in a backup, and compares the ratings in it.
///
/// # Errors
/// See [`CheckError`].
pub fn verify_ratings(what: &Path, rater: &dyn Rater) -> Result<Verified, CheckError> {
    let (source, database, version) = open(what)?;
    let mut verified = Verified::default();
    if version >= SINCE {
        let fold = Fold { source: &source, rater, standings: HashMap::new(), verified: &mut verified };
        fold.run().map_err(|error| CheckError::Unreadable(database, error))?;
    }
    Ok(verified)
}

/// A fold under way.
struct Fold<'a> {
    source: &'a Connection,
    rater: &'a dyn Rater,
    standings: HashMap<(AccountId, Category), Standing>,
    verified: &'a mut Verified,
}

impl Fold<'_> {
    fn run(mut self) -> rusqlite::Result<()> {
        let mut statement =
            self.source.prepare("SELECT game, ended_unix_ms, records FROM archive ORDER BY id")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let game = row.get_ref(0)?.as_blob().unwrap_or_default();
            match (row.get(1), encoding::decode(row.get_ref(2)?.as_blob().unwrap_or_default())) {
                (Ok(ended_unix_ms), Ok(Row::Archived(whole))) => {
                    if let Some(counted) = self.rater.counts(&whole.records) {
                        self.game(whole.game, &counted, ended_unix_ms)?;
                    }
                }
                _ => self
                    .verified
                    .differs(format!("{} cannot be read: it may have changed ratings", shown(game))),
            }
        }
        self.compare_standings()?;
        let events: u64 =
            self.source.query_row("SELECT count(*) FROM rating_events", [], |row| row.get(0))?;
        if events != 2 * self.verified.games {
            let games = self.verified.games;
            self.verified
                .differs(format!("{games} rated games have {events} changes of ratings, not two each"));
        }
        self.verified.players = self.standings.len();
        Ok(())
    }

    /// Rates the next game, and compares what is kept of that.
    fn game(&mut self, game: GameId, counted: &CountedGame, ended_unix_ms: u64) -> rusqlite::Result<()> {
        self.verified.games += 1;
        let category = counted.category;
        let before = counted.players.map(|account| self.standings.get(&(account, category)).copied());
        let events = rating::events(self.rater, game, counted, before, ended_unix_ms);
        for color in Color::ALL {
            let (account, event) = (counted.players[color], events[color]);
            if let Some(how) = self.difference(account, category, &event)? {
                let number = event.number;
                self.verified
                    .differs(format!("{account}, {category:?}, change {number} by the game {game} {how}"));
            }
            self.standings.insert((account, category), event.standing());
        }
        Ok(())
    }

    /// How the change that is kept differs from what it comes to.
    fn difference(
        &self,
        account: AccountId,
        category: Category,
        event: &RatingEvent,
    ) -> rusqlite::Result<Option<String>> {
        let sql =
            format!("SELECT {EVENT} FROM rating_events WHERE account = ?1 AND category = ?2 AND number = ?3");
        let mut statement = self.source.prepare_cached(&sql)?;
        let mut rows =
            statement.query(params![account.as_u128().to_be_bytes(), tag(category), event.number])?;
        let Some(row) = rows.next()? else { return Ok(Some("is missing".to_owned())) };
        Ok(match event_of(row)? {
            Some(kept) if kept == *event => None,
            Some(kept) => {
                Some(format!("differs: {:?} is kept, and it comes to {:?}", kept.change, event.change))
            }
            None => Some("is not as it was written".to_owned()),
        })
    }

    fn compare_standings(&mut self) -> rusqlite::Result<()> {
        let sql = format!("SELECT {STANDING} FROM ratings WHERE account = ?1 AND category = ?2");
        for (&(account, category), standing) in &self.standings {
            let mut statement = self.source.prepare_cached(&sql)?;
            let mut rows = statement.query(params![account.as_u128().to_be_bytes(), tag(category)])?;
            let kept = match rows.next()? {
                Some(row) if row.get(STANDING_IS_SOUND)? => Some(standing_of(row)?),
                Some(_) | None => None,
            };
            if kept != Some(*standing) {
                self.verified.differs(format!(
                    "{account}, {category:?}: {kept:?} is kept, and it comes to {standing:?}"
                ));
            }
        }
        let rows: usize = self.source.query_row("SELECT count(*) FROM ratings", [], |row| row.get(0))?;
        if rows != self.standings.len() {
            let players = self.standings.len();
            self.verified.differs(format!("{rows} ratings are kept, and the games come to {players}"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_differences_some_are_named_and_all_are_counted() {
        let mut verified = Verified::default();
        for number in 0..NAMED_MAX + 7 {
            verified.differs(number.to_string());
        }
        assert_eq!((verified.differences.len(), verified.count), (NAMED_MAX, NAMED_MAX + 7));
        assert!(!verified.is_in_order());
    }
}
