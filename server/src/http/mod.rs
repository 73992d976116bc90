//! HTTP: routes, the WebSocket upgrade, health, metrics, and games as JSON and PGN.
//!
//! HTTP/1.1 only. Nothing here decides about chess or keeps state of its own, but for what an address uses.

mod accept;
mod address;
mod error;
mod games;
mod pgn;
mod proof_text;
mod upgrade;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::get;
use http::header;

pub(crate) use accept::accept;
pub(crate) use address::{Addresses, Permit};
use error::ApiError;

use crate::server::Server;
use crate::telemetry;

/// All paths.
pub(crate) fn routes(server: &Arc<Server>) -> Router {
    Router::new()
        .route("/", get(home))
        .route("/ws", get(upgrade::upgrade))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .route("/api/games/{id}", get(games::snapshot))
        .route("/api/games/{id}/pgn", get(games::pgn))
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .with_state(Arc::clone(server))
}

/// For people who open the address in a browser.
async fn home() -> impl IntoResponse {
    const TEXT: &str = concat!(
        "Zeitnot ",
        env!("CARGO_PKG_VERSION"),
        ", a realtime chess server.\n\n",
        "Play and watch over the WebSocket at /ws; docs/protocol.md says how, with a 50-line bot to start from.\n",
        "A game as JSON: /api/games/ID    as PGN: /api/games/ID/pgn    health: /healthz    metrics: /metrics\n",
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], TEXT)
}

/// 200 while the server takes connections and games, 503 from the moment it stops.
async fn health(State(server): State<Arc<Server>>) -> Result<&'static str, ApiError> {
    if server.is_ready() { Ok("ready\n") } else { Err(ApiError::NotReady) }
}

async fn metrics() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], telemetry::render())
}
