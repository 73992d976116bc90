//! Reads of the archive: few at a time, and what is made of them by a thread of low priority.
//!
//! A game's PGN or a page of games takes the processor longer than a hundred moves. On the threads that serve games each
//! of them would delay every move behind it, so here a bounded number is read at once, and one thread that yields to
//! all others makes the answers. Moves do not come here.
//!
//! Invariant: at most [`ARCHIVE_READS_MAX`] requests read or make an answer, and [`ARCHIVE_READS_WAITING_MAX`] wait; at
//! most [`ARCHIVE_READS_PER_PAYER_MAX`] of these are one payer's.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use dashmap::DashMap;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::error::ApiError;
use super::payer::Payer;
use crate::process::lower_priority;

/// Requests that read the archive at once: one is read while another's answer is made. Further ones wait.
const ARCHIVE_READS_MAX: usize = 2;

/// Requests that wait for that; one more gets 503 with `Retry-After`. A request waits a few milliseconds for each.
const ARCHIVE_READS_WAITING_MAX: usize = 64;

/// Requests of one address or account that read or wait; one more gets 429. A browser has six connections. So nobody
/// takes all places from the others.
const ARCHIVE_READS_PER_PAYER_MAX: u32 = 8;

/// How long a request waits, at most: then 503 with `Retry-After` tells more than silence.
const ARCHIVE_WAIT_MAX: Duration = Duration::from_secs(2);

/// Answers that wait to be made. A request that was given up leaves its answer here until the thread comes to it.
const ANSWERS_WAITING_MAX: usize = 4 * ARCHIVE_READS_MAX;

type Job = Box<dyn FnOnce() + Send>;

/// The places of requests that read the archive, and the thread that makes their answers.
#[derive(Debug)]
pub(crate) struct Archive {
    reading: Arc<Semaphore>,
    waiting: Semaphore,
    by_payer: DashMap<Payer, u32>,
    jobs: SyncSender<Job>,
}

/// A request that reads, or will. It counts for its payer until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    archive: Arc<Archive>,
    payer: Payer,
    reading: Option<OwnedSemaphorePermit>,
}

impl Turn {
    /// Takes a place among those who read, after a wait if need be.
    pub(crate) async fn begin(&mut self) -> Result<(), ApiError> {
        self.reading = Some(self.archive.enter().await?);
        Ok(())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.archive.by_payer.remove_if_mut(&self.payer, |_, turns| {
            *turns -= 1;
            *turns == 0
        });
    }
}

impl Archive {
    /// Starts the thread. It ends with the last user of this value.
    pub(crate) fn start() -> io::Result<Self> {
        let (jobs, todo) = sync_channel(ANSWERS_WAITING_MAX);
        std::thread::Builder::new().name("archive-answers".to_owned()).spawn(move || work(&todo))?;
        Ok(Self {
            reading: Arc::new(Semaphore::new(ARCHIVE_READS_MAX)),
            waiting: Semaphore::new(ARCHIVE_READS_WAITING_MAX),
            by_payer: DashMap::new(),
            jobs,
        })
    }

    /// A turn for one more request, if its payer has few others.
    pub(crate) fn turn(self: &Arc<Self>, payer: Payer) -> Result<Turn, ApiError> {
        let mut turns = self.by_payer.entry(payer).or_default();
        if *turns >= ARCHIVE_READS_PER_PAYER_MAX {
            return Err(ApiError::TooManyRequests { after_s: 1 });
        }
        *turns += 1;
        Ok(Turn { archive: Arc::clone(self), payer, reading: None })
    }

    async fn enter(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        if let Ok(place) = Arc::clone(&self.reading).try_acquire_owned() {
            return Ok(place);
        }
        let _waiting = self.waiting.try_acquire().map_err(|_| ApiError::Unavailable)?;
        let place = tokio::time::timeout(ARCHIVE_WAIT_MAX, Arc::clone(&self.reading).acquire_owned()).await;
        place.ok().and_then(Result::ok).ok_or(ApiError::Unavailable)
    }

    /// Lets the thread make an answer.
    pub(crate) async fn make<T: Send + 'static>(
        &self,
        make: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (done, made) = oneshot::channel();
        let job = move || {
            // Nobody waits any more for what was given up.
            if !done.is_closed() {
                drop(done.send(make()));
            }
        };
        self.jobs.try_send(Box::new(job)).map_err(|_| ApiError::Unavailable)?;
        made.await.map_err(|_| ApiError::Internal)
    }
}

fn work(jobs: &Receiver<Job>) {
    lower_priority();
    while let Ok(job) = jobs.recv() {
        // This one request is answered with an error; the thread serves the others.
        if catch_unwind(AssertUnwindSafe(job)).is_err() {
            tracing::error!("an answer about the archive died of a bug");
        }
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::AccountId;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn few_read_at_once_some_wait_and_the_others_are_told_to_come_again() {
        let archive = Arc::new(Archive::start().unwrap());
        let mut places = Vec::new();
        for _ in 0..ARCHIVE_READS_MAX {
            places.push(archive.enter().await.unwrap());
        }
        let mut waiting: Vec<_> =
            (0..ARCHIVE_READS_WAITING_MAX).map(|_| tokio_test_spawn(Arc::clone(&archive))).collect();
        tokio::task::yield_now().await;
        assert_eq!(archive.enter().await.unwrap_err(), ApiError::Unavailable, "without a wait");
        drop(places.pop());
        let first = waiting.remove(0).await.unwrap();
        assert!(first.is_ok(), "a place that is given back is the next one's");
        for waited in waiting {
            assert_eq!(waited.await.unwrap().unwrap_err(), ApiError::Unavailable, "after the wait");
        }
        assert!(archive.waiting.available_permits() == ARCHIVE_READS_WAITING_MAX);
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own tasks are not the server's")]
    fn tokio_test_spawn(
        archive: Arc<Archive>,
    ) -> tokio::task::JoinHandle<Result<OwnedSemaphorePermit, ApiError>> {
        tokio::spawn(async move { archive.enter().await })
    }

    #[tokio::test]
    async fn one_payer_has_few_turns_and_leaves_the_others_to_others() {
        let archive = Arc::new(Archive::start().unwrap());
        let [one, other] = [1, 2].map(|account| Payer::Account(AccountId::from_u128(account)));
        let mut turns: Vec<_> =
            (0..ARCHIVE_READS_PER_PAYER_MAX).map(|_| archive.turn(one).unwrap()).collect();
        assert_eq!(archive.turn(one).unwrap_err(), ApiError::TooManyRequests { after_s: 1 });
        assert!(archive.turn(other).is_ok());
        turns[0].begin().await.unwrap();
        turns.remove(0);
        turns.push(archive.turn(one).unwrap());
        assert!(archive.turn(one).is_err());
        drop(turns);
        assert!(archive.by_payer.is_empty(), "nobody is remembered");
        assert_eq!(archive.reading.available_permits(), ARCHIVE_READS_MAX);
    }

    #[tokio::test]
    async fn an_answer_that_dies_is_an_error_and_the_next_one_is_made() {
        let archive = Archive::start().unwrap();
        assert_eq!(archive.make(|| panic!("a bug")).await, Err::<(), _>(ApiError::Internal));
        assert_eq!(archive.make(|| 7).await, Ok(7));
    }
}
