//! The log of what reads find damaged.
//!
//! Deliberately absent: damage that a start finds, which is said once, and the search for all of it.
//!
//! Invariant: every read that finds damage is counted, and at most [`LINES_PER_MINUTE_MAX`] a minute are logged, however
//! often somebody asks for the same.

use std::sync::Mutex;

use crate::rate::{Allowance, Rate};
use crate::sync::unpoisoned;
use crate::telemetry::metrics;
use crate::time::{ServiceClock, ServiceInstant};

/// Lines in a minute: enough to see what is damaged, and not enough to fill a disk.
const LINES_PER_MINUTE_MAX: u32 = 20;

/// How many lines are left.
#[derive(Debug)]
pub(super) struct DamageLog {
    clock: ServiceClock,
    /// Where the damage is, and what finds all of it.
    about: (&'static str, &'static str),
    lines: Mutex<Allowance>,
}

impl DamageLog {
    /// `about` says where the damage is, and what finds all of it.
    pub(super) fn new(clock: ServiceClock, about: (&'static str, &'static str)) -> Self {
        Self { clock, about, lines: Mutex::default() }
    }

    /// Notes that a read found something damaged.
    pub(super) fn note(&self, what: &str) {
        metrics().damaged_reads.increment(1);
        if self.has_line(self.clock.now()) {
            let (place, finder) = self.about;
            tracing::error!("damage in {place}: {what}. {finder}");
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
        let log = DamageLog::new(ServiceClock::of_runtime(), ("a test", "nothing finds more"));
        let lines = |at: u64| (0..1_000).filter(|_| log.has_line(ServiceInstant(at))).count();
        assert_eq!((lines(0), lines(1)), (LINES_PER_MINUTE_MAX as usize, 0));
        assert_eq!(lines(60_000_000), LINES_PER_MINUTE_MAX as usize);
    }
}
