//! The only module of the load generator that reads a clock.
//!
//! It measures time spans and nothing else: no wall-clock time, no dates. Invariant: a reading
//! never goes back.

use std::time::{Duration, Instant};

/// A running stopwatch.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
}

impl Stopwatch {
    /// Starts a stopwatch.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the stopwatch of loadtest: it measures and decides nothing"
    )]
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }

    /// The time since it was started.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the stopwatch of loadtest: it measures and decides nothing"
    )]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The time since it was started, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// The time since it was started, in whole microseconds.
    #[must_use]
    pub fn micros(&self) -> u64 {
        u64::try_from(self.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}
