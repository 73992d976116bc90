//! The lots of a run with several nodes, shared by all that is simulated, and how they make things late.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::faults::Faults;
use crate::simulation::dice::Dice;
use crate::sync::unpoisoned;

/// What takes time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lot {
    /// A way between a node and the database.
    Database,
    /// A statement.
    Statement,
    /// The log of a server.
    Disk,
    /// The standby.
    Replication,
    /// A way between two nodes.
    Bus,
    /// A way between a client and a node.
    Client,
}

#[derive(Debug)]
struct Shared {
    dice: Mutex<Dice>,
    faults: Faults,
    is_healing: AtomicBool,
}

/// The lots. Clones draw from the same.
#[derive(Clone, Debug)]
pub(super) struct Lots(Arc<Shared>);

impl Lots {
    pub(super) fn new(dice: Dice, faults: Faults) -> Self {
        Self(Arc::new(Shared { dice: Mutex::new(dice), faults, is_healing: AtomicBool::new(false) }))
    }

    pub(super) fn dice(&self) -> MutexGuard<'_, Dice> {
        unpoisoned(self.0.dice.lock())
    }

    pub(super) fn faults(&self) -> &Faults {
        &self.0.faults
    }

    /// Nothing goes wrong any more.
    pub(super) fn heal(&self) {
        self.0.is_healing.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_healing(&self) -> bool {
        self.0.is_healing.load(Ordering::Relaxed)
    }

    /// Whether a fault of this many in a thousand strikes.
    pub(super) fn strikes(&self, chance: u32) -> bool {
        !self.is_healing() && self.dice().permille(chance)
    }

    /// How long something takes.
    pub(super) fn span(&self, lot: Lot) -> Duration {
        let faults = self.faults();
        let longest = match lot {
            _ if self.is_healing() => 2_000,
            Lot::Database | Lot::Statement => faults.database,
            Lot::Disk => faults.disk,
            Lot::Replication => faults.replication,
            Lot::Bus => faults.bus,
            Lot::Client => faults.client,
        };
        Duration::from_micros(self.dice().span(longest))
    }

    pub(super) async fn way(&self, lot: Lot) {
        let span = self.span(lot);
        tokio::time::sleep(span).await;
    }

    /// Whether a server gives up waiting for its standby: it says so in a warning.
    pub(super) fn cancels_the_wait(&self) -> bool {
        self.strikes(self.faults().cancelled_wait)
    }
}
