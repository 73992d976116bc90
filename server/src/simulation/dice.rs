//! The lots of a simulation: every one comes from the seed.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

/// Random numbers of one run.
#[derive(Debug)]
pub(super) struct Dice(StdRng);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    /// A number below `end`; 0 when `end` is 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.0.random_range(0..end) }
    }

    /// A number from `first` to `last`.
    pub(super) fn within(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// Whether something of this many in a thousand happens.
    pub(super) fn permille(&mut self, chance: u32) -> bool {
        self.below(1_000) < u64::from(chance)
    }

    pub(super) fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// One of these, of which there is at least one.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// A span of any order of magnitude up to `longest`.
    pub(super) fn span(&mut self, longest: u64) -> u64 {
        let magnitude = self.below(u64::from(64 - longest.leading_zeros()) + 1);
        self.below((1 << magnitude) + 1).min(longest)
    }
}
