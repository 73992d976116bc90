//! What the writer is asked for. Everything that is taken from the queue at once is one
//! transaction.

use std::sync::Arc;

use rusqlite::Connection;
use tokio::sync::oneshot;
use zeitnot_protocol::GameId;

use crate::storage::append::EffectWatch;
use crate::storage::{AppendAnswer, JournalOffset, Record, TurnTime};

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
    /// Write something of accounts or challenges.
    Other(Write),
    /// The server begins to stop: the running turns are charged up to here and no further.
    StopTurns,
}

/// What writes something in a transaction.
pub(crate) type Write = Box<dyn FnOnce(&Connection) -> rusqlite::Result<Answer> + Send>;

/// What tells somebody about it after the commit.
pub(crate) type Answer = Box<dyn FnOnce() + Send>;

impl Request {
    /// Has something written, with the answer to it when that is durable.
    pub(super) fn other<T: Send + 'static>(
        write: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> (Self, oneshot::Receiver<T>) {
        let (answer, answered) = oneshot::channel();
        let write = Box::new(move |connection: &Connection| -> rusqlite::Result<Answer> {
            let written = write(connection)?;
            // A receiver that is gone does not matter.
            Ok(Box::new(move || drop(answer.send(written))))
        });
        (Self::Other(write), answered)
    }
}

/// An answer that is sent when the transaction is durable.
pub(super) enum Completion {
    Appended(oneshot::Sender<AppendAnswer>, AppendAnswer),
    Other(Answer),
}

impl Completion {
    /// Answers. A receiver that is gone does not matter.
    pub(super) fn send(self) {
        match self {
            Self::Appended(sender, answer) => drop(sender.send(answer)),
            Self::Other(answer) => answer(),
        }
    }
}
