//! What tests let go wrong with the appends to come.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;
use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::game::Event;

use super::MemoryStore;
use crate::storage::{Append, AppendAnswer, AppendError, JournalOffset, Owner, Record};
use crate::sync::unpoisoned;

/// What goes wrong with an append, for tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
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

/// The faults to come, and what they hold back.
#[derive(Debug, Default)]
pub(super) struct Faults(Mutex<FaultsState>);

/// How often a game was read.
#[derive(Debug, Default)]
pub(super) struct Reads(AtomicUsize);

#[derive(Debug, Default)]
struct FaultsState {
    next: VecDeque<Option<Fault>>,
    /// Whose games are not this process's, and whose they are.
    owners: HashMap<GameId, Owner>,
    held_back: Vec<HeldBack>,
    set_aside: Vec<(GameId, String)>,
}

impl Faults {
    fn state(&self) -> MutexGuard<'_, FaultsState> {
        unpoisoned(self.0.lock())
    }
}

impl MemoryStore {
    /// How often a game was read, live or ended.
    pub(crate) fn reads(&self) -> usize {
        self.reads.0.load(Ordering::Relaxed)
    }

    pub(super) fn count_read(&self) {
        self.reads.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Lets the appends to come go wrong, one after the other; `None` lets one go right.
    pub(crate) fn inject(&self, faults: impl IntoIterator<Item = Option<Fault>>) {
        self.faults.state().next.extend(faults);
    }

    /// Says from here on that a live game has this owner. Then the store is one that several processes share.
    pub(crate) fn say_owner(&self, game: GameId, owner: Owner) {
        self.faults.state().owners.insert(game, owner);
    }

    /// Says from here on that a game has ended: it has no owner.
    pub(crate) fn say_ended(&self, game: GameId) {
        self.faults.state().owners.remove(&game);
    }

    pub(super) fn said_owner(&self, game: GameId) -> Option<Owner> {
        self.faults.state().owners.get(&game).copied()
    }

    pub(super) fn note_set_aside(&self, game: GameId, why: String) {
        self.faults.state().set_aside.push((game, why));
    }

    /// The games that were set aside, and why.
    pub(crate) fn set_aside_games(&self) -> Vec<(GameId, String)> {
        self.faults.state().set_aside.clone()
    }

    /// The games of an account among those with such owners.
    pub(super) fn said_games_of(&self, account: AccountId) -> Vec<GameId> {
        let said: Vec<GameId> = self.faults.state().owners.keys().copied().collect();
        let plays = |game: &GameId| {
            let first = self.games.get(game).and_then(|records| records.first().cloned());
            first.is_some_and(|first| match first.events.first() {
                Some(Event::Started(setup)) => {
                    [setup.players.white, setup.players.black].contains(&account.as_u128())
                }
                _ => false,
            })
        };
        said.into_iter().filter(plays).collect()
    }

    pub(super) fn has_other_owners(&self) -> bool {
        !self.faults.state().owners.is_empty()
    }

    /// Keeps and answers what was delayed.
    pub(crate) fn release(&self) {
        let held_back = std::mem::take(&mut self.faults.state().held_back);
        for HeldBack { after, record, answer } in held_back {
            let kept = self.keep(after, record);
            if let Some(answer) = answer {
                // Nobody may be waiting any more.
                drop(answer.send(kept));
            }
        }
    }

    /// The next append with its fault; `None` when it is to go right.
    pub(super) fn append_with_fault(&self, after: JournalOffset, record: &Arc<Record>) -> Option<Append> {
        let mut faults = self.faults.state();
        let fault = faults.next.pop_front()??;
        let record = Arc::clone(record);
        Some(match fault {
            Fault::Conflict => Append::answered(Err(AppendError::Conflict)),
            Fault::Failed => Append::answered(Err(AppendError::Failed("a fault was injected".to_owned()))),
            Fault::UnknownLost => Append::answered(Err(AppendError::Unknown)),
            Fault::UnknownKept => {
                drop(faults);
                Append::answered(self.keep(after, record).and(Err(AppendError::Unknown)))
            }
            Fault::UnknownLate => {
                faults.held_back.push(HeldBack { after, record, answer: None });
                Append::answered(Err(AppendError::Unknown))
            }
            Fault::Delayed => {
                let (answer, _, append) = Append::waiting();
                faults.held_back.push(HeldBack { after, record, answer: Some(answer) });
                append
            }
        })
    }
}
