//! A steady pace: so many things a second are due, whatever becomes of them.
//!
//! Each is timed from when it was due. Who waits for one counts the wait, so a server that stalls is not measured as one
//! that is asked less (coordinated omission). Deliberately absent: a clock; the instant is passed in.

use std::time::Duration;

use anyhow::{Context, Result};
use hdrhistogram::Histogram;

/// How long one waits at most for the next thing that is due, before looking at anything else.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The longest time that is told apart, in microseconds.
const LONGEST_US: u64 = 60_000_000;

/// See the module.
#[derive(Debug)]
pub(crate) struct Schedule {
    per_second: u64,
    next: u64,
}

impl Schedule {
    /// So many a second, at least one, the first of them at 0.
    pub(crate) fn new(per_second: u32) -> Self {
        Self { per_second: u64::from(per_second.max(1)), next: 0 }
    }

    fn next_us(&self) -> u64 {
        self.next * 1_000_000 / self.per_second
    }

    /// The next thing that is due by `now_us`: its number, and since when. Each is given once.
    pub(crate) fn due(&mut self, now_us: u64) -> Option<(usize, u64)> {
        let due = (usize::try_from(self.next).ok()?, self.next_us());
        (due.1 <= now_us).then(|| {
            self.next += 1;
            due
        })
    }

    /// How long to wait for what comes: until the next is due, and no longer than [`LOOK_EVERY`].
    pub(crate) fn pause(&self, now_us: u64) -> Duration {
        LOOK_EVERY.min(Duration::from_micros(self.next_us().saturating_sub(now_us)))
    }
}

/// Times in microseconds, none yet.
pub(crate) fn times() -> Result<Histogram<u64>> {
    Histogram::new_with_bounds(1, LONGEST_US, 3).context("a histogram")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_due_once_at_its_time_also_when_nobody_looked() {
        let mut pace = Schedule::new(1_000);
        assert_eq!(pace.due(0), Some((0, 0)));
        assert_eq!(pace.due(999), None);
        assert_eq!(pace.pause(400), Duration::from_micros(600));
        let late: Vec<_> = std::iter::from_fn(|| pace.due(3_500)).collect();
        assert_eq!(late, [(1, 1_000), (2, 2_000), (3, 3_000)]);
        assert_eq!(pace.pause(9_000), Duration::ZERO);
    }

    #[test]
    fn a_slow_pace_is_looked_at_often() {
        let mut pace = Schedule::new(0);
        assert_eq!((pace.due(0), pace.due(999_999)), (Some((0, 0)), None));
        assert_eq!(pace.pause(1), LOOK_EVERY);
        assert_eq!(pace.due(1_000_000), Some((1, 1_000_000)));
    }
}
