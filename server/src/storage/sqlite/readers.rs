//! Threads that read, so that no read delays the writer and no thread of the runtime waits for a
//! disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::oneshot;
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use super::folder::OpenError;
use super::game_rows::{self, RowsError};
use super::queue::Queue;
use super::shared::Shared;
use super::{archive, schema};
use crate::storage::{JournalOffset, ReadError, Tail};

/// One can read a long game while the other finds an account.
const THREADS: usize = 2;
/// Reads that may wait: one for every socket of a process.
const WAITING_MAX: usize = 32_768;
/// A game's rows may move once while they are read, hardly twice.
const TRIES: u8 = 3;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// The queue to the reading threads. Clones are the same.
#[derive(Clone)]
pub(super) struct Readers(Arc<Queue<Job>>);

impl std::fmt::Debug for Readers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Readers")
    }
}

impl Readers {
    /// Starts the threads.
    pub(super) fn start(database: &Path) -> Result<(Self, Vec<JoinHandle<()>>), OpenError> {
        let queue = Arc::new(Queue::<Job>::new(WAITING_MAX));
        let mut threads = Vec::new();
        for _ in 0..THREADS {
            let (connection, jobs) = (schema::connect_reader(database)?, Arc::clone(&queue));
            let run = move || {
                while let Some(job) = jobs.take() {
                    // This one read is answered with an error; the thread serves the others.
                    if catch_unwind(AssertUnwindSafe(|| job(&connection))).is_err() {
                        tracing::error!("a read of the store died of a bug");
                    }
                }
            };
            let thread = std::thread::Builder::new().name("journal-reader".to_owned());
            threads.push(thread.spawn(run).map_err(OpenError::Thread)?);
        }
        Ok((Self(queue), threads))
    }

    /// Has something read.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, ReadError> {
        let (answer, answered) = oneshot::channel();
        // A receiver that is gone does not matter.
        let job: Job = Box::new(move |connection| drop(answer.send(read(connection))));
        if self.0.push(job).is_err() {
            return Err(ReadError("too many reads wait, or the server stops".to_owned()));
        }
        answered.await.unwrap_or_else(|_| Err(ReadError("the read was given up".to_owned())))
    }

    /// Lets the threads end when they have read what waits.
    pub(super) fn close(&self) {
        self.0.close();
    }
}

pub(super) fn failed(error: &rusqlite::Error) -> ReadError {
    ReadError(error.to_string())
}

/// The tail of a game, live or ended.
pub(super) fn tail(
    connection: &Connection,
    shared: &Shared,
    game: GameId,
    from: Seq,
) -> Result<Tail, ReadError> {
    let mut last = None;
    for _ in 0..TRIES {
        if shared.set_aside.contains(&game) {
            return Err(ReadError("the game is set aside".to_owned()));
        }
        let Some(head) = shared.heads.get(&game).map(|head| *head) else {
            return archived(connection, game, from);
        };
        match game_rows::read(connection, &shared.segments(), game, head, from) {
            Ok(rows) => {
                return Ok(Tail { records: rows.records, last: JournalOffset(rows.last_seq.into()) });
            }
            Err(error) if error.is_final() => return Err(ReadError(error.to_string())),
            Err(error) => last = Some(error),
        }
    }
    Err(ReadError(last.as_ref().map_or_else(String::new, RowsError::to_string)))
}

fn archived(connection: &Connection, game: GameId, from: Seq) -> Result<Tail, ReadError> {
    let mut records = match archive::get(connection, game).map_err(|error| failed(&error))? {
        None => return Ok(Tail { records: Vec::new(), last: JournalOffset::NONE }),
        Some(Err(error)) => return Err(ReadError(format!("its row in the archive is bad: {error}"))),
        Some(Ok(records)) => records,
    };
    let last = records.last().map_or(0, |record| record.last_seq());
    let wanted = records.partition_point(|record| record.last_seq() < from);
    Ok(Tail { records: records.split_off(wanted), last: JournalOffset(last.into()) })
}
