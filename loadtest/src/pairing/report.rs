//! The result of a run of quick pairing.

use std::fmt;

use crate::report::Table;

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
    /// How long each bot that was paired had waited, in ms, sorted.
    whole_waits: Vec<u64>,
    /// How many points the players of each rated game were apart, sorted.
    apart: Vec<u64>,
}

impl Report {
    pub(super) fn new(
        bots: u32,
        pools: usize,
        games: u64,
        mut wrong: Vec<String>,
        mut waits: Vec<u64>,
        [mut whole_waits, mut apart]: [Vec<u64>; 2],
    ) -> Self {
        for values in [&mut waits, &mut whole_waits, &mut apart] {
            values.sort_unstable();
        }
        let count = wrong.len();
        wrong.truncate(NAMED);
        Self { bots, pools, games, wrong: count, named: wrong, waits, whole_waits, apart }
    }

    /// The percentile of the waits, in ms.
    #[must_use]
    pub fn waited(&self, percent: usize) -> u64 {
        percentile(&self.waits, percent)
    }

    /// Waits from joining to the game, and differences of ratings: as the matcher's own simulation prints them.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(&["", "p50", "p90", "p99", "most"]);
        let rows = [("waited, ms", &self.whole_waits), ("apart, points", &self.apart)];
        for (name, values) in rows.into_iter().filter(|(_, values)| !values.is_empty()) {
            let of = [50, 90, 99, 100].map(|percent| percentile(values, percent).to_string());
            table.row([name.to_owned()].into_iter().chain(of).collect());
        }
        table
    }

    /// Whether all was as it must be, and there was something to checker.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.wrong == 0 && self.games > 0 && self.waited(100) <= WAIT_MAX_MS
    }
}

fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let place = (sorted.len() * percent).div_ceil(100).max(1) - 1;
    sorted.get(place).copied().unwrap_or(0)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bots, pools, games, wrong, .. } = self;
        let (p50, p99, max) = (self.waited(50), self.waited(99), self.waited(100));
        write!(f, "pairing: bots {bots}, pools {pools}, games {games}, wrong {wrong}, ")?;
        write!(f, "waited p50 {p50} ms p99 {p99} ms max {max} ms")
    }
}
