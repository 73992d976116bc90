//! What the readers know of what is committed, and the log of what they find damaged. The writer changes the first after
//! each commit and before its answers.
//!
//! Deliberately absent: damage that a start finds, which is said once (`open`), and the search for all of it (`check`).
//!
//! Invariant: every read that finds damage is counted, and at most [`LINES_PER_MINUTE_MAX`] a minute are logged, however
//! often somebody asks for the same.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, RwLock};

use dashmap::{DashMap, DashSet};
use zeitnot_protocol::GameId;

use super::completions::Completions;
use super::game_rows::Segments;
use crate::rate::{Allowance, Rate};
use crate::sync::unpoisoned;
use crate::telemetry::metrics;
use crate::time::{ServiceClock, ServiceInstant};

/// What is committed, as far as readers need to know.
pub(super) struct Shared {
    /// The last row of every live game.
    pub(super) heads: DashMap<GameId, u64>,
    /// Games whose rows cannot be read.
    pub(super) set_aside: DashSet<GameId>,
    segments: RwLock<Segments>,
    /// Since when the writer has been busy with a transaction; [`ServiceInstant::NEVER`] while it is not.
    writing_since: AtomicU64,
    /// How many changes of accounts this process has made.
    account_changes: AtomicU64,
    /// The way back of the answers.
    pub(super) completions: Completions,
}

impl Shared {
    pub(super) fn new(segments: Segments) -> Self {
        Self {
            heads: DashMap::new(),
            set_aside: DashSet::new(),
            segments: RwLock::new(segments),
            writing_since: AtomicU64::new(ServiceInstant::NEVER.0),
            account_changes: AtomicU64::new(0),
            completions: Completions::default(),
        }
    }

    /// Since when the writer has been busy with a transaction.
    pub(super) fn writing_since(&self) -> Option<ServiceInstant> {
        let since = ServiceInstant(self.writing_since.load(Ordering::Relaxed));
        (since != ServiceInstant::NEVER).then_some(since)
    }

    /// The writer begins a transaction, or has ended it.
    pub(super) fn set_writing_since(&self, since: Option<ServiceInstant>) {
        self.writing_since.store(since.unwrap_or(ServiceInstant::NEVER).0, Ordering::Relaxed);
    }

    /// The number of a change of an account. Only the writer makes changes, so its order is theirs.
    pub(super) fn next_change(&self) -> u64 {
        self.account_changes.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn segments(&self) -> Segments {
        unpoisoned(self.segments.read()).clone()
    }

    pub(super) fn set_segments(&self, segments: &Segments) {
        unpoisoned(self.segments.write()).clone_from(segments);
    }
}

/// Lines in a minute: enough to see what is damaged, and not enough to fill a disk. `zeitnot check` finds the rest.
const LINES_PER_MINUTE_MAX: u32 = 20;

/// How many lines are left.
#[derive(Debug)]
pub(super) struct DamageLog {
    clock: ServiceClock,
    lines: Mutex<Allowance>,
}

impl DamageLog {
    pub(super) fn new(clock: ServiceClock) -> Self {
        Self { clock, lines: Mutex::default() }
    }

    /// Notes that a read found something damaged.
    pub(super) fn note(&self, what: &str) {
        metrics().damaged_reads.increment(1);
        if self.has_line(self.clock.now()) {
            tracing::error!("damage in the data folder: {what}. `zeitnot check` finds all of it");
        }
    }

    fn has_line(&self, at: ServiceInstant) -> bool {
        unpoisoned(self.lines.lock()).take(at, Rate::per_minute(LINES_PER_MINUTE_MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_damaged_game_that_is_asked_for_again_and_again_does_not_fill_the_log() {
        let log = DamageLog::new(ServiceClock::of_runtime());
        let lines = |at: u64| (0..1_000).filter(|_| log.has_line(ServiceInstant(at))).count();
        assert_eq!((lines(0), lines(1)), (LINES_PER_MINUTE_MAX as usize, 0));
        assert_eq!(lines(60_000_000), LINES_PER_MINUTE_MAX as usize);
    }
}
