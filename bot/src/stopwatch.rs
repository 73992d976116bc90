//! The only module of the bot that reads a clock.
//!
//! It measures time spans: how long a move has been thought about. No wall-clock time, no dates.
//! Invariant: a reading never goes back.

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
        reason = "the stopwatch of the bot: the one place that reads a clock"
    )]
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }

    /// The time since it was started.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the stopwatch of the bot: the one place that reads a clock"
    )]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
