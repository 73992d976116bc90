//! The open store of a data folder: requests go to the writer's queue, reads to the reading
//! threads.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use rusqlite::Connection;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::{EpochId, GameId};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Seq;

use super::committer::SegmentSettings;
use super::fatal::Fatal;
use super::folder::{DataFolder, OpenError};
use super::open::{Loaded, load};
use super::queue::Queue;
use super::readers::{self, Job, Reads};
use super::requests::Request;
use super::resting;
use super::search::{self, FoundRows};
use super::shared::Shared;
use super::writer::{WAITING_MAX, Writer};
use super::{archive, checkpoint, ratings, schema, search_index};
use crate::storage::authorization::CodesInMemory;
use crate::storage::damage_log::DamageLog;
use crate::storage::instant::TurnAxis;
use crate::storage::requests::Requests as _;
use crate::storage::{
    Append, ArchiveStore, Corrected, Correction, Counts, FoundPage, GameStore, JournalOffset, Opened, Rater,
    RatingChange, ReadError, Reading, Rebuild, Record, RestMark, Search, Store, StoreInstant, Tail, TurnTime,
    WokenGame, Writing,
};
use crate::sync::unpoisoned;
use crate::time::{ServiceClock, ServiceInstant};

/// What the log says of damage: where it is, and what finds all of it.
const WHERE_DAMAGE_IS: (&str, &str) = ("the data folder", "`zeitnot check` finds all of it");

/// The store of a data folder, with its threads. Dropping it closes it.
pub struct SqliteStore {
    writes: Arc<Queue<Request>>,
    pub(super) reads: Reads,
    pub(super) shared: Arc<Shared>,
    /// Not in the folder: they are good for a minute.
    pub(super) codes: CodesInMemory,
    damage: Arc<DamageLog>,
    /// When this process began to serve.
    start: StoreInstant,
    turn_axis: TurnAxis,
    rater: &'static dyn Rater,
    end_checkpoints: mpsc::SyncSender<()>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    folder: DataFolder,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens the database of a folder, brings it up to date, rebuilds its games, and starts the
    /// threads.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(
        folder: DataFolder,
        segments: SegmentSettings,
        rater: &'static dyn Rater,
        fatal: Fatal,
        clock: &ServiceClock,
        new_epoch: EpochId,
        rebuild: &mut dyn Rebuild,
    ) -> Result<Opened, OpenError> {
        let database = folder.database();
        let Loaded { committer, start, epoch, found, challenges, restrictions, blocks } =
            load(schema::connect(&database)?, segments, rater, new_epoch, rebuild)?;
        let (shared, turn_axis) = (Arc::clone(&committer.state.shared), committer.state.turn_axis);
        let writes = Arc::new(Queue::new(WAITING_MAX));
        let reads = Reads::new();
        let restart_wanted = Arc::new(AtomicBool::new(false));
        let (end_checkpoints, checkpointing) =
            checkpoint::start(&database, Arc::clone(&restart_wanted), clock.clone(), fatal.clone())?;
        let mut threads = reads.start(&database, clock)?;
        let damage = Arc::new(DamageLog::new(clock.clone(), WHERE_DAMAGE_IS));
        let (queue, clock) = (Arc::clone(&writes), clock.clone());
        let writer = Writer { committer, queue, clock, start, restart_wanted, fatal };
        threads.extend([checkpointing, writer.start()?]);
        let threads = Mutex::new(threads);
        let codes = CodesInMemory::default();
        let store = Self {
            writes,
            reads,
            shared,
            codes,
            damage,
            start,
            turn_axis,
            rater,
            end_checkpoints,
            threads,
            folder,
        };
        Ok(Opened { store: Arc::new(store), nodes: None, epoch, found, challenges, restrictions, blocks })
    }

    /// Has something written by the writer. It is asked for when this returns, whether the answer is
    /// waited for or not.
    pub(super) fn write<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Writing<T> {
        let (request, answered) = Request::other(write);
        self.writes.ask_for(request, answered)
    }

    /// An instant of this process on the folder's axis.
    fn instant(&self, at: ServiceInstant) -> StoreInstant {
        self.start.after(Duration::from_micros(at.0))
    }

    /// Has something read by one of the threads of `reads`, unless nobody waits for it any more when its turn comes.
    pub(super) fn read<T: Send + 'static, E: Into<ReadError>>(
        &self,
        reads: &Arc<Queue<Job>>,
        read: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Reading<T> {
        let (answer, answered) = oneshot::channel();
        let damage = Arc::clone(&self.damage);
        let job: Job = Box::new(move |connection| {
            if answer.is_closed() {
                return;
            }
            let found = read(connection).map_err(Into::into);
            if let Err(ReadError::Damaged(what)) = &found {
                damage.note(what);
            }
            // A receiver that is gone does not matter.
            drop(answer.send(found));
        });
        let reads = Arc::clone(reads);
        async move {
            if reads.push(job).is_err() {
                return Err(ReadError::Unavailable("too many reads wait, or the server stops".to_owned()));
            }
            answered.await.unwrap_or_else(|_| Err(ReadError::Unavailable("the read was given up".to_owned())))
        }
        .boxed()
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.close();
    }
}

