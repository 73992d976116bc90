//! The open store: what the rest of the server holds of the data folder.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::{AccountId, ChallengeId, EpochId, GameId};
use zeitnot_rules::game::{PlayerName, Seq};

use super::checkpoint::Checkpointer;
use super::committer::SegmentSettings;
use super::open::{Loaded, load};
use super::queue::Queue;
use super::readers::{self, Readers};
use super::recovery::{Found, Rebuild};
use super::requests::{OpenChallenge, Request};
use super::shared::Shared;
use super::writer::{WAITING_MAX, Writer};
use super::{DataFolder, Fatal, OpenError, accounts, archive};
use crate::accounts::Person;
use crate::storage::{
    Append, AppendError, Journal, JournalOffset, Played, ReadError, Reading, Record, TurnTime,
};
use crate::time::ServiceClock;

/// How a store works.
#[derive(Clone, Debug)]
pub struct StoreSettings {
    /// A segment of the journal with so many rows is followed by the next.
    pub segment_rows: u64,
    /// Live games carried forward in one commit.
    pub carried_per_commit: usize,
    /// What happens when the folder cannot be written.
    pub fatal: Fatal,
}

impl StoreSettings {
    /// Those of a server: measured to be small enough to drop at once and large enough to be rare.
    #[must_use]
    pub fn of(folder: &DataFolder) -> Self {
        Self { segment_rows: 250_000, carried_per_commit: 4, fatal: Fatal::exit(folder.path()) }
    }
}

/// The store takes nothing any more, or too much waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the data folder takes nothing now")]
pub struct WriteError;

/// A store and what was in it.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Arc<Store>,
    /// This history of the data.
    pub epoch: EpochId,
    /// The live games, which were rebuilt on the way.
    pub found: Found,
    /// The open challenges, in the order in which they were made.
    pub challenges: Vec<OpenChallenge>,
}

/// See the module.
#[derive(Debug)]
pub struct Store {
    queue: Arc<Queue<Request>>,
    readers: Readers,
    shared: Arc<Shared>,
    checkpointer: Checkpointer,
    /// The writer's first.
    threads: Mutex<Vec<JoinHandle<()>>>,
    _folder: DataFolder,
}

