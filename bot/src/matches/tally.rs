//! The score of a match, with an error bar.
//!
//! Invariant: the error is that of pairs of games, since the two games of an opening are not
//! independent of each other.

use std::fmt;

/// Standard errors in an error bar of 95 %.
const SURE: f64 = 1.96;

/// What the first player of a match has scored.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Games that it won.
    pub wins: u32,
    /// Games that were drawn.
    pub draws: u32,
    /// Games that it lost.
    pub losses: u32,
    /// Points of each pair of games, 0 to 2, in halves: 0 to 4.
    pairs: Vec<u8>,
}

/// How a game ended for the first player of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Result {
    /// It won.
    Win,
    /// Nobody won.
    Draw,
    /// It lost.
    Loss,
}

impl Tally {
    /// Counts the two games of an opening.
    pub(super) fn count(&mut self, pair: [Result; 2]) {
        let mut halves = 0;
        for result in pair {
            let (count, points) = match result {
                Result::Win => (&mut self.wins, 2),
                Result::Draw => (&mut self.draws, 1),
                Result::Loss => (&mut self.losses, 0),
            };
            *count += 1;
            halves += points;
        }
        self.pairs.push(halves);
    }

    /// How many games were counted.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, 0 to 1; one half when there is no game.
    #[must_use]
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// Half of the error bar of the score: with 95 % the score of endless games is within it.
    #[must_use]
    pub fn error(&self) -> f64 {
        let count = self.pairs.len() as f64;
        if count < 2.0 {
            return 0.5;
        }
        let mean = self.score();
        let squares: f64 = self.pairs.iter().map(|&halves| (f64::from(halves) / 4.0 - mean).powi(2)).sum();
        SURE * (squares / (count - 1.0) / count).sqrt()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (score, error) = (self.score(), self.error());
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)?;
        write!(f, "  {:.1} % ± {:.1}", 100.0 * score, 100.0 * error)?;
        let [low, elo, high] = [score - error, score, score + error].map(elo);
        write!(f, "  Elo {elo:+.0} ({low:+.0} to {high:+.0})")
    }
}

/// The difference of ratings that a score means; infinite where it has no end.
fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(pairs: &[[Result; 2]]) -> Tally {
        let mut tally = Tally::default();
        pairs.iter().for_each(|pair| tally.count(*pair));
        tally
    }

    #[test]
    fn games_are_counted_and_scored() {
        let tally = tally(&[[Result::Win, Result::Loss], [Result::Win, Result::Draw]]);
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.games()), (2, 1, 1, 4));
        assert!((tally.score() - 0.625).abs() < 1e-9);
    }

    #[test]
    fn the_error_is_that_of_pairs() {
        // Each side wins with White: the pairs say nothing else than one half.
        let even = tally(&[[Result::Win, Result::Loss]; 10]);
        assert!(even.error() < 1e-9);
        // All or nothing by opening: half of 10 pairs. The deviation is 0.527, the error 0.527 / √10.
        let mut pairs = [[Result::Win; 2]; 10];
        pairs[5..].fill([Result::Loss; 2]);
        assert!((tally(&pairs).error() - 1.96 * 0.527_046 / 10_f64.sqrt()).abs() < 1e-4);
    }

    #[test]
    fn elo_is_what_the_score_means() {
        assert!((elo(0.5)).abs() < 1e-9);
        assert!((elo(0.75) - 190.8).abs() < 0.1);
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        let even = tally(&[[Result::Win, Result::Loss]; 10]);
        assert_eq!(even.to_string(), "+10 =0 -10  50.0 % ± 0.0  Elo +0 (+0 to +0)");
    }
}
