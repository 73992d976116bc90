//! `/ws`: from an HTTP request to a session (RFC 6455, section 4).
//!
//! A wrong request is answered in HTTP with what is wrong, before anything is upgraded.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use zeitnot_protocol::SUBPROTOCOL;

use super::error::ApiError;
use super::guard::Visitor;
use super::identity::Credential;
use super::state::{Edge, HttpState};
use crate::accounts::{Accounts, Known};
use crate::net::{Admission, Permit};
use crate::session::{FarEnd, Sessions};

/// Starts a session on an upgraded stream, as [`Sessions::spawn`] does.
type Start = fn(&Arc<Sessions>, TcpStream, FarEnd, &[u8], Arc<Permit>, Option<Known>);

/// Answers `GET /ws`.
pub(crate) async fn upgrade(
    State(state): State<HttpState>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
) -> Result<Response, ApiError> {
    upgrade_to(Sessions::spawn, state, visitor, request).await
}

/// Answers `GET /echo`, which no build but that of the tests has.
#[cfg(test)]
pub(crate) async fn echo(
    State(state): State<HttpState>,
    Extension(visitor): Extension<Visitor>,
    request: Request,
) -> Result<Response, ApiError> {
    upgrade_to(crate::session::start_echo, state, visitor, request).await
}

async fn upgrade_to(
    start: Start,
    HttpState { sessions, edge, .. }: HttpState,
    visitor: Visitor,
    mut request: Request,
) -> Result<Response, ApiError> {
    if !edge.is_ready() {
        return Err(ApiError::NotReady);
    }
    let accept = accept_key(&request)?;
    let subprotocol = subprotocol(request.headers())?;
    let identity = identity(&sessions.accounts, request.headers(), &visitor).await?;
    // Only a trusted proxy's connection has no permit of its own.
    let far_end = if visitor.permit.is_some() { FarEnd::Client } else { FarEnd::Proxy };
    let permit = permit(&edge, visitor)?;
    let upgrade = request.extensions_mut().remove::<OnUpgrade>().ok_or(ApiError::Internal)?;

    edge.tasks.spawn(begin(start, sessions, upgrade, far_end, permit, identity));

    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    if let Some(subprotocol) = subprotocol {
        headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(subprotocol));
    }
    Ok(response)
}

/// Waits until the response is out, then hands the bare socket to a session task of its own: this one's memory goes.
async fn begin(
    start: Start,
    sessions: Arc<Sessions>,
    upgrade: OnUpgrade,
    far_end: FarEnd,
    permit: Arc<Permit>,
    identity: Option<Known>,
) {
    let upgraded = tokio::select! {
        biased;
        upgraded = upgrade => upgraded,
        () = sessions.tasks.stopping().cancelled() => return,
    };
    match upgraded.map(Upgraded::downcast::<TokioIo<TcpStream>>) {
        Ok(Ok(parts)) => start(&sessions, parts.io.into_inner(), far_end, &parts.read_buf, permit, identity),
        Ok(Err(_)) => tracing::error!("an upgraded connection is not a TCP stream"),
        Err(error) => tracing::debug!(%error, "a connection went during its upgrade"),
    }
}

/// The connection's permit among those of its address. Behind a proxy it is taken now, for the
/// proxy's client.
fn permit(edge: &Edge, visitor: Visitor) -> Result<Arc<Permit>, ApiError> {
    if let Some(permit) = visitor.permit {
        return Ok(permit);
    }
    match edge.admit(visitor.address) {
        Admission::Served(permit) => Ok(Arc::new(permit)),
        Admission::Rejected(_, why) => Err(why.into()),
        Admission::Dropped => Err(ApiError::TooManyConnections),
    }
}

