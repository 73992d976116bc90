//! The journal of the simulation: what is durable, by value. What is in flight belongs to the
//! world.
//!
//! Records are kept in the journal's own encoding, and come back through its decoder. The time of
//! interrupted turns comes back as in service, from heartbeats and marks; a record with an
//! uncertain answer has no mark, so nothing is charged.
//!
//! Deliberately absent: appends through the trait. The world takes them from an actor's effects,
//! because it decides when they are written, and when they are answered.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;
use zeitnot_protocol::GameId;
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::{Micros, Seq};

use crate::storage::encoding::{self, Row};
use crate::storage::heartbeat::{BEAT_EVERY, Heartbeats, SETTLED_AFTER, START_GAP, begins_turn};
use crate::storage::{
    Append, AppendAnswer, AppendError, GameStore, JournalOffset, RatingChange, ReadError, Reading, Record,
    RestMark, StoreInstant, Tail, TurnMark, TurnTime, WokenGame, WriteError, Writing,
};
use crate::sync::unpoisoned;
use crate::time::ServiceInstant;

/// A record as it is durable: its row, and its last seq for looking it up.
#[derive(Clone, Debug)]
struct Kept {
    row: Vec<u8>,
    last_seq: Seq,
}

impl Kept {
    fn write(record: Arc<Record>, at: StoreInstant, previous: u64) -> Self {
        let mut row = Vec::new();
        let last_seq = record.last_seq();
        encoding::encode(&Row::Record { at, previous, record }, &mut row);
        Self { row, last_seq }
    }

    fn read(&self) -> Arc<Record> {
        match encoding::decode(&self.row) {
            Ok(Row::Record { record, .. }) => record,
            other => panic!("a record was written, and this is read: {other:?}"),
        }
    }
}

#[derive(Debug, Default)]
struct State {
    games: BTreeMap<GameId, Vec<Kept>>,
    /// What is known of the time of the running turns.
    marks: BTreeMap<GameId, TurnMark>,
    /// The first instants of the processes, and the heartbeats.
    starts: Vec<StoreInstant>,
    beats: Vec<StoreInstant>,
    /// Games with a turn that may not have begun, with when its record was written.
    unsettled_turns: BTreeMap<GameId, StoreInstant>,
    now: StoreInstant,
    /// How the next readings go.
    next_reading: Manner,
    /// Games at rest: since when, on the axis of their turns, and where they stood.
    resting: BTreeMap<GameId, (u64, RestMark)>,
    /// The time of all processes for which nobody is charged.
    idle: u64,
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

/// What is durable of games. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    state: Arc<Mutex<State>>,
}

impl Disk {
    fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    /// Makes a record durable.
    /// Whether it was is answered with certainty or not: see the module.
    pub(super) fn write(&self, after: JournalOffset, record: &Record, is_certain: bool) -> AppendAnswer {
        let mut state = self.state();
        let now = state.now;
        let rests = state.resting.contains_key(&record.game);
        let records = state.games.entry(record.game).or_default();
        if records.len() as u64 != after.0 || rests {
            return Err(AppendError::Conflict);
        }
        records.push(Kept::write(Arc::new(record.clone()), now, after.0));
        let offset = JournalOffset(records.len() as u64);
        if record.events.iter().any(begins_turn) {
            let mark =
                if is_certain { TurnMark::Since(now) } else { TurnMark::Stands { spent: Micros::ZERO } };
            state.marks.insert(record.game, mark);
            state.unsettled_turns.insert(record.game, now);
        }
        Ok(offset)
    }

    /// The durable records of a game from a seq on.
    pub(super) fn tail_now(&self, game: GameId, from: Seq) -> Tail {
        let state = self.state();
        let kept = state.games.get(&game).map_or(&[][..], Vec::as_slice);
        let first = kept.partition_point(|kept| kept.last_seq < from);
        Tail {
            records: kept[first..].iter().map(Kept::read).collect(),
            last: JournalOffset(kept.len() as u64),
            correction: None,
        }
    }

    /// A process begins to serve.
    pub(super) fn starts(&self) {
        let mut state = self.state();
        let start = if state.starts.is_empty() { state.now } else { state.now.after(START_GAP) };
        let last_alive = state.beats.last().copied().max(state.starts.last().copied()).unwrap_or_default();
        state.idle += start.0 - last_alive.0;
        state.now = start;
        state.starts.push(start);
        state.unsettled_turns.clear();
    }

    /// The actor of a game has nothing to do: the turn after its last answer has begun.
    pub(super) fn has_begun(&self, game: GameId) {
        self.state().unsettled_turns.remove(&game);
    }

    /// The process serves since `service`. During a commit the thread that writes heartbeats is
    /// busy.
    pub(super) fn serves(&self, service: ServiceInstant, is_idle: bool) {
        let mut state = self.state();
        let start = state.starts.last().copied().unwrap_or_default();
        let now = StoreInstant(start.0 + service.0);
        state.now = now;
        let last = state.beats.last().copied().unwrap_or_default();
        let is_true = state.unsettled_turns.values().all(|written| written.after(SETTLED_AFTER) > now);
        if is_idle && is_true && now >= last.after(BEAT_EVERY) {
            state.beats.push(now);
        }
    }

