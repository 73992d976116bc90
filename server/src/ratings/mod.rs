//! Ratings: which games count, and what they do to the ratings of their players.
//!
//! Pure functions. They are handed to the store when it is opened ([`storage::Rater`](crate::storage::Rater)): the record
//! that ends a game changes both ratings in its own transaction. Whoever folds the same games again gets the same numbers.
//!
//! | file | what it is |
//! |---|---|
//! | `glicko` | the formula: Glicko-2 over whole numbers |
//!
//! Each game is a rating period of its own. Before it the deviations grow by the time since each player's last rated game
//! in the category.
//!
//! A correction gives each player the points that the game would have given with the corrected result, from the ratings
//! with which the players went into it, and takes back what the game has given so far. It says nothing new of how sure a
//! rating is, and games since then stay as they were rated.
//!
//! Deliberately absent: what is kept (`storage`), and which games may be rated (`lobby`).

mod glicko;

use std::sync::Arc;

use zeitnot_protocol::AccountId;
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::verdict::{Outcome, Reason, Score};

use crate::storage::{
    Correction, CountedGame, EndedGame, Points, Rater, Rating, RatingChange, Record, Standing,
};

/// Fewer plies than these, and a game changes nothing: one of the two has not moved.
const PLIES_MIN: usize = 2;

/// Rates games by Glicko-2.
#[derive(Clone, Copy, Debug)]
pub struct Glicko;

impl Rater for Glicko {
    fn counts(&self, records: &[Arc<Record>], correction: Option<Correction>) -> Option<CountedGame> {
        let ended = EndedGame::of(records, correction)?;
        let setup = ended.setup;
        if !setup.rated || setup.imported.is_some() || ended.moves().len() < PLIES_MIN {
            return None;
        }
        let points = points(ended.outcome)?;
        let players = setup.players.map(AccountId::from_u128);
        Some(CountedGame { category: setup.category(), players, points })
    }

    fn rate(
        &self,
        standings: ByColor<Option<Standing>>,
        points: ByColor<Points>,
        at_unix_ms: u64,
    ) -> ByColor<RatingChange> {
        let before = standings.map(|standing| present(standing.as_ref(), at_unix_ms));
        let change = |color: Color| RatingChange {
            before: before[color],
            after: glicko::after_period(before[color], &[(before[!color], points[color])]),
        };
        ByColor { white: change(Color::White), black: change(Color::Black) }
    }

    fn correct(
        &self,
        standings: ByColor<Option<Standing>>,
        given: Option<ByColor<RatingChange>>,
        points: Option<ByColor<Points>>,
        at_unix_ms: u64,
    ) -> ByColor<RatingChange> {
        let now = standings.map(|standing| present(standing.as_ref(), at_unix_ms));
        let into = given.map_or(now, |given| given.map(|given| given.before));
        let change = |color: Color| {
            let would = |points: ByColor<Points>| {
                let after = glicko::after_period(into[color], &[(into[!color], points[color])]);
                RatingChange { before: into[color], after }.given()
            };
            let due = points.map_or(0, would) - given.map_or(0, |given| given[color].given());
            RatingChange { before: now[color], after: glicko::moved(now[color], due) }
        };
        ByColor { white: change(Color::White), black: change(Color::Black) }
    }
}

/// The rating of a player at an instant; that of a beginner for a player without a rated game.
#[must_use]
pub fn present(standing: Option<&Standing>, at_unix_ms: u64) -> Rating {
    standing.map_or(glicko::START, |standing| {
        glicko::after_time(standing.rating, at_unix_ms.saturating_sub(standing.at_unix_ms))
    })
}

/// What each player has got; `None` for an outcome that changes no rating.
fn points(outcome: &Outcome) -> Option<ByColor<Points>> {
    if matches!(outcome.reason, Reason::Aborted | Reason::BothAway) {
        return None;
    }
    let (white, black) = match outcome.score {
        Score::WhiteWins => (Points::Win, Points::Loss),
        Score::BlackWins => (Points::Loss, Points::Win),
        Score::Draw => (Points::Draw, Points::Draw),
        Score::BothLose => (Points::Loss, Points::Loss),
        Score::HalfToWhite => (Points::Draw, Points::Loss),
        Score::HalfToBlack => (Points::Loss, Points::Draw),
        Score::NoResult => return None,
    };
    Some(ByColor { white, black })
}

#[cfg(test)]
mod tests;
