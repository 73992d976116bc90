//! The independent checker: looks at everything from outside, and complains.
//!
//! It shares no code with actors, sessions and journal. Of the rules it uses the board alone
//! (legality, and folding moves), and for the comparison of replayed and live state the fold of the
//! rules itself. Its books of clocks are its own.
//!
//! It sees four things: inputs and effects of actors with the service clock, records as they become
//! durable, frames as a session read them, and texts as a client got them. It keeps the first
//! complaint.

mod book;
pub(super) mod clients;
mod commands;
mod effects;
mod log;
mod time;

use std::collections::BTreeMap;

use zeitnot_protocol::{AccountId, GameId};

use super::coverage::Coverage;
pub(super) use book::Book;
pub(super) use clients::TabId;
use clients::View;

/// What is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// Somebody was told of what is not durable.
    NotDurable,
    /// The log of a game has a gap, a doubled record, or an event that cannot follow.
    BrokenLog,
    /// A move was recorded that nobody sent about this position, or that is not legal.
    ForeignMove,
    /// One offer was answered twice, or an answer has no offer.
    OfferAnsweredTwice,
    /// A second result.
    SecondResult,
    /// The live state is not that of the records.
    StateDiffers,
    /// A turn was charged another time than it took.
    WrongTime,
    /// What was forgiven for the network is wrong.
    WrongCredit,
    /// A clock is not what it was, less what was taken, plus what was earned.
    WrongClock,
    /// A flag fell early.
    FlagTooEarly,
    /// A flag fell although a move had been read before.
    FlagAgainstMove,
    /// An absence was claimed against a player who was there.
    WrongClaim,
    /// A client's events have a gap, or came twice.
    Gap,
    /// One event has two texts, or a snapshot is not the state at its seq.
    WrongFrame,
    /// `ok` for what is not in the log, or another `ok` for the same command.
    WrongOk,
    /// `ok` or `turn` before its event.
    TooEarly,
    /// A command was rejected although it had been accepted.
    RejectedAfterOk,
    /// A game, a command or a client does not come to its end although nothing is wrong any more.
    Stuck,
    /// The server's code panicked.
    Panicked,
}

/// A complaint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Complaint {
    pub(super) fault: Fault,
    pub(super) detail: String,
}

/// How long the process has run, on the machine's clock without its stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Awake {
    pub(super) us: u64,
    /// How often it was stopped.
    pub(super) stops: u64,
}

/// What is known of every game, and the first complaint.
#[derive(Debug, Default)]
pub(super) struct Checker {
    books: BTreeMap<GameId, Book>,
    views: BTreeMap<(TabId, GameId), View>,
    oks: BTreeMap<(AccountId, String), u32>,
    complaint: Option<Complaint>,
    pub(super) awake: Awake,
    pub(super) coverage: Coverage,
}

impl Checker {
    pub(super) fn complain(&mut self, fault: Fault, detail: impl Into<String>) {
        if self.complaint.is_none() {
            self.complaint = Some(Complaint { fault, detail: detail.into() });
        }
    }

    pub(super) fn has_complaint(&self) -> bool {
        self.complaint.is_some()
    }

    pub(super) fn complaint(&self) -> Option<&Complaint> {
        self.complaint.as_ref()
    }

    pub(super) fn book(&self, game: GameId) -> &Book {
        &self.books[&game]
    }

    /// Does something with a game's books, and keeps the complaint that it comes to.
    fn with_book(
        &mut self,
        game: GameId,
        look: impl FnOnce(&mut Book, &mut Coverage) -> Result<(), (Fault, String)>,
    ) {
        let book = self.books.get_mut(&game).expect("every game has its books");
        if let Err((fault, detail)) = look(book, &mut self.coverage) {
            self.complain(fault, format!("{game}: {detail}"));
        }
    }
}

/// What a look at something comes to.
type Look = Result<(), (Fault, String)>;

/// Complains unless something holds.
fn holds(it_does: bool, fault: Fault, detail: impl FnOnce() -> String) -> Look {
    if it_does { Ok(()) } else { Err((fault, detail())) }
}