impl Store {
    /// Opens the database of a folder, brings it up to date, rebuilds its games, and starts the threads.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(
        folder: DataFolder,
        settings: StoreSettings,
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
        let store = Arc::new(Self { queue, readers, shared, checkpointer, threads, _folder: folder });
        Ok(Opened { store, epoch, found, challenges })
    }

    fn ask(&self, request: impl FnOnce(oneshot::Sender<()>) -> Request) -> Done {
        let (answer, answered) = oneshot::channel();
        Done(self.queue.push(request(answer)).is_ok().then_some(answered))
    }

    /// Keeps a new account with the hash of its token. Durable when it returns.
    ///
    /// # Errors
    /// When the store takes nothing; it is unknown then whether the account was kept.
    pub async fn create_account(
        &self,
        account: AccountId,
        token_hash: [u8; 32],
        made_unix_ms: u64,
    ) -> Result<(), WriteError> {
        let request = |answer| Request::Account { account, token_hash, made_unix_ms, answer };
        self.ask(request).durable().await
    }

    async fn read_person(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<Option<Person>> + Send + 'static,
    ) -> Result<Option<Person>, ReadError> {
        self.readers.ask(move |connection| read(connection).map_err(|error| readers::failed(&error))).await
    }

    /// The account of a token.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn person_of_token(&self, token_hash: [u8; 32]) -> Result<Option<Person>, ReadError> {
        self.read_person(move |connection| accounts::person_of_token(connection, &token_hash)).await
    }

    /// An account.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn person(&self, account: AccountId) -> Result<Option<Person>, ReadError> {
        self.read_person(move |connection| accounts::person(connection, account)).await
    }

    /// The account of a name, whatever the case of its letters.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn person_named(&self, name: PlayerName) -> Result<Option<Person>, ReadError> {
        self.read_person(move |connection| accounts::person_named(connection, name)).await
    }

    /// Gives an account a name in place of the one it had. It is asked for when this returns, and durable when the returned
    /// future is ready: with `None` when another account has the name, else with the number of this naming. Of two the later
    /// has the higher one.
    pub fn rename(
        &self,
        account: AccountId,
        name: PlayerName,
    ) -> impl Future<Output = Result<Option<u64>, WriteError>> + use<> {
        let (answer, answered) = oneshot::channel();
        let pushed = self.queue.push(Request::Rename { account, name, answer }).is_ok();
        async move { if pushed { answered.await.map_err(|_| WriteError) } else { Err(WriteError) } }
    }

    /// Forgets a token. Durable when it returns.
    ///
    /// # Errors
    /// When the store takes nothing; it is unknown then whether the token is still good.
    pub async fn revoke_token(&self, token_hash: [u8; 32]) -> Result<(), WriteError> {
        self.ask(|answer| Request::RevokeToken { token_hash, answer }).durable().await
    }

    /// Keeps an open challenge. It is asked for when this returns, so before everything that is asked for later, and
    /// durable when the returned future is ready.
    pub fn open_challenge(
        &self,
        challenge: OpenChallenge,
    ) -> impl Future<Output = Result<(), WriteError>> + use<> {
        self.ask(|answer| Request::OpenChallenge(Box::new(challenge), answer)).durable()
    }

    /// Takes a challenge away. Durable when the returned future is ready; it happens also when that is dropped.
    pub fn close_challenge(
        &self,
        challenge: ChallengeId,
    ) -> impl Future<Output = Result<(), WriteError>> + use<> {
        self.ask(|answer| Request::CloseChallenge(challenge, answer)).durable()
    }

    /// Passes answers on until `stopping`, which makes them cheap: to be run as a task by whoever serves from the store.
    pub async fn dispatch(self: Arc<Self>, stopping: CancellationToken) {
        self.shared.completions.run(stopping).await;
    }

    /// Returns when everything that was asked for before is durable.
    ///
    /// # Errors
    /// When the store takes nothing any more.
    pub async fn flush(&self) -> Result<(), WriteError> {
        self.ask(Request::Flush).durable().await
    }

    /// The server begins to stop: from here on the running turns are charged nothing.
    pub fn stop_turns(&self) {
        if self.queue.push(Request::LastBeat).is_err() {
            tracing::debug!("the end of the running turns was not noted");
        }
    }

    /// Writes what waits, moves the log into the database, and ends the threads. Blocks for that long.
    pub fn close(&self) {
        self.readers.close();
        self.checkpointer.close();
        self.queue.close();
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a thread of the journal died of a bug");
            }
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.close();
    }
}

/// An answer under way.
struct Done(Option<oneshot::Receiver<()>>);

impl Done {
    async fn durable(self) -> Result<(), WriteError> {
        match self.0 {
            Some(answered) => answered.await.map_err(|_| WriteError),
            None => Err(WriteError),
        }
    }
}

impl Journal for Store {
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        let (answer, kept, append) = Append::waiting_and_kept();
        match self.queue.push(Request::Append { after, record, answer, kept }) {
            Ok(()) => append,
            Err(_) => {
                Append::answered(Err(AppendError::Failed("too much waits, or the server stops".to_owned())))
            }
        }
    }

    fn note_turn(&self, game: GameId, time: TurnTime) {
        if self.queue.push(Request::Turn { game, time }).is_err() {
            tracing::debug!(%game, "the time of a turn was not noted");
        }
    }

    fn read(&self, game: GameId, from: Seq) -> Reading {
        let (readers, shared) = (self.readers.clone(), Arc::clone(&self.shared));
        Box::pin(async move {
            readers.ask(move |connection| readers::tail(connection, &shared, game, from)).await
        })
    }

    fn played(&self, account: AccountId, before: Option<u64>, most: usize) -> Played {
        let readers = self.readers.clone();
        Box::pin(async move {
            let read = move |connection: &Connection| archive::played(connection, account, before, most);
            readers.ask(move |connection| read(connection).map_err(|error| readers::failed(&error))).await
        })
    }
}
