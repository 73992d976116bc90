//! One running server: what its parts share, how it starts and how it stops.

mod changes;
#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::EpochId;

use crate::accounts::{Accounts, Attempts, Blocks, Computers, Hashing, Mutes, Reporting};
use crate::admin::{self, Admin, AdminAct, AskError, By};
use crate::analysis::Analysis;
use crate::archive::Archive;
use crate::cluster::{self, Bus, BusOptions, BusRejection, BusUser, Router, Standing};
use crate::computer::Computer;
use crate::config::{Config, JournalKind};
use crate::connections::Connections;
use crate::entropy::Entropy;
use crate::games::{Games, GamesRoom, History, RecoveredGames};
use crate::http::{self, Edge, HttpState, Spare};
use crate::lobby::{Lobby, LobbyParts};
use crate::net::{Addresses, Allowances, Origin, Proxies};
use crate::pictures::Pictures;
use crate::process::{DRAIN_WITHIN, STOP_WITHIN};
use crate::ratings::Glicko;
use crate::session::{SessionSettings, Sessions, tell_chats_begun};
#[cfg(test)]
use crate::storage::MemoryStore;
use crate::storage::sqlite::DataFolder;
use crate::storage::{self, ClaimedGame, Location, NodeStore, Nodes, OpenError, Opened, Store};
use crate::tasks::Tasks;
use crate::telemetry;
use crate::time::ServiceClock;
use crate::upkeep::Schedule;
use crate::verdicts::Verdicts;

/// How often the histograms take in what was recorded, and chats that are over are closed.
const TIDY_EVERY: Duration = Duration::from_secs(5);

/// How often the metrics are set that nobody counts.
const MEASURE_EVERY: Duration = Duration::from_secs(1);

/// One server: its parts, wired. It has its data, with every game of the last run, and takes
/// connections when it serves.
#[derive(Debug)]
pub struct Server {
    pub(crate) sessions: Arc<Sessions>,
    edge: Arc<Edge>,
    history: History,
    store: Arc<dyn Store>,
    admin: Arc<Admin>,
    /// How late tasks may run before everything but games is held back.
    scheduling_delay_max: Duration,
    /// The backups that are wanted.
    backups: Option<Schedule>,
    /// Whether this node leaves games that nobody owns to others.
    abstains: Arc<AtomicBool>,
    /// From here on it only stops.
    leaves: CancellationToken,
    /// It has the lobby of all nodes, and they cannot reach it: it is to stop.
    is_outside_with_lobby: CancellationToken,
    /// Where the socket for admins is.
    admin_folder: Option<PathBuf>,
    /// That folder, locked, when the store has none.
    _socket_folder: Option<DataFolder>,
    /// Where browsers find this server.
    public_url: Option<Origin>,
    /// The computer opponent that is wanted.
    computer: Option<Computer>,
}

/// What all parts stand on.
struct Basis {
    spare: Spare,
    hashing: Hashing,
    clock: ServiceClock,
    entropy: Entropy,
    tasks: Tasks,
}

