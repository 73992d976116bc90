//! Bugs that tests plant, to show that the checks would catch them. They do not exist outside tests.

use super::Logic;
use crate::games::{Act, SeatCommand};

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

    /// The command as if it were about the position on the board, when that bug is planted.
    pub(super) fn replayed_by_a_bug(&self, command: SeatCommand) -> SeatCommand {
        match command.act {
            Act::Move { uci, .. } if self.has_planted(Planted::ReplayAfterTakeback) => {
                SeatCommand { act: Act::Move { on: self.game.position_seq(), uci }, ..command }
            }
            _ => command,
        }
    }

    pub(super) fn has_planted(&self, bug: Planted) -> bool {
        self.planted == Some(bug)
    }
}
