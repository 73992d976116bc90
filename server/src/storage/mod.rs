//! Where the records of games go, and how they come back.
//!
//! A record is one accepted input: all of its events or none. A journal keeps the records of many games; within a game
//! they have an order, and an append names the record it follows, so that two writers of one game cannot both succeed.
//!
//! [`sqlite`] is the one that lasts, [`MemoryJournal`] the one for tests and measurements. [`encoding`] is how rows are
//! written, [`heartbeat`] how the time of an interrupted turn is found again.
//!
//! Deliberately absent: what a record means (that is `rules`), and frames, which are made from records on demand.

mod append;
pub mod encoding;
pub mod heartbeat;
mod memory;
mod played;
mod record;
pub mod sqlite;

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::game::{Event, Micros, Seq};

pub use append::{Append, AppendAnswer, AppendError};
pub use heartbeat::StoreInstant;
pub use memory::{Fault, MemoryJournal};
pub use played::{Played, PlayedGame};
pub use record::Record;

/// Where a record stands in the journal. Within a game offsets only grow. The journal alone knows more about them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct JournalOffset(pub u64);

impl JournalOffset {
    /// Before a game's first record.
    pub const NONE: Self = Self(0);
}

/// The running turn of a game that is taken up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnTime {
    /// It had taken this long before, and goes on.
    Runs {
        /// The time before.
        spent: Micros,
    },
    /// It has taken this long, and stands still until the game is taken up.
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
    /// The offset of the game's last record, also when `records` is empty; [`JournalOffset::NONE`] for a game without any.
    pub last: JournalOffset,
}

impl Tail {
    /// Whether the game has ended with these records.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let last = self.records.last().and_then(|record| record.events.last());
        matches!(last, Some(Event::Ended { .. }))
    }
}

/// The journal cannot be read now.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the journal cannot be read: {0}")]
pub struct ReadError(pub String);

/// The answer to [`Journal::read`].
pub type Reading = Pin<Box<dyn Future<Output = Result<Tail, ReadError>> + Send>>;

/// Keeps records. Durable means: what was answered survives whatever this journal promises to survive.
pub trait Journal: fmt::Debug + Send + Sync + 'static {
    /// Appends a record behind the one at `after`, which must be the game's last ([`JournalOffset::NONE`] for the first).
    /// It is durable when the answer is `Ok`. The work goes on when the answer is not waited for. With the first record of a
    /// game the challenge of its id, which it was made from, is gone: both or neither.
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append;

    /// Notes what the running turn of a game has taken, when it was interrupted or goes on: for whoever takes the game
    /// up after a crash. Without it too little is charged, never too much.
    fn note_turn(&self, game: GameId, time: TurnTime);

    /// The records of `game` with events of seq `from` and later. A game nobody knows has none.
    fn read(&self, game: GameId, from: Seq) -> Reading;

    /// The games of `account` that have ended, the last one first, at most `most`. With `before` only those with a lower
    /// place than that.
    fn played(&self, account: AccountId, before: Option<u64>, most: usize) -> Played;
}
