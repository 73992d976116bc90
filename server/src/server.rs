//! One running server: what its parts share, how it starts and how it stops.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use zeitnot_protocol::{BootId, CloseCode, CloseReason, EpochId, Limits};

use crate::accounts::{Accounts, InMemory};
use crate::config::{Config, JournalKind};
use crate::connections::Connections;
use crate::entropy::Entropy;
use crate::games::{Games, RecoveredGames};
use crate::http::{self, Web};
use crate::lobby::{self, Lobby};
use crate::net::Addresses;
use crate::process::{Readiness, STOP_WITHIN};
use crate::session::Bounds;
use crate::storage::sqlite::{DataFolder, OpenChallenge, OpenError, Opened, Store, StoreSettings};
use crate::storage::{Journal, MemoryJournal};
use crate::tasks::Tasks;
use crate::telemetry;
use crate::time::ServiceClock;
use crate::verdicts::Verdicts;

/// How often the histograms take in what was recorded, and talks that are over are closed.
const TIDY_EVERY: Duration = Duration::from_secs(5);

/// What all parts of one server share.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) clock: ServiceClock,
    pub(crate) entropy: Entropy,
    pub(crate) tasks: Tasks,
    pub(crate) games: Games,
    pub(crate) accounts: Accounts,
    pub(crate) lobby: Lobby,
    pub(crate) connections: Connections,
    pub(crate) addresses: Arc<Addresses>,
    pub(crate) web: Web,
    pub(crate) limits: Limits,
    /// The same limits as a connection counts with them.
    pub(crate) bounds: Bounds,
    /// This start.
    pub(crate) boot: BootId,
    /// This history of the data: with a journal in memory each start begins a new one.
    pub(crate) epoch: EpochId,
    /// `None` with a journal in memory.
    store: Option<Arc<Store>>,
    readiness: Readiness,
}

