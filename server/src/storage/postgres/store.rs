//! The open store of a database: requests go to the queues of the tasks that write, reads to the connections that read.
//!
//! The tasks have two threads with a runtime each: one for the journal, so that no login and no search delays a move, and one
//! for all else.

#[cfg(test)]
pub(crate) mod by_hand;

use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;
use zeitnot_protocol::{AccountId, EpochId, GameId};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Seq;

use super::connection::{ClusterUrl, Database, Failure, Link};
use super::fatal::Halt;
use super::journal::Journal;
use super::keeper::Keeper;
use super::nodes::{LobbyEpoch, Membership};
use super::open::{Loaded, OpenError, Rebuilt, load};
use super::queue::Queue;
use super::readers::Reads;
use super::requests::{Beside, Job, NOT_ANSWERED, Request, job};
use super::resting::AXES_APART;
use super::segments::SegmentSettings;
use super::{archive, claims, nodes, people, ratings, resting, search};
use crate::storage::damage_log::DamageLog;
use crate::storage::heartbeat::{Heartbeats, UnsettledTurns};
use crate::storage::instant::TurnAxis;
use crate::storage::requests::{NOT_TAKEN, Requests as _, answer_to};
use crate::storage::writer_state::WriterState;
use crate::storage::{
    Append, ArchiveStore, Corrected, Correction, Counts, FoundPage, GameStore, JournalOffset, NodeStore,
    Nodes, Opened, Owner, Rater, RatingChange, Reading, Rebuild, Record, RestMark, Search, Store,
    StoreInstant, Tail, TurnTime, WokenGame, WriteError, Writing,
};
use crate::sync::unpoisoned;
use crate::time::{ServiceClock, ServiceInstant};

/// Writes that may wait; one more is rejected. Appends of games are not: each live game has at most one under way.
const WAITING_MAX: usize = 65_536;
/// How long a store that is closed waits for a database that is away.
const CLOSE_WITHIN: Duration = Duration::from_secs(4);
/// Batches of games that wait to be rebuilt at a start.
const BATCHES_MAX: usize = 4;

/// What the log says of damage: where it is, and what finds more.
const WHERE_DAMAGE_IS: (&str, &str) = ("the database", "`pg_amcheck` looks for more");

/// The store of a database, with its threads. Dropping it closes it.
pub struct PostgresStore {
    writes: Arc<Queue<Request>>,
    jobs: Arc<Queue<Job>>,
    pub(super) reads: Reads,
    pub(super) writer: Arc<WriterState>,
    damage: Arc<DamageLog>,
    node: i32,
    nodes: Nodes,
    /// When this process began to serve.
    start: StoreInstant,
    turn_axis: TurnAxis,
    rater: &'static dyn Rater,
    /// From here on this process says no more that it lives.
    leaves: CancellationToken,
    gives_up: CancellationToken,
    threads: Mutex<Vec<Thread>>,
}

/// A thread of the store, and what says that it has ended.
struct Thread {
    handle: JoinHandle<()>,
    ended: mpsc::Receiver<()>,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("start", &self.start).finish_non_exhaustive()
    }
}

