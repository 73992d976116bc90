//! HTTP: routes, the browser client, the WebSocket upgrade, health, metrics (on their own port), games as JSON and PGN,
//! challenges and players as JSON, and accounts as JSON and as pages.
//!
//! HTTP/1.1 only. Nothing here decides about chess or keeps state of its own, but for what an address uses. Before any
//! handler, [`guard`] looks at who asks.

mod accept;
mod account;
mod admin;
mod analysis;
mod brought;
mod challenges;
mod connection;
mod error;
mod failure;
mod featured;
mod games;
mod guard;
mod guest;
mod identity;
mod lichess;
mod openapi;
mod openings;
mod own_pages;
mod players;
mod preview;
mod reports;
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
use axum::routing::get;
use http::header;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) use accept::{accept, accept_metrics};
use account::{authorization, programs};
use error::ApiError;
use route::Route;
pub(crate) use state::{Edge, HttpState, Spare};

use crate::lichess_api::LichessApi;
use crate::{lichess_api, process, telemetry};

/// The API: each path and method with its operation in the document, which stands beside its handler.
fn api() -> OpenApiRouter<HttpState> {
    OpenApiRouter::new()
        .routes(routes!(guest::make, guest::revoke))
        .routes(routes!(guest::me))
        .routes(routes!(account::api::account))
        .routes(routes!(account::api::register))
        .routes(routes!(account::api::sign_in))
        .routes(routes!(account::api::sign_out))
        .routes(routes!(account::api::sign_out_everywhere))
        .routes(routes!(account::api::sessions))
        .routes(routes!(account::api::end_session))
        .routes(routes!(account::api::tokens, account::api::make_token))
        .routes(routes!(account::api::revoke_token))
        .routes(routes!(account::api::bot))
        .routes(routes!(account::contacts::blocks))
        .routes(routes!(account::contacts::block, account::contacts::unblock))
        .routes(routes!(account::contacts::challenge_rules, account::contacts::set_challenge_rules))
        .routes(routes!(account::api::password))
        .routes(routes!(account::api::recovery_codes))
        .routes(routes!(
            account::second_factor::begin,
            account::second_factor::confirm,
            account::second_factor::remove
        ))
        .routes(routes!(account::api::recover))
        .routes(routes!(account::api::close))
        .routes(routes!(account::api::export))
        .routes(routes!(account::settings::settings, account::settings::set_settings))
        .routes(routes!(reports::report))
        .routes(routes!(admin::act))
        .routes(routes!(admin::log))
        .routes(routes!(challenges::challenge))
        .routes(routes!(players::by_prefix))
        .routes(routes!(players::player))
        .routes(routes!(players::games))
        .routes(routes!(players::ratings))
        .routes(routes!(search::search))
        .routes(routes!(search::count))
        .routes(routes!(search::names))
        .routes(routes!(search::played_moves))
        .routes(routes!(search::export))
        .routes(routes!(openings::by_name))
        .routes(routes!(featured::featured))
        .routes(routes!(games::snapshot))
        .routes(routes!(games::pgn))
        .routes(routes!(analysis::evaluation))
        .routes(routes!(analysis::evaluations))
        .routes(routes!(analysis::lines))
        .routes(routes!(analysis::deeper_lines))
        .routes(routes!(analysis::position))
        .routes(routes!(brought::evaluation))
        .routes(routes!(brought::lines))
        .routes(routes!(brought::deeper_lines))
        .routes(routes!(openapi::openapi))
}

/// All paths.
fn routes(state: HttpState) -> Router {
    let guard = axum::middleware::from_fn_with_state(state.clone(), guard::guard);
    let routes = Router::new()
        .merge(api())
        .route("/", get(static_files::page))
        .route("/assets/{file}", get(static_files::asset))
        .route("/embed/{game}", get(static_files::embedded))
        .route("/picture/{file}", get(preview::picture))
        .route("/robots.txt", get(well_known::robots))
        .route("/favicon.ico", get(well_known::favicon))
        .route("/.well-known/security.txt", get(well_known::security))
        .route("/ws", get(upgrade::upgrade))
        .route("/healthz", get(health))
        .route("/sign-in", get(account::pages::sign_in_form).post(account::pages::sign_in))
        .route("/register", get(account::pages::register_form).post(account::pages::register))
        .route("/account", get(account::pages::account).post(account::pages::act))
        .route("/account/oauth/token", get(programs::all).post(programs::revoke))
        .route("/account/oauth/token/create", get(programs::create_form).post(programs::create))
        .route("/oauth", get(authorization::authorize).post(authorization::decide))
        .route("/pages.css", get(own_pages::style));
    #[cfg(test)]
    let routes = routes.route("/echo", get(upgrade::echo));
    routes
        .fallback(static_files::page_of)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
        .layer(guard)
        .merge(lichess_routes(&state))
        .with_state(state)
}

/// The paths of the Lichess API, with a guard of their own.
fn lichess_routes(state: &HttpState) -> Router<HttpState> {
    let HttpState { sessions, history, edge, .. } = state;
    let api = LichessApi::new(Arc::clone(sessions), history.clone(), Arc::clone(&edge.ratings));
    let guard = axum::middleware::from_fn_with_state(state.clone(), lichess::guard);
    lichess_api::routes(api).layer(guard).with_state(())
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
    if !edge.is_ready() {
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
