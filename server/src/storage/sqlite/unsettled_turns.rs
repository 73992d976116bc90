//! Records that are durable while the turns after them may not have begun.
//!
//! A heartbeat says of every record that was written [`SETTLED_AFTER`] before it, or earlier, that
//! the turn after that record had begun. A slow disk or an overloaded server makes that wrong, so
//! no heartbeat is written while an answer from so long ago has not had its effect. That makes an
//! interrupted turn cheaper, never dearer.

use crate::storage::append::EffectWatch;
use crate::storage::{StoreInstant, heartbeat::SETTLED_AFTER};

/// The records, with when their transactions began.
#[derive(Debug, Default)]
pub(super) struct UnsettledTurns(Vec<(StoreInstant, EffectWatch)>);

impl UnsettledTurns {
    /// A record was written in the transaction that began at `at`.
    pub(super) fn add(&mut self, at: StoreInstant, effect: EffectWatch) {
        self.0.push((at, effect));
    }

    /// Forgets the records whose answers have had their effect by now.
    pub(super) fn settle(&mut self) {
        self.0.retain(|(_, effect)| effect.is_pending());
    }

    /// Whether every turn that is known of had begun when [`UnsettledTurns::settle`] last looked.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a heartbeat at `at` would be true, as of the last [`UnsettledTurns::settle`].
    pub(super) fn allows_beat(&self, at: StoreInstant) -> bool {
        self.0.iter().all(|(written, _)| written.after(SETTLED_AFTER) > at)
    }
}
