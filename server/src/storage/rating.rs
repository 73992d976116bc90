//! What is kept of ratings: how well an account plays in a category, and each change of that.
//!
//! A store knows no formula. Whoever opens it hands it a [`Rater`], and the record that ends a game changes both ratings
//! in the transaction that writes it. So does a correction of its result.
//!
//! Numbers are whole, so that the same games give the same numbers again. Deliberately absent: the formula, and which
//! games count (`ratings`).

use std::fmt;
use std::sync::Arc;

use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Category, ShownRating};

use super::correction::Correction;
use super::record::Record;

/// Thousandths of a point.
const PER_POINT: u32 = 1_000;

/// A rating whose deviation is above this is provisional.
const PROVISIONAL_ABOVE: u32 = 110 * PER_POINT;

/// How well somebody plays, and how sure that is: the numbers of Glicko-2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rating {
    /// In thousandths of a point.
    pub points: u32,
    /// The deviation, in thousandths of a point.
    pub deviation: u32,
    /// The volatility, in billionths.
    pub volatility: u32,
}

impl Rating {
    /// Whether too little is known of the player to rely on it.
    #[must_use]
    pub const fn is_provisional(self) -> bool {
        self.deviation > PROVISIONAL_ABOVE
    }

    /// In whole points.
    #[must_use]
    pub const fn whole_points(self) -> u32 {
        (self.points + PER_POINT / 2) / PER_POINT
    }

    /// As it is shown.
    #[must_use]
    pub fn shown(self) -> ShownRating {
        let rating = u16::try_from(self.whole_points()).unwrap_or(u16::MAX);
        ShownRating { rating, provisional: self.is_provisional() }
    }
}

/// Where a player stands in a category.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Standing {
    /// The rating after the last change.
    pub rating: Rating,
    /// How many rated games there were, without those that were corrected to no result.
    pub games: u32,
    /// The number of the last change in this category, from 1.
    pub number: u64,
    /// When the last change was made, in milliseconds of Unix time.
    pub at_unix_ms: u64,
}

/// What a game has come to for one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Points {
    /// None.
    Loss,
    /// Half a point.
    Draw,
    /// A whole one.
    Win,
}

/// A game that changes ratings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CountedGame {
    /// The category whose ratings change.
    pub category: Category,
    /// The players.
    pub players: ByColor<AccountId>,
    /// What each has got.
    pub points: ByColor<Points>,
}

/// What a game, or a correction of its result, has done to the rating of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RatingChange {
    /// When the game ended or was corrected, with what the deviation had grown to by then.
    pub before: Rating,
    /// After it.
    pub after: Rating,
}

impl RatingChange {
    /// By how much it has changed the points, in thousandths.
    #[must_use]
    pub fn given(self) -> i64 {
        i64::from(self.after.points) - i64::from(self.before.points)
    }
}

/// Why a rating has changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RatingCause {
    /// A game has ended.
    Game,
    /// The result of a game was corrected.
    Correction,
}

/// One change of a rating. It is never rewritten: a later correction of a result is one more, with a cause of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RatingEvent {
    /// Its number in the player's category, from 1.
    pub number: u64,
    /// Why.
    pub cause: RatingCause,
    /// The game.
    pub game: GameId,
    /// The player's side in it.
    pub color: Color,
    /// The other player.
    pub opponent: AccountId,
    /// The other player's rating when the game ended, or when it was first counted.
    pub opponent_rating: Rating,
    /// What the player has got; `None` when the game counts no longer.
    pub points: Option<Points>,
    /// What it did.
    pub change: RatingChange,
    /// How many rated games the player has in this category since then.
    pub games: u32,
    /// When, in milliseconds of Unix time.
    pub at_unix_ms: u64,
}

impl RatingEvent {
    /// Where the player stands after it.
    #[must_use]
    pub const fn standing(&self) -> Standing {
        let Self { number, games, at_unix_ms, change: RatingChange { after, .. }, .. } = *self;
        Standing { rating: after, games, number, at_unix_ms }
    }
}

/// The events of a game that has ended, one for each player.
///
/// `before` is where they stood; `None` before the first rated game in the category.
pub(crate) fn events(
    rater: &dyn Rater,
    game: GameId,
    counted: &CountedGame,
    before: ByColor<Option<Standing>>,
    at_unix_ms: u64,
) -> ByColor<RatingEvent> {
    let changes = rater.rate(before, counted.points, at_unix_ms);
    let event = |color: Color| {
        let games = before[color].map_or(0, |standing| standing.games);
        let number = before[color].map_or(0, |standing| standing.number);
        RatingEvent {
            number: number + 1,
            cause: RatingCause::Game,
            game,
            color,
            opponent: counted.players[!color],
            opponent_rating: changes[!color].before,
            points: Some(counted.points[color]),
            change: changes[color],
            games: games + 1,
            at_unix_ms,
        }
    };
    ByColor { white: event(Color::White), black: event(Color::Black) }
}

