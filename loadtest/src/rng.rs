//! Random numbers from a seed: all that is random in a run, so that the seed identifies it.
//!
//! Invariant: the same seed and the same branch give the same numbers. What a run makes of them
//! also depends on when messages arrive.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};

/// A random number generator.
#[derive(Clone, Debug)]
pub struct Rng(StdRng);

impl Rng {
    /// A generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    /// An independent generator for one of many users.
    #[must_use]
    pub fn branch(&self, number: u64) -> Self {
        let mut root = self.clone();
        Self::new(root.0.random::<u64>() ^ number)
    }

    /// A number below `limit`; 0 when `limit` is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0.random_range(0..limit.max(1))
    }

    /// A number from `least` to `most`, inclusive.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// A duration from `least` to `most` milliseconds.
    pub fn millis(&mut self, least: u64, most: u64) -> Duration {
        Duration::from_micros(self.between(least * 1_000, most * 1_000))
    }

    /// True in `cases` of 100 cases.
    pub fn in_100(&mut self, cases: u64) -> bool {
        self.below(100) < cases
    }

    /// Shuffles a slice.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        things.shuffle(&mut self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_determines_the_numbers_and_branches_differ() {
        let numbers = |rng: &mut Rng| (0..8).map(|_| rng.below(1_000)).collect::<Vec<_>>();
        assert_eq!(numbers(&mut Rng::new(7)), numbers(&mut Rng::new(7)));
        assert_ne!(numbers(&mut Rng::new(7)), numbers(&mut Rng::new(8)));
        assert_ne!(numbers(&mut Rng::new(7).branch(0)), numbers(&mut Rng::new(7).branch(1)));
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut things: Vec<u8> = (0..50).collect();
        Rng::new(1).shuffle(&mut things);
        assert_ne!(things, (0..50).collect::<Vec<_>>());
        things.sort_unstable();
        assert_eq!(things, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn limits_hold() {
        let mut rng = Rng::new(3);
        for _ in 0..1_000 {
            assert!((300..=2_000).contains(&rng.millis(300, 2_000).as_millis()));
            assert_eq!(rng.below(0), 0);
        }
    }
}
