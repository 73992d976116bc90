//! The open store of a data folder: requests go to the writer's queue, reads to the reading
//! threads.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use rusqlite::Connection;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::{AccountId, ChallengeId, EpochId, GameId};
use zeitnot_rules::game::{PlayerName, Seq};

use super::checkpoint::Checkpointer;
use super::committer::SegmentSettings;
use super::fatal::Fatal;
use super::folder::{DataFolder, OpenError};
use super::open::{Loaded, load};
use super::queue::Queue;
use super::readers::{self, Readers};
use super::requests::Request;
use super::shared::Shared;
use super::writer::{WAITING_MAX, Writer};
use super::{accounts, archive};
use crate::storage::{
    Append, AppendError, FinishedGame, JournalOffset, OpenChallenge, Opened, Person, Reading, Rebuild,
    Record, Store, Tail, TokenDigest, TurnTime, WriteError, Writing,
};
use crate::sync::unpoisoned;
use crate::time::ServiceClock;

/// Why a write was not asked for.
const NOT_TAKEN: &str = "too much waits, or the server stops";
/// Why a write that was asked for has no answer.
const NOT_ANSWERED: &str = "the writer has ended";

/// How a store works.
#[derive(Clone, Debug)]
pub struct SqliteSettings {
    /// A segment with so many rows is followed by the next.
    pub segment_rows: u64,
    /// Live games carried forward in one commit.
    pub carried_per_commit: usize,
    /// What happens when the folder cannot be written.
    pub fatal: Fatal,
}

impl SqliteSettings {
    /// Those of a server: measured to be small enough to drop at once and large enough to be rare.
    #[must_use]
    pub fn of(folder: &DataFolder) -> Self {
        Self { segment_rows: 250_000, carried_per_commit: 4, fatal: Fatal::exit(folder.path()) }
    }
}

/// The store of a data folder, with its threads. Dropping it closes it.
#[derive(Debug)]
pub struct SqliteStore {
    queue: Arc<Queue<Request>>,
    readers: Readers,
    shared: Arc<Shared>,
    checkpointer: Checkpointer,
    /// The writer's first.
    threads: Mutex<Vec<JoinHandle<()>>>,
    _folder: DataFolder,
}

impl SqliteStore {
    /// Opens the database of a folder, brings it up to date, rebuilds its games, and starts the
    /// threads.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(
        folder: DataFolder,
        settings: SqliteSettings,
        clock: &ServiceClock,
        new_epoch: EpochId,
        rebuild: &mut dyn Rebuild,
    ) -> Result<Opened, OpenError> {
        let database = folder.database();
        let segments =
            SegmentSettings { rows: settings.segment_rows, carried_per_commit: settings.carried_per_commit };
        let Loaded { committer, start, epoch, found, challenges } =
            load(&database, segments, new_epoch, rebuild)?;
        let shared = Arc::clone(&committer.state.shared);
        let queue = Arc::new(Queue::new(WAITING_MAX));
        let restart_wanted = Arc::new(AtomicBool::new(false));
        let (checkpointer, checkpointing) =
            Checkpointer::start(&database, Arc::clone(&restart_wanted), settings.fatal.clone())?;
        let (readers, mut reading) = Readers::start(&database)?;
        let (queue_of_writer, clock) = (Arc::clone(&queue), clock.clone());
        let writer =
            Writer { committer, queue: queue_of_writer, clock, start, restart_wanted, fatal: settings.fatal };
        let mut threads = vec![writer.start()?, checkpointing];
        threads.append(&mut reading);
        let threads = Mutex::new(threads);
        let store = Self { queue, readers, shared, checkpointer, threads, _folder: folder };
        Ok(Opened { store: Arc::new(store), epoch, found, challenges })
    }

    /// Asks the writer for something. It is asked for when this returns, whether the answer is
    /// waited for or not.
    fn ask<T: Send + 'static>(&self, request: impl FnOnce(oneshot::Sender<T>) -> Request) -> Writing<T> {
        let (answer, answered) = oneshot::channel();
        if self.queue.push(request(answer)).is_err() {
            return std::future::ready(Err(WriteError(NOT_TAKEN))).boxed();
        }
        async move { answered.await.map_err(|_| WriteError(NOT_ANSWERED)) }.boxed()
    }

    /// Has something read by one of the reading threads.
    fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Reading<T> {
        let readers = self.readers.clone();
        async move {
            readers.ask(move |connection| read(connection).map_err(|error| readers::failed(&error))).await
        }
        .boxed()
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.close();
    }
}

impl Store for SqliteStore {
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        let (answer, effect, append) = Append::waiting();
        match self.queue.push(Request::Append { after, record, answer, effect }) {
            Ok(()) => append,
            Err(_) => Append::answered(Err(AppendError::Failed(NOT_TAKEN.to_owned()))),
        }
    }

    fn note_turn(&self, game: GameId, time: TurnTime) {
        if self.queue.push(Request::Turn { game, time }).is_err() {
            tracing::debug!(%game, "the time of a turn was not noted");
        }
    }

    fn stop_turns(&self) {
        if self.queue.push(Request::StopTurns).is_err() {
            tracing::debug!("the end of the running turns was not noted");
        }
    }

    fn tail(&self, game: GameId, from: Seq) -> Reading<Tail> {
        let (readers, shared) = (self.readers.clone(), Arc::clone(&self.shared));
        async move { readers.ask(move |connection| readers::tail(connection, &shared, game, from)).await }
            .boxed()
    }

    fn finished_games(
        &self,
        account: AccountId,
        before: Option<u64>,
        most: usize,
    ) -> Reading<Vec<FinishedGame>> {
        self.read(move |connection| archive::finished_games(connection, account, before, most))
    }

    fn create_account(&self, account: AccountId, token: TokenDigest, created_unix_ms: u64) -> Writing<()> {
        self.ask(|answer| Request::Account { account, token, created_unix_ms, answer })
    }

    fn account(&self, account: AccountId) -> Reading<Option<Person>> {
        self.read(move |connection| accounts::get(connection, account))
    }

    fn account_by_token(&self, token: TokenDigest) -> Reading<Option<Person>> {
        self.read(move |connection| accounts::by_token(connection, token))
    }

    fn account_by_name(&self, name: PlayerName) -> Reading<Option<Person>> {
        self.read(move |connection| accounts::by_name(connection, name))
    }

    fn rename(&self, account: AccountId, name: PlayerName) -> Writing<Option<u64>> {
        self.ask(|answer| Request::Rename { account, name, answer })
    }

    fn revoke_token(&self, token: TokenDigest) -> Writing<()> {
        self.ask(|answer| Request::RevokeToken { token, answer })
    }

    fn open_challenge(&self, challenge: OpenChallenge) -> Writing<()> {
        self.ask(|answer| Request::OpenChallenge(Box::new(challenge), answer))
    }

    fn close_challenge(&self, challenge: ChallengeId) -> Writing<()> {
        self.ask(|answer| Request::CloseChallenge(challenge, answer))
    }

    fn flush(&self) -> Writing<()> {
        self.ask(Request::Flush)
    }

    fn deliver(&self, stopping: CancellationToken) -> BoxFuture<'static, ()> {
        let shared = Arc::clone(&self.shared);
        async move { shared.completions.run(stopping).await }.boxed()
    }

    /// Writes what waits, moves the log into the database, and ends the threads.
    fn close(&self) {
        self.readers.close();
        self.checkpointer.close();
        self.queue.close();
        let threads = std::mem::take(&mut *unpoisoned(self.threads.lock()));
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a thread of the store died of a bug");
            }
        }
    }
}
