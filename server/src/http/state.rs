//! What the routes are handed: each handler asks for the part that it needs.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRef;

use super::error::ApiError;
use super::featured::Featured;
use super::preview::Previews;
use super::route::{Kind, Route};
use crate::accounts::Accounts;
use crate::admin::Admin;
use crate::analysis::Analysis;
use crate::archive::{Archive, Payer};
use crate::config::Config;
use crate::connections::Connections;
use crate::games::{Games, History};
use crate::lobby::Lobby;
use crate::net::{Address, Addresses, Admission, Allowances, Origin, Proxies};
use crate::pictures::Pictures;
use crate::session::Sessions;
use crate::storage::RatingStore;
use crate::tasks::Tasks;
use crate::time::ServiceClock;

/// The state of the router.
#[derive(Clone, Debug)]
pub(crate) struct HttpState {
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) edge: Arc<Edge>,
    pub(crate) history: History,
    pub(crate) admin: Arc<Admin>,
}

macro_rules! handed_out {
    ($($($field:ident).+: $part:ty,)+) => {
        $(impl FromRef<HttpState> for $part {
            fn from_ref(state: &HttpState) -> Self {
                state.$($field).+.clone()
            }
        })+
    };
}

handed_out! {
    sessions.games: Games,
    sessions.lobby: Arc<Lobby>,
    sessions.accounts: Arc<Accounts>,
    sessions.connections: Arc<Connections>,
    edge: Arc<Edge>,
    edge.ratings: Arc<dyn RatingStore>,
    admin: Arc<Admin>,
    history: History,
    edge.archive: Archive,
    edge.analysis: Analysis,
}

/// What has threads of its own, which get what others leave over.
#[derive(Clone, Debug)]
pub(crate) struct Spare {
    pub(crate) analysis: Analysis,
    pub(crate) pictures: Pictures,
}

/// The edge of the server: what each address has in use, which proxies are trusted, and which
/// origin is ours.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(super) addresses: Arc<Addresses>,
    /// What requests cost.
    pub(super) costs: Allowances<Payer>,
    pub(super) archive: Archive,
    pub(super) analysis: Analysis,
    /// A finished game for whoever looks while nobody plays.
    pub(super) featured: Featured,
    /// What links say of themselves, and their pictures.
    pub(super) previews: Previews,
    pub(super) pictures: Pictures,
    pub(super) ratings: Arc<dyn RatingStore>,
    /// Requests on one connection.
    pub(super) requests_per_connection: u32,
    /// Whose word about a client's address counts.
    pub(super) proxies: Proxies,
    /// Our origin; `None`: what each request calls us.
    pub(super) public_url: Option<Origin>,
    /// Whom to tell of a weakness.
    pub(super) security_contact: Option<String>,
    /// How long the head of a request may take.
    pub(super) head_timeout: Duration,
    pub(super) clock: ServiceClock,
    pub(super) tasks: Tasks,
    /// Whether new ones are taken.
    pub(super) connections: Arc<Connections>,
    /// Whether the store is in time.
    pub(super) games: Games,
}

impl Edge {
    /// What the flags say.
    pub(crate) fn new(
        config: &Config,
        sessions: &Sessions,
        ratings: Arc<dyn RatingStore>,
        Spare { analysis, pictures }: Spare,
    ) -> Self {
        let limits = &sessions.settings.limits;
        Self {
            addresses: Arc::clone(&sessions.accounts.addresses),
            costs: Allowances::per_minute(limits.http_cost_per_minute),
            archive: sessions.games.archive().clone(),
            analysis,
            featured: Featured::default(),
            previews: Previews::default(),
            pictures,
            ratings,
            requests_per_connection: limits.http_requests_per_connection,
            proxies: Proxies::new(config.trusted_proxy.clone()),
            public_url: config.public_url.clone(),
            security_contact: config.security_contact.clone(),
            head_timeout: Duration::from_millis(u64::from(config.head_timeout_ms)),
            clock: sessions.clock.clone(),
            tasks: sessions.tasks.clone(),
            connections: Arc::clone(&sessions.connections),
            games: sessions.games.clone(),
        }
    }

    /// Whether sessions may begin here.
    pub(super) fn is_ready(&self) -> bool {
        !self.tasks.is_stopping() && !self.connections.turns_away()
    }

    /// The places in which requests of a route take turns; `None`: nobody waits for another one.
    pub(super) fn places_for(&self, route: Route) -> Option<&Archive> {
        match route.kind {
            Kind::Archive | Kind::ArchiveReads => Some(&self.archive),
            Kind::Position => Some(&self.analysis.positions),
            Kind::Evaluation => Some(&self.analysis.evaluations.places),
            Kind::Lines => Some(&self.analysis.lines.places),
            Kind::DeeperLines => Some(&self.analysis.deeper_lines.places),
            Kind::Picture => Some(&self.pictures.places),
            _ => None,
        }
    }

    /// Counts a new connection of an address.
    pub(super) fn admit(&self, address: impl Into<Address>) -> Admission {
        let (address, now) = (address.into(), self.clock.now());
        let admission = self.addresses.admit(address, now);
        if let Admission::Rejected(_, why) = &admission {
            self.addresses.note_limited(address, ApiError::from(*why).code(), now);
        }
        admission
    }
}