impl PostgresStore {
    /// Opens a database: checks it, brings it up to date, rebuilds its games, and starts the threads.
    ///
    /// # Errors
    /// See [`OpenError`].
    #[expect(clippy::too_many_arguments, reason = "a start needs all of them, once")]
    pub(super) fn open(
        url: &ClusterUrl,
        boot: Uuid,
        nodes: Nodes,
        settings: SegmentSettings,
        rater: &'static dyn Rater,
        halt: Halt,
        clock: &ServiceClock,
        new_epoch: EpochId,
        rebuild: &mut dyn Rebuild,
    ) -> Result<Opened, OpenError> {
        let database = Arc::new(Database::new(url, boot, halt));
        let gives_up = CancellationToken::new();
        let (writes, writer) = (Arc::new(Queue::new(WAITING_MAX)), Arc::new(WriterState::default()));
        let lobby = LobbyEpoch::default();
        let parts = JournalParts {
            database: Arc::clone(&database),
            queue: Arc::clone(&writes),
            writer: Arc::clone(&writer),
            lobby: lobby.clone(),
            clock: clock.clone(),
            rater,
            settings,
        };
        let (Started { node, start, turn_axis, opening }, journal) =
            start_journal(parts, nodes, &gives_up, new_epoch, rebuild)?;
        let jobs = Arc::new(Queue::new(WAITING_MAX));
        let damage = Arc::new(DamageLog::new(clock.clone(), WHERE_DAMAGE_IS));
        let runtime = runtime()?;
        let reads = Reads::new(&database, runtime.handle(), &damage);
        let keeper = Keeper::new(Arc::clone(&database), None);
        let writing = people::run(keeper, Arc::clone(&jobs));
        let (leaves, mut membership) = (CancellationToken::new(), None);
        let beating = match nodes {
            Nodes::One => nodes::beat(database, gives_up.clone()).boxed(),
            Nodes::Several => {
                let (clock, journal) = (clock.clone(), Arc::clone(&writes));
                let own = Membership::new(&database, node, start, clock, journal, lobby, leaves.clone());
                membership = Some(Arc::new(own) as Arc<dyn NodeStore>);
                nodes::look_for_the_primary(database).boxed()
            }
        };
        let people = start_thread("people", runtime, &gives_up, async move {
            tokio::select! {
                biased;
                () = writing => {}
                () = beating => {}
            }
        })?;
        // In the order in which they end: a process that beats is not one that has left.
        let threads = Mutex::new(vec![people, journal]);
        let store = Self {
            writes,
            jobs,
            reads,
            writer,
            damage,
            node,
            nodes,
            start,
            turn_axis,
            rater,
            leaves,
            gives_up,
            threads,
        };
        Ok(Opened { nodes: membership, ..opening(Arc::new(store)) })
    }

    /// Has something written that is not of games. It is asked for when this returns, whether the answer is waited for or not.
    pub(super) fn write<A, T, F, Fut>(&self, with: A, act: F) -> Writing<T>
    where
        A: Clone + Send + 'static,
        T: Send + 'static,
        F: Fn(Arc<Link>, A) -> Fut + Send + 'static,
        Fut: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let (job, answered) = job(with, act);
        answer_to(self.jobs.push(job), answered, Err(WriteError(NOT_TAKEN)), NOT_ANSWERED)
    }

    /// Has something written whose order with the games counts.
    pub(super) fn write_in_order<A, T, F, Fut>(&self, with: A, act: F) -> Writing<T>
    where
        A: Clone + Send + 'static,
        T: Send + 'static,
        F: Fn(Arc<Link>, A) -> Fut + Send + 'static,
        Fut: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let (job, answered) = job(with, act);
        self.writes.ask_for(Request::Other(Beside::Write(job)), answered)
    }

    /// An instant of this process on the axis of all.
    fn instant(&self, at: ServiceInstant) -> StoreInstant {
        self.start.after(Duration::from_micros(at.0))
    }
}

/// What a journal is made of, beside what a start finds.
struct JournalParts {
    database: Arc<Database>,
    queue: Arc<Queue<Request>>,
    writer: Arc<WriterState>,
    lobby: LobbyEpoch,
    clock: ServiceClock,
    rater: &'static dyn Rater,
    settings: SegmentSettings,
}

/// What a start has found.
struct Started {
    node: i32,
    start: StoreInstant,
    turn_axis: TurnAxis,
    /// All that the server is told, but for the store.
    opening: Box<dyn FnOnce(Arc<dyn Store>) -> Opened + Send>,
}

