//! What the readers know of what is committed. The writer changes it after each commit and before its answers.

use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::{DashMap, DashSet};
use zeitnot_protocol::GameId;

use super::game_rows::Segments;
use crate::storage::completions::Completions;
use crate::sync::unpoisoned;
use crate::time::ServiceInstant;

/// What is committed, as far as readers need to know.
pub(super) struct Shared {
    /// The last row of every live game.
    pub(super) heads: DashMap<GameId, u64>,
    /// Games whose rows cannot be read.
    pub(super) set_aside: DashSet<GameId>,
    segments: RwLock<Segments>,
    /// Since when the writer has been busy with a transaction; [`ServiceInstant::NEVER`] while it is not.
    writing_since: AtomicU64,
    /// How many changes of accounts this process has made.
    account_changes: AtomicU64,
    /// The way back of the answers.
    pub(super) completions: Completions,
}

impl Shared {
    pub(super) fn new(segments: Segments) -> Self {
        Self {
            heads: DashMap::new(),
            set_aside: DashSet::new(),
            segments: RwLock::new(segments),
            writing_since: AtomicU64::new(ServiceInstant::NEVER.0),
            account_changes: AtomicU64::new(0),
            completions: Completions::default(),
        }
    }

    /// Since when the writer has been busy with a transaction.
    pub(super) fn writing_since(&self) -> Option<ServiceInstant> {
        let since = ServiceInstant(self.writing_since.load(Ordering::Relaxed));
        (since != ServiceInstant::NEVER).then_some(since)
    }

    /// The writer begins a transaction, or has ended it.
    pub(super) fn set_writing_since(&self, since: Option<ServiceInstant>) {
        self.writing_since.store(since.unwrap_or(ServiceInstant::NEVER).0, Ordering::Relaxed);
    }

    /// The number of a change of an account. Only the writer makes changes, so its order is theirs.
    pub(super) fn next_change(&self) -> u64 {
        self.account_changes.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn segments(&self) -> Segments {
        unpoisoned(self.segments.read()).clone()
    }

    pub(super) fn set_segments(&self, segments: &Segments) {
        unpoisoned(self.segments.write()).clone_from(segments);
    }
}
