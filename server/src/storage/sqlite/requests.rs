//! What the writer is asked for. Everything that is taken from the queue at once is one
//! transaction.

use std::sync::Arc;

use rusqlite::Connection;
use tokio::sync::oneshot;
use zeitnot_protocol::GameId;

use crate::storage::append::EffectWatch;
use crate::storage::completions::{Answer, answering};
use crate::storage::{AppendAnswer, JournalOffset, Record, RestMark, StoreInstant, TurnTime, WokenGame};

/// Something to be written.
pub(crate) enum Request {
    /// Append a record; the first of a game removes the challenge of its id. `effect` sees whether
    /// the answer has had its effect.
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
    /// Write something of accounts or challenges.
    Other(Write),
    /// The server begins to stop: the running turns are charged up to here and no further.
    StopTurns,
}

/// What writes something in a transaction.
pub(crate) type Write = Box<dyn FnOnce(&Connection) -> rusqlite::Result<Answer> + Send>;

impl Request {
    /// Has something written, with the answer to it when that is durable.
    pub(super) fn other<T: Send + 'static>(
        write: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> (Self, oneshot::Receiver<T>) {
        let (answer, answered) = oneshot::channel();
        let write = Box::new(move |connection: &Connection| -> rusqlite::Result<Answer> {
            let written = write(connection)?;
            Ok(answering(answer, written))
        });
        (Self::Other(write), answered)
    }
}
