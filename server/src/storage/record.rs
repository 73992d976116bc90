//! What is kept of games: records, where they stand, and what comes back of them.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, CommandId, GameId};
use zeitnot_rules::board::{ByColor, Move};
use zeitnot_rules::game::{Event, GameInstant, GameSetup, Micros, Seq};
use zeitnot_rules::verdict::Outcome;

use super::correction::Correction;

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

    /// Whether the game ends with this record.
    #[must_use]
    pub fn ends_game(&self) -> bool {
        matches!(self.events.last(), Some(Event::Ended { .. }))
    }
}

/// What all records of a game that has ended say together, and what its result was corrected to.
#[derive(Clone, Copy, Debug)]
pub struct EndedGame<'a> {
    /// What it started from.
    pub setup: &'a GameSetup,
    /// How it counts as ended.
    pub outcome: &'a Outcome,
    /// How it was played out.
    pub played: &'a Outcome,
    /// The correction in force.
    pub correction: Option<Correction>,
    records: &'a [Arc<Record>],
}

impl<'a> EndedGame<'a> {
    /// The game of these records, with its last correction; `None` for records that do not begin a game and end it.
    #[must_use]
    pub fn of(records: &'a [Arc<Record>], last: Option<Correction>) -> Option<Self> {
        let Event::Started(setup) = records.first()?.events.first()? else { return None };
        let Event::Ended { outcome: played, .. } = records.last()?.events.last()? else { return None };
        let correction = last.and_then(|last| last.in_force(played));
        let outcome = correction.map_or(played, |correction| correction.outcome());
        Some(Self { setup, outcome, played, correction, records })
    }

    /// The moves of the game, without those that were taken back.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for event in self.records.iter().flat_map(|record| &record.events) {
            match event {
                Event::MovePlayed { mv, .. } => moves.push(*mv),
                Event::TakenBack { plies, .. } => {
                    moves.truncate(moves.len().saturating_sub(usize::from(*plies)));
                }
                _ => {}
            }
        }
        moves
    }
}

/// Where a record stands in its game. Within a game offsets only grow; what they count is the
/// store's own affair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct JournalOffset(pub u64);

impl JournalOffset {
    /// Before a game's first record.
    pub const NONE: Self = Self(0);
}

/// The running turn of a game that a process recovers or gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnTime {
    /// It had taken this long before, and goes on.
    Runs {
        /// The time before.
        spent: Micros,
    },
    /// It has taken this long, and stands still until the game is recovered.
    Stands {
        /// The time until then.
        spent: Micros,
    },
}

/// The records of a game from some seq on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tail {
    /// In their order, without gaps.
    pub records: Vec<Arc<Record>>,
    /// The offset of the game's last record, also when `records` is empty; [`JournalOffset::NONE`]
    /// for a game without any.
    pub last: JournalOffset,
    /// The last correction of the result, if the game has ended.
    pub correction: Option<Correction>,
}

impl Tail {
    /// Whether the game has ended with these records.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.records.last().is_some_and(|record| record.ends_game())
    }
}

/// Where a game stood when it came to rest: what no record says. Its turn goes on at rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RestMark {
    /// The game's instant at which it came to rest.
    pub at: GameInstant,
    /// What the running turn had taken by then.
    pub took: Micros,
    /// Since when each player is away.
    pub away_since: ByColor<GameInstant>,
    /// When it must be woken: its next deadline.
    pub due: GameInstant,
}

/// A game that was woken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WokenGame {
    /// All of its records.
    pub records: Vec<Arc<Record>>,
    /// The offset of the last one.
    pub offset: JournalOffset,
    /// Where it stood when it came to rest.
    pub mark: RestMark,
    /// For how long its turn has gone on since then: the service time, without what nobody is
    /// charged for.
    pub rested: Micros,
}
