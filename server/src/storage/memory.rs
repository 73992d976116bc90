//! A journal in memory: what it keeps is gone with the process.
//!
//! For games that need not outlive the process, and for tests: a [`Fault`] can be put in the way of an append. It never
//! forgets a record, so it grows with the games that were played; [`MemoryJournal::bytes`] says how far.

use std::collections::{BTreeSet, VecDeque};
use std::mem::size_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dashmap::DashMap;
use tokio::sync::oneshot;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::game::{Event, Seq};

use super::{
    Append, AppendAnswer, AppendError, Journal, JournalOffset, Played, PlayedGame, Reading, Record, Tail,
    TurnTime,
};

/// The two counts in front of what an `Arc` holds.
const ARC_COUNTS: usize = 2 * size_of::<usize>();

/// What usual allocators take for a piece of memory: a header, and a multiple of 16 bytes.
const fn allocated(bytes: usize) -> usize {
    (bytes + size_of::<usize>()).next_multiple_of(16)
}

/// What goes wrong with an append, for tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The answer is [`AppendError::Conflict`]; the record is not kept.
    Conflict,
    /// The answer is [`AppendError::Unknown`]; the record is kept.
    UnknownKept,
    /// The answer is [`AppendError::Unknown`]; the record is not kept.
    UnknownLost,
    /// The answer is [`AppendError::Unknown`]; the record is kept at the next [`MemoryJournal::release`], if it still
    /// follows the game's last.
    UnknownLate,
    /// The answer is [`AppendError::Failed`]; the record is not kept.
    Failed,
    /// The record is kept and the append answered at the next [`MemoryJournal::release`].
    Delayed,
}

#[derive(Debug)]
struct HeldBack {
    after: JournalOffset,
    record: Arc<Record>,
    answer: Option<oneshot::Sender<AppendAnswer>>,
}

#[derive(Debug, Default)]
struct Faults {
    next: VecDeque<Option<Fault>>,
    held_back: Vec<HeldBack>,
}

/// See the module.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    games: DashMap<GameId, Vec<Arc<Record>>>,
    /// The games of each account in the order of their ends: the place of one is that in its list, from 1.
    played: DashMap<u128, Vec<GameId>>,
    bytes: AtomicU64,
    /// Whether `faults` has anything: spares the lock in service.
    is_faulty: AtomicBool,
    faults: Mutex<Faults>,
}

impl MemoryJournal {
    /// Bytes held by records, about.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Lets the appends to come go wrong, one after the other; `None` lets one go right.
    pub fn inject(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        self.faults().next.extend(faults);
        self.is_faulty.store(true, Ordering::SeqCst);
    }

    /// Keeps and answers what was delayed.
    pub fn release(&self) {
        let held_back = std::mem::take(&mut self.faults().held_back);
        for HeldBack { after, record, answer } in held_back {
            let kept = self.keep(after, record);
            if let Some(answer) = answer {
                // Nobody may be waiting any more.
                drop(answer.send(kept));
            }
        }
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, after: JournalOffset, record: Arc<Record>) -> AppendAnswer {
        let mut records = self.games.entry(record.game).or_default();
        if records.len() as u64 != after.0 {
            return Err(AppendError::Conflict);
        }
        debug_assert_eq!(record.first_seq, records.last().map_or(1, |last| last.last_seq() + 1));
        let bytes = allocated(ARC_COUNTS + size_of::<Record>())
            + allocated(record.events.capacity() * size_of::<Event>())
            + size_of::<Arc<Record>>();
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        let has_ended = matches!(record.events.last(), Some(Event::Ended { .. }));
        let game = record.game;
        records.push(record);
        if has_ended {
            self.note_played(game, &records[0]);
        }
        Ok(JournalOffset(records.len() as u64))
    }

    fn note_played(&self, game: GameId, first: &Record) {
        if let Some(Event::Started(setup)) = first.events.first() {
            for account in BTreeSet::from([setup.players.white, setup.players.black]) {
                self.played.entry(account).or_default().push(game);
            }
        }
    }

    fn played_game(&self, place: usize, game: GameId) -> Option<PlayedGame> {
        let records = self.games.get(&game)?.clone();
        let Some(Event::Started(setup)) = records.first()?.events.first() else { return None };
        let ended_unix_ms = setup.began_unix_ms.saturating_add(records.last()?.at.0 / 1_000);
        Some(PlayedGame { place: place as u64, game, ended_unix_ms, records })
    }

    fn append_with_fault(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        let mut faults = self.faults();
        let Some(Some(fault)) = faults.next.pop_front() else {
            drop(faults);
            return Append::answered(self.keep(after, record));
        };
        match fault {
            Fault::Conflict => Append::answered(Err(AppendError::Conflict)),
            Fault::Failed => Append::answered(Err(AppendError::Failed("a fault was injected".to_owned()))),
            Fault::UnknownLost => Append::answered(Err(AppendError::Unknown)),
            Fault::UnknownKept => {
                drop(faults);
                let unknown = self.keep(after, record).and(Err(AppendError::Unknown));
                Append::answered(unknown)
            }
            Fault::UnknownLate => {
                faults.held_back.push(HeldBack { after, record, answer: None });
                Append::answered(Err(AppendError::Unknown))
            }
            Fault::Delayed => {
                let (answer, append) = Append::waiting();
                faults.held_back.push(HeldBack { after, record, answer: Some(answer) });
                append
            }
        }
    }
}

impl Journal for MemoryJournal {
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        if self.is_faulty.load(Ordering::Relaxed) {
            return self.append_with_fault(after, record);
        }
        Append::answered(self.keep(after, record))
    }

    /// Nobody takes a game up after a crash.
    fn note_turn(&self, _: GameId, _: TurnTime) {}

    fn read(&self, game: GameId, from: Seq) -> Reading {
        let tail = match self.games.get(&game) {
            None => Tail { records: Vec::new(), last: JournalOffset::NONE },
            Some(records) => {
                let first = records.partition_point(|record| record.last_seq() < from);
                Tail { records: records[first..].to_vec(), last: JournalOffset(records.len() as u64) }
            }
        };
        Box::pin(std::future::ready(Ok(tail)))
    }

    fn played(&self, account: AccountId, before: Option<u64>, most: usize) -> Played {
        let before = before.and_then(|place| usize::try_from(place).ok()).unwrap_or(usize::MAX);
        let newest = self.played.get(&account.as_u128()).map_or_else(Vec::new, |games| {
            let end = games.len().min(before.saturating_sub(1));
            (1..).zip(games[..end].iter().copied()).collect::<Vec<_>>().split_off(end.saturating_sub(most))
        });
        let played =
            newest.into_iter().rev().filter_map(|(place, game)| self.played_game(place, game)).collect();
        Box::pin(std::future::ready(Ok(played)))
    }
}
