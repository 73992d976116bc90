//! What a store knows of the one who writes for it: since when it is busy, how many changes it has made, and the way back of
//! its answers.

use std::sync::atomic::{AtomicU64, Ordering};

use super::completions::Completions;
use crate::time::ServiceInstant;

/// The state of the one who writes.
pub(super) struct WriterState {
    /// Since when it has been busy; [`ServiceInstant::NEVER`] while it is not.
    writing_since: AtomicU64,
    /// How many changes of accounts this process has made.
    account_changes: AtomicU64,
    /// The way back of the answers.
    pub(super) completions: Completions,
}

impl Default for WriterState {
    fn default() -> Self {
        Self {
            writing_since: AtomicU64::new(ServiceInstant::NEVER.0),
            account_changes: AtomicU64::new(0),
            completions: Completions::default(),
        }
    }
}

impl WriterState {
    /// Since when it has been busy with what it writes.
    pub(super) fn writing_since(&self) -> Option<ServiceInstant> {
        let since = ServiceInstant(self.writing_since.load(Ordering::Relaxed));
        (since != ServiceInstant::NEVER).then_some(since)
    }

    /// It begins to write, or has ended.
    pub(super) fn set_writing_since(&self, since: Option<ServiceInstant>) {
        self.writing_since.store(since.unwrap_or(ServiceInstant::NEVER).0, Ordering::Relaxed);
    }

    /// The number of a change of an account. One makes all changes, so its order is theirs.
    pub(super) fn next_change(&self) -> u64 {
        self.account_changes.fetch_add(1, Ordering::Relaxed) + 1
    }
}
