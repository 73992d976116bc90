//! Records of games in memory, and the faults that tests put in the way of an append.

use std::collections::{BTreeSet, VecDeque};
use std::mem::size_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use dashmap::DashMap;
use tokio::sync::oneshot;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::game::{Event, Seq};

use crate::storage::{Append, AppendAnswer, AppendError, FinishedGame, JournalOffset, Record, Tail};
use crate::sync::unpoisoned;

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
    /// The answer is [`AppendError::Unknown`]; the record is kept at the next
    /// [`MemoryStore::release`](super::MemoryStore::release), if it still follows the game's last.
    UnknownLate,
    /// The answer is [`AppendError::Failed`]; the record is not kept.
    Failed,
    /// The record is kept and the append answered at the next
    /// [`MemoryStore::release`](super::MemoryStore::release).
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

/// The records of all games.
#[derive(Debug, Default)]
pub(super) struct Records {
    games: DashMap<GameId, Vec<Arc<Record>>>,
    /// The games of each account in the order of their ends: the place of one is that in its list,
    /// from 1.
    finished: DashMap<u128, Vec<GameId>>,
    bytes: AtomicU64,
    /// Whether `faults` has anything: spares the lock in service.
    is_faulty: AtomicBool,
    faults: Mutex<Faults>,
}

impl Records {
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    pub(super) fn inject(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        self.faults().next.extend(faults);
        self.is_faulty.store(true, Ordering::SeqCst);
    }

    pub(super) fn release(&self) {
        let held_back = std::mem::take(&mut self.faults().held_back);
        for HeldBack { after, record, answer } in held_back {
            let kept = self.keep(after, record);
            if let Some(answer) = answer {
                // Nobody may be waiting any more.
                drop(answer.send(kept));
            }
        }
    }

    pub(super) fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        if self.is_faulty.load(Ordering::Relaxed) {
            return self.append_with_fault(after, record);
        }
        Append::answered(self.keep(after, record))
    }

    pub(super) fn tail(&self, game: GameId, from: Seq) -> Tail {
        match self.games.get(&game) {
            None => Tail { records: Vec::new(), last: JournalOffset::NONE },
            Some(records) => {
                let first = records.partition_point(|record| record.last_seq() < from);
                Tail { records: records[first..].to_vec(), last: JournalOffset(records.len() as u64) }
            }
        }
    }

    pub(super) fn finished_games(
        &self,
        account: AccountId,
        before: Option<u64>,
        most: usize,
    ) -> Vec<FinishedGame> {
        let before = before.and_then(|place| usize::try_from(place).ok()).unwrap_or(usize::MAX);
        let newest = self.finished.get(&account.as_u128()).map_or_else(Vec::new, |games| {
            let end = games.len().min(before.saturating_sub(1));
            (1..).zip(games[..end].iter().copied()).collect::<Vec<_>>().split_off(end.saturating_sub(most))
        });
        newest.into_iter().rev().filter_map(|(place, game)| self.finished_game(place, game)).collect()
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        unpoisoned(self.faults.lock())
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
        let (game, has_ended) = (record.game, record.ends_game());
        records.push(record);
        if has_ended {
            self.note_finished(game, &records[0]);
        }
        Ok(JournalOffset(records.len() as u64))
    }

    fn note_finished(&self, game: GameId, first: &Record) {
        if let Some(Event::Started(setup)) = first.events.first() {
            for account in BTreeSet::from([setup.players.white, setup.players.black]) {
                self.finished.entry(account).or_default().push(game);
            }
        }
    }

    fn finished_game(&self, place: usize, game: GameId) -> Option<FinishedGame> {
        let records = self.games.get(&game)?.clone();
        let Some(Event::Started(setup)) = records.first()?.events.first() else { return None };
        let ended_unix_ms = setup.began_unix_ms.saturating_add(records.last()?.at.0 / 1_000);
        Some(FinishedGame { place: place as u64, game, ended_unix_ms, records })
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
