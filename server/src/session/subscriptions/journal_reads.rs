//! The reads of one session from the journal: one at a time, and only while there is room for the
//! answer.
//!
//! So a client that asks for a hundred pages of history and reads none of them makes the server
//! keep one page.
//!
//! Invariants: at most [`QUEUE_MAX`] reads wait beside those of subscribed games, of which each has
//! at most one; the next read starts when the last one is answered.

use std::collections::VecDeque;

use zeitnot_protocol::{AccountId, CommandId, GameId};

use crate::connections::{Notice, NoticeKind};
use crate::games::{Games, KeptTail, ReadTask, Reader, SeatCommand, TailWanted};
use crate::time::ServiceInstant;

/// The most reads that wait. A client that pages through a game asks for a few at a time.
const QUEUE_MAX: usize = 16;

/// A notice from the journal has this as its `after`; a notice of a live game always has an event.
pub(super) const FROM_THE_JOURNAL: u32 = 0;

/// Something to be read.
#[derive(Debug)]
pub(super) struct JournalRead {
    pub(super) game: GameId,
    /// Repeated in a rejection.
    pub(super) id: Option<Box<CommandId>>,
    pub(super) what: Wanted,
    /// What is written after the answer.
    pub(super) then: Vec<NoticeKind>,
    /// The read itself, once it is in flight: it ends with the session.
    task: Option<ReadTask>,
}

/// What is wanted of a game.
#[derive(Debug)]
pub(super) enum Wanted {
    /// It is not live: how it stands.
    Snapshot,
    /// The events after this one, up to `published` if the game is live.
    Tail { after: u32, published: Option<u32> },
    /// Plies from this one on.
    History { from: u32 },
    /// It is not live: the answer to a command.
    Answer(Box<AccountCommand>),
}

/// A command to a game that is not live.
#[derive(Debug)]
pub(super) struct AccountCommand {
    pub(super) account: AccountId,
    pub(super) stamp: ServiceInstant,
    pub(super) command: SeatCommand,
}

/// The journal reads of one session: those that wait, and the one in flight.
#[derive(Debug, Default)]
pub(super) struct JournalReads {
    waiting: VecDeque<JournalRead>,
    in_flight: Option<JournalRead>,
    /// What goes on from one piece of a tail to the next.
    kept_tail: Option<KeptTail>,
    /// The game of the read in flight is no longer watched.
    is_unwatched: bool,
}

impl JournalReads {
    /// Queues a read, or returns it when too many wait.
    pub(super) fn ask(&mut self, reading: JournalRead) -> Result<(), JournalRead> {
        let questions = self.waiting.iter().filter(|waiting| !waiting.is_tail()).count();
        if questions >= QUEUE_MAX {
            return Err(reading);
        }
        self.waiting.push_back(reading);
        Ok(())
    }

    /// Asks for the events of a followed game after `after`, instead of what was asked for it before.
    pub(super) fn ask_for_tail(
        &mut self,
        game: GameId,
        after: u32,
        published: Option<u32>,
        id: Option<Box<CommandId>>,
    ) {
        self.waiting.retain(|waiting| !waiting.is_tail_of(game));
        let read = JournalRead::of(game, id, Wanted::Tail { after, published });
        if self.kept_tail.as_ref().is_some_and(|kept| kept.is_of(game)) {
            // First, so that the fold is kept for a short time.
            self.waiting.push_front(read);
        } else {
            self.waiting.push_back(read);
        }
    }

    /// The tail of a game is no longer wanted.
    pub(super) fn forget_tail(&mut self, game: GameId) {
        self.waiting.retain(|waiting| !waiting.is_tail_of(game));
        self.kept_tail.take_if(|kept| kept.is_of(game));
    }

    /// The game is no longer watched.
    pub(super) fn unwatch(&mut self, game: GameId) {
        self.is_unwatched |= self.in_flight.as_ref().is_some_and(|in_flight| in_flight.game == game);
    }

    /// The game of the read in flight is live: ends the read. With it comes whether the game was
    /// unwatched since.
    pub(super) fn take_live(&mut self, game: GameId) -> Option<(JournalRead, bool)> {
        let read = self.in_flight.take_if(|in_flight| in_flight.game == game)?;
        Some((read, self.is_unwatched))
    }

    /// Whether a read could be started.
    pub(super) fn is_due(&self) -> bool {
        self.in_flight.is_none() && !self.waiting.is_empty()
    }

    /// Starts the next read, if none is in flight. To be called when there is room for its answer.
    pub(super) fn go_on(&mut self, games: &Games, reader: impl FnOnce() -> Reader) {
        if self.in_flight.is_some() {
            return;
        }
        let Some(mut read) = self.waiting.pop_front() else { return };
        if self.waiting.is_empty() {
            self.waiting = VecDeque::new();
        }
        let (game, id, reader) = (read.game, read.id.as_deref().copied(), &reader());
        let task = match &read.what {
            Wanted::Snapshot => games.send_snapshot(game, id, reader),
            Wanted::Tail { after, published } => {
                let wanted = TailWanted { game, after: *after, published: *published, id };
                games.send_tail(wanted, self.kept_tail.get_or_insert_default(), reader)
            }
            Wanted::History { from } => games.send_history(game, *from, id, reader),
            Wanted::Answer(asked) => games.send_answer(game, asked.account, asked.command.clone(), reader),
        };
        read.task = Some(task);
        (self.in_flight, self.is_unwatched) = (Some(read), false);
    }

