//! The only file of the client that reads a clock.
//!
//! The machine knows instants as [`Moment`]s, the time since its client was made. Invariant: a moment never goes back.
//! The clock is tokio's, so a test with a paused runtime decides what time it is.

use std::time::Duration;

use tokio::time::Instant;

/// The time since the client was made.
pub(crate) type Moment = Duration;

/// The axis of a client's moments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Timeline {
    origin: Instant,
}

impl Timeline {
    /// One that begins now.
    pub(crate) fn begin() -> Self {
        Self { origin: now() }
    }

    pub(crate) fn now(self) -> Moment {
        self.moment(now())
    }

    /// The moment of an instant; the first one for whatever was before it.
    pub(crate) fn moment(self, at: Instant) -> Moment {
        at.saturating_duration_since(self.origin)
    }

    pub(crate) fn instant(self, at: Moment) -> Instant {
        self.origin + at
    }
}

#[expect(clippy::disallowed_methods, reason = "the client's only clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