/// What a server needs that is one of several nodes.
struct Among {
    nodes: Arc<dyn NodeStore>,
    bus: Bus,
    options: BusOptions,
    /// Takes what comes over the bus about games.
    games: Arc<dyn BusUser>,
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
    /// The hashes of passwords have no thread.
    #[error("the thread for passwords does not start")]
    Passwords(#[source] std::io::Error),
    /// The analyses of positions have no threads.
    #[error("the threads for analyses do not start")]
    Analysis(#[source] std::io::Error),
    /// The pictures have no thread.
    #[error("the thread for pictures does not start")]
    Pictures(#[source] std::io::Error),
    /// The answers about the archive have no thread.
    #[error("the thread for the archive's answers does not start")]
    Archive(#[source] std::io::Error),
    /// The other nodes cannot reach this one, and it has their lobby.
    #[error(
        "the other nodes do not hear this one over the bus, and it has the lobby of all: it has ended, so that one of them takes \
         the lobby"
    )]
    OutsideWithLobby,
    /// What several nodes need of each other has no thread.
    #[error("the thread for other nodes does not start")]
    Cluster(#[source] std::io::Error),
    /// What the flags say about the bus is not safe.
    #[error(transparent)]
    Bus(#[from] BusRejection),
    /// The data folder cannot be served from.
    #[error(transparent)]
    Data(#[from] OpenError),
}

impl Server {
    /// Opens the data and recovers the games in it.
    ///
    /// # Errors
    /// When the server cannot start.
    ///
    /// # Panics
    /// Outside a runtime.
    pub fn open(config: &Config) -> Result<Self, RunError> {
        telemetry::metrics().build.set(&[
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("format", storage::encoding::FORMAT.to_string()),
            ("schema", storage::sqlite::schema_version().to_string()),
        ]);
        let clock = ServiceClock::start().map_err(RunError::Clock)?;
        let (entropy, tasks) = (Entropy::from_os(), Tasks::default());
        let verdicts = Verdicts::start(config.verdict_threads, clock.clone()).map_err(RunError::Verdicts)?;
        let (boot, bus) = (entropy.node_boot(), config.bus()?);
        let location = match (&config.cluster, config.journal) {
            (Some(url), _) => {
                Location::Database(url, boot, if bus.is_some() { Nodes::Several } else { Nodes::One })
            }
            (None, JournalKind::Sqlite) => Location::Folder(&config.data),
            (None, JournalKind::Memory) => Location::Memory,
        };
        let socket_folder = match &config.cluster {
            // The store has no folder of its own.
            Some(_) => config.admin_folder().map(DataFolder::take).transpose().map_err(OpenError::from)?,
            None => None,
        };
        let mut recovered = RecoveredGames::default();
        let Opened { store, nodes, epoch, found, challenges, restrictions, blocks } =
            storage::open(location, &Glicko, &clock, entropy.epoch_id(), &mut recovered)?;
        tasks.spawn(store.deliver(tasks.stopping().clone()));
        let archive = Archive::start(clock.clone()).map_err(RunError::Archive)?;
        let room = GamesRoom {
            rest_after: Duration::from_secs(config.rest_after_s.into()),
            live_games_max: config.live_games_max as usize,
        };
        let games = Games::with_threads(
            Arc::clone(&store) as _,
            clock.clone(),
            tasks.clone(),
            verdicts,
            archive,
            room,
        );
        let among = nodes.zip(bus).map(|(nodes, options)| {
            let me = cluster::Node { number: nodes.own(), boot: boot.into() };
            let bus = Bus::new(me, clock.clone());
            let games = games.connect(me.number, Arc::new(bus.clone()), entropy.clone());
            Among { nodes, bus, options, games }
        });
        games.recover_all(recovered, &found);
        let hashing = Hashing::start().map_err(RunError::Passwords)?;
        let analysis = Analysis::start(clock.clone()).map_err(RunError::Analysis)?;
        let pictures = Pictures::start(clock.clone()).map_err(RunError::Pictures)?;
        let spare = Spare { analysis, pictures };
        let basis = Basis { spare, hashing, clock, entropy, tasks };
        let mut server = Self::around(config, store, epoch, games, basis);
        server._socket_folder = socket_folder;
        server.sessions.accounts.blocks.restore(&blocks);
        changes::restore(&server.sessions.accounts, &restrictions);
        match among {
            // The challenges come with the lobby, if this node gets it.
            Some(among) => server.join(among, epoch)?,
            None => server.sessions.lobby.restore(&challenges),
        }
        Ok(server)
    }

    /// Takes part in the service of several nodes.
    fn join(&self, Among { nodes, bus, options, games }: Among, epoch: EpochId) -> Result<(), RunError> {
        let Sessions { lobby, clock, tasks, .. } = &*self.sessions;
        let user = Arc::new(Router { games, lobby: lobby.connect(Arc::new(bus.clone())) });
        let (connecting, all) = (bus.clone(), tasks.clone());
        tasks.spawn(async move {
            // All nodes of a database are of its history.
            if let Err(error) = connecting.connect(&options, epoch.as_str(), user, &all).await {
                tracing::error!(%error, "this node has no bus: nobody here follows games of other nodes");
            }
        });
        let (tell_standing, standing) = watch::channel(Standing::default());
        self.heed(standing);
        let abstains = Arc::clone(&self.abstains);
        let joined = cluster::start(nodes, clock.clone(), Some(bus), tell_standing, abstains)
            .map_err(RunError::Cluster)?;
        if let Some(begun) = self.sessions.games.hear_chats_begin() {
            tasks.spawn(tell_chats_begun(Arc::clone(&self.sessions), begun));
        }
        let (taken, lobby, stopping) = (joined.lobby, Arc::clone(lobby), tasks.stopping().clone());
        tasks.spawn(async move {
            if let Some(Ok(taken)) = stopping.run_until_cancelled(taken).await {
                lobby.take(&taken);
            }
        });
        tasks.spawn(changes::take_in(Arc::clone(&self.sessions), joined.changes));
        tasks.spawn(play_on(self.sessions.games.clone(), joined.claimed, tasks.stopping().clone()));
        Ok(())
    }

    fn around(
        config: &Config,
        store: Arc<dyn Store>,
        epoch: EpochId,
        games: Games,
        Basis { spare, hashing, clock, entropy, tasks }: Basis,
    ) -> Self {
        let limits = config.limits();
        let connections = Arc::new(Connections::new(limits.connections_per_account as usize));
        let accounts = Arc::new(Accounts {
            store: Arc::clone(&store) as _,
            connections: Arc::clone(&connections),
            addresses: Addresses::new(&limits),
            namings: Allowances::per_minute(limits.names_per_account_per_minute),
            attempts: Attempts::new(&limits),
            mutes: Mutes::default(),
            blocks: Blocks::default(),
            computers: Computers::default(),
            reporting: Reporting::default(),
            hashing,
            entropy: entropy.clone(),
            clock: clock.clone(),
        });
        let parts = LobbyParts {
            games: games.clone(),
            connections: Arc::clone(&connections),
            accounts: Arc::clone(&accounts),
            store: Arc::clone(&store) as _,
            ratings: Arc::clone(&store) as _,
            clock: clock.clone(),
            entropy: entropy.clone(),
            tasks: tasks.clone(),
        };
        let sessions = Sessions {
            games,
            lobby: Lobby::new(&limits, config.live_games_max as usize, config.bots_in_pools, parts),
            accounts,
            connections,
            clock,
            settings: SessionSettings::new(limits, entropy.boot_id(), epoch),
            entropy,
            tasks,
        };
        let edge = Edge::new(config, &sessions, Arc::clone(&store) as _, spare);
        let scheduling_delay_max = Duration::from_millis(u64::from(config.scheduling_delay_max_ms));
        let backups = config.backups();
        let history = History::new(Arc::clone(&store) as _);
        let (edge, sessions) = (Arc::new(edge), Arc::new(sessions));
        let admin = Arc::new(Admin {
            accounts: Arc::clone(&sessions.accounts),
            lobby: Arc::clone(&sessions.lobby),
            games: sessions.games.clone(),
            history: history.clone(),
            audit: Arc::clone(&store) as _,
            proxies: Proxies::new(config.trusted_proxy.clone()),
            acting: tokio::sync::Mutex::default(),
        });
        let admin_folder = config.admin_folder().map(Path::to_owned);
        let public_url = config.public_url.clone();
        let computer = (!config.no_computer).then(|| Computer { engine: config.computer_engine.clone() });
        Self {
            edge,
            sessions,
            history,
            store,
            admin,
            scheduling_delay_max,
            backups,
            abstains: Arc::default(),
            leaves: CancellationToken::new(),
            is_outside_with_lobby: CancellationToken::new(),
            admin_folder,
            _socket_folder: None,
            public_url,
            computer,
        }
    }

    /// Closes all sockets, and takes no new ones, while this node does not serve. One that has given up gives its games to
    /// others, and if it has the lobby of all nodes it ends: another one takes the lobby then.
    fn heed(&self, mut standing: watch::Receiver<Standing>) {
        let (sessions, abstains) = (Arc::clone(&self.sessions), Arc::clone(&self.abstains));
        let (leaves, ends) = (self.leaves.clone(), self.is_outside_with_lobby.clone());
        let heeding = async move {
            let Sessions { connections, games, lobby, clock, .. } = &*sessions;
            // Nobody says so on a node that is alone.
            while standing.changed().await.is_ok() {
                let Standing { is_cut_off, has_given_up } = *standing.borrow_and_update();
                telemetry::metrics().cut_off.set(f64::from(u8::from(is_cut_off || has_given_up)));
                abstains.store(has_given_up, Ordering::SeqCst);
                if has_given_up {
                    connections.take_no_more();
                    games.release_all(DRAIN_WITHIN).await;
                } else {
                    games.take_on();
                }
                if is_cut_off || has_given_up {
                    connections.turn_away();
                } else {
                    connections.let_in();
                }
                // An append may have been under way for longer.
                while has_given_up && !standing.has_changed().unwrap_or(true) {
                    if lobby.is_for_other_nodes() {
                        tracing::error!("it has the lobby of all nodes, so it ends");
                        return ends.cancel();
                    }
                    games.release_all(DRAIN_WITHIN).await;
                    clock.sleep_until(clock.now() + MEASURE_EVERY).await;
                }
            }
        };
        let stopping = self.sessions.tasks.stopping().clone();
        self.sessions.tasks.spawn(async move {
            tokio::select! {
                biased;
                () = stopping.cancelled() => {}
                () = leaves.cancelled() => {}
                () = heeding => {}
            }
        });
    }

    /// On this store, in the runtime's time and without sockets: for tests.
    #[cfg(test)]
    pub(crate) fn on(store: Arc<MemoryStore>) -> Self {
        Self::among_others(store, 1)
    }

    /// The same with other lots, for several servers on one store.
    #[cfg(test)]
    pub(crate) fn among_others(store: Arc<MemoryStore>, seed: u64) -> Self {
        let (clock, entropy, tasks) =
            (ServiceClock::of_runtime(), Entropy::from_seed(seed), Tasks::default());
        let store: Arc<dyn Store> = store;
        let games = Games::new(Arc::clone(&store) as _, clock.clone(), tasks.clone());
        let epoch = entropy.epoch_id();
        let spare = Spare { analysis: Analysis::in_place(), pictures: Pictures::in_place() };
        let basis = Basis { spare, hashing: Hashing::in_place(), clock, entropy, tasks };
        Self::around(&Config::for_tests(), store, epoch, games, basis)
    }

    /// Serves on `listener` until `shutdown` ends, then stops gracefully: within 10 s, and as one of several nodes within
    /// [`DRAIN_WITHIN`] more.
    ///
    /// # Errors
    /// When it stops because it has the lobby of several nodes, and the others cannot reach it.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> Result<(), RunError> {
        let listens = listener.local_addr().ok();
        let address = listens.map_or_else(String::new, |address| address.to_string());
        // First: whoever is answered over HTTP may act as an admin as well.
        self.begin_admin(&address);
        self.sessions.tasks.spawn(http::accept(self.http_state(), listener));
        self.sessions.tasks.spawn(tidy(Arc::clone(&self.sessions)));
        self.sessions.tasks.spawn(measure(Arc::clone(&self.sessions)));
        if !self.scheduling_delay_max.is_zero() {
            self.sessions.tasks.spawn(probe(Arc::clone(&self.sessions), self.scheduling_delay_max));
        }
        self.begin_backups();
        self.begin_computer(listens);
        let ended = tokio::select! {
            biased;
            () = shutdown => Ok(()),
            () = self.is_outside_with_lobby.cancelled() => Err(RunError::OutsideWithLobby),
        };
        self.drain().await;
        self.stop().await;
        tracing::info!("stopped");
        ended
    }

    /// Does something that whoever runs the server wants done, without serving anybody, and stops.
    ///
    /// # Errors
    /// When it was not done, and why.
    pub async fn act_and_stop(self, act: AdminAct) -> Result<String, AskError> {
        let done = match &self.admin_folder {
            Some(_) => self.admin.perform(act, &By::Console, "").await.map_err(|why| why.to_string()),
            None => Err("the data folder is a temporary one: nothing would be left of it".to_owned()),
        };
        self.stop().await;
        done.map_err(AskError::NotDone)
    }

    /// What the routes are handed.
    pub(crate) fn http_state(&self) -> HttpState {
        HttpState {
            sessions: Arc::clone(&self.sessions),
            edge: Arc::clone(&self.edge),
            history: self.history.clone(),
            admin: Arc::clone(&self.admin),
        }
    }

    /// Takes acts of admins through a socket in the data folder. A server goes on without one.
    fn begin_admin(&self, address: &str) {
        let Some(folder) = &self.admin_folder else { return };
        let site = self.public_url.as_ref().map_or_else(|| format!("http://{address}"), Origin::to_string);
        let listener = match admin::bind(folder) {
            Ok(listener) => listener,
            Err(error) => {
                return tracing::warn!(%error, "no `zeitnot admin`: the data folder can have no socket");
            }
        };
        let admin = Arc::clone(&self.admin);
        let stopping = self.sessions.tasks.stopping().clone();
        self.sessions.tasks.spawn(admin::serve(listener, admin, site, stopping));
    }

    /// Lets the computer opponent connect to this server, as a client like any other.
    fn begin_computer(&self, listens: Option<SocketAddr>) {
        if let Some((computer, listens)) = self.computer.clone().zip(listens) {
            let Sessions { accounts, lobby, tasks, .. } = &*self.sessions;
            let (lobby, stopping) = (Arc::clone(lobby), tasks.stopping().clone());
            let run = computer.run(Arc::clone(accounts), listens, stopping.clone());
            tasks.spawn(async move {
                // Of several nodes one signs in with its accounts.
                if stopping.run_until_cancelled(lobby.until_here()).await.is_some() {
                    run.await;
                }
            });
        }
    }

    fn begin_backups(&self) {
        let Some(backups) = self.backups.clone() else {
            return telemetry::metrics().backup_age_seconds.set(f64::NAN);
        };
        let run = backups.run(self.sessions.tasks.stopping().clone(), RecoveredGames::default);
        self.sessions.tasks.spawn(run);
    }

    /// Serves the metrics on `listener`, until the server stops.
    pub fn serve_metrics(&self, listener: TcpListener) {
        self.sessions.tasks.spawn(http::accept_metrics(Arc::clone(&self.edge), listener));
    }

    /// Gives the live games to other nodes, if there are any: nothing new meanwhile, and sockets stay.
    async fn drain(&self) {
        let Sessions { games, connections, .. } = &*self.sessions;
        if !games.has_other_nodes() {
            return;
        }
        self.leaves.cancel();
        connections.take_no_more();
        self.abstains.store(true, Ordering::SeqCst);
        let began = self.sessions.clock.now();
        let released = games.release_all(DRAIN_WITHIN).await;
        let took_ms = self.sessions.clock.now().since(began).as_millis() as u64;
        tracing::info!(games = released, took_ms, "other nodes play the games on");
    }

    /// Stops: nothing new, every socket closed with 1012, every task waited for. Ends within [`STOP_WITHIN`].
    pub(crate) async fn stop(&self) {
        let Sessions { tasks, games, connections, .. } = &*self.sessions;
        // First, so that nothing begins whose players could be told no more.
        tasks.stop();
        self.store.stop_turns();
        connections.stop();
        games.stop();
        if tokio::time::timeout(STOP_WITHIN, tasks.ended()).await.is_err() {
            tracing::warn!(tasks = tasks.count(), "some tasks did not end in time");
        }
        // After everything that was told: what is queued is written, the log is emptied.
        self.store.close();
    }
}

/// A whole server: opens the data, then serves on `listener` until `shutdown` ends.
///
/// # Errors
/// When the server cannot start, and as [`Server::serve`].
pub async fn run(
    config: Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> Result<(), RunError> {
    Server::open(&config)?.serve(listener, shutdown).await
}

/// Plays on the games that are claimed, until the server stops.
async fn play_on(games: Games, mut claimed: mpsc::Receiver<Vec<ClaimedGame>>, stopping: CancellationToken) {
    while let Some(Some(batch)) = stopping.run_until_cancelled(claimed.recv()).await {
        games.play_on(batch).await;
    }
}

async fn tidy(sessions: Arc<Sessions>) {
    let stopping = sessions.tasks.stopping();
    while tokio::time::timeout(TIDY_EVERY, stopping.cancelled()).await.is_err() {
        telemetry::tidy();
        sessions.games.sweep_chats();
    }
}

async fn measure(sessions: Arc<Sessions>) {
    let stopping = sessions.tasks.stopping();
    while tokio::time::timeout(MEASURE_EVERY, stopping.cancelled()).await.is_err() {
        telemetry::metrics().oldest_append_seconds.set(sessions.games.oldest_append().as_secs_f64());
    }
}

/// Finds out whether tasks run in time, and holds back what is not a game while they do not.
async fn probe(sessions: Arc<Sessions>, delay_max: Duration) {
    let Sessions { tasks, clock, .. } = &*sessions;
    while !tasks.is_stopping() {
        let delay = tasks.overload().probe(clock, delay_max).await;
        telemetry::metrics().scheduling_delay_seconds.record(delay);
        telemetry::metrics().overloaded.set(f64::from(u8::from(tasks.overload().holds_back())));
    }
}
