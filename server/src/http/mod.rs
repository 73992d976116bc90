//! HTTP: routes, the browser client, the WebSocket upgrade, health, metrics, games as JSON and PGN, and
//! challenges and players as JSON.
//!
//! HTTP/1.1 only. Nothing here decides about chess or keeps state of its own, but for what an address uses. Before any
//! handler, [`guard`] looks at who asks.

mod accept;
mod challenges;
mod error;
mod games;
mod guard;
mod guest;
mod identity;
mod pgn;
mod players;
mod proof_text;
mod static_files;
mod upgrade;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use http::header;

pub(crate) use accept::accept;
use error::ApiError;

use crate::config::Config;
use crate::net::{Origin, Proxies};
use crate::server::Server;
use crate::telemetry;

/// A request's head must be complete after this time, and an idle connection is closed after it too: a person's browser
/// needs a hundredth of it, and who drips a head octet by octet holds a connection no longer.
pub(crate) const HEAD_TIMEOUT_MS: u32 = 10_000;

/// How the outside is met.
#[derive(Debug)]
pub(crate) struct Web {
    /// Whose word about a client's address counts.
    proxies: Proxies,
    /// Our origin; `None`: what each request calls us.
    public_url: Option<Origin>,
    /// See [`HEAD_TIMEOUT_MS`].
    head_timeout: Duration,
}

impl Web {
    /// What the flags say.
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            proxies: Proxies::new(config.trusted_proxy.clone()),
            public_url: config.public_url.clone(),
            head_timeout: Duration::from_millis(u64::from(config.patience.head_timeout_ms)),
        }
    }
}

/// All paths.
pub(crate) fn routes(server: &Arc<Server>) -> Router {
    let routes = Router::new()
        .route("/", get(static_files::page))
        .route("/assets/{file}", get(static_files::asset))
        .route("/ws", get(upgrade::upgrade))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .route("/api/guest", post(guest::make).delete(guest::revoke))
        .route("/api/me", get(guest::me))
        .route("/api/challenges/{id}", get(challenges::challenge))
        .route("/api/players/{who}", get(players::player))
        .route("/api/players/{who}/games", get(players::games))
        .route("/api/games/{id}", get(games::snapshot))
        .route("/api/games/{id}/pgn", get(games::pgn));
    #[cfg(test)]
    let routes = routes.route("/echo", get(upgrade::echo));
    routes
        .fallback(static_files::page_of)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(axum::middleware::from_fn_with_state(Arc::clone(server), guard::guard))
        .with_state(Arc::clone(server))
}

/// 200 while the server takes connections and games, 503 from the moment it stops.
async fn health(State(server): State<Arc<Server>>) -> Result<&'static str, ApiError> {
    if server.is_ready() { Ok("ready\n") } else { Err(ApiError::NotReady) }
}

async fn metrics() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], telemetry::render())
}
