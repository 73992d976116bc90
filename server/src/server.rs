//! One running server: what its parts share, how it starts and how it stops.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use zeitnot_protocol::{BootId, CloseCode, CloseReason, EpochId, Limits};

use crate::accounts::Accounts;
use crate::config::Config;
use crate::entropy::Entropy;
use crate::games::Games;
use crate::http::{self, Addresses, Web};
use crate::journal::MemoryJournal;
use crate::lobby::Lobby;
use crate::session::{Bounds, Directory};
use crate::shutdown::{STOP_WITHIN, Stage, StageCell};
use crate::tasks::Tasks;
use crate::telemetry;
use crate::time::ServiceClock;

/// How often the histograms take in what was recorded.
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
    pub(crate) directory: Directory,
    pub(crate) addresses: Arc<Addresses>,
    pub(crate) web: Web,
    pub(crate) limits: Limits,
    /// The same limits as a connection counts with them.
    pub(crate) bounds: Bounds,
    /// This start.
    pub(crate) boot: BootId,
    /// This history of the data: with a journal in memory each start begins a new one.
    pub(crate) epoch: EpochId,
    stage: StageCell,
}

/// Why the server ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The service clock has no thread.
    #[error("the service clock does not start")]
    Clock(#[source] std::io::Error),
}

impl Server {
    fn new(config: &Config) -> Result<Arc<Self>, RunError> {
        let clock = ServiceClock::start().map_err(RunError::Clock)?;
        let (entropy, tasks, limits) = (Entropy::from_os(), Tasks::default(), config.limits());
        let games = Games::new(Arc::new(MemoryJournal::default()), clock.clone(), tasks.clone());
        Ok(Arc::new(Self {
            games,
            accounts: Accounts::default(),
            lobby: Lobby::new(&limits),
            directory: Directory::new(limits.connections_per_account as usize),
            addresses: Addresses::new(&limits),
            web: Web::of(config),
            bounds: Bounds::of(&limits),
            boot: entropy.boot_id(),
            epoch: entropy.epoch_id(),
            stage: StageCell::default(),
            limits,
            clock,
            entropy,
            tasks,
        }))
    }

    /// Whether the server takes connections and games.
    pub(crate) fn is_ready(&self) -> bool {
        self.stage.get() == Stage::Ready
    }

    /// The reason in a close frame: the code, and a come-back time by lot where there is one.
    pub(crate) fn close_reason(&self, code: CloseCode) -> String {
        let retry_ms = self.entropy.between(self.limits.retry_ms_min, self.limits.retry_ms_max);
        CloseReason::new(code, retry_ms).to_text()
    }

    /// Stops: nothing new, every socket closed with 1012, every task waited for. Ends within [`STOP_WITHIN`].
    async fn stop(&self) {
        self.stage.stop();
        self.directory.stop();
        self.tasks.stop();
        self.games.stop();
        if tokio::time::timeout(STOP_WITHIN, self.tasks.ended()).await.is_err() {
            tracing::warn!(tasks = self.tasks.count(), "some tasks did not end in time");
        }
    }
}

/// Serves on `listener` until `shutdown` ends, then stops gracefully within 10 s.
///
/// # Errors
/// When the server cannot start.
pub async fn run(
    config: Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> Result<(), RunError> {
    let server = Server::new(&config)?;
    telemetry::metrics();
    server.tasks.spawn(http::accept(Arc::clone(&server), listener));
    server.tasks.spawn(tidy(Arc::clone(&server)));
    shutdown.await;
    server.stop().await;
    tracing::info!("stopped");
    Ok(())
}

async fn tidy(server: Arc<Server>) {
    let stopping = server.tasks.stopping().clone();
    drop(server);
    while tokio::time::timeout(TIDY_EVERY, stopping.cancelled()).await.is_err() {
        telemetry::tidy();
    }
}
