//! A schedule for an open loop: operations fall due at a fixed rate, whatever the server does.
//!
//! An operation is timed from when it was due, so its time includes the wait for the operation
//! before it. Otherwise a server that stalls would simply be asked less (coordinated omission).
//!
//! Deliberately absent: a clock. The instant is passed in.

use std::time::Duration;

use anyhow::{Context, Result};
use hdrhistogram::Histogram;

/// The longest pause before a caller looks at anything else.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The longest time that the histograms distinguish, in microseconds.
const LONGEST_US: u64 = 60_000_000;

/// Which operation is due next.
#[derive(Debug)]
pub(crate) struct Schedule {
    per_second: u64,
    next: u64,
}

impl Schedule {
    /// `per_second` operations a second, at least one; the first is due at 0.
    pub(crate) fn new(per_second: u32) -> Self {
        Self { per_second: u64::from(per_second.max(1)), next: 0 }
    }

    fn next_us(&self) -> u64 {
        self.next * 1_000_000 / self.per_second
    }

    /// The next operation that is due by `now_us`: its number, and when it fell due. Each is
    /// returned once.
    pub(crate) fn due(&mut self, now_us: u64) -> Option<(usize, u64)> {
        let due = (usize::try_from(self.next).ok()?, self.next_us());
        (due.1 <= now_us).then(|| {
            self.next += 1;
            due
        })
    }

    /// How long to wait for answers: until the next operation is due, at most [`LOOK_EVERY`].
    pub(crate) fn pause(&self, now_us: u64) -> Duration {
        LOOK_EVERY.min(Duration::from_micros(self.next_us().saturating_sub(now_us)))
    }
}

/// An empty histogram of times in microseconds.
pub(crate) fn times() -> Result<Histogram<u64>> {
    Histogram::new_with_bounds(1, LONGEST_US, 3).context("a histogram")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_falls_due_once_at_its_time_even_when_nobody_looks() {
        let mut schedule = Schedule::new(1_000);
        assert_eq!(schedule.due(0), Some((0, 0)));
        assert_eq!(schedule.due(999), None);
        assert_eq!(schedule.pause(400), Duration::from_micros(600));
        let late: Vec<_> = std::iter::from_fn(|| schedule.due(3_500)).collect();
        assert_eq!(late, [(1, 1_000), (2, 2_000), (3, 3_000)]);
        assert_eq!(schedule.pause(9_000), Duration::ZERO);
    }

    #[test]
    fn a_slow_schedule_pauses_shortly() {
        let mut schedule = Schedule::new(0);
        assert_eq!((schedule.due(0), schedule.due(999_999)), (Some((0, 0)), None));
        assert_eq!(schedule.pause(1), LOOK_EVERY);
        assert_eq!(schedule.due(1_000_000), Some((1, 1_000_000)));
    }
}