/// Starts the thread of the journal, and rebuilds the games that it reads.
fn start_journal(
    parts: JournalParts,
    nodes: Nodes,
    gives_up: &CancellationToken,
    new_epoch: EpochId,
    rebuild: &mut dyn Rebuild,
) -> Result<(Started, Thread), OpenError> {
    let (games, reading) = mpsc::sync_channel(BATCHES_MAX);
    let (tell_rebuilt, rebuilt) = mpsc::sync_channel(1);
    let (tell_started, started) = mpsc::sync_channel(1);
    let thread = start_thread("journal", runtime()?, gives_up, async move {
        let database = Arc::clone(&parts.database);
        database.look_for_the_primary().await;
        // An old primary lets what is written wait for its standby for ever: the start fails once another one is promoted.
        let loading = load(Arc::clone(&database), nodes, new_epoch, games, rebuilt);
        match nodes::answered(&database, loading).await {
            Ok(loaded) => {
                let (journal, started) = journal(parts, nodes, loaded);
                // Whoever started it waits for that.
                tell_started.send(Ok(started)).ok();
                journal.run().await;
            }
            Err(error) => {
                tell_started.send(Err(error)).ok();
            }
        }
    })?;
    // When the start has failed meanwhile, it says so.
    tell_rebuilt.send(Rebuilt::of(&reading, rebuild)).ok();
    let died = || OpenError::Failed("its thread died of a bug".to_owned());
    Ok((started.recv().unwrap_or_else(|_| Err(died()))?, thread))
}

fn journal(parts: JournalParts, nodes: Nodes, loaded: Loaded) -> (Journal, Started) {
    let Loaded {
        keeper,
        node,
        start,
        turn_axis,
        games,
        segments,
        epoch,
        found,
        challenges,
        restrictions,
        blocks,
    } = loaded;
    let JournalParts { database, queue, writer, lobby, clock, rater, settings } = parts;
    let journal = Journal {
        database,
        keeper,
        queue,
        writer,
        clock,
        rater,
        node,
        lobby,
        start,
        games,
        resting: found.resting.len(),
        heartbeats: Heartbeats::new(vec![start]),
        last_beat: StoreInstant::default(),
        unsettled_turns: UnsettledTurns::default(),
        turn_axis,
        axes_apart: if nodes == Nodes::Several { AXES_APART } else { Duration::ZERO },
        settings,
        segments,
        completions: Vec::new(),
    };
    let opening = move |store| Opened { store, nodes: None, epoch, found, challenges, restrictions, blocks };
    (journal, Started { node, start, turn_axis, opening: Box::new(opening) })
}

fn runtime() -> Result<Runtime, OpenError> {
    Builder::new_current_thread().enable_all().build().map_err(OpenError::Thread)
}

/// Starts a thread that runs this until it ends, or the store gives up.
fn start_thread(
    name: &str,
    runtime: Runtime,
    gives_up: &CancellationToken,
    run: impl Future<Output = ()> + Send + 'static,
) -> Result<Thread, OpenError> {
    let (tell, ended) = mpsc::sync_channel(1);
    let gives_up = gives_up.clone();
    let run = move || {
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = gives_up.cancelled() => {}
                () = run => {}
            }
        });
        // Reads that are under way are given up.
        runtime.shutdown_background();
        tell.send(()).ok();
    };
    let handle =
        std::thread::Builder::new().name(format!("postgres-{name}")).spawn(run).map_err(OpenError::Thread)?;
    Ok(Thread { handle, ended })
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.close();
    }
}

