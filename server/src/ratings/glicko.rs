//! The formula: Glicko-2 as Mark Glickman describes it ("Example of the Glicko-2 system", 2013), by the crate
//! `skillratings`, over whole numbers.
//!
//! A rating period is what a player has played in it: [`after_period`] takes any number of results. The server rates each
//! game as a period of its own ([`super::Glicko`]). Time without games is periods without results: [`after_time`].
//!
//! Invariants: a rating stays within 100 and 4,000 points, a deviation within 0 and 350, a volatility within 0 and 0.1.
//! The same numbers in give the same numbers out.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use crate::storage::{Points, Rating};

/// Where everybody begins.
pub(crate) const START: Rating =
    Rating { points: 1_500_000, deviation: DEVIATION_OF_NOBODY, volatility: 60_000_000 };

/// Nothing is known of a player with this deviation: it grows no further.
const DEVIATION_OF_NOBODY: u32 = 350_000;
/// Beyond these a rating says nothing more.
const LOWEST: f64 = 100.0;
const HIGHEST: f64 = 4_000.0;
/// A volatility above this one is no player's.
const VOLATILITY_CAP: f64 = 0.1;

/// How much the volatility may change in a period: Glickman's own choice in his example, in the middle of what he
/// recommends (0.3 to 1.2).
const TAU: f64 = 0.5;
/// Where the search for the volatility stops, as in the example.
const TOLERANCE: f64 = 0.000_001;

/// Points of a rating for one of Glicko-2's own scale, on which the volatility is.
const SCALE: f64 = 173.7178;

/// Four days without a game are one period: a deviation of 50 is 111 after a year, at the volatility that everybody
/// begins with, and so provisional again.
const PERIOD_MS: u64 = 4 * 24 * 3_600_000;

/// A player after a period with these results against opponents.
pub(super) fn after_period(player: Rating, results: &[(Rating, Points)]) -> Rating {
    let results: Vec<_> =
        results.iter().map(|(rating, points)| (numbers(*rating), outcome(*points))).collect();
    let config = Glicko2Config { tau: TAU, convergence_tolerance: TOLERANCE };
    whole(&glicko2_rating_period(&numbers(player), &results, &config))
}

/// A player after so much time without a game. Parts of a period count in proportion.
pub(super) fn after_time(player: Rating, ms: u64) -> Rating {
    let numbers = numbers(player);
    let step = numbers.volatility * SCALE;
    let periods = ms as f64 / PERIOD_MS as f64;
    let deviation = (numbers.deviation * numbers.deviation + step * step * periods).sqrt();
    Rating { deviation: whole(&Glicko2Rating { deviation, ..numbers }).deviation, ..player }
}

/// A player with so many thousandths of a point more, within the bounds.
pub(super) fn moved(player: Rating, by: i64) -> Rating {
    let points = (i64::from(player.points) + by) as f64 / 1e3;
    Rating { points: whole(&Glicko2Rating { rating: points, ..numbers(player) }).points, ..player }
}

fn outcome(points: Points) -> Outcomes {
    match points {
        Points::Loss => Outcomes::LOSS,
        Points::Draw => Outcomes::DRAW,
        Points::Win => Outcomes::WIN,
    }
}

fn numbers(rating: Rating) -> Glicko2Rating {
    Glicko2Rating {
        rating: f64::from(rating.points) / 1e3,
        deviation: f64::from(rating.deviation) / 1e3,
        volatility: f64::from(rating.volatility) / 1e9,
    }
}

fn whole(numbers: &Glicko2Rating) -> Rating {
    Rating {
        points: (numbers.rating.clamp(LOWEST, HIGHEST) * 1e3).round() as u32,
        deviation: (numbers.deviation.max(0.0) * 1e3).round().min(f64::from(DEVIATION_OF_NOBODY)) as u32,
        volatility: (numbers.volatility.clamp(0.0, VOLATILITY_CAP) * 1e9).round() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(points: u32, deviation: u32) -> Rating {
        Rating { points: points * 1_000, deviation: deviation * 1_000, ..START }
    }

    /// A number as it is printed with so many digits after the point.
    fn printed(number: f64, digits: usize) -> String {
        format!("{number:.digits$}")
    }

    #[test]
    fn the_published_example_comes_out_to_its_printed_digits() {
        let results = [
            (rating(1_400, 30), Points::Win),
            (rating(1_550, 100), Points::Loss),
            (rating(1_700, 300), Points::Loss),
        ];
        let after = numbers(after_period(rating(1_500, 200), &results));
        assert_eq!(printed((after.rating - 1_500.0) / SCALE, 4), "-0.2069", "mu'");
        assert_eq!(printed(after.deviation / SCALE, 4), "0.8722", "phi'");
        assert!(
            printed(after.volatility, 9).starts_with("0.05999"),
            "sigma', of which the paper cuts the rest off"
        );
        assert_eq!(printed(after.deviation, 2), "151.52", "RD'");
        // The paper goes on from the four digits of mu'; without that rounding r' is 1464.05.
        assert_eq!(printed(1_500.0 + SCALE * -0.2069, 2), "1464.06", "r' of the paper");
        assert_eq!(printed(after.rating, 2), "1464.05", "r'");
    }

    #[test]
    fn a_deviation_of_50_is_provisional_after_a_year_and_350_is_the_most() {
        let (day, known) = (24 * 3_600_000, rating(1_800, 50));
        assert!(!after_time(known, 300 * day).is_provisional());
        let year = after_time(known, 365 * day);
        assert!(year.is_provisional() && year.deviation < 112_000, "{year:?}");
        assert_eq!((year.points, year.volatility), (known.points, known.volatility));
        assert_eq!(after_time(known, 0), known);
        assert_eq!(after_time(known, u64::MAX).deviation, 350_000);
        let twice = after_time(after_time(known, 100 * day), 265 * day);
        assert!(twice.deviation.abs_diff(year.deviation) <= 1, "time in two parts is the same time");
    }

    #[test]
    fn nobody_leaves_the_bounds_however_often_and_against_whomever_they_win_or_lose() {
        let strong = Rating { points: 4_000_000, deviation: 30_000, volatility: 100_000_000 };
        for (points, end) in [(Points::Win, 4_000_000), (Points::Loss, 100_000)] {
            let weak = Rating { points: 100_000, ..strong };
            let opponent = if points == Points::Win { strong } else { weak };
            let mut player = START;
            for _ in 0..2_000 {
                player = after_period(player, &[(opponent, points)]);
                assert!((100_000..=4_000_000).contains(&player.points), "{player:?}");
                assert!((1..=350_000).contains(&player.deviation), "{player:?}");
                assert!((1..=100_000_000).contains(&player.volatility), "{player:?}");
            }
            assert_eq!(player.points, end);
        }
    }
}
