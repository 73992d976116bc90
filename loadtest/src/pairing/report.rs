//! The result of a run of quick pairing.

use std::fmt;

/// The longest that a player may wait while another one waits in the same pool.
const WAIT_MAX_MS: u64 = 15_000;

/// How many faults are named at most.
const NAMED: usize = 20;

/// The result. Its `Display` is the last line of the report.
#[derive(Clone, Debug)]
pub struct Report {
    /// Number of bots.
    pub bots: u32,
    /// Number of pools.
    pub pools: usize,
    /// Games that both players have seen.
    pub games: u64,
    /// How many things were wrong.
    pub wrong: usize,
    /// The first of them.
    pub named: Vec<String>,
    /// How long each bot waited while another one waited in the same pool, in ms, sorted.
    waits: Vec<u64>,
}

impl Report {
    pub(super) fn new(
        bots: u32,
        pools: usize,
        games: u64,
        mut wrong: Vec<String>,
        mut waits: Vec<u64>,
    ) -> Self {
        waits.sort_unstable();
        let count = wrong.len();
        wrong.truncate(NAMED);
        Self { bots, pools, games, wrong: count, named: wrong, waits }
    }

    /// The percentile of the waits, in ms.
    #[must_use]
    pub fn waited(&self, percent: usize) -> u64 {
        let place = (self.waits.len() * percent).div_ceil(100).max(1) - 1;
        self.waits.get(place).copied().unwrap_or(0)
    }

    /// Whether all was as it must be, and there was something to checker.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.wrong == 0 && self.games > 0 && self.waited(100) <= WAIT_MAX_MS
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bots, pools, games, wrong, .. } = self;
        let (p50, p99, max) = (self.waited(50), self.waited(99), self.waited(100));
        write!(f, "pairing: bots {bots}, pools {pools}, games {games}, wrong {wrong}, ")?;
        write!(f, "waited p50 {p50} ms p99 {p99} ms max {max} ms")
    }
}
