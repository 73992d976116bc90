//! HTTP: routes, the browser client, the WebSocket upgrade, health, metrics (on their own port), games as JSON and PGN,
//! challenges and players as JSON, and accounts as JSON and as pages.
//!
//! HTTP/1.1 only. Nothing here decides about chess or keeps state of its own, but for what an address uses. Before any
//! handler, [`guard`] looks at who asks.

mod accept;
mod account;
mod challenges;
mod connection;
mod error;
mod games;
mod guard;
mod guest;
mod identity;
mod players;
mod route;
mod search;
mod search_query;
mod state;
mod static_files;
mod upgrade;
mod well_known;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::{delete, get, post};
use http::header;

pub(crate) use accept::{accept, accept_metrics};
use error::ApiError;
use route::Route;
pub(crate) use state::{Edge, HttpState};

use crate::{process, telemetry};

/// All paths.
fn routes(state: HttpState) -> Router {
    let guard = axum::middleware::from_fn_with_state(state.clone(), guard::guard);
    let routes = Router::new()
        .route("/", get(static_files::page))
        .route("/assets/{file}", get(static_files::asset))
        .route("/robots.txt", get(well_known::robots))
        .route("/favicon.ico", get(well_known::favicon))
        .route("/.well-known/security.txt", get(well_known::security))
        .route("/ws", get(upgrade::upgrade))
        .route("/healthz", get(health))
        .route("/api/guest", post(guest::make).delete(guest::revoke))
        .route("/api/me", get(guest::me))
        .route("/api/account", get(account::api::account))
        .route("/api/account/register", post(account::api::register))
        .route("/api/account/sign-in", post(account::api::sign_in))
        .route("/api/account/sign-out", post(account::api::sign_out))
        .route("/api/account/sign-out-everywhere", post(account::api::sign_out_everywhere))
        .route("/api/account/sessions", get(account::api::sessions))
        .route("/api/account/sessions/{id}", delete(account::api::end_session))
        .route("/api/account/tokens", get(account::api::tokens).post(account::api::make_token))
        .route("/api/account/tokens/{id}", delete(account::api::revoke_token))
        .route("/api/account/bot", post(account::api::bot))
        .route("/api/account/password", post(account::api::password))
        .route("/api/account/recovery-codes", post(account::api::recovery_codes))
        .route("/api/account/recover", post(account::api::recover))
        .route("/api/account/close", post(account::api::close))
        .route("/api/account/export", get(account::api::export))
        .route("/sign-in", get(account::pages::sign_in_form).post(account::pages::sign_in))
        .route("/register", get(account::pages::register_form).post(account::pages::register))
        .route("/account", get(account::pages::account).post(account::pages::act))
        .route("/forms.css", get(account::pages::style))
        .route("/api/challenges/{id}", get(challenges::challenge))
        .route("/api/players/{who}", get(players::player))
        .route("/api/players/{who}/games", get(players::games))
        .route("/api/players/{who}/ratings/{category}", get(players::ratings))
        .route("/api/games", get(search::search))
        .route("/api/games/count", get(search::count))
        .route("/api/games/export", get(search::export))
        .route("/api/games/{id}", get(games::snapshot))
        .route("/api/games/{id}/pgn", get(games::pgn));
    #[cfg(test)]
    let routes = routes.route("/echo", get(upgrade::echo));
    routes
        .fallback(static_files::page_of)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(guard)
        .with_state(state)
}

/// The paths of the port for metrics.
fn metrics_routes(edge: Arc<Edge>) -> Router {
    let routes = Router::new().route("/metrics", get(metrics)).route("/healthz", get(health));
    let routes = routes.fallback(async || ApiError::NotFound).with_state(edge);
    routes.layer(axum::middleware::map_response(async |mut response: axum::response::Response| {
        response.extensions_mut().insert(Route::METRICS);
        response
    }))
}

/// Serves one connection that is no socket, for the fuzz targets: an upgrade is answered, and then comes no session.
#[cfg(any(test, fuzzing))]
pub(crate) async fn serve_one(state: HttpState, stream: tokio::io::DuplexStream, ip: std::net::IpAddr) {
    let edge = Arc::clone(&state.edge);
    let crate::net::Admission::Served(permit) = edge.admit(ip) else { return };
    connection::serve(edge, routes(state), stream, guard::Peer { ip, permit: Some(Arc::new(permit)) }).await;
}

/// How long the oldest append may wait. From then on the disk is taken to hang: a move waits for its fsync, so no game goes
/// on, and whoever watches the server is told with 503. A working disk takes milliseconds.
const APPEND_WAIT_MAX: Duration = Duration::from_secs(5);

/// 200 while the server takes connections and games; 503 from the moment it stops, and while its disk hangs.
async fn health(State(edge): State<Arc<Edge>>) -> Result<&'static str, ApiError> {
    if edge.tasks.is_stopping() {
        return Err(ApiError::NotReady);
    }
    if edge.games.oldest_append() >= APPEND_WAIT_MAX {
        return Err(ApiError::DiskHangs);
    }
    Ok("ready\n")
}

async fn metrics() -> impl IntoResponse {
    // To look takes a while when many files are open, so it is done only when somebody asks.
    if let Some(usage) = process::usage() {
        telemetry::metrics().resident_bytes.set(usage.resident_bytes as f64);
        telemetry::metrics().open_files.set(usage.open_files as f64);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], telemetry::render())
}