/// Checks what RFC 6455, 4.2.1 asks of the request, and computes the answer to its key.
fn accept_key(request: &Request) -> Result<HeaderValue, ApiError> {
    let headers = request.headers();
    if request.method() != Method::GET {
        return Err(ApiError::BadUpgrade("an upgrade is a GET"));
    }
    if request.version() != Version::HTTP_11 {
        return Err(ApiError::BadUpgrade("an upgrade needs HTTP/1.1"));
    }
    if !has_word(headers, header::CONNECTION, "upgrade") {
        return Err(ApiError::BadUpgrade("the Connection header does not say Upgrade"));
    }
    if !has_word(headers, header::UPGRADE, "websocket") {
        return Err(ApiError::BadUpgrade("the Upgrade header does not say websocket"));
    }
    if headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|version| version != "13") {
        return Err(ApiError::BadWebSocketVersion);
    }
    let key = headers
        .get(header::SEC_WEBSOCKET_KEY)
        .ok_or(ApiError::BadUpgrade("there is no Sec-WebSocket-Key"))?;
    let is_key = STANDARD.decode(key.as_bytes()).is_ok_and(|nonce| nonce.len() == 16);
    if !is_key {
        return Err(ApiError::BadUpgrade("Sec-WebSocket-Key is not 16 bytes in base64"));
    }
    HeaderValue::from_str(&derive_accept_key(key.as_bytes())).map_err(|_| ApiError::Internal)
}

/// Whether a comma-separated header has this word, in any case.
fn has_word(headers: &HeaderMap, name: header::HeaderName, word: &str) -> bool {
    words(headers, name).any(|found| found.is_some_and(|found| found.eq_ignore_ascii_case(word)))
}

/// The words of a comma-separated header that may come several times; `None` for what is not text.
fn words(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = Option<&str>> {
    headers.get_all(name).into_iter().flat_map(|value| match value.to_str() {
        Ok(text) => text.split(',').map(|word| Some(word.trim())).collect::<Vec<_>>(),
        Err(_) => vec![None],
    })
}

/// The subprotocol to answer with: none offered means version 1 for ever, and none is answered then.
fn subprotocol(headers: &HeaderMap) -> Result<Option<&'static str>, ApiError> {
    if !headers.contains_key(header::SEC_WEBSOCKET_PROTOCOL) {
        return Ok(None);
    }
    if words(headers, header::SEC_WEBSOCKET_PROTOCOL).any(|offered| offered == Some(SUBPROTOCOL)) {
        Ok(Some(SUBPROTOCOL))
    } else {
        Err(ApiError::UnknownSubprotocol)
    }
}

/// The account of the request. A cookie with an unknown token counts as none, because its page
/// cannot see a 401.
async fn identity(
    accounts: &Accounts,
    headers: &HeaderMap,
    visitor: &Visitor,
) -> Result<Option<Known>, ApiError> {
    match Credential::read(headers, visitor.site.as_ref())? {
        None => Ok(None),
        Some(credential @ Credential::Bearer(_)) => {
            credential.known(accounts, visitor.address).await.map(Some)
        }
        Some(credential @ Credential::Cookie(_)) => match credential.known(accounts, visitor.address).await {
            Err(ApiError::BadToken) => Ok(None),
            found => found.map(Some),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &header::HeaderName, values: &[&'static str]) -> HeaderMap {
        values.iter().map(|value| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[track_caller]
    fn check(offered: &[&'static str], expected: Result<Option<&'static str>, ApiError>) {
        assert_eq!(subprotocol(&headers(&header::SEC_WEBSOCKET_PROTOCOL, offered)), expected);
    }

    #[test]
    fn no_subprotocol_means_version_one() {
        check(&[], Ok(None));
    }

    #[test]
    fn ours_is_chosen_wherever_it_stands() {
        check(&["zeitnot.v1.json"], Ok(Some(SUBPROTOCOL)));
        check(&["zeitnot.v9.json, zeitnot.v1.json"], Ok(Some(SUBPROTOCOL)));
        check(&["other", "zeitnot.v1.json,third"], Ok(Some(SUBPROTOCOL)));
    }

    #[test]
    fn an_unknown_one_is_rejected() {
        for offered in ["zeitnot.v2.json", "", "ZEITNOT.V1.JSON", "zeitnot.v1.jso", "\u{80}"] {
            let values = HeaderMap::from_iter([(
                header::SEC_WEBSOCKET_PROTOCOL,
                HeaderValue::from_bytes(offered.as_bytes()).unwrap(),
            )]);
            assert_eq!(subprotocol(&values), Err(ApiError::UnknownSubprotocol), "{offered}");
        }
    }

    #[test]
    fn words_are_found_in_any_case_and_place() {
        let found = |values: &[&'static str]| {
            has_word(&headers(&header::CONNECTION, values), header::CONNECTION, "upgrade")
        };
        assert!(found(&["Upgrade"]) && found(&["keep-alive, UPGRADE"]) && found(&["close", "upgrade"]));
        assert!(!found(&[]) && !found(&["keep-alive"]) && !found(&["upgraded"]));
    }
}
