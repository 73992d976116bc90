//! Games as the journal has them: folded again from their records.
//!
//! Everything that is not live is read here: the state of an ended game, a tail of frames, the answers of its seats, and
//! what an actor needs to take a game up.

use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::game::{Event, Game, GameInstant, Seq};

use super::answers::Answers;
use super::{Frame, TailChunk, frames};
use crate::journal::{Journal, JournalOffset, ReadError, Record, Tail};

/// The most frames of a tail that are made at once.
pub(super) const CHUNK_FRAMES: usize = 64;

/// A game after its last record.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) id: GameId,
    pub(super) game: Game,
    /// The instant of the last record.
    pub(super) last_at: GameInstant,
    /// The offset of the last record.
    pub(super) offset: JournalOffset,
    pub(super) answers: Answers,
}

impl Stored {
    /// The game of its first record.
    ///
    /// # Panics
    /// When the record does not begin a game.
    pub(super) fn begun(record: &Record, offset: JournalOffset) -> Self {
        let game = Game::replay(&record.events);
        Self { id: record.game, game, last_at: record.at, offset, answers: Answers::default() }
    }

    /// The game of all its records; `None` when there are none.
    pub(super) fn fold(tail: &Tail) -> Option<Self> {
        let (first, others) = tail.records.split_first()?;
        let mut stored = Self::begun(first, tail.last);
        for record in others {
            stored.answers.note(&stored.game, record);
            for event in &record.events {
                stored.game.evolve(event);
            }
            stored.last_at = record.at.max(stored.last_at);
        }
        Some(stored)
    }

    /// Reads and folds a game; `None` when there is no such game.
    pub(super) async fn read(journal: &Arc<dyn Journal>, game: GameId) -> Result<Option<Self>, ReadError> {
        let tail = journal.read(game, 1).await?;
        Ok(Self::fold(&tail))
    }
}

/// The frames of the events after `after` and up to `through`, at most [`CHUNK_FRAMES`], and the game behind them. `None`
/// when there is no such game.
pub(super) fn tail_chunk(tail: &Tail, after: Seq, through: Seq) -> Option<(TailChunk, Game)> {
    let mut events = tail.records.iter().flat_map(|record| &record.events);
    let id = tail.records.first()?.game;
    let (mut game, started) = frames::start_into_frame(id, events.next()?);
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
        chunk.push(frames::evolve_into_frame(id, game, event, &mut None));
    }
}