/// What a game has done to both ratings, with its corrections, of all its events in their order; `None` without any.
pub(crate) fn in_all(events: &[ByColor<RatingEvent>]) -> Option<ByColor<RatingChange>> {
    let (first, last) = (events.first()?, events.last()?);
    let change = |color: Color| {
        let before = first[color].change.before;
        let given: i64 = events.iter().map(|event| event[color].change.given()).sum();
        let points = u32::try_from(i64::from(before.points) + given).unwrap_or_default();
        RatingChange { before, after: Rating { points, ..last[color].change.after } }
    };
    Some(ByColor { white: change(Color::White), black: change(Color::Black) })
}

/// The changes by the end of a game and by its corrections, of single ones in the order in which they were written, White's
/// before Black's; `None` when they are not in that order.
pub(crate) fn pairs(changes: &[RatingEvent]) -> Option<Vec<ByColor<RatingEvent>>> {
    let pairs = changes.chunks(2).map(|pair| match pair {
        [white, black] if (white.color, black.color) == (Color::White, Color::Black) => {
            Some(ByColor { white: *white, black: *black })
        }
        _ => None,
    });
    pairs.collect()
}

/// The events of a correction at `at_unix_ms`, one for each player; `None` when it changes no rating.
///
/// `points` is what each has got now, if the game counts. `past` are the events of the game so far, in their order, and
/// `before` is where the players stand.
pub(crate) fn correction_events(
    rater: &dyn Rater,
    game: GameId,
    players: ByColor<AccountId>,
    points: Option<ByColor<Points>>,
    past: &[ByColor<RatingEvent>],
    before: ByColor<Option<Standing>>,
    at_unix_ms: u64,
) -> Option<ByColor<RatingEvent>> {
    let has_counted = past.last().is_some_and(|last| last.white.points.is_some());
    if !has_counted && points.is_none() {
        return None;
    }
    let given = in_all(past);
    let changes = rater.correct(before, given, points, at_unix_ms);
    let event = |color: Color| {
        let games = before[color].map_or(0, |standing| standing.games) + u32::from(points.is_some());
        let number = before[color].map_or(0, |standing| standing.number);
        RatingEvent {
            number: number + 1,
            cause: RatingCause::Correction,
            game,
            color,
            opponent: players[!color],
            opponent_rating: given.map_or(changes[!color].before, |given| given[!color].before),
            points: points.map(|points| points[color]),
            change: changes[color],
            games: games.saturating_sub(u32::from(has_counted)),
            at_unix_ms,
        }
    };
    Some(ByColor { white: event(Color::White), black: event(Color::Black) })
}

/// What a store must know to rate games.
pub trait Rater: fmt::Debug + Send + Sync {
    /// What a game that has ended counts for with this last correction; `None` when it changes no rating.
    fn counts(&self, records: &[Arc<Record>], correction: Option<Correction>) -> Option<CountedGame>;

    /// What a game that ended at `at_unix_ms` does to both ratings. A player without a standing has no rated game in the
    /// category yet.
    fn rate(
        &self,
        standings: ByColor<Option<Standing>>,
        points: ByColor<Points>,
        at_unix_ms: u64,
    ) -> ByColor<RatingChange>;

    /// What a correction at `at_unix_ms` does to both ratings. `given` is what the game has done to them so far, with
    /// earlier corrections; `None` when it has not counted yet. `points` is what each has got now, if the game counts.
    fn correct(
        &self,
        standings: ByColor<Option<Standing>>,
        given: Option<ByColor<RatingChange>>,
        points: Option<ByColor<Points>>,
        at_unix_ms: u64,
    ) -> ByColor<RatingChange>;
}

/// The rater of a store for which no game counts.
#[derive(Clone, Copy, Debug)]
pub struct NoRatings;

impl Rater for NoRatings {
    fn counts(&self, _: &[Arc<Record>], _: Option<Correction>) -> Option<CountedGame> {
        None
    }

    fn rate(&self, _: ByColor<Option<Standing>>, _: ByColor<Points>, _: u64) -> ByColor<RatingChange> {
        unreachable!("no game counts")
    }

    fn correct(
        &self,
        _: ByColor<Option<Standing>>,
        _: Option<ByColor<RatingChange>>,
        _: Option<ByColor<Points>>,
        _: u64,
    ) -> ByColor<RatingChange> {
        unreachable!("no game counts")
    }
}
