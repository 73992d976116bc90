//! The eight levels: how deep each one looks, and how often it goes wrong.
//!
//! A mistake is chosen, not made by chance in the search: now and then a level takes, instead of the
//! best move that it has found, one that loses a little to a lot by its own count. Which moves, and
//! when, follows from the seed of the game and the position alone.
//!
//! Deliberately absent: time. A level gets the same limits as every other one.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::tree::mixed;
use super::{Found, Limits, MAX_DEPTH, Searcher, Stop};
use crate::line::Line;

/// How a level plays.
#[derive(Clone, Copy, Debug)]
struct Strength {
    /// The deepest that it looks, in plies.
    depth: u8,
    /// In how many moves of 1,000 it looks for a mistake.
    mistakes: u64,
    /// The most that a mistake may cost, in centipawns.
    cost: i32,
}

const fn strength(depth: u8, mistakes: u64, cost: i32) -> Strength {
    Strength { depth, mistakes, cost }
}

const STRENGTHS: [Strength; 8] = [
    strength(1, 400, 500),
    strength(1, 240, 320),
    strength(2, 240, 350),
    strength(2, 120, 250),
    strength(4, 120, 250),
    strength(5, 90, 220),
    strength(7, 50, 150),
    strength(MAX_DEPTH, 0, 0),
];

/// How well the searcher plays: 1, the weakest, to 8, which plays as well as it can.
///
/// ```
/// use zeitnot_bot::search::Level;
///
/// let levels: Vec<Level> = Level::all().collect();
/// assert_eq!(levels.len(), 8);
/// assert_eq!("3".parse(), Ok(levels[2]));
/// assert!("9".parse::<Level>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// Not a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a level is a number from 1 to 8")]
pub struct LevelError;

impl Level {
    /// The weakest.
    pub const LOWEST: Self = Self(1);

    /// The strongest.
    pub const HIGHEST: Self = Self(8);

    /// The level of a number.
    ///
    /// # Errors
    /// [`LevelError`] when the number is not 1 to 8.
    pub const fn new(number: u8) -> Result<Self, LevelError> {
        if number >= Self::LOWEST.0 && number <= Self::HIGHEST.0 { Ok(Self(number)) } else { Err(LevelError) }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::LOWEST.0..=Self::HIGHEST.0).map(Self)
    }

    /// 1 to 8.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The move that this level plays, or `None` when there is no legal one.
    ///
    /// The answer depends on the arguments alone as long as `limits` has no time and nobody asks to
    /// stop: the same `seed` gives the same game.
    pub fn choose(
        self,
        searcher: &mut Searcher,
        line: &Line,
        limits: &Limits,
        seed: u64,
        stop: &Stop,
    ) -> Option<Found> {
        let strength = STRENGTHS[usize::from(self.0 - 1) % STRENGTHS.len()];
        let limits = Limits { depth: limits.depth.min(strength.depth), ..*limits };
        let found = searcher.search(line, &limits, seed, stop)?;
        let draw = mixed(seed ^ mixed(line.moves().len() as u64) ^ line.position().zobrist());
        if draw % 1_000 >= strength.mistakes {
            return Some(found);
        }
        let mistake = searcher.rank(line, &limits, seed, stop).and_then(|ranked| {
            let best = ranked.iter().map(|(_, score)| score.centipawns()).max()?;
            let worse: Vec<_> = ranked
                .into_iter()
                .filter(|(mv, score)| *mv != found.mv && best - score.centipawns() <= strength.cost)
                .collect();
            let nth = (mixed(draw) % worse.len().max(1) as u64) as usize;
            worse.get(nth).copied()
        });
        Some(mistake.map_or(found, |(mv, score)| Found { mv, score, ..found }))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map_err(|_| LevelError).and_then(Self::new)
    }
}