impl GameStore for PostgresStore {
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        self.writes.append(after, record)
    }

    fn note_turn(&self, game: GameId, time: TurnTime) {
        self.writes.note_turn(game, time);
    }

    fn stop_turns(&self) {
        self.writes.stop_turns();
    }

    fn rest(&self, game: GameId, after: JournalOffset, mark: RestMark, at: ServiceInstant) -> Writing<bool> {
        self.writes.rest(game, after, mark, self.instant(at))
    }

    fn wake(&self, game: GameId, at: ServiceInstant) -> Writing<Option<WokenGame>> {
        self.writes.wake(game, self.instant(at))
    }

    fn due_games(&self, until: ServiceInstant, most: usize) -> Reading<Vec<GameId>> {
        let until = self.turn_axis.at(self.instant(until));
        self.reads
            .games
            .read((until, most), |link, (until, most)| async move { resting::due(&link, until, most).await })
    }

    fn tail(&self, game: GameId, from: Seq) -> Reading<Tail> {
        self.reads.games.tail(game, from)
    }

    fn history(&self, game: GameId) -> Reading<Tail> {
        self.reads.histories.tail(game, 1)
    }

    fn rating_changes(&self, game: GameId) -> Reading<Option<ByColor<RatingChange>>> {
        self.reads.histories.read(game, |link, game| async move { ratings::changes(&link, game).await })
    }

    fn release(&self, games: Vec<GameId>) -> Writing<()> {
        let (answer, answered) = oneshot::channel();
        self.writes.ask_for(Request::Other(Beside::Release { games, answer }), answered)
    }

    fn set_aside(&self, game: GameId, why: String) -> Writing<()> {
        let (answer, answered) = oneshot::channel();
        self.writes.ask_for(Request::Other(Beside::SetAside { game, why, answer }), answered)
    }

    fn confirm(&self) -> Writing<()> {
        let (answer, answered) = oneshot::channel();
        // A game asks once at a time, so there are never more of these than live games.
        let is_taken = self.writes.ask_beyond(Request::Other(Beside::Confirm(answer)));
        answer_to(is_taken, answered, Err(WriteError(NOT_TAKEN)), NOT_ANSWERED)
    }

    fn live_of(&self, account: AccountId) -> Reading<Vec<GameId>> {
        self.reads.games.read(account, |link, account| async move { claims::live_of(&link, account).await })
    }

    fn writing_since(&self) -> Option<ServiceInstant> {
        self.writer.writing_since()
    }

    fn is_shared(&self) -> bool {
        self.nodes == Nodes::Several
    }

    fn owner(&self, game: GameId) -> Reading<Option<Owner>> {
        if !self.is_shared() {
            return std::future::ready(Ok(None)).boxed();
        }
        let with = (self.node, game);
        self.reads
            .games
            .read(with, |link, (node, game)| async move { claims::owner(&link, node, game).await })
    }
}

impl ArchiveStore for PostgresStore {
    fn correct(&self, game: GameId, correction: Correction) -> Writing<Corrected> {
        self.write_in_order((self.rater, game, correction), |link, (rater, game, correction)| async move {
            archive::correct(&link, rater, game, correction).await
        })
    }

    fn search(&self, search: Search, before: Option<u64>, most: usize) -> Reading<FoundPage> {
        let with = (Arc::clone(&self.damage), search, before, most);
        self.reads.searches.read(with, |link, (damage, search, before, most)| async move {
            search::page(&link, &damage, &search, before, most).await
        })
    }

    fn count(&self, search: Search) -> Reading<Counts> {
        self.reads.searches.read(search, |link, search| async move { search::count(&link, &search).await })
    }

    fn names_by_prefix(&self, prefix: String, most: usize) -> Reading<Vec<String>> {
        self.reads.searches.read((prefix, most), |link, (prefix, most)| async move {
            search::names_by_prefix(&link, prefix, most).await
        })
    }
}

impl Store for PostgresStore {
    fn flush(&self) -> Writing<()> {
        let people = self.write((), |_, ()| async { Ok(()) });
        let games = self.write_in_order((), |_, ()| async { Ok(()) });
        async move {
            people.await?;
            games.await
        }
        .boxed()
    }

    fn deliver(&self, stopping: CancellationToken) -> BoxFuture<'static, ()> {
        let writer = Arc::clone(&self.writer);
        async move { writer.completions.run(stopping).await }.boxed()
    }

    /// Writes what waits, for as long as [`CLOSE_WITHIN`] if the database is away, and ends the threads.
    fn close(&self) {
        self.leaves.cancel();
        self.reads.close();
        self.jobs.close();
        self.writes.close();
        let threads = std::mem::take(&mut *unpoisoned(self.threads.lock()));
        for Thread { handle, ended } in threads {
            if ended.recv_timeout(CLOSE_WITHIN).is_err() {
                tracing::warn!(
                    "the database is away: what waits is not written, or it is unknown whether it was"
                );
                self.gives_up.cancel();
            }
            if handle.join().is_err() {
                tracing::error!("a thread of the store died of a bug");
            }
        }
        // Nobody takes what was left.
        self.jobs.abandon();
        self.writes.abandon();
    }
}
