//! What the routes are handed: each handler asks for the part that it needs.
//!
//! Deliberately absent: the sessions. HTTP hands an upgraded stream to them by [`StartSession`], which `server` wires.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;
use tokio::net::TcpStream;

use crate::accounts::{Accounts, Person};
use crate::config::Config;
use crate::connections::Connections;
use crate::games::Games;
use crate::lobby::Lobby;
use crate::net::{Address, Addresses, Admission, Origin, Permit, Proxies};
use crate::process::Readiness;
use crate::tasks::Tasks;
use crate::time::ServiceClock;

/// The state of the router.
#[derive(Clone, Debug)]
pub(crate) struct HttpState {
    pub(crate) games: Games,
    pub(crate) lobby: Arc<Lobby>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) connections: Arc<Connections>,
    pub(crate) edge: Arc<Edge>,
    pub(crate) start_session: StartSession,
    #[cfg(test)]
    pub(crate) start_echo: StartEcho,
}

macro_rules! handed_out {
    ($($field:ident: $part:ty,)+) => {
        $(impl FromRef<HttpState> for $part {
            fn from_ref(state: &HttpState) -> Self {
                state.$field.clone()
            }
        })+
    };
}

handed_out! {
    games: Games,
    lobby: Arc<Lobby>,
    accounts: Arc<Accounts>,
    connections: Arc<Connections>,
    edge: Arc<Edge>,
    start_session: StartSession,
}

#[cfg(test)]
handed_out! {
    start_echo: StartEcho,
}

/// The edge of the server: what each address has in use, which proxies are trusted, and which
/// origin is ours.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(super) addresses: Arc<Addresses>,
    /// Whose word about a client's address counts.
    pub(super) proxies: Proxies,
    /// Our origin; `None`: what each request calls us.
    pub(super) public_url: Option<Origin>,
    /// How long the head of a request may take.
    pub(super) head_timeout: Duration,
    pub(super) readiness: Readiness,
    pub(super) clock: ServiceClock,
    pub(super) tasks: Tasks,
}

impl Edge {
    /// What the flags say.
    pub(crate) fn new(
        config: &Config,
        addresses: Arc<Addresses>,
        readiness: Readiness,
        clock: ServiceClock,
        tasks: Tasks,
    ) -> Self {
        Self {
            addresses,
            proxies: Proxies::new(config.trusted_proxy.clone()),
            public_url: config.public_url.clone(),
            head_timeout: Duration::from_millis(u64::from(config.patience.head_timeout_ms)),
            readiness,
            clock,
            tasks,
        }
    }

    /// Counts a new connection of an address.
    pub(super) fn admit(&self, address: impl Into<Address>) -> Admission {
        self.addresses.admit(address.into(), self.clock.now())
    }

    /// Whether the other end is a proxy that is believed.
    pub(super) fn trusts(&self, address: IpAddr) -> bool {
        self.proxies.trust(address)
    }
}

/// Starts a session on an upgraded stream: what was read ahead, its place among its address's connections, its account.
type Start = dyn Fn(TcpStream, &[u8], Arc<Permit>, Option<Person>) + Send + Sync;

/// How an upgraded stream becomes a session.
#[derive(Clone)]
pub(crate) struct StartSession(pub(crate) Arc<Start>);

impl fmt::Debug for StartSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StartSession")
    }
}

/// The same for the echo of the RFC 6455 tests.
#[cfg(test)]
#[derive(Clone, Debug)]
pub(crate) struct StartEcho(pub(crate) StartSession);