/// Why the server ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The service clock has no thread.
    #[error("the service clock does not start")]
    Clock(#[source] std::io::Error),
    /// The searches for verdicts have no threads.
    #[error("the threads for verdicts do not start")]
    Verdicts(#[source] std::io::Error),
    /// The data folder cannot be served from.
    #[error(transparent)]
    Data(#[from] OpenError),
}

/// Where everything is kept, and what was found there.
struct Kept {
    store: Option<Arc<Store>>,
    epoch: EpochId,
    games: Games,
    accounts: Accounts,
    challenges: Vec<OpenChallenge>,
}

impl Kept {
    fn in_memory(clock: &ServiceClock, entropy: &Entropy, tasks: &Tasks, verdicts: Verdicts) -> Self {
        let journal = Arc::new(MemoryJournal::default());
        Self {
            store: None,
            epoch: entropy.epoch_id(),
            games: Games::with_verdicts(journal, clock.clone(), tasks.clone(), verdicts),
            accounts: Accounts::InMemory(InMemory::default()),
            challenges: Vec::new(),
        }
    }

    fn on_disk(
        data: &Path,
        clock: &ServiceClock,
        entropy: &Entropy,
        tasks: &Tasks,
        verdicts: Verdicts,
    ) -> Result<Self, RunError> {
        let folder = DataFolder::take(data)?;
        let settings = StoreSettings::of(&folder);
        let shown = folder.path().display().to_string();
        let mut rebuilt = RecoveredGames::default();
        let Opened { store, epoch, found, challenges } =
            Store::open(folder, settings, clock, entropy.epoch_id(), &mut rebuilt)?;
        tasks.spawn(Arc::clone(&store).dispatch(tasks.stopping().clone()));
        let journal = Arc::clone(&store) as Arc<dyn Journal>;
        let games = Games::with_verdicts(journal, clock.clone(), tasks.clone(), verdicts);
        games.recover_all(rebuilt, &found.live);
        let (live, set_aside) = (found.live.len(), found.set_aside.len());
        tracing::info!(
            folder = shown,
            live,
            set_aside,
            challenges = challenges.len(),
            "the data folder is open"
        );
        let accounts = Accounts::Stored(Arc::clone(&store));
        Ok(Self { store: Some(store), epoch, games, accounts, challenges })
    }
}

impl Server {
    fn open(config: &Config) -> Result<Arc<Self>, RunError> {
        let clock = ServiceClock::start().map_err(RunError::Clock)?;
        let (entropy, tasks) = (Entropy::from_os(), Tasks::default());
        let verdicts = Verdicts::start(config.verdict_threads, clock.clone()).map_err(RunError::Verdicts)?;
        let kept = match config.journal {
            JournalKind::Memory => Kept::in_memory(&clock, &entropy, &tasks, verdicts),
            JournalKind::Sqlite => Kept::on_disk(&config.data, &clock, &entropy, &tasks, verdicts)?,
        };
        Ok(Self::around(config, kept, clock, entropy, tasks))
    }

    fn around(config: &Config, kept: Kept, clock: ServiceClock, entropy: Entropy, tasks: Tasks) -> Arc<Self> {
        let (Kept { store, epoch, games, accounts, challenges }, limits) = (kept, config.limits());
        let server = Arc::new(Self {
            games,
            accounts,
            lobby: Lobby::new(&limits, store.clone()),
            connections: Connections::new(limits.connections_per_account as usize),
            addresses: Addresses::new(&limits),
            web: Web::of(config),
            bounds: Bounds::of(&limits),
            boot: entropy.boot_id(),
            epoch,
            store,
            readiness: Readiness::default(),
            limits,
            clock,
            entropy,
            tasks,
        });
        lobby::restore(&server, &challenges);
        server
    }

    /// On this journal, in the runtime's time and without sockets: for tests.
    #[cfg(test)]
    pub(crate) fn on(journal: Arc<MemoryJournal>) -> Arc<Self> {
        let (clock, entropy, tasks) = (ServiceClock::of_runtime(), Entropy::from_seed(1), Tasks::default());
        let games = Games::new(journal, clock.clone(), tasks.clone());
        let kept = Kept { games, ..Kept::in_memory(&clock, &entropy, &tasks, Verdicts::in_place()) };
        Self::around(&Config::for_tests(), kept, clock, entropy, tasks)
    }

    /// Whether the server takes connections and games.
    pub(crate) fn is_ready(&self) -> bool {
        self.readiness.is_ready()
    }

    /// The reason in a close frame: the code, and a come-back time by lot where there is one.
    pub(crate) fn close_reason(&self, code: CloseCode) -> String {
        let retry_ms = self.entropy.between(self.limits.retry_ms_min, self.limits.retry_ms_max);
        CloseReason::new(code, retry_ms).to_text()
    }

    /// Stops: nothing new, every socket closed with 1012, every task waited for. Ends within [`STOP_WITHIN`].
    pub(crate) async fn stop(&self) {
        self.readiness.stop();
        if let Some(store) = &self.store {
            store.stop_turns();
        }
        self.connections.stop();
        self.tasks.stop();
        self.games.stop();
        if tokio::time::timeout(STOP_WITHIN, self.tasks.ended()).await.is_err() {
            tracing::warn!(tasks = self.tasks.count(), "some tasks did not end in time");
        }
        // Behind everything that was told: what is queued is written, the log is emptied.
        if let Some(store) = &self.store {
            store.close();
        }
    }
}

/// A server that has its data, with every game of the last run, and takes no connections yet.
#[derive(Debug)]
pub struct Ready(Arc<Server>);

/// Opens the data and takes up the games in it.
///
/// # Errors
/// When the server cannot start.
///
/// # Panics
/// Outside a runtime.
pub fn open(config: &Config) -> Result<Ready, RunError> {
    telemetry::metrics();
    Ok(Ready(Server::open(config)?))
}

impl Ready {
    /// Serves on `listener` until `shutdown` ends, then stops gracefully within 10 s.
    pub async fn serve(self, listener: TcpListener, shutdown: impl Future<Output = ()>) {
        let Self(server) = self;
        server.tasks.spawn(http::accept(Arc::clone(&server), listener));
        server.tasks.spawn(tidy(Arc::clone(&server)));
        shutdown.await;
        server.stop().await;
        tracing::info!("stopped");
    }
}

/// A whole server: opens the data, then serves on `listener` until `shutdown` ends.
///
/// # Errors
/// When the server cannot start.
pub async fn run(
    config: Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> Result<(), RunError> {
    open(&config)?.serve(listener, shutdown).await;
    Ok(())
}

async fn tidy(server: Arc<Server>) {
    let (stopping, games) = (server.tasks.stopping().clone(), server.games.clone());
    drop(server);
    while tokio::time::timeout(TIDY_EVERY, stopping.cancelled()).await.is_err() {
        telemetry::tidy();
        games.sweep_chats();
    }
}
