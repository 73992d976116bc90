//! The reads of one session from the journal: one at a time, and only while there is room for the
//! answer.
//!
//! So a client that asks for a hundred pages of history and reads none of them makes the server
//! keep one page.
//!
//! Invariants: at most [`QUEUE_MAX`] reads wait beside the tails of subscribed games and the snapshots of the account's
//! own, of which each game has at most one; the next read starts when the last one is answered or given up; the answer
//! to a read that was given up is not written.

use std::collections::VecDeque;

use zeitnot_protocol::{AccountId, CommandId, GameId};

use crate::connections::NoticeKind;
use crate::games::{Games, KeptTail, ReadTask, Reader, SeatCommand, TailWanted, WaitingCommand};
use crate::time::ServiceInstant;

/// The most reads that wait. A client that pages through a game asks for a few at a time.
const QUEUE_MAX: usize = 16;

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
    /// Its game may be with another node, where a flag waits for it.
    pub(super) waits: Option<WaitingCommand>,
}

/// The journal reads of one session: those that wait, and the one in flight.
#[derive(Debug, Default)]
pub(super) struct JournalReads {
    waiting: VecDeque<JournalRead>,
    in_flight: Option<JournalRead>,
    /// The number of the read that was started last.
    started: u32,
    /// What goes on from one piece of a tail to the next.
    kept_tail: Option<KeptTail>,
}

impl JournalReads {
    /// Queues a read, or returns it when too many wait. `is_bounded`: it counts.
    pub(super) fn ask(&mut self, reading: JournalRead, is_bounded: bool) -> Result<(), JournalRead> {
        let questions = self.waiting.iter().filter(|waiting| !waiting.is_tail()).count();
        if is_bounded && questions >= QUEUE_MAX {
            return Err(reading);
        }
        self.waiting.push_back(reading);
        Ok(())
    }

    /// Asks for the events of a followed game after `after`, instead of those that were asked for before.
    pub(super) fn ask_for_tail(
        &mut self,
        game: GameId,
        after: u32,
        published: Option<u32>,
        id: Option<Box<CommandId>>,
    ) {
        self.drop_tails(game);
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
        self.drop_tails(game);
        self.kept_tail.take_if(|kept| kept.is_of(game));
    }

    fn drop_tails(&mut self, game: GameId) {
        self.waiting.retain(|waiting| !waiting.is_tail_of(game));
        self.in_flight.take_if(|in_flight| in_flight.is_tail_of(game));
    }

    /// Gives up the reads of this game's snapshot, and returns them.
    pub(super) fn take_snapshots(&mut self, game: GameId) -> Vec<JournalRead> {
        let mut taken: Vec<_> =
            self.in_flight.take_if(|in_flight| in_flight.is_snapshot_of(game)).into_iter().collect();
        while let Some(index) = self.waiting.iter().position(|waiting| waiting.is_snapshot_of(game)) {
            taken.extend(self.waiting.remove(index));
        }
        taken
    }

    /// Whether a read could be started.
    pub(super) fn is_due(&self) -> bool {
        self.in_flight.is_none() && !self.waiting.is_empty()
    }

    /// Starts the next read, if none is in flight. To be called when there is room for its answer.
    pub(super) fn go_on(&mut self, games: &Games, reader: impl FnOnce(u32) -> Reader) {
        if self.in_flight.is_some() {
            return;
        }
        let Some(mut read) = self.waiting.pop_front() else { return };
        if self.waiting.is_empty() {
            self.waiting = VecDeque::new();
        }
        self.started = self.started.wrapping_add(1);
        let (game, id, reader) = (read.game, read.id.as_deref().copied(), &reader(self.started));
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
        self.in_flight = Some(read);
    }

    /// The read of this number is answered: ends and returns it. `None` when it was given up.
    pub(super) fn answered(&mut self, read: u32) -> Option<JournalRead> {
        let started = self.started;
        let answered = self.in_flight.take_if(|_| read == started)?;
        self.kept_tail.take_if(|kept| kept.is_empty());
        Some(answered)
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

    fn is_snapshot_of(&self, game: GameId) -> bool {
        self.is_snapshot() && self.game == game
    }

    /// Whether it is of a game as it stands.
    pub(super) fn is_snapshot(&self) -> bool {
        matches!(self.what, Wanted::Snapshot)
    }

    /// Whether it is of a game as it stands, and no command asks for it by name: perhaps of the account's own, which the session
    /// looks for by itself.
    pub(super) fn is_unasked_snapshot(&self) -> bool {
        self.is_snapshot() && self.id.is_none()
    }

    /// Whether it is of a game's events.
    pub(super) fn is_tail(&self) -> bool {
        matches!(self.what, Wanted::Tail { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u128) -> GameId {
        GameId::from_random(number)
    }

    fn history(number: u128) -> JournalRead {
        JournalRead::new(game(number), None, Wanted::History { from: 1 })
    }

    fn in_flight(number: u128, what: Wanted) -> JournalReads {
        let read = JournalRead::new(game(number), None, what);
        JournalReads { in_flight: Some(read), started: 7, ..JournalReads::default() }
    }

    #[test]
    fn only_so_many_questions_wait_and_tails_do_not_count() {
        let mut journal_reads = JournalReads::default();
        for number in 0..64 {
            journal_reads.ask_for_tail(game(number), 0, None, None);
        }
        for number in 0..QUEUE_MAX as u128 {
            journal_reads.ask(history(number), true).unwrap();
        }
        assert!(journal_reads.ask(history(99), true).is_err());
        assert!(journal_reads.ask(JournalRead::new(game(99), None, Wanted::Snapshot), false).is_ok());
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
    fn a_read_ends_with_its_own_answer() {
        let mut journal_reads = in_flight(1, Wanted::History { from: 1 });
        assert!(journal_reads.answered(6).is_none());
        assert!(journal_reads.in_flight.is_some());
        assert!(journal_reads.answered(7).is_some());
        assert!(journal_reads.answered(7).is_none());
    }

    #[test]
    fn a_read_that_is_given_up_has_no_answer() {
        let mut journal_reads = in_flight(1, Wanted::Tail { after: 0, published: None });
        journal_reads.forget_tail(game(2));
        assert!(journal_reads.in_flight.is_some());
        journal_reads.forget_tail(game(1));
        assert!(journal_reads.answered(7).is_none());
        let mut journal_reads = in_flight(1, Wanted::Snapshot);
        journal_reads.ask(JournalRead::new(game(1), None, Wanted::Snapshot), true).unwrap();
        journal_reads.ask(history(1), true).unwrap();
        assert_eq!(journal_reads.take_snapshots(game(1)).len(), 2);
        assert!(journal_reads.answered(7).is_none());
        assert_eq!(journal_reads.waiting.len(), 1);
    }
}
