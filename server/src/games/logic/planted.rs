//! Bugs that tests plant, to show that the checks would catch them. They do not exist outside tests.

use super::Logic;

/// A planted bug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::games) enum Planted {
    /// An event becomes the state, and is published, before it is durable.
    EvolveBeforeCommit,
    /// A deadline is decided without waiting for what was stamped before it.
    FlagWithoutFence,
    /// What is forgiven for the network is forgotten.
    DeadlineWithoutAllowance,
    /// A move is played again on whatever position stands now.
    ReplayAfterTakeback,
}

impl Logic {
    /// Plants a bug.
    pub(in crate::games) fn plant(&mut self, bug: Planted) {
        self.planted = Some(bug);
    }

    pub(super) fn has_planted(&self, bug: Planted) -> bool {
        self.planted == Some(bug)
    }
}
