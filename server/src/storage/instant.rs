//! The time axes of a data folder, and where a running turn stands on them.

use std::time::Duration;

use zeitnot_rules::game::Micros;

/// An instant on the axis of a data folder: microseconds of service of all processes that served
/// from it, one after the other. Downtime does not exist on this axis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct StoreInstant(pub u64);

impl StoreInstant {
    /// The instant that lies `span` later; saturates.
    #[must_use]
    pub const fn after(self, span: Duration) -> Self {
        Self(self.0.saturating_add(span.as_micros() as u64))
    }

    pub(super) fn since(self, earlier: Self) -> Micros {
        Micros(self.0.saturating_sub(earlier.0))
    }
}

/// An instant on the axis of the turns of games at rest: that of a data folder without the time for
/// which nobody is charged, between the last heartbeat of a process and the start of the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct TurnInstant(pub u64);

impl TurnInstant {
    /// The instant that lies `span` later; saturates.
    pub(super) const fn after(self, span: Micros) -> Self {
        Self(self.0.saturating_add(span.0))
    }

    /// The instant that lies `span` earlier; saturates.
    pub(super) fn before(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(u64::try_from(span.as_micros()).unwrap_or(u64::MAX)))
    }

    pub(super) fn since(self, earlier: Self) -> Micros {
        Micros(self.0.saturating_sub(earlier.0))
    }
}

/// The axis of turns that go on at rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TurnAxis {
    /// The time until now for which nobody is charged.
    idle: u64,
    /// The server has begun to stop at this instant: nobody is charged for what comes after.
    stopped: Option<StoreInstant>,
}

impl TurnAxis {
    /// The axis after starts with so much idle time before them.
    pub(super) fn after_idle(idle: u64) -> Self {
        Self { idle, stopped: None }
    }

    /// The server begins to stop. The first such instant counts.
    pub(super) fn stop(&mut self, at: StoreInstant) {
        self.stopped.get_or_insert(at);
    }

    /// Whether the server has begun to stop.
    pub(super) fn is_stopped(self) -> bool {
        self.stopped.is_some()
    }

    /// An instant of the running process on this axis.
    pub(super) fn at(self, at: StoreInstant) -> TurnInstant {
        let at = self.stopped.map_or(at, |stopped| at.min(stopped));
        TurnInstant(at.0.saturating_sub(self.idle))
    }
}

/// What is known of the time that a game's running turn has taken. [`super::heartbeat`] makes a
/// charge of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnMark {
    /// The turn began when a record that was committed at this instant was durable.
    Since(StoreInstant),
    /// It had taken `spent` at the instant `at`, and runs.
    Runs {
        /// The instant.
        at: StoreInstant,
        /// The time before it.
        spent: Micros,
    },
    /// It has taken this long, and stands still until the game is recovered.
    Stands {
        /// The time until then.
        spent: Micros,
    },
}

impl TurnMark {
    /// The earliest instant of heartbeats that it needs.
    pub(super) const fn earliest(self) -> Option<StoreInstant> {
        match self {
            Self::Since(at) | Self::Runs { at, .. } => Some(at),
            Self::Stands { .. } => None,
        }
    }
}
