//! Before any call of the Lichess API: who calls, from where, and whether the server takes it now.
//!
//! The rules differ from those of our own routes: pages of every site may call, because no cookie counts; only a bearer token
//! says who calls. What will pass is a 503, never a 429 where a program would stop playing over it: a client that calls too
//! often waits instead, and an endless stream is held back, or broken off.
//!
//! Deliberately absent: the calls (`lichess_api`).
//!
//! Invariant: a call has a [`Visitor`], and was charged for.

use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use super::connection::OfProgram;
use super::error::ApiError;
use super::guard::{Peer, site_of};
use super::identity::{Credential, bearer};
use super::route::Route;
use super::state::{Edge, HttpState};
use crate::accounts::{Accounts, Known};
use crate::archive::Payer;
use crate::lichess_api::{Rejection, Visitor};
use crate::net::Address;

/// What pages of other sites may do.
const CORS: [(HeaderName, HeaderValue); 3] = [
    (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
    (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, PUT, DELETE, OPTIONS")),
    (header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("Authorization, Content-Type, Accept")),
];

/// What a call costs its account or its address.
const CALL: u32 = 1;
/// What an answer from the archive costs.
const FROM_ARCHIVE: u32 = 20;

/// How long a call waits for its turn. Clients expect an answer within a second or two.
const WAIT_MAX: Duration = Duration::from_secs(1);

/// Lets a call through, or answers it.
pub(crate) async fn guard(State(state): State<HttpState>, mut request: Request, next: Next) -> Response {
    let response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        match visitor(&state, &mut request).await {
            Ok(visitor) => {
                let is_program = matches!(visitor.known, Some(Ok(_)));
                request.extensions_mut().insert(visitor);
                let mut response = next.run(request).await;
                if is_program {
                    response.extensions_mut().insert(OfProgram);
                }
                response
            }
            Err(rejection) => rejection.into_response(),
        }
    };
    let mut response = in_json(response);
    response.extensions_mut().insert(Route::LICHESS);
    response.headers_mut().extend(CORS);
    response
}

/// What the router rejects is JSON, too: some clients read nothing else, and ask again for ever.
fn in_json(response: Response) -> Response {
    let is_json = |kind: &HeaderValue| kind.as_bytes().ends_with(b"json");
    let status = response.status();
    let is_rejected = status.is_client_error() || status.is_server_error();
    match response.headers().get(header::CONTENT_TYPE) {
        Some(kind) if is_json(kind) => response,
        _ if is_rejected => Rejection::with_status(status).into_response(),
        _ => response,
    }
}

async fn visitor(
    HttpState { edge, sessions, .. }: &HttpState,
    request: &mut Request,
) -> Result<Visitor, Rejection> {
    let peer = request.extensions_mut().remove::<Peer>().ok_or_else(Rejection::unavailable)?;
    let client = edge.proxies.client(peer.ip, request.headers());
    let address = Address::from(client);
    if edge.addresses.cuts.hold(client) {
        return Err(Rejection::forbidden("whoever runs this server does not answer your address for a time"));
    }
    edge.tasks.overload().turn().await.map_err(|_| Rejection::unavailable())?;
    let site = site_of(edge, peer.ip, request).map_err(|_| Rejection::bad_request("which host is meant?"))?;
    let known = known(&sessions.accounts, request.headers(), address).await;
    let account = known.as_ref().and_then(|known| known.as_ref().ok()).map(|known| known.person.account);
    let cost = if reads_archive(request.uri().path()) { FROM_ARCHIVE } else { CALL };
    spend(edge, Payer::of(account, address), cost).await?;
    let site = site.map(|site| site.to_string()).unwrap_or_default();
    Ok(Visitor { address, permit: peer.permit, site, known })
}

/// Whether a call reads games from the archive.
fn reads_archive(path: &str) -> bool {
    path.starts_with("/game/export/") || path.starts_with("/api/games/") || path.contains("/current-game")
}

/// Whose token a call shows; `None`: it shows none.
async fn known(
    accounts: &Accounts,
    headers: &HeaderMap,
    address: Address,
) -> Option<Result<Known, Rejection>> {
    match bearer(headers) {
        Ok(None) => None,
        Err(_) => Some(Err(Rejection::unknown_token())),
        Ok(Some(token)) => {
            let known = Credential::Bearer(token).known(accounts, address).await;
            Some(known.map_err(|error| match error {
                ApiError::BadToken => Rejection::unknown_token(),
                _ => Rejection::unavailable(),
            }))
        }
    }
}

/// Charges a call. Who has nothing left waits for a while.
async fn spend(edge: &Edge, payer: Payer, cost: u32) -> Result<(), Rejection> {
    let until = edge.clock.now() + WAIT_MAX;
    while let Err(wait) = edge.costs.spend(payer, cost, edge.clock.now()) {
        let next = edge.clock.now() + wait;
        if next > until {
            return Err(Rejection::unavailable());
        }
        edge.clock.sleep_until(next).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::Arc;

    use super::*;
    use crate::server::Server;
    use crate::storage::MemoryStore;

    #[tokio::test(start_paused = true)]
    async fn who_calls_too_often_waits_and_is_never_told_429() {
        let server = Server::on(Arc::new(MemoryStore::default()));
        let edge = server.http_state().edge;
        let payer = Payer::Address(IpAddr::from([192, 0, 2, 1]).into());
        let began = edge.clock.now();
        let mut calls = 0;
        while edge.clock.now() == began {
            spend(&edge, payer, CALL).await.unwrap();
            calls += 1;
            assert!(calls < 1_000_000, "nobody ever waits");
        }
        assert!(edge.clock.now() < began + WAIT_MAX);
        assert_eq!(spend(&edge, payer, calls).await, Err(Rejection::unavailable()), "a 503, and no 429");
    }
}
