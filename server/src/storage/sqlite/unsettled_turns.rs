//! Records that are durable, while the turns behind them may not have begun.
//!
//! A heartbeat says of every record of [`SETTLED_AFTER`] before it that the turn behind it had begun. A slow disk or a
//! server that does not keep up makes that wrong, so there is no heartbeat while an answer from so long ago has not had its
//! effect. That makes an interrupted turn cheaper, never dearer.

use std::sync::Weak;

use crate::storage::heartbeat::{SETTLED_AFTER, StoreInstant};

/// See the module.
#[derive(Debug, Default)]
pub(super) struct UnsettledTurns(Vec<(StoreInstant, Weak<()>)>);

impl UnsettledTurns {
    /// A record was written in the transaction of `at`; its answer has had its effect when `kept` is gone.
    pub(super) fn add(&mut self, at: StoreInstant, kept: Weak<()>) {
        self.0.push((at, kept));
    }

    /// Forgets the records whose answers have had their effect by now.
    pub(super) fn look(&mut self) {
        self.0.retain(|(_, kept)| kept.strong_count() > 0);
    }

    /// Whether nothing is known that has not begun.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a heartbeat at `at` would be true, as of the last look.
    pub(super) fn allows_beat(&self, at: StoreInstant) -> bool {
        self.0.iter().all(|(written, _)| written.after(SETTLED_AFTER) > at)
    }
}
