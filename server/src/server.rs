//! One running server: what its parts share, how it starts and how it stops.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use zeitnot_protocol::EpochId;

use crate::accounts::Accounts;
use crate::config::{Config, JournalKind};
use crate::connections::Connections;
use crate::entropy::Entropy;
use crate::games::{Games, RecoveredGames};
use crate::http::{self, Edge, HttpState, StartSession};
use crate::lobby::{Lobby, LobbyParts};
use crate::net::Addresses;
use crate::process::{Readiness, STOP_WITHIN};
use crate::session::{SessionSettings, Sessions};
#[cfg(test)]
use crate::storage::MemoryStore;
use crate::storage::{self, Location, OpenChallenge, OpenError, Opened, Store};
use crate::tasks::Tasks;
use crate::telemetry;
use crate::time::ServiceClock;
use crate::verdicts::Verdicts;

/// How often the histograms take in what was recorded, and chats that are over are closed.
const TIDY_EVERY: Duration = Duration::from_secs(5);

/// The parts of one server, wired.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) tasks: Tasks,
    pub(crate) games: Games,
    pub(crate) connections: Arc<Connections>,
    pub(crate) sessions: Arc<Sessions>,
    edge: Arc<Edge>,
    store: Arc<dyn Store>,
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

/// What the server keeps, as it was found.
struct Recovered {
    store: Arc<dyn Store>,
    epoch: EpochId,
    games: Games,
    challenges: Vec<OpenChallenge>,
}

impl Server {
    fn open(config: &Config) -> Result<Self, RunError> {
        let clock = ServiceClock::start().map_err(RunError::Clock)?;
        let (entropy, tasks) = (Entropy::from_os(), Tasks::default());
        let verdicts = Verdicts::start(config.verdict_threads, clock.clone()).map_err(RunError::Verdicts)?;
        let location = match config.journal {
            JournalKind::Sqlite => Location::Folder(&config.data),
            JournalKind::Memory => Location::Memory,
        };
        let mut recovered = RecoveredGames::default();
        let Opened { store, epoch, found, challenges } =
            storage::open(location, &clock, entropy.epoch_id(), &mut recovered)?;
        tasks.spawn(store.deliver(tasks.stopping().clone()));
        let games = Games::with_verdicts(Arc::clone(&store), clock.clone(), tasks.clone(), verdicts);
        games.recover_all(recovered, &found.live);
        Ok(Self::around(config, Recovered { store, epoch, games, challenges }, clock, entropy, tasks))
    }

    fn around(
        config: &Config,
        recovered: Recovered,
        clock: ServiceClock,
        entropy: Entropy,
        tasks: Tasks,
    ) -> Self {
        let (Recovered { store, epoch, games, challenges }, limits) = (recovered, config.limits());
        let connections = Arc::new(Connections::new(limits.connections_per_account as usize));
        let addresses = Addresses::new(&limits);
        let accounts = Arc::new(Accounts {
            store: Arc::clone(&store),
            connections: Arc::clone(&connections),
            addresses: Arc::clone(&addresses),
            entropy: entropy.clone(),
            clock: clock.clone(),
        });
        let parts = LobbyParts {
            games: games.clone(),
            connections: Arc::clone(&connections),
            accounts: Arc::clone(&accounts),
            store: Arc::clone(&store),
            clock: clock.clone(),
            entropy: entropy.clone(),
            tasks: tasks.clone(),
        };
        let lobby = Lobby::new(&limits, parts);
        lobby.restore(&challenges);
        let readiness = Readiness::default();
        let edge = Edge::new(config, addresses, readiness.clone(), clock.clone(), tasks.clone());
        let sessions = Sessions {
            games: games.clone(),
            lobby,
            accounts,
            connections: Arc::clone(&connections),
            clock,
            settings: SessionSettings::new(limits, entropy.boot_id(), epoch),
            entropy,
            tasks: tasks.clone(),
        };
        Self {
            tasks,
            games,
            connections,
            sessions: Arc::new(sessions),
            edge: Arc::new(edge),
            store,
            readiness,
        }
    }

    /// What the routes are handed.
    fn http(&self) -> HttpState {
        let sessions = Arc::clone(&self.sessions);
        HttpState {
            games: self.games.clone(),
            lobby: Arc::clone(&sessions.lobby),
            accounts: Arc::clone(&sessions.accounts),
            connections: Arc::clone(&self.connections),
            edge: Arc::clone(&self.edge),
            #[cfg(test)]
            start_echo: crate::http::StartEcho(StartSession(Arc::new(crate::session::start_echo(&sessions)))),
            start_session: StartSession(Arc::new(move |stream, read_ahead, permit, person| {
                sessions.spawn(stream, read_ahead, permit, person);
            })),
        }
    }

    /// On this store, in the runtime's time and without sockets: for tests.
    #[cfg(test)]
    pub(crate) fn on(store: Arc<MemoryStore>) -> Self {
        let (clock, entropy, tasks) = (ServiceClock::of_runtime(), Entropy::from_seed(1), Tasks::default());
        let store: Arc<dyn Store> = store;
        let games = Games::new(Arc::clone(&store), clock.clone(), tasks.clone());
        let epoch = entropy.epoch_id();
        let recovered = Recovered { store, epoch, games, challenges: Vec::new() };
        Self::around(&Config::for_tests(), recovered, clock, entropy, tasks)
    }

    /// Stops: nothing new, every socket closed with 1012, every task waited for. Ends within [`STOP_WITHIN`].
    pub(crate) async fn stop(&self) {
        self.readiness.stop();
        self.store.stop_turns();
        self.connections.stop();
        self.tasks.stop();
        self.games.stop();
        if tokio::time::timeout(STOP_WITHIN, self.tasks.ended()).await.is_err() {
            tracing::warn!(tasks = self.tasks.count(), "some tasks did not end in time");
        }
        // After everything that was told: what is queued is written, the log is emptied.
        self.store.close();
    }
}

/// A server that has its data, with every game of the last run, and takes no connections yet.
#[derive(Debug)]
pub struct Ready(Server);

/// Opens the data and recovers the games in it.
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
        server.tasks.spawn(http::accept(server.http(), listener));
        server.tasks.spawn(tidy(server.tasks.clone(), server.games.clone()));
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

async fn tidy(tasks: Tasks, games: Games) {
    let stopping = tasks.stopping().clone();
    while tokio::time::timeout(TIDY_EVERY, stopping.cancelled()).await.is_err() {
        telemetry::tidy();
        games.sweep_chats();
    }
}
