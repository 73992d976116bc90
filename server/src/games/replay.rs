//! Games as storage has them: folded again from their records.
//!
//! Everything about games that are not live is read here: the state of an ended game, a tail of
//! frames, the answers of its seats, and what a recovery needs.

use std::collections::VecDeque;
use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::{Game, GameInstant, Micros, Seq};

use super::answers::Answers;
use super::event_messages;
use crate::connections::{Frame, TailChunk};
use crate::storage::heartbeat::begins_turn;
use crate::storage::{Correction, GameStore, JournalOffset, ReadError, Record, Tail};

/// The most frames of a tail that are made at once.
pub(crate) const CHUNK_FRAMES: usize = 64;

/// A game after its last record.
#[derive(Clone, Debug)]
pub(crate) struct ReplayedGame {
    pub(crate) id: GameId,
    pub(crate) game: Game,
    /// The instant of the last record.
    pub(crate) last_at: GameInstant,
    /// The offset of the last record.
    pub(crate) offset: JournalOffset,
    pub(super) answers: Answers,
    /// The instant of the record with which the running turn began.
    turn_at: GameInstant,
    /// What the running turn had taken when it was interrupted by a crash.
    pub(crate) spent: Micros,
}

impl ReplayedGame {
    /// The game of its first record.
    ///
    /// # Panics
    /// When the record does not begin a game.
    pub(crate) fn begun(record: &Record, offset: JournalOffset) -> Self {
        let game = Game::replay(&record.events);
        Self {
            id: record.game,
            game,
            last_at: record.at,
            offset,
            answers: Answers::default(),
            turn_at: record.at,
            spent: Micros::ZERO,
        }
    }

    /// Folds the next record.
    ///
    /// # Panics
    /// When it does not follow from those before: see [`Game::evolve`].
    pub(crate) fn add(&mut self, record: &Record) {
        self.answers.note(&self.game, record);
        for event in &record.events {
            self.game.evolve(event);
        }
        self.last_at = record.at.max(self.last_at);
        if record.events.iter().any(begins_turn) {
            self.turn_at = record.at;
        }
    }

    /// The game's instant at which it was left: what the interrupted turn had taken lies before it.
    pub(crate) fn left_at(&self) -> GameInstant {
        self.last_at.max(self.turn_at + self.spent)
    }

    /// The game of all its records; `None` when there are none.
    pub(crate) fn fold(tail: &Tail) -> Option<Self> {
        let (first, others) = tail.records.split_first()?;
        let mut stored = Self::begun(first, tail.last);
        others.iter().for_each(|record| stored.add(record));
        Some(stored)
    }

    /// Reads and folds a game; `None` when there is no such game.
    pub(crate) async fn read(store: &Arc<dyn GameStore>, game: GameId) -> Result<Option<Self>, ReadError> {
        let tail = store.history(game).await?;
        Ok(Self::fold(&tail))
    }
}

/// A game in the middle of being folded: the game so far, and the records that are left. Kept between the pieces of a
/// tail, so that the game is read and folded once.
#[derive(Debug)]
pub(crate) struct TailFold {
    id: GameId,
    game: Game,
    /// The frame of the first event, until it was taken.
    started: Option<Frame>,
    records: VecDeque<Arc<Record>>,
    /// How many events of the first of `records` are folded.
    folded: usize,
    is_whole: bool,
    /// The last correction of the result.
    correction: Option<Correction>,
}

impl TailFold {
    /// A game after the first event of its records; `None` when there are none.
    pub(crate) fn begin(tail: Tail) -> Option<Self> {
        let (is_whole, correction) = (tail.has_ended(), tail.correction);
        let records = VecDeque::from(tail.records);
        let first = records.front()?;
        let (id, (game, started)) =
            (first.game, event_messages::start_into_frame(first.game, first.events.first()?));
        Some(Self { id, game, started: Some(started), records, folded: 1, is_whole, correction })
    }

    /// Which game.
    pub(super) fn id(&self) -> GameId {
        self.id
    }

    /// The last correction of the result.
    pub(super) fn correction(&self) -> Option<Correction> {
        self.correction
    }

    /// The game as far as it is folded.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Whether the next piece of the events after `after` can be made of this. A game that has ended needs all records.
    pub(super) fn continues(&self, id: GameId, after: Seq, has_ended: bool) -> bool {
        self.id == id && self.game.seq() == after && (self.is_whole || !has_ended)
    }

    /// How many events are kept here.
    pub(super) fn events(&self) -> usize {
        let left: usize = self.records.iter().map(|record| record.events.len()).sum();
        self.game.seq() as usize + left - self.folded
    }

    /// The frames of the next events after `after` and up to `through`, at most [`CHUNK_FRAMES`].
    pub(crate) fn chunk(&mut self, after: Seq, through: Seq) -> TailChunk {
        let mut frames = Vec::new();
        frames.extend(self.started.take_if(|_| after == 0));
        let more = loop {
            let Some(record) = self.records.front() else { break false };
            let Some(event) = record.events.get(self.folded) else {
                self.records.pop_front();
                self.folded = 0;
                continue;
            };
            if self.game.seq() >= through {
                break false;
            }
            if frames.len() >= CHUNK_FRAMES {
                break true;
            }
            if self.game.seq() < after {
                self.game.evolve(event);
            } else {
                frames.push(event_messages::evolve_into_frame(self.id, &mut self.game, event, &mut None));
            }
            self.folded += 1;
        };
        TailChunk { frames, more }
    }
}
