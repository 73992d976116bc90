//! The journal of the simulation: what is durable, by value. What is in flight belongs to the world.
//!
//! Records go in and out through [`Kept`]: the one place where the record encoding comes in.
//!
//! Deliberately absent: appends through the trait. The world takes them from an actor's effects, because it decides when
//! they are written, and when they are answered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use crate::journal::{
    Append, AppendAnswer, AppendError, Journal, JournalOffset, ReadError, Reading, Record, Tail,
};

/// A record as it is durable.
#[derive(Clone, Debug)]
struct Kept(Record);

impl Kept {
    /// To be replaced by the encoding.
    fn write(record: &Record) -> Self {
        Self(record.clone())
    }

    /// To be replaced by the decoding.
    fn read(&self) -> Arc<Record> {
        Arc::new(self.0.clone())
    }
}

#[derive(Debug, Default)]
struct State {
    games: BTreeMap<GameId, Vec<Kept>>,
    /// How the next readings go.
    next_reading: Manner,
    /// Readings that wait to be let go.
    held: Vec<oneshot::Sender<()>>,
}

/// How a reading goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Manner {
    #[default]
    AtOnce,
    Held,
    Failed,
}

/// See the module. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk(Arc<Mutex<State>>);

impl Disk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a record durable.
    pub(super) fn write(&self, after: JournalOffset, record: &Record) -> AppendAnswer {
        let mut state = self.state();
        let records = state.games.entry(record.game).or_default();
        if records.len() as u64 != after.0 {
            return Err(AppendError::Conflict);
        }
        records.push(Kept::write(record));
        Ok(JournalOffset(records.len() as u64))
    }

    /// The durable records of a game from a seq on.
    pub(super) fn tail(&self, game: GameId, from: Seq) -> Tail {
        let state = self.state();
        let kept = state.games.get(&game).map_or(&[][..], Vec::as_slice);
        let first = kept.partition_point(|kept| kept.0.last_seq() < from);
        Tail {
            records: kept[first..].iter().map(Kept::read).collect(),
            last: JournalOffset(kept.len() as u64),
        }
    }

    /// How the readings to come go.
    pub(super) fn set_manner(&self, manner: Manner) {
        self.state().next_reading = manner;
    }

    /// Lets the readings go on that were held. How many there were.
    pub(super) fn let_go(&self) -> usize {
        let held = std::mem::take(&mut self.state().held);
        // Whoever asked may be gone.
        held.into_iter().filter_map(|reading| reading.send(()).ok()).count()
    }

    /// Whether readings are held.
    pub(super) fn holds(&self) -> bool {
        !self.state().held.is_empty()
    }
}

impl Journal for Disk {
    fn append(&self, _after: JournalOffset, _record: Arc<Record>) -> Append {
        panic!("appends come through the world")
    }

    fn read(&self, game: GameId, from: Seq) -> Reading {
        let mut state = self.state();
        match state.next_reading {
            Manner::AtOnce => {
                drop(state);
                Box::pin(std::future::ready(Ok(self.tail(game, from))))
            }
            Manner::Failed => Box::pin(std::future::ready(Err(ReadError("a fault was drawn".to_owned())))),
            Manner::Held => {
                let (sender, held) = oneshot::channel();
                state.held.push(sender);
                let disk = self.clone();
                Box::pin(async move {
                    held.await.map_err(|_| ReadError("the server was killed".to_owned()))?;
                    Ok(disk.tail(game, from))
                })
            }
        }
    }
}
