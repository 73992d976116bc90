//! What the writer is asked for. Everything that is taken from the queue at once is one
//! transaction.

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::queue::Queue;
use crate::storage::completions::{Answer, answering};
use crate::storage::requests::{self, Requests};

/// Something to be written.
pub(crate) type Request = requests::Request<Write>;

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

impl Requests<Write> for Queue<Request> {
    const NOT_ANSWERED: &'static str = "the writer has ended";

    fn ask(&self, request: Request) -> bool {
        self.push(request).is_ok()
    }

    fn ask_beyond(&self, request: Request) -> bool {
        self.push_beyond(request).is_ok()
    }
}