impl GameStore for SqliteStore {
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
        let (until, shared) = (self.turn_axis.at(self.instant(until)), Arc::clone(&self.shared));
        self.read(&self.reads.games, move |connection| {
            // Those that cannot be woken stay due.
            let mut due = resting::due(connection, until, most + shared.set_aside.len())?;
            due.retain(|game| !shared.set_aside.contains(game));
            due.truncate(most);
            Ok::<_, rusqlite::Error>(due)
        })
    }

    fn tail(&self, game: GameId, from: Seq) -> Reading<Tail> {
        let shared = Arc::clone(&self.shared);
        self.read(&self.reads.games, move |connection| readers::tail(connection, &shared, game, from))
    }

    fn history(&self, game: GameId) -> Reading<Tail> {
        let shared = Arc::clone(&self.shared);
        self.read(&self.reads.histories, move |connection| readers::tail(connection, &shared, game, 1))
    }

    fn rating_changes(&self, game: GameId) -> Reading<Option<ByColor<RatingChange>>> {
        self.read(&self.reads.histories, move |connection| ratings::changes(connection, game))
    }

    fn writing_since(&self) -> Option<ServiceInstant> {
        self.shared.writer.writing_since()
    }
}

impl ArchiveStore for SqliteStore {
    fn correct(&self, game: GameId, correction: Correction) -> Writing<Corrected> {
        let rater = self.rater;
        self.write(move |connection| archive::correct(connection, rater, game, correction))
    }

    fn search(&self, search: Search, before: Option<u64>, most: usize) -> Reading<FoundPage> {
        let damage = Arc::clone(&self.damage);
        self.read(&self.reads.searches, move |connection| {
            // One view of all indexes and of the archive.
            let view = connection.unchecked_transaction()?;
            let FoundRows { ids, next, is_indexing } = search::page(&view, &search, before, most)?;
            let games = archive::games(&view, &damage, &search, &ids)?;
            Ok::<_, ReadError>(FoundPage { games, next: next.map(i64::unsigned_abs), is_indexing })
        })
    }

    fn count(&self, search: Search) -> Reading<Counts> {
        self.read(&self.reads.searches, move |connection| {
            let view = connection.unchecked_transaction()?;
            search::count(&view, &search)
        })
    }

    fn names_by_prefix(&self, prefix: String, most: usize) -> Reading<Vec<String>> {
        self.read(&self.reads.searches, move |connection| {
            Ok::<_, ReadError>(search_index::names_by_prefix(connection, &prefix, most)?)
        })
    }
}

impl Store for SqliteStore {
    fn flush(&self) -> Writing<()> {
        self.write(|_| Ok(()))
    }

    fn deliver(&self, stopping: CancellationToken) -> BoxFuture<'static, ()> {
        let shared = Arc::clone(&self.shared);
        async move { shared.writer.completions.run(stopping).await }.boxed()
    }

    /// Writes what waits, moves the log into the database, and ends the threads.
    fn close(&self) {
        self.reads.close();
        // That thread may have ended.
        self.end_checkpoints.try_send(()).ok();
        self.writes.close();
        let threads = std::mem::take(&mut *unpoisoned(self.threads.lock()));
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a thread of the store died of a bug");
            }
        }
    }
}
