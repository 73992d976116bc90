//! Games as storage has them: folded again from their records.
//!
//! Everything about games that are not live is read here: the state of an ended game, a tail of
//! frames, the answers of its seats, and what a recovery needs.

use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::{Event, Game, GameInstant, Micros, Seq};

use super::answers::Answers;
use super::event_messages;
use crate::connections::{Frame, TailChunk};
use crate::storage::heartbeat::begins_turn;
use crate::storage::{JournalOffset, ReadError, Record, Store, Tail};

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
    pub(crate) async fn read(store: &Arc<dyn Store>, game: GameId) -> Result<Option<Self>, ReadError> {
        let tail = store.tail(game, 1).await?;
        Ok(Self::fold(&tail))
    }
}

/// The frames of the events after `after` and up to `through`, at most [`CHUNK_FRAMES`], and the
/// game after them. `None` when there is no such game.
pub(crate) fn tail_chunk(tail: &Tail, after: Seq, through: Seq) -> Option<(TailChunk, Game)> {
    let mut events = tail.records.iter().flat_map(|record| &record.events);
    let id = tail.records.first()?.game;
    let (mut game, started) = event_messages::start_into_frame(id, events.next()?);
    let mut chunk: Vec<Frame> = Vec::new();
    if after == 0 {
        chunk.push(started);
    }
    let mut more = false;
    for event in events {
        if game.seq() >= through {
            break;
        }
        if chunk.len() >= CHUNK_FRAMES {
            more = true;
            break;
        }
        fold_into(&mut chunk, id, &mut game, event, after);
    }
    Some((TailChunk { frames: chunk, more }, game))
}

fn fold_into(chunk: &mut Vec<Frame>, id: GameId, game: &mut Game, event: &Event, after: Seq) {
    if game.seq() < after {
        game.evolve(event);
    } else {
        chunk.push(event_messages::evolve_into_frame(id, game, event, &mut None));
    }
}
