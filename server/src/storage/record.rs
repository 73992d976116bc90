//! One accepted input as it is kept.

use zeitnot_protocol::{AccountId, CommandId, GameId};
use zeitnot_rules::game::{Event, GameInstant, Seq};

/// The events of one accepted input, with where they came from. All or nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The game.
    pub game: GameId,
    /// The seq of the first of `events`.
    pub first_seq: Seq,
    /// The stamp of the input, on the game's own axis.
    pub at: GameInstant,
    /// Whose command it was; `None` when it was nobody's: a start, a deadline, a verdict.
    pub account: Option<AccountId>,
    /// The command's id, if it had one.
    pub command: Option<CommandId>,
    /// What happened: at least one event.
    pub events: Vec<Event>,
}

impl Record {
    /// The seq of the last event.
    #[must_use]
    pub fn last_seq(&self) -> Seq {
        self.first_seq + (self.events.len() as Seq).saturating_sub(1)
    }
}