    /// Whether this notice rejects the tail that is being read.
    pub(super) fn is_rejected_tail(&self, notice: &Notice) -> bool {
        let Some(in_flight) = &self.in_flight else { return false };
        let NoticeKind::Rejected { id, .. } = &notice.kind else { return false };
        notice.after == FROM_THE_JOURNAL
            && in_flight.is_tail()
            && in_flight.game == notice.game
            && in_flight.id == *id
    }

    /// Sees a notice before it is written: a notice that answers the read in flight ends it.
    /// Returns what is written after that answer.
    pub(super) fn note(&mut self, notice: &Notice) -> Vec<NoticeKind> {
        let Some(in_flight) = self
            .in_flight
            .take_if(|in_flight| notice.after == FROM_THE_JOURNAL && in_flight.game == notice.game)
        else {
            return Vec::new();
        };
        let ends = match &notice.kind {
            NoticeKind::Message(_)
            | NoticeKind::Done { .. }
            | NoticeKind::Rejected { .. }
            | NoticeKind::Tail(_) => true,
            // The clock of a snapshot follows it; the others do not come from the journal.
            NoticeKind::Snapshot(_)
            | NoticeKind::Events
            | NoticeKind::Fence(_)
            | NoticeKind::Watchers(_)
            | NoticeKind::Silent
            | NoticeKind::Reset
            | NoticeKind::Live
            | NoticeKind::Gone => false,
        };
        if ends {
            self.kept_tail.take_if(|kept| kept.is_empty());
            return in_flight.then;
        }
        self.in_flight = Some(in_flight);
        Vec::new()
    }
}

impl JournalRead {
    /// A read after whose answer nothing waits.
    pub(super) fn new(game: GameId, id: Option<CommandId>, what: Wanted) -> Self {
        Self::of(game, id.map(Box::new), what)
    }

    fn of(game: GameId, id: Option<Box<CommandId>>, what: Wanted) -> Self {
        Self { game, id, what, then: Vec::new(), task: None }
    }

    /// With what is written after the answer.
    pub(super) fn then(self, then: Vec<NoticeKind>) -> Self {
        Self { then, ..self }
    }

    fn is_tail_of(&self, game: GameId) -> bool {
        self.is_tail() && self.game == game
    }

    fn is_tail(&self) -> bool {
        matches!(self.what, Wanted::Tail { .. })
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::Code;

    use super::*;

    fn game(number: u128) -> GameId {
        GameId::from_random(number)
    }

    fn history(number: u128) -> JournalRead {
        JournalRead::new(game(number), None, Wanted::History { from: 1 })
    }

    fn rejected(number: u128, after: u32) -> Notice {
        Notice { game: game(number), after, kind: NoticeKind::Rejected { id: None, code: Code::UnknownGame } }
    }

    fn in_flight(number: u128, is_tail: bool) -> JournalReads {
        let what =
            if is_tail { Wanted::Tail { after: 0, published: None } } else { Wanted::History { from: 1 } };
        let read = JournalRead::new(game(number), None, what);
        JournalReads { in_flight: Some(read), ..JournalReads::default() }
    }

    #[test]
    fn only_so_many_questions_wait_and_tails_do_not_count() {
        let mut journal_reads = JournalReads::default();
        for number in 0..64 {
            journal_reads.ask_for_tail(game(number), 0, None, None);
        }
        for number in 0..QUEUE_MAX as u128 {
            journal_reads.ask(history(number)).unwrap();
        }
        assert!(journal_reads.ask(history(99)).is_err());
    }

    #[test]
    fn a_game_has_one_tail_at_a_time() {
        let mut journal_reads = JournalReads::default();
        journal_reads.ask_for_tail(game(1), 5, None, None);
        journal_reads.ask_for_tail(game(2), 5, None, None);
        journal_reads.ask_for_tail(game(1), 9, None, None);
        assert_eq!(journal_reads.waiting.len(), 2);
        assert!(matches!(journal_reads.waiting[1].what, Wanted::Tail { after: 9, .. }));
        journal_reads.forget_tail(game(1));
        assert_eq!(journal_reads.waiting.len(), 1);
    }

    #[test]
    fn an_answer_from_the_journal_ends_the_reading_and_what_a_live_game_says_does_not() {
        let mut journal_reads = in_flight(1, false);
        journal_reads.note(&rejected(1, 7));
        journal_reads.note(&rejected(2, FROM_THE_JOURNAL));
        assert!(journal_reads.in_flight.is_some());
        journal_reads.note(&rejected(1, FROM_THE_JOURNAL));
        assert!(journal_reads.in_flight.is_none());
    }

    #[test]
    fn only_a_tail_is_rejected_as_a_tail() {
        assert!(in_flight(1, true).is_rejected_tail(&rejected(1, FROM_THE_JOURNAL)));
        assert!(!in_flight(1, true).is_rejected_tail(&rejected(1, 3)));
        assert!(!in_flight(1, true).is_rejected_tail(&rejected(2, FROM_THE_JOURNAL)));
        assert!(!in_flight(1, false).is_rejected_tail(&rejected(1, FROM_THE_JOURNAL)));
        assert!(!JournalReads::default().is_rejected_tail(&rejected(1, FROM_THE_JOURNAL)));
    }
}
