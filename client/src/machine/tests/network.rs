//! A network with faults: messages take their time and come in order, connections break, are cut, or fall silent.

use std::collections::BTreeMap;
use std::time::Duration;

use rand::Rng as _;
use rand::rngs::StdRng;

use crate::time::Moment;

/// How bad the network is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weather {
    /// The longest that a message takes.
    pub(super) slowest: Duration,
    /// How often something breaks, on average.
    pub(super) fault_every: Duration,
}

/// What happens at some moment.
#[derive(Debug)]
pub(super) struct Agenda<T> {
    entries: BTreeMap<(Moment, u64), T>,
    next: u64,
}

impl<T> Agenda<T> {
    pub(super) fn new() -> Self {
        Self { entries: BTreeMap::new(), next: 0 }
    }

    pub(super) fn put(&mut self, at: Moment, what: T) {
        self.next += 1;
        self.entries.insert((at, self.next), what);
    }

    pub(super) fn first(&self) -> Option<Moment> {
        self.entries.first_key_value().map(|((at, _), _)| *at)
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        self.entries.pop_first().map(|(_, what)| what)
    }
}

/// The connection, as both ends know it.
#[derive(Debug, Default)]
pub(super) struct Wire {
    /// Counts connections.
    pub(super) number: u64,
    /// Whether the client holds it.
    pub(super) is_held: bool,
    /// Whether the server has it open.
    pub(super) is_served: bool,
    /// Whether nothing arrives any more, and nobody is told.
    pub(super) is_cut: bool,
    up: Moment,
    down: Moment,
}

impl Wire {
    pub(super) fn open(&mut self) -> u64 {
        *self = Self { number: self.number + 1, is_held: true, ..Self::default() };
        self.number
    }

    /// When a message of the client that is sent now arrives: after those before it.
    pub(super) fn up(&mut self, now: Moment, weather: &Weather, rng: &mut StdRng) -> Moment {
        self.up = self.up.max(now + rng.random_range(Duration::ZERO..=weather.slowest));
        self.up
    }

    /// When a message of the server arrives.
    pub(super) fn down(&mut self, now: Moment, weather: &Weather, rng: &mut StdRng) -> Moment {
        self.down = self.down.max(now + rng.random_range(Duration::ZERO..=weather.slowest));
        self.down
    }
}
