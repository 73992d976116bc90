//! What the one who writes for a store is asked for, and how: whoever asks never waits for room, and the answer comes when
//! what was asked for is durable.
//!
//! `W` is what a store takes for all that is not of games. Deliberately absent: the queues themselves, in which requests wait
//! for a thread or for a task, and how anything is written.

use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio::sync::oneshot;
use zeitnot_protocol::GameId;

use super::append::EffectWatch;
use super::{
    Append, AppendAnswer, AppendError, JournalOffset, Record, RestMark, StoreInstant, TurnTime, WokenGame,
    WriteError, Writing,
};

/// Why a write was not asked for.
pub(super) const NOT_TAKEN: &str = "too much waits, or the server stops";
/// Why an append was not asked for.
const CLOSED: &str = "the server stops";

/// Something to be written.
pub(crate) enum Request<W> {
    /// Append a record; the first of a game removes the challenge of its id. `effect` sees whether the answer has had its
    /// effect.
    Append {
        after: JournalOffset,
        record: Arc<Record>,
        answer: oneshot::Sender<AppendAnswer>,
        effect: EffectWatch,
    },
    /// Note that a turn was interrupted or goes on.
    Turn { game: GameId, time: TurnTime },
    /// Put a live game to rest.
    Rest {
        game: GameId,
        after: JournalOffset,
        mark: RestMark,
        at: StoreInstant,
        answer: oneshot::Sender<bool>,
    },
    /// Wake a game at rest.
    Wake { game: GameId, at: StoreInstant, answer: oneshot::Sender<Option<WokenGame>> },
    /// Write something else, in the same order.
    Other(W),
    /// The server begins to stop: the running turns are charged up to here and no further.
    StopTurns,
}

/// Where requests wait.
pub(super) trait Requests<W> {
    /// Why a write that was asked for has no answer.
    const NOT_ANSWERED: &'static str;

    /// Adds a request; `false` when as many wait as may, or the store is closed.
    fn ask(&self, request: Request<W>) -> bool;

    /// Adds a request also when as many wait as may; `false` when the store is closed. For requests whose number something
    /// else bounds.
    fn ask_beyond(&self, request: Request<W>) -> bool;

    /// Asks for an append. A game has one under way, so there are never more of them than live games. While what is written to
    /// is slow they wait, and so do their players.
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        let (answer, effect, append) = Append::waiting();
        if self.ask_beyond(Request::Append { after, record, answer, effect }) {
            append
        } else {
            Append::answered(Err(AppendError::Failed(CLOSED.to_owned())))
        }
    }

    /// Asks for a note of a turn.
    fn note_turn(&self, game: GameId, time: TurnTime) {
        if !self.ask(Request::Turn { game, time }) {
            tracing::debug!(%game, "the time of a turn was not noted");
        }
    }

    /// Asks for the end of the running turns.
    fn stop_turns(&self) {
        if !self.ask_beyond(Request::StopTurns) {
            tracing::debug!("the end of the running turns was not noted");
        }
    }

    /// Asks for a game to be put to rest. There are as many such requests as live games, as with appends; a game whose request
    /// is not taken stays live.
    fn rest(&self, game: GameId, after: JournalOffset, mark: RestMark, at: StoreInstant) -> Writing<bool> {
        let (answer, answered) = oneshot::channel();
        let is_taken = self.ask_beyond(Request::Rest { game, after, mark, at, answer });
        answer_to(is_taken, answered, Ok(false), Self::NOT_ANSWERED)
    }

    /// Asks for a game at rest to be woken.
    fn wake(&self, game: GameId, at: StoreInstant) -> Writing<Option<WokenGame>> {
        let (answer, answered) = oneshot::channel();
        self.ask_for(Request::Wake { game, at, answer }, answered)
    }

    /// Adds a request whose answer comes over `answered`.
    fn ask_for<T: Send + 'static>(&self, request: Request<W>, answered: oneshot::Receiver<T>) -> Writing<T> {
        answer_to(self.ask(request), answered, Err(WriteError(NOT_TAKEN)), Self::NOT_ANSWERED)
    }
}

/// The answer to a request, or `not_taken` when nobody took it.
pub(super) fn answer_to<T: Send + 'static>(
    is_taken: bool,
    answered: oneshot::Receiver<T>,
    not_taken: Result<T, WriteError>,
    not_answered: &'static str,
) -> Writing<T> {
    if !is_taken {
        return std::future::ready(not_taken).boxed();
    }
    async move { answered.await.map_err(|_| WriteError(not_answered)) }.boxed()
}
