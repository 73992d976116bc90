//! The open store: what the rest of the server holds of the data folder.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, TransactionBehavior};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::{AccountId, ChallengeId, EpochId, GameId};
use zeitnot_rules::game::Seq;

use super::chain::{Segment, Segments};
use super::checkpoint::Checkpointer;
use super::ledger::{Books, Ledger, SegmentSettings};
use super::queue::Queue;
use super::readers::{self, Readers};
use super::recovery::{Found, FoundGame, Rebuild, Scan, Scanned};
use super::requests::{OpenChallenge, Request};
use super::shared::Shared;
use super::writer::{WAITING_MAX, Writer};
use super::{DataFolder, Fatal, OpenError, archive, facts, people, rollover, schema};
use crate::journal::encoding::Mark;
use crate::journal::heartbeat::{Pulse, START_GAP, StoreInstant};
use crate::journal::{Append, AppendError, Journal, JournalOffset, ReadError, Reading, Record, TurnTime};
use crate::telemetry::metrics;
use crate::time::{ServiceClock, unix_now_ms};

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

/// A ledger on what was found, before any thread.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) ledger: Ledger,
    pub(crate) start: StoreInstant,
    pub(crate) epoch: EpochId,
    pub(crate) found: Found,
    pub(crate) challenges: Vec<OpenChallenge>,
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
        let Loaded { ledger, start, epoch, found, challenges } =
            load(&database, segments, new_epoch, rebuild)?;
        let shared = Arc::clone(&ledger.books.shared);
        let queue = Arc::new(Queue::new(WAITING_MAX));
        let restart_wanted = Arc::new(AtomicBool::new(false));
        let (checkpointer, checkpointing) =
            Checkpointer::start(&database, Arc::clone(&restart_wanted), settings.fatal.clone())?;
        let (readers, mut reading) = Readers::start(&database)?;
        let (queue_of_writer, clock) = (Arc::clone(&queue), clock.clone());
        let writer =
            Writer { ledger, queue: queue_of_writer, clock, start, restart_wanted, fatal: settings.fatal };
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

    /// The account of a token.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn account_of_token(&self, token_hash: [u8; 32]) -> Result<Option<AccountId>, ReadError> {
        let read = move |connection: &Connection| people::account_of_token(connection, &token_hash);
        self.readers.ask(move |connection| read(connection).map_err(|error| readers::failed(&error))).await
    }

    /// Whether there is such an account.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn account_exists(&self, account: AccountId) -> Result<bool, ReadError> {
        let read = move |connection: &Connection| people::account_exists(connection, account);
        self.readers.ask(move |connection| read(connection).map_err(|error| readers::failed(&error))).await
    }

    /// Keeps an open challenge. Durable when it returns.
    ///
    /// # Errors
    /// When the store takes nothing.
    pub async fn open_challenge(&self, challenge: OpenChallenge) -> Result<(), WriteError> {
        self.ask(|answer| Request::OpenChallenge(Box::new(challenge), answer)).durable().await
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
        self.shared.dispatch.run(stopping).await;
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

    fn push(&self, after: JournalOffset, record: Arc<Record>, challenge: Option<ChallengeId>) -> Append {
        let (answer, append) = Append::waiting();
        match self.queue.push(Request::Append { after, record, challenge, answer }) {
            Ok(()) => append,
            Err(_) => {
                Append::answered(Err(AppendError::Failed("too much waits, or the server stops".to_owned())))
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
        self.push(after, record, None)
    }

    fn begin(&self, record: Arc<Record>, challenge: Option<ChallengeId>) -> Append {
        self.push(JournalOffset::NONE, record, challenge)
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
}

/// Opens a database and reads everything.
pub(super) fn load(
    database: &Path,
    settings: SegmentSettings,
    new_epoch: EpochId,
    rebuild: &mut dyn Rebuild,
) -> Result<Loaded, OpenError> {
    load_from(schema::connect(database)?, settings, new_epoch, rebuild)
}

/// Brings a database up to date and reads everything: beside the lock of the folder all that a start needs to be right. A
/// simulation gives a database in memory; what a crash leaves of a [`Ledger`] is its connection.
pub(crate) fn load_from(
    mut connection: Connection,
    settings: SegmentSettings,
    new_epoch: EpochId,
    rebuild: &mut dyn Rebuild,
) -> Result<Loaded, OpenError> {
    schema::migrate(&mut connection, schema::STEPS)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let epoch = facts::epoch(&transaction, new_epoch)?;
    let mut segments = Segments::load(&transaction)?;
    if segments.0.is_empty() {
        let first = Segment { number: 1, first_id: 1 };
        rollover::create(&transaction, first)?;
        segments.0.push(first);
    }
    let mut scan = Scan::new(Pulse::new(starts(&transaction)?), rebuild);
    scan.read(&transaction, &segments)?;
    let (latest, next_id) = (scan.latest(), scan.next_id);
    let Scanned { mut live, set_aside, pulse } = scan.finish(&transaction)?;
    for (game, why) in &set_aside {
        tracing::error!(%game, why, "a game is set aside: it cannot be played on, its rows are kept");
        archive::keep_rows(&transaction, &segments, *game)?;
        metrics().games_set_aside.increment(1);
    }
    let start = latest.after(START_GAP);
    transaction.execute("INSERT INTO starts VALUES (?1, ?2)", [start.0, unix_now_ms()])?;
    let challenges = people::challenges(&transaction)?;
    transaction.commit()?;
    let mut found = Found { live: Vec::with_capacity(live.len()), set_aside };
    for (game, live) in &mut live {
        let spent = pulse.spent(live.mark);
        live.mark = Mark::Stands { spent };
        found.live.push(FoundGame { game: *game, offset: JournalOffset(live.last_seq.into()), spent });
    }
    let shared = Arc::new(Shared::new(segments.clone()));
    let newest = segments.newest();
    let old = live.iter().filter(|(_, live)| live.base != newest.number).map(|(game, _)| *game);
    let books = Books {
        settings,
        to_carry: old.collect(),
        set_aside: found.set_aside.iter().map(|(game, _)| *game).collect::<HashSet<_>>(),
        insert: rollover::insert_sql(newest),
        segments,
        next_id,
        pulse: Pulse::new(vec![start]),
        last_beat: StoreInstant::default(),
        games: live.into_iter().collect(),
        shared,
        beats_are_over: false,
        buffer: Vec::new(),
        outcomes: Vec::new(),
        changes: Vec::new(),
    };
    for (game, live) in &books.games {
        books.shared.heads.insert(*game, live.head);
    }
    for game in &books.set_aside {
        books.shared.set_aside.insert(*game);
    }
    Ok(Loaded { ledger: Ledger { connection, books }, start, epoch, found, challenges })
}

fn starts(connection: &Connection) -> rusqlite::Result<Vec<StoreInstant>> {
    let mut statement = connection.prepare("SELECT at FROM starts")?;
    statement.query_map([], |row| row.get(0).map(StoreInstant))?.collect()
}
