//! Ratings: whether their rows are as they were written (`zeitnot check`), and whether they are what the games in the
//! archive come to (`zeitnot ratings --verify`).
//!
//! The second folds all rated games and the corrections of their results anew, in the order in which games ended and were
//! corrected, and compares every number. The database is only read, in one transaction, so a server may serve from it
//! meanwhile.
//!
//! Deliberately absent: any repair.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, params};
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::Category;

use super::check::{CheckError, Checked, open};
use super::corrections;
use super::games::shown;
use super::rows::{Table, each};
use crate::storage::encoding::{self, Row, WholeGame};
use crate::storage::rating_tags::category_tag;
use crate::storage::sqlite::corrections::PlacedCorrection;
use crate::storage::sqlite::ratings::{EVENT, STANDING, STANDING_IS_SOUND, event_of, standing_of};
use crate::storage::{CountedGame, EndedGame, Rater, RatingEvent, Standing, rating};

/// The first schema with ratings.
pub(super) const SINCE: usize = 7;

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
    corrections: u64,
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
        let Self { games, corrections, players, .. } = self;
        writeln!(
            f,
            "Rated games: {games}. Corrections that changed ratings: {corrections}. Ratings: {players}."
        )?;
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
        let unreadable = |error| CheckError::Unreadable(database.clone(), error);
        let corrections = corrections_of(&source, version, &mut verified).map_err(unreadable)?;
        let past = corrections.iter().map(|placed| (placed.game, Vec::new())).collect();
        let (standings, verified) = (HashMap::new(), &mut verified);
        let fold = Fold { source: &source, rater, corrections, past, standings, verified };
        fold.run().map_err(unreadable)?;
    }
    Ok(verified)
}

/// All corrections, in their order.
fn corrections_of(
    source: &Connection,
    version: usize,
    verified: &mut Verified,
) -> rusqlite::Result<VecDeque<PlacedCorrection>> {
    if version < corrections::SINCE {
        return Ok(VecDeque::new());
    }
    let (all, damaged) = corrections::all(source)?;
    for _ in 0..damaged {
        verified.differs("a correction is not as it was written: it may have changed ratings".to_owned());
    }
    Ok(all.into())
}

/// A fold under way.
struct Fold<'a> {
    source: &'a Connection,
    rater: &'a dyn Rater,
    /// Those that are still to come, in their order.
    corrections: VecDeque<PlacedCorrection>,
    /// What the games with corrections have done so far.
    past: HashMap<GameId, Vec<ByColor<RatingEvent>>>,
    standings: HashMap<(AccountId, Category), Standing>,
    verified: &'a mut Verified,
}

impl Fold<'_> {
    fn run(mut self) -> rusqlite::Result<()> {
        let mut statement =
            self.source.prepare("SELECT id, game, ended_unix_ms, records FROM archive ORDER BY id")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            self.correct_before(row.get(0)?)?;
            let game = row.get_ref(1)?.as_blob().unwrap_or_default();
            match (row.get(2), encoding::decode(row.get_ref(3)?.as_blob().unwrap_or_default())) {
                (Ok(ended_unix_ms), Ok(Row::Archived(whole))) => {
                    if let Some(counted) = self.rater.counts(&whole.records, None) {
                        self.game(whole.game, &counted, ended_unix_ms)?;
                    }
                }
                _ => self
                    .verified
                    .differs(format!("{} cannot be read: it may have changed ratings", shown(game))),
            }
        }
        self.correct_before(i64::MAX)?;
        self.compare_standings()?;
        let events: u64 =
            self.source.query_row("SELECT count(*) FROM rating_events", [], |row| row.get(0))?;
        let Verified { games, corrections, .. } = *self.verified;
        if events != 2 * (games + corrections) {
            self.verified.differs(format!(
                "{games} rated games and {corrections} corrections have {events} changes of ratings, not two each"
            ));
        }
        self.verified.players = self.standings.len();
        Ok(())
    }

    /// Rates the next game, and compares what is kept of that.
    fn game(&mut self, game: GameId, counted: &CountedGame, ended_unix_ms: u64) -> rusqlite::Result<()> {
        self.verified.games += 1;
        let CountedGame { category, players, .. } = *counted;
        let before = self.both_standings(players, category);
        let events = rating::events(self.rater, game, counted, before, ended_unix_ms);
        self.compare(game, players, category, events)
    }

    /// Makes the corrections that were made before this row of the archive was written.
    fn correct_before(&mut self, row: i64) -> rusqlite::Result<()> {
        while let Some(placed) = self.corrections.pop_front_if(|placed| placed.after < row) {
            self.correct(placed)?;
        }
        Ok(())
    }

    fn correct(
        &mut self,
        PlacedCorrection { game, correction, .. }: PlacedCorrection,
    ) -> rusqlite::Result<()> {
        let sql = "SELECT records FROM archive WHERE game = ?1";
        let mut statement = self.source.prepare_cached(sql)?;
        let mut rows = statement.query([game.as_bytes()])?;
        let row = rows.next()?.map(|row| row.get_ref(0)).transpose()?;
        let decoded = row.map(|bytes| encoding::decode(bytes.as_blob().unwrap_or_default()));
        let Some(Ok(Row::Archived(WholeGame { records, .. }))) = decoded else {
            self.verified
                .differs(format!("the game {game} cannot be read: its correction may have changed ratings"));
            return Ok(());
        };
        let Some(EndedGame { setup, .. }) = EndedGame::of(&records, None) else { return Ok(()) };
        let (players, category) = (setup.players.map(AccountId::from_u128), setup.category());
        let points = self.rater.counts(&records, Some(correction)).map(|counted| counted.points);
        let (before, past) = (self.both_standings(players, category), &self.past[&game]);
        let at = correction.at_unix_ms;
        let events = rating::correction_events(self.rater, game, players, points, past, before, at);
        let Some(events) = events else { return Ok(()) };
        self.verified.corrections += 1;
        self.compare(game, players, category, events)
    }

    fn both_standings(&self, players: ByColor<AccountId>, category: Category) -> ByColor<Option<Standing>> {
        players.map(|account| self.standings.get(&(account, category)).copied())
    }

    /// Compares the changes that are kept with what they come to, and goes on from there.
    fn compare(
        &mut self,
        game: GameId,
        players: ByColor<AccountId>,
        category: Category,
        events: ByColor<RatingEvent>,
    ) -> rusqlite::Result<()> {
        for color in Color::ALL {
            let (account, event) = (players[color], events[color]);
            if let Some(how) = self.difference(account, category, &event)? {
                let number = event.number;
                self.verified
                    .differs(format!("{account}, {category:?}, change {number} by the game {game} {how}"));
            }
            self.standings.insert((account, category), event.standing());
        }
        if let Some(past) = self.past.get_mut(&game) {
            past.push(events);
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
        let mut rows = statement.query(params![
            account.as_u128().to_be_bytes(),
            category_tag(category),
            event.number
        ])?;
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
            let mut rows =
                statement.query(params![account.as_u128().to_be_bytes(), category_tag(category)])?;
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
