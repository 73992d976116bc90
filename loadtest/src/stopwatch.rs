//! The only module of the load generator that reads a clock.
//!
//! It measures time spans. The wall clock is read for one thing only: to say in a report when a run
//! began. Invariant: a reading of a stopwatch never goes back.

use std::time::{Duration, Instant};

/// The current date and time, as in RFC 3339, UTC, in whole seconds.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "a report says when the run began; nothing is decided by it")]
pub fn date() -> String {
    let now = jiff::Timestamp::now();
    jiff::Timestamp::from_second(now.as_second()).unwrap_or(now).to_string()
}

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
