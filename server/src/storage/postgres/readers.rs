//! Connections that read, one for each kind of reading, so that no login waits for a search and no game for a history.
//!
//! Reads of one kind are sent one behind the other without waiting. While the database is away they wait for it, for
//! [`PATIENCE`] at most.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Seq;

use super::connection::{Database, Failure, Link};
use super::game_rows;
use crate::storage::damage_log::DamageLog;
use crate::storage::{ReadError, Reading, Tail};

/// Reads of each kind that may wait: one for every socket of a process.
pub(super) const WAITING_MAX: usize = 32_768;
/// How long a read waits for a connection, in all.
const PATIENCE: Duration = Duration::from_secs(5);
/// The time between two attempts to connect.
const AGAIN_AFTER: Duration = Duration::from_millis(100);
/// How often a read is tried whose connection is lost meanwhile.
const TRIES: u8 = 3;

/// How long a search may take: the next one waits for it.
const SEARCH_WITHIN: &str = "SET statement_timeout = '3s'";

/// One kind of reading.
pub(super) struct Reader {
    database: Arc<Database>,
    runtime: Handle,
    damage: Arc<DamageLog>,
    /// What the connection begins with.
    settings: &'static str,
    link: Mutex<Option<Arc<Link>>>,
    waiting: AtomicUsize,
    is_closed: std::sync::atomic::AtomicBool,
}

impl Reader {
    fn new(
        database: &Arc<Database>,
        runtime: &Handle,
        damage: &Arc<DamageLog>,
        settings: &'static str,
    ) -> Arc<Self> {
        Arc::new(Self {
            database: Arc::clone(database),
            runtime: runtime.clone(),
            damage: Arc::clone(damage),
            settings,
            link: Mutex::default(),
            waiting: AtomicUsize::new(0),
            is_closed: false.into(),
        })
    }

    async fn link(&self) -> Result<Arc<Link>, Failure> {
        let mut kept = self.link.lock().await;
        loop {
            if let Some(link) = kept.as_ref().filter(|link| !link.is_closed()) {
                return Ok(Arc::clone(link));
            }
            match self.connect().await {
                Ok(link) => *kept = Some(Arc::new(link)),
                Err(Failure::Dead) => return Err(Failure::Dead),
                Err(_) => tokio::time::sleep(AGAIN_AFTER).await,
            }
        }
    }

    async fn connect(&self) -> Result<Link, Failure> {
        let link = self.database.connect_behind_barrier().await?;
        link.batch_execute(self.settings).await?;
        Ok(link)
    }

    async fn try_to<T, F, Fut>(&self, read: F) -> Result<T, Failure>
    where
        F: Fn(Arc<Link>) -> Fut,
        Fut: Future<Output = Result<T, Failure>>,
    {
        let mut tries = TRIES;
        loop {
            match read(self.link().await?).await {
                Err(Failure::Lost) if tries > 1 => tries -= 1,
                found => return found,
            }
        }
    }

    /// Has something read. `read` may run several times.
    pub(super) fn read<A, T, F, Fut>(self: &Arc<Self>, with: A, read: F) -> Reading<T>
    where
        A: Clone + Send + Sync + 'static,
        T: Send + 'static,
        F: Fn(Arc<Link>, A) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        if self.is_closed.load(Ordering::Relaxed) || self.waiting.load(Ordering::Relaxed) >= WAITING_MAX {
            let why = "too many reads wait, or the server stops".to_owned();
            return std::future::ready(Err(ReadError::Unavailable(why))).boxed();
        }
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let reader = Arc::clone(self);
        let reading = self.runtime.spawn(async move {
            let trying = reader.try_to(|link| read(link, with.clone()));
            let found = tokio::time::timeout(PATIENCE, trying).await.unwrap_or(Err(Failure::Lost));
            reader.waiting.fetch_sub(1, Ordering::Relaxed);
            if let Err(Failure::Damaged(what)) = &found {
                reader.damage.note(what);
            }
            found.map_err(ReadError::from)
        });
        async move {
            let given_up = || ReadError::Unavailable("the read was given up".to_owned());
            reading.await.unwrap_or_else(|_| Err(given_up()))
        }
        .boxed()
    }

    /// Has the tail of a game read, from this event on.
    pub(super) fn tail(self: &Arc<Self>, game: GameId, from: Seq) -> Reading<Tail> {
        let database = Arc::clone(&self.database);
        self.read(database, move |link, database| async move {
            game_rows::tail(&database, &link, game, from).await
        })
    }
}

/// All kinds.
pub(super) struct Reads {
    /// Games that are to go on.
    pub(super) games: Arc<Reader>,
    /// Games that somebody looks at.
    pub(super) histories: Arc<Reader>,
    pub(super) accounts: Arc<Reader>,
    pub(super) searches: Arc<Reader>,
}

impl Reads {
    pub(super) fn new(database: &Arc<Database>, runtime: &Handle, damage: &Arc<DamageLog>) -> Self {
        let reader = |settings| Reader::new(database, runtime, damage, settings);
        let [games, histories, accounts] = [""; 3].map(reader);
        let searches = reader(SEARCH_WITHIN);
        Self { games, histories, accounts, searches }
    }

    /// Takes no more.
    pub(super) fn close(&self) {
        for reader in [&self.games, &self.histories, &self.accounts, &self.searches] {
            reader.is_closed.store(true, Ordering::Relaxed);
        }
    }
}
