//! The check before any handler: which client this is, which site it means, whether a page may do this, and whether the
//! client may ask for so much now.
//!
//! A browser adds its cookie to whatever any page asks of us, so a cookie counts only with our own `Origin`: on the
//! WebSocket upgrade and on every method that changes something. `SameSite` is a second wall, not the first.
//!
//! Each request costs its address something, or its account if it has a valid token: see `route`.
//!
//! Invariants: every request that reaches a handler has a [`Visitor`], has passed the CSRF check, and is paid for; one that
//! is told to come back later has cost nothing, unless it waited for its turn while the server is overloaded: then it has
//! cost its address one.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use super::error::{ApiError, whole_seconds};
use super::identity::Credential;
use super::route::{Kind, Route};
use super::state::{Edge, HttpState};
use crate::accounts::{Accounts, Known};
use crate::archive::{Archive, Payer, Turn};
use crate::net::{Address, Allowances, CameFrom, Origin, Permit};
use crate::time::ServiceClock;
use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, Method, Version, header};

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
    /// Whose token the request shows, or what is wrong with it, where the route asks. `None`: it shows none.
    pub(crate) known: Option<Result<Known, ApiError>>,
}

/// Lets a request through to its handler, or answers it.
pub(crate) async fn guard(State(state): State<HttpState>, mut request: Request, next: Next) -> Response {
    let route = Route::of(&request);
    let mut response = match admit(&state, route, &mut request).await {
        // The next one's turn at the archive comes after the answer is made.
        Ok(_turn) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    response.extensions_mut().insert(route);
    if route.is_public() {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    response
}

/// Finds out who asks, and whether that client may ask this now.
async fn admit(
    HttpState { edge, sessions, .. }: &HttpState,
    route: Route,
    request: &mut Request,
) -> Result<Option<Turn>, ApiError> {
    let Some(peer) = request.extensions_mut().remove::<Peer>() else { return Err(ApiError::Internal) };
    let (proxies, headers) = (&edge.proxies, request.headers());
    let client = proxies.client(peer.ip, headers);
    let address = Address::from(client);
    if edge.addresses.cuts.hold(client) {
        return Err(ApiError::CutOff);
    }
    if route.kind != Kind::Health {
        wait_for_turn(edge, route, headers, address).await.map_err(|error| noted(edge, address, error))?;
    }
    let site = site_of(edge, peer.ip, request)?;
    check(request, route, site.as_ref())?;
    let known = known(&sessions.accounts, route, headers, site.as_ref(), address).await;
    let is_local_check = route.kind == Kind::Health && client.to_canonical().is_loopback();
    let payer = Payer::of(known.and_then(Result::ok).map(|known| known.person.account), address);
    let amount = if is_local_check { 0 } else { route.cost() };
    let cost = Cost { payer, address, amount };
    let turn = cost.spend(&edge.costs, edge.places_for(route), &edge.clock).await;
    let turn = turn.map_err(|error| noted(edge, address, error))?;
    may_use(route, known)?;
    request.extensions_mut().insert(Visitor { address, permit: peer.permit, site, known });
    Ok(turn)
}

/// Our origin as the client of a request knows it; `None` when it did not say which host it means.
pub(super) fn site_of(edge: &Edge, peer: IpAddr, request: &Request) -> Result<Option<Origin>, ApiError> {
    let headers = request.headers();
    let host = host(headers, request.version())?;
    Ok(match (&edge.public_url, host) {
        (Some(site), _) => Some(site.clone()),
        (None, host) => host.and_then(|host| Origin::of(edge.proxies.scheme(peer, headers), host)),
    })
}

/// Whether the token of a request is for this route. One that nobody has is the handler's to reject.
fn may_use(route: Route, known: Option<Result<Known, ApiError>>) -> Result<(), ApiError> {
    match known {
        Some(Ok(known)) if !known.scopes.allow(route.needs) => Err(ApiError::MissingScope(route.needs)),
        _ => Ok(()),
    }
}

/// Logs the address of a client that asks for too much.
fn noted(edge: &Edge, address: Address, error: ApiError) -> ApiError {
    if let ApiError::TooManyRequests { .. } = error {
        edge.addresses.note_limited(address, error.code(), edge.clock.now());
    }
    error
}

/// Waits until something that is not a game's may begin, before anything that takes time: games come first. Who cannot
/// pay does not wait, and a wait in vain costs the address one: whoever asks again and again takes places from others.
async fn wait_for_turn(
    edge: &Edge,
    route: Route,
    headers: &HeaderMap,
    address: Address,
) -> Result<(), ApiError> {
    let payer = Payer::Address(address);
    let may_be_another = headers.contains_key(header::AUTHORIZATION) || headers.contains_key(header::COOKIE);
    if route.cost() > 0 && !(route.asks_who() && may_be_another) {
        edge.costs.could_spend(&payer, route.cost(), edge.clock.now()).map_err(too_many)?;
    }
    let turn = edge.tasks.overload().turn().await;
    if turn.is_err() {
        edge.costs.spend(payer, 1, edge.clock.now()).ok();
    }
    Ok(turn?)
}

/// See [`Visitor::known`].
async fn known(
    accounts: &Accounts,
    route: Route,
    headers: &HeaderMap,
    site: Option<&Origin>,
    address: Address,
) -> Option<Result<Known, ApiError>> {
    if !route.asks_who() {
        return None;
    }
    match Credential::read(headers, site) {
        Ok(credential) => Some(credential?.known(accounts, address).await),
        Err(error) => Some(Err(error)),
    }
}

/// What a request costs, and who pays.
#[derive(Clone, Copy, Debug)]
struct Cost {
    payer: Payer,
    address: Address,
    amount: u32,
}

impl Cost {
    /// Waits for a turn at the places that it needs, if any, and pays. Who waits in vain has paid nothing, and who cannot
    /// pay does not wait.
    async fn spend(
        self,
        costs: &Allowances<Payer>,
        places: Option<&Archive>,
        clock: &ServiceClock,
    ) -> Result<Option<Turn>, ApiError> {
        let mut turn = None;
        if let Some(places) = places {
            costs.could_spend(&self.payer, self.amount, clock.now()).map_err(too_many)?;
            turn.insert(places.turn(self.payer, self.address)?).begin().await?;
        }
        costs.spend(self.payer, self.amount, clock.now()).map_err(too_many)?;
        Ok(turn)
    }
}

fn too_many(wait: Duration) -> ApiError {
    ApiError::TooManyRequests { after_s: whole_seconds(wait) }
}

fn check(request: &Request, route: Route, site: Option<&Origin>) -> Result<(), ApiError> {
    if request.body().size_hint().lower() > route.body_bytes_max() {
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

/// The host that a request means. A request of HTTP/1.0 may leave it out; otherwise there is exactly one (RFC 9112, 3.2).
fn host(headers: &HeaderMap, version: Version) -> Result<Option<&str>, ApiError> {
    let mut values = headers.get_all(header::HOST).into_iter();
    match (values.next(), values.next()) {
        (None, _) if version == Version::HTTP_10 => Ok(None),
        (Some(value), None) => {
            let host = value.to_str().ok().filter(|host| Origin::of("http", host).is_some());
            host.map(Some).ok_or(ApiError::BadHost)
        }
        _ => Err(ApiError::BadHost),
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::{AccountId, Needs, Scope, Scopes};

    use super::*;
    use crate::accounts::Person;
    use crate::storage::TokenDigest;

    #[test]
    fn a_token_that_is_not_for_a_route_is_rejected_and_one_that_nobody_has_is_left_to_the_handler() {
        let with = |scopes| {
            let person = Person::guest(AccountId::from_u128(7));
            Some(Ok(Known { person, token: TokenDigest([7; 32]), scopes, until: None }))
        };
        let route = |needs| Route { name: "/x", kind: Kind::Identity, needs };
        let play = Needs::Scope(Scope::Play);
        assert_eq!(may_use(route(play), with(Scopes::NONE)), Err(ApiError::MissingScope(play)));
        assert_eq!(may_use(route(play), with(Scopes::NONE.with(Scope::Play))), Ok(()));
        let all = Scope::ALL.into_iter().fold(Scopes::NONE, Scopes::with);
        assert_eq!(may_use(route(Needs::Session), with(all)), Err(ApiError::MissingScope(Needs::Session)));
        assert_eq!(may_use(route(Needs::Session), with(Scopes::SESSION)), Ok(()));
        assert_eq!(may_use(route(play), Some(Err(ApiError::BadToken))), Ok(()));
        assert_eq!(may_use(route(play), None), Ok(()));
    }

    /// A read of the archive by an address.
    fn read_of_20() -> Cost {
        let address: Address = IpAddr::from([192, 0, 2, 1]).into();
        Cost { payer: Payer::Address(address), address, amount: 20 }
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_in_vain_has_paid_nothing_and_who_cannot_pay_does_not_wait() {
        let clock = ServiceClock::of_runtime();
        let (costs, archive) = (Allowances::per_minute(40), Archive::in_place());
        let cost = read_of_20();
        let ask = || cost.spend(&costs, Some(&archive), &clock);
        let others = (archive.enter(cost.address).await.unwrap(), archive.enter(cost.address).await.unwrap());
        for _ in 0..5 {
            assert_eq!(ask().await.unwrap_err(), ApiError::Unavailable);
        }
        drop(others);
        let turns = (ask().await.unwrap(), ask().await.unwrap());
        let began = clock.now();
        assert!(matches!(ask().await.unwrap_err(), ApiError::TooManyRequests { after_s: 30 }));
        assert_eq!(clock.now(), began, "it did not wait for a place");
        drop(turns);
    }

    #[tokio::test(start_paused = true)]
    async fn a_ninth_read_at_once_is_told_to_come_back_as_one_that_cannot_be_paid_is() {
        let clock = ServiceClock::of_runtime();
        let (costs, archive) = (Allowances::per_minute(6_000), Archive::in_place());
        let cost = read_of_20();
        let turns: Vec<_> = (0..8).map(|_| archive.turn(cost.payer, cost.address).unwrap()).collect();
        let ninth = cost.spend(&costs, Some(&archive), &clock).await.unwrap_err();
        assert_eq!(ninth, ApiError::TooManyRequests { after_s: 1 });
        assert_eq!(ninth.code(), "too_many_requests", "which is logged with the address");
        drop(turns);
    }
}
