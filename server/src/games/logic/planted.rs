//! Bugs that tests plant, to show that the checks would catch them. They do not exist outside tests.
//!
//! One switch for a thread: whoever plants a bug holds a [`Plot`] as long as it is to grow. The code that has the bug asks
//! [`is_planted`], so that nothing has to be handed through.

use std::cell::Cell;

use super::Logic;
use crate::games::{Act, SeatCommand};

/// A planted bug.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Planted {
    /// An event becomes the state, and is published, before it is durable.
    EvolveBeforeCommit,
    /// A deadline is decided without waiting for what was stamped before it.
    FlagWithoutFence,
    /// What is forgiven for the network is forgotten.
    DeadlineWithoutAllowance,
    /// A move is played again on whatever position stands now.
    ReplayAfterTakeback,
}

thread_local! {
    static PLANTED: Cell<Option<Planted>> = const { Cell::new(None) };
}

/// A bug is planted on this thread as long as this lives.
#[derive(Debug)]
#[must_use]
pub(crate) struct Plot(());

impl Plot {
    /// Plants a bug, or none.
    pub(crate) fn with(bug: impl Into<Option<Planted>>) -> Self {
        PLANTED.set(bug.into());
        Self(())
    }
}

impl Drop for Plot {
    fn drop(&mut self) {
        PLANTED.set(None);
    }
}

/// Whether this bug is planted on this thread.
pub(crate) fn is_planted(bug: Planted) -> bool {
    PLANTED.get() == Some(bug)
}

impl Logic {
    /// The command as if it were about the position on the board, when that bug is planted.
    pub(super) fn replayed_by_a_bug(&self, command: SeatCommand) -> SeatCommand {
        match command.act {
            Act::Move { uci, .. } if is_planted(Planted::ReplayAfterTakeback) => {
                SeatCommand { act: Act::Move { on: self.game.position_seq(), uci }, ..command }
            }
            _ => command,
        }
    }
}
