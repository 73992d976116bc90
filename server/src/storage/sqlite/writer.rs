//! The thread that owns the writing connection: it takes what is queued, has it committed in one
//! transaction, and answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::checkpoint;
use super::committer::{Committer, Now};
use super::fatal::{Failure, Fatal};
use super::folder::OpenError;
use super::queue::Queue;
use super::requests::Request;
use crate::process::{Priority, lower_priority};
use crate::storage::StoreInstant;
use crate::storage::heartbeat::BEAT_EVERY;
use crate::time::{ServiceClock, unix_now_ms};

/// Requests that may wait; one more is rejected. Appends of games are not: each live game has at most one under way, so
/// their number is bounded, and a game that waits is better than one that is reset.
pub(super) const WAITING_MAX: usize = 65_536;
/// Requests in one transaction: some milliseconds of work. A longer one would make an fsync hardly
/// cheaper for each, and its first request would wait for its last: half a minute after a start ten
/// thousand games go on at once.
const BATCH_MAX: usize = 1_024;
/// How often the thread wakes while games are to be carried forward or indexed, or a heartbeat waits for turns
/// to begin.
const WORK_EVERY: Duration = Duration::from_millis(20);

/// What the writer's thread runs with.
pub(super) struct Writer {
    pub(super) committer: Committer,
    pub(super) queue: Arc<Queue<Request>>,
    pub(super) clock: ServiceClock,
    /// This process's place on the folder's axis.
    pub(super) start: StoreInstant,
    pub(super) restart_wanted: Arc<AtomicBool>,
    pub(super) fatal: Fatal,
}

impl Writer {
    /// Starts the thread. It ends when the queue is closed and empty, and leaves everything in the
    /// database itself and an empty log; or it ends when the disk fails.
    pub(super) fn start(mut self) -> Result<JoinHandle<()>, OpenError> {
        let run = move || {
            // A task that wakes this thread is about to push more, and all of it is to be one transaction.
            lower_priority(Priority::Batch);
            let fatal = self.fatal.clone();
            // What is not answered lives until the process has ended.
            let mut requests = Vec::new();
            if !fatal.guard("writing", || self.run(&mut requests)) {
                // Only tests get here. What waits is not answered, which means: unknown.
                self.queue.abandon();
            }
        };
        std::thread::Builder::new().name("journal-writer".to_owned()).spawn(run).map_err(OpenError::Thread)
    }

    fn run(&mut self, requests: &mut Vec<Request>) -> Result<(), Failure> {
        while self.queue.take_many(requests, BATCH_MAX, self.patience()) {
            self.committer.state.shared.writer.set_writing_since(Some(self.clock.now()));
            self.write(requests)?;
            self.committer.state.shared.writer.set_writing_since(None);
        }
        // Moves everything into the database itself.
        checkpoint::empty(&self.committer.connection).map_err(|error| ("emptying its log", error))
    }

    fn now(&self) -> Now {
        let service = Duration::from_micros(self.clock.now().0);
        Now { at: self.start.after(service), unix_ms: unix_now_ms() }
    }

    fn patience(&self) -> Option<Duration> {
        let state = &self.committer.state;
        if state.segments.0.len() > 1 || !state.backlog.is_empty() {
            Some(WORK_EVERY)
        } else if !state.has_turns() || state.turn_axis.is_stopped() {
            None
        } else {
            let since = self.now().at.0.saturating_sub(state.last_beat.0);
            let least = if state.unsettled_turns.is_empty() { Duration::from_millis(1) } else { WORK_EVERY };
            Some(BEAT_EVERY.saturating_sub(Duration::from_micros(since)).max(least))
        }
    }

    fn write(&mut self, requests: &mut Vec<Request>) -> Result<(), Failure> {
        // Before the clock is read: a turn that has begun by now has begun at a heartbeat of that
        // instant.
        self.committer.settle_turns();
        let now = self.now();
        if !requests.is_empty() || self.committer.has_work(now.at) {
            self.committer.commit(now, requests).map_err(|error| ("writing", error))?;
        }
        if self.restart_wanted.load(Ordering::Relaxed) {
            let is_done = checkpoint::restart(&self.committer.connection)
                .map_err(|error| ("emptying its log", error))?;
            self.restart_wanted.store(!is_done, Ordering::Relaxed);
        }
        Ok(())
    }
}
