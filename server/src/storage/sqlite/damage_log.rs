//! The log of damage that readers find: what is damaged, without a flood of the log when somebody asks for it again and
//! again.
//!
//! Deliberately absent: damage that a start finds, which is said once (`open`), and the search for all of it (`check`).
//!
//! Invariant: every read that finds damage is counted, and at most [`LINES_PER_MINUTE_MAX`] are logged.

use std::sync::Mutex;

use crate::rate::{Allowance, Rate};
use crate::sync::unpoisoned;
use crate::telemetry::metrics;
use crate::time::{ServiceClock, ServiceInstant};

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
