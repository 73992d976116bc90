//! The check before any handler: which client this is, which site it means, and whether a page may
//! do this.
//!
//! A browser adds its cookie to whatever any page asks of us, so a cookie counts only with our own `Origin`: on the
//! WebSocket upgrade and on every method that changes something. `SameSite` is a second wall, not the first.
//!
//! Invariant: every request that reaches a handler has a [`Visitor`] and has passed the CSRF check.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, Method, header};

use super::error::ApiError;
use super::identity::Credential;
use super::state::Edge;
use crate::net::{Address, CameFrom, Origin, Permit};

/// No request needs a body. One longer than this is not even waited for.
const BODY_BYTES_MAX: u64 = 4 * 1024;

/// The other end of a connection, as the accept loop knows it.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// Its address on the network.
    pub(crate) ip: IpAddr,
    /// Its place among the connections of its address; a trusted proxy's connection has none, its clients' are counted.
    pub(crate) permit: Option<Arc<Permit>>,
}

/// The client of a request.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// The client's address.
    pub(crate) address: Address,
    /// See [`Peer::permit`].
    pub(crate) permit: Option<Arc<Permit>>,
    /// Our origin as this client knows it; `None` when it did not say which host it means.
    pub(crate) site: Option<Origin>,
}

/// Lets a request through to its handler, or answers it.
pub(crate) async fn guard(State(edge): State<Arc<Edge>>, mut request: Request, next: Next) -> Response {
    let Some(peer) = request.extensions_mut().remove::<Peer>() else {
        return ApiError::Internal.into_response();
    };
    let (proxies, headers) = (&edge.proxies, request.headers());
    let site = match &edge.public_url {
        Some(site) => Some(site.clone()),
        None => host(headers).and_then(|host| Origin::of(proxies.scheme(peer.ip, headers), host)),
    };
    let client = proxies.client(peer.ip, headers);
    if let Err(error) = check(&request, site.as_ref()) {
        return error.into_response();
    }
    let visitor = Visitor { address: Address::from(client), permit: peer.permit, site };
    request.extensions_mut().insert(visitor);
    next.run(request).await
}

fn check(request: &Request, site: Option<&Origin>) -> Result<(), ApiError> {
    if request.body().size_hint().lower() > BODY_BYTES_MAX {
        return Err(ApiError::BodyTooLong);
    }
    let headers = request.headers();
    let from = CameFrom::read(headers, site);
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !only_reads && from == CameFrom::Elsewhere {
        return Err(ApiError::BadOrigin);
    }
    if only_reads && !headers.contains_key(header::UPGRADE) {
        return Ok(());
    }
    match Credential::read(headers, site)? {
        Some(Credential::Cookie(_)) if from != CameFrom::Ours => Err(ApiError::BadOrigin),
        Some(_) | None => Ok(()),
    }
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}
