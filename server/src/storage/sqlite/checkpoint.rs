//! Keeping the log short: moving its pages into the database beside the writer, and starting it
//! over.
//!
//! A PASSIVE checkpoint blocks no writer, but under load the log never ends, so it never starts
//! over by itself. When it is past [`RESTART_PAST`] and nearly all of it is moved, the writer is
//! asked for a RESTART between two transactions: little is left to move, and the next transaction
//! begins the log anew.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

use super::fatal::Fatal;
use super::folder::OpenError;
use super::schema;
use crate::telemetry::metrics;
use crate::time::ServiceClock;

const EVERY: Duration = Duration::from_millis(200);
/// The length of the log from which it is to start over.
const RESTART_PAST: u64 = 16 << 20;
/// What may be left to move then: some milliseconds of work for the writer.
const REST_MAX: u64 = 2 << 20;
/// A page with its head, as the log has it.
const FRAME_BYTES: u64 = 4096 + 24;

/// How a checkpoint went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    busy: bool,
    /// Pages in the log.
    log: u64,
    /// Those that are in the database too.
    moved: u64,
}

impl Progress {
    /// Whether all of the log is in the database.
    fn is_complete(self) -> bool {
        !self.busy && self.moved >= self.log
    }
}

fn checkpoint(connection: &Connection, mode: &str) -> rusqlite::Result<Progress> {
    connection.prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?.query_row([], |row| {
        // Both are -1 when there is no log.
        let count = |at| row.get::<_, i64>(at).map(|count| u64::try_from(count).unwrap_or(0));
        Ok(Progress { busy: row.get::<_, i64>(0)? != 0, log: count(1)?, moved: count(2)? })
    })
}

/// Whether the log is to start over.
fn wants_restart(progress: Progress) -> bool {
    progress.log * FRAME_BYTES > RESTART_PAST && (progress.log - progress.moved) * FRAME_BYTES < REST_MAX
}

/// Moves what is left and lets the next transaction begin the log anew. `false` when a reader is in
/// the way: it is tried again after the next commit. For the writer's connection.
pub(super) fn restart(connection: &Connection) -> rusqlite::Result<bool> {
    connection.busy_timeout(Duration::ZERO)?;
    let progress = checkpoint(connection, "RESTART");
    connection.busy_timeout(schema::BUSY)?;
    match progress {
        Ok(progress) => Ok(!progress.busy),
        // The checkpointing thread is at work just now.
        Err(error) if is_busy(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Moves everything and empties the log: for the end.
pub(super) fn empty(connection: &Connection) -> rusqlite::Result<()> {
    let progress = checkpoint(connection, "TRUNCATE")?;
    if progress.busy {
        tracing::info!("the log of the data folder is not empty: another process reads it");
    }
    Ok(())
}

/// Starts the thread. It sets `restart_wanted` for the writer, and ends when something comes through
/// the sender.
pub(super) fn start(
    database: &Path,
    restart_wanted: Arc<AtomicBool>,
    clock: ServiceClock,
    fatal: Fatal,
) -> Result<(mpsc::SyncSender<()>, JoinHandle<()>), OpenError> {
    let connection = schema::connect(database)?;
    let (end, ended) = mpsc::sync_channel(1);
    let file = database.to_owned();
    let mut moved_at = clock.now();
    let run = move || {
        while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
            match checkpoint(&connection, "PASSIVE") {
                Ok(progress) => {
                    if progress.is_complete() {
                        moved_at = clock.now();
                    }
                    measure(&file, progress, clock.now().since(moved_at));
                    if wants_restart(progress) {
                        restart_wanted.store(true, Ordering::Relaxed);
                    }
                }
                Err(error) if is_busy(&error) => {}
                Err(error) => return Err(("moving its log", error)),
            }
        }
        Ok(())
    };
    let thread = std::thread::Builder::new().name("journal-checkpoint".to_owned());
    let guarded = move || {
        fatal.guard("moving the log of", run);
    };
    Ok((end, thread.spawn(guarded).map_err(OpenError::Thread)?))
}

/// Shows how the database is: its size, its log, and how long ago all of the log was moved.
fn measure(file: &Path, progress: Progress, age: Duration) {
    let metrics = metrics();
    metrics.journal_log_bytes.set((progress.log * FRAME_BYTES) as f64);
    metrics.checkpoint_age_seconds.set(age.as_secs_f64());
    if let Ok(database) = std::fs::metadata(file) {
        metrics.database_bytes.set(database.len() as f64);
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restart_is_wanted_when_the_log_is_long_and_nearly_moved() {
        let progress = |log, moved| Progress { busy: false, log, moved };
        assert!(!wants_restart(progress(1_000, 1_000)));
        assert!(!wants_restart(progress(10_000, 1_000)));
        assert!(wants_restart(progress(10_000, 9_900)));
        assert!(!wants_restart(progress(0, 0)));
    }
}
