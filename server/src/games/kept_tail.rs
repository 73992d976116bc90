//! The fold of a game that a session keeps between the pieces of one tail, so that a long game is read and folded once
//! and not for each piece.
//!
//! Deliberately absent: what a tail is (`replay`), and when the next piece is asked for (`session::subscriptions`).
//!
//! Invariants: a session keeps at most one fold, and only while there is more of its tail; all of them together keep at
//! most [`EVENTS_MAX`] events. A tail without a fold is answered as well, more slowly.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use super::replay::TailFold;
use crate::sync::unpoisoned;

/// The most events of all kept folds: some 64 MiB. Beyond it the next piece of a tail reads its game again.
pub(super) const EVENTS_MAX: usize = 262_144;

/// What one session keeps. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptTail(Arc<Mutex<Option<Box<Kept>>>>);

#[derive(Debug)]
struct Kept {
    fold: TailFold,
    /// The room that its events take.
    _room: OwnedSemaphorePermit,
}

impl KeptTail {
    /// Takes out the fold that the events after `after` of this game can be made of. Any other is dropped.
    pub(super) fn take(&self, game: GameId, after: Seq, has_ended: bool) -> Option<TailFold> {
        let kept = self.kept().take()?;
        kept.fold.continues(game, after, has_ended).then_some(kept.fold)
    }

    /// Keeps a fold for the next piece, if all that are kept leave room for its events.
    pub(super) fn keep(&self, fold: TailFold, room: &Arc<Semaphore>) {
        let events = u32::try_from(fold.events()).unwrap_or(u32::MAX);
        if let Ok(room) = Arc::clone(room).try_acquire_many_owned(events) {
            *self.kept() = Some(Box::new(Kept { fold, _room: room }));
        }
    }

    fn kept(&self) -> MutexGuard<'_, Option<Box<Kept>>> {
        unpoisoned(self.0.lock())
    }

    /// Whether a fold of this game is kept.
    pub(crate) fn is_of(&self, game: GameId) -> bool {
        self.kept().as_ref().is_some_and(|kept| kept.fold.id() == game)
    }

    /// Whether nothing is kept.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept().is_none()
    }
}