    /// What the running turn of a game had taken when its process was killed. From here on that is
    /// a mark.
    pub(super) fn spent(&self, game: GameId) -> Micros {
        let mut state = self.state();
        let mut heartbeats = Heartbeats::new(state.starts.clone());
        state.beats.iter().for_each(|beat| heartbeats.beat(*beat));
        let spent = state.marks.get(&game).map_or(Micros::ZERO, |mark| heartbeats.spent(*mark));
        state.marks.insert(game, TurnMark::Stands { spent });
        spent
    }

    /// An instant of the process on the axis of turns at rest.
    fn turn_instant(state: &State, at: ServiceInstant) -> u64 {
        let start = state.starts.last().copied().unwrap_or_default();
        (start.0 + at.0).saturating_sub(state.idle)
    }

    /// Puts a game to rest.
    pub(super) fn rest_now(
        &self,
        game: GameId,
        after: JournalOffset,
        mark: RestMark,
        at: ServiceInstant,
    ) -> bool {
        let mut state = self.state();
        if state.games.get(&game).map_or(0, Vec::len) as u64 != after.0 || state.resting.contains_key(&game) {
            return false;
        }
        let since = Self::turn_instant(&state, at);
        state.resting.insert(game, (since, mark));
        true
    }

    /// Wakes a game, if it rests.
    pub(super) fn wake_now(&self, game: GameId, at: ServiceInstant) -> Option<WokenGame> {
        let mut state = self.state();
        let (since, mark) = state.resting.remove(&game)?;
        let rested = Micros(Self::turn_instant(&state, at).saturating_sub(since));
        let turn = TurnMark::Runs { at: state.now, spent: mark.took + rested };
        state.marks.insert(game, turn);
        drop(state);
        let Tail { records, last, .. } = self.tail_now(game, 1);
        Some(WokenGame { records, offset: last, mark, rested })
    }

    pub(super) fn rests(&self, game: GameId) -> bool {
        self.state().resting.contains_key(&game)
    }

    /// The games at rest that are due.
    pub(super) fn due_now(&self, until: ServiceInstant) -> Vec<GameId> {
        let state = self.state();
        let until = Self::turn_instant(&state, until);
        let is_due = |(since, mark): &(u64, RestMark)| since + mark.due.since(mark.at).0 <= until;
        state.resting.iter().filter(|(_, rest)| is_due(rest)).map(|(game, _)| *game).collect()
    }

    /// How the readings to come go.
    pub(super) fn set_manner(&self, manner: Manner) {
        self.state().next_reading = manner;
    }

    /// Lets the readings go on that were held. How many there were.
    pub(super) fn let_go(&self) -> usize {
        let held = std::mem::take(&mut self.state().held);
        // The reader may be gone.
        held.into_iter().filter_map(|reading| reading.send(()).ok()).count()
    }

    /// Whether readings are held.
    pub(super) fn holds(&self) -> bool {
        !self.state().held.is_empty()
    }
}

impl GameStore for Disk {
    fn append(&self, _after: JournalOffset, _record: Arc<Record>) -> Append {
        panic!("appends come through the world")
    }

    fn note_turn(&self, game: GameId, time: TurnTime) {
        let mut state = self.state();
        let mark = match time {
            TurnTime::Runs { spent } => TurnMark::Runs { at: state.now, spent },
            TurnTime::Stands { spent } => TurnMark::Stands { spent },
        };
        state.marks.insert(game, mark);
    }

    fn stop_turns(&self) {}

    fn rest(&self, _: GameId, _: JournalOffset, _: RestMark, _: ServiceInstant) -> Writing<bool> {
        panic!("games come to rest through the world")
    }

    fn wake(&self, game: GameId, at: ServiceInstant) -> Writing<Option<WokenGame>> {
        let manner = self.state().next_reading;
        Box::pin(std::future::ready(match manner {
            Manner::Failed => Err(WriteError("a fault was drawn")),
            Manner::AtOnce | Manner::Held => Ok(self.wake_now(game, at)),
        }))
    }

    fn due_games(&self, _: ServiceInstant, _: usize) -> Reading<Vec<GameId>> {
        panic!("the world looks which games are due")
    }

    fn tail(&self, game: GameId, from: Seq) -> Reading<Tail> {
        let mut state = self.state();
        match state.next_reading {
            Manner::AtOnce => {
                drop(state);
                Box::pin(std::future::ready(Ok(self.tail_now(game, from))))
            }
            Manner::Failed => {
                Box::pin(std::future::ready(Err(ReadError::Unavailable("a fault was drawn".to_owned()))))
            }
            Manner::Held => {
                let (sender, held) = oneshot::channel();
                state.held.push(sender);
                let disk = self.clone();
                Box::pin(async move {
                    held.await.map_err(|_| ReadError::Unavailable("the server was killed".to_owned()))?;
                    Ok(disk.tail_now(game, from))
                })
            }
        }
    }

    fn rating_changes(&self, _: GameId) -> Reading<Option<ByColor<RatingChange>>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    fn writing_since(&self) -> Option<ServiceInstant> {
        None
    }
}
