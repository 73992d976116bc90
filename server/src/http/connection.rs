//! One HTTP connection: HTTP/1.1 with bounds on how long a request's head may be and may take, and on how many requests
//! are answered.
//!
//! A program that has shown a good token of the Lichess API may keep its connection for longer between two calls: it uses it
//! again when it has thought over its move, and a connection that is closed at that moment would lose the call.
//!
//! A connection that is upgraded leaves here; its session keeps the permit. Deliberately absent: what a request may do
//! (`guard`).
//!
//! Invariant: every answer leaves through [`Answers::finish`].

use std::convert::Infallible;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tower::ServiceExt as _;

use super::error::ApiError;
use super::guard::Peer;
use super::health;
use super::route::Route;
use super::state::Edge;
use crate::net::{Permit, TooMany};
use crate::telemetry::metrics;

/// The longest head of a request: twice what browsers send with all their cookies.
const HEADER_BYTES_MAX: usize = 16 * 1024;

/// Answers with 429 or 503 on one connection; the last of them closes it. A client that does not wait has to connect again,
/// and new connections of an address are limited too.
const LIMITED_PER_CONNECTION_MAX: u32 = 4;

/// How long the head of a request may take on a connection that will be rejected: its place is needed for the next one.
const REJECTED_HEAD_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a program's connection may be idle.
const PROGRAM_IDLE: Duration = Duration::from_secs(90);

fn http(head_timeout: Duration) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(head_timeout).max_buf_size(HEADER_BYTES_MAX);
    http
}

/// A mark on an answer: its client has shown a good token of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfProgram;

/// What a connection is doing.
#[derive(Debug)]
struct Activity {
    /// Whether a request is being answered.
    is_busy: AtomicBool,
    /// Whether its client is a program.
    is_program: AtomicBool,
    /// Wakes who waits for the end of an answer.
    changed: Notify,
}

impl Activity {
    fn new() -> Arc<Self> {
        let (is_busy, is_program) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Self { is_busy, is_program, changed: Notify::new() })
    }

    /// Ends when no request came for too long.
    async fn until_idle(&self, head_timeout: Duration) {
        loop {
            let changed = self.changed.notified();
            let is_program = self.is_program.load(Ordering::Relaxed);
            let idle = if is_program { PROGRAM_IDLE.max(head_timeout) } else { head_timeout };
            let is_busy = self.is_busy.load(Ordering::Relaxed);
            if tokio::time::timeout(idle, changed).await.is_err() && !is_busy {
                return;
            }
        }
    }
}

/// A request while it is answered.
#[derive(Debug)]
struct Busy(Arc<Activity>);

impl Busy {
    fn begin(activity: &Arc<Activity>) -> Self {
        activity.is_busy.store(true, Ordering::Relaxed);
        activity.changed.notify_one();
        Self(Arc::clone(activity))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.is_busy.store(false, Ordering::Relaxed);
        self.0.changed.notify_one();
    }
}

/// The body of an answer, with the request that it ends.
#[derive(Debug)]
struct AnswerBody {
    body: Body,
    _busy: Busy,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// What was answered on a connection.
#[derive(Debug)]
struct Answers {
    /// How many requests are left; a trusted proxy's connection carries the requests of many.
    left: Option<AtomicU32>,
    limited: AtomicU32,
}

impl Answers {
    fn new(requests_max: Option<u32>) -> Self {
        Self { left: requests_max.map(AtomicU32::new), limited: AtomicU32::new(0) }
    }

    /// What every answer carries, and whether it is the last one.
    fn finish(&self, mut response: Response) -> Response {
        count(&response);
        response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if self.is_last(response.status()) {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// One request is answered after the other, so nothing is counted at the same time.
    fn is_last(&self, status: StatusCode) -> bool {
        let Some(left) = &self.left else { return false };
        let was_last = left.fetch_sub(1, Ordering::Relaxed) <= 1;
        let is_limited = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let was_limited =
            is_limited && self.limited.fetch_add(1, Ordering::Relaxed) + 1 >= LIMITED_PER_CONNECTION_MAX;
        (was_last || was_limited) && status != StatusCode::SWITCHING_PROTOCOLS
    }
}

/// Counts an answer, by the route that the guard noted.
fn count(response: &Response) {
    let route = response.extensions().get::<Route>().map_or("other", |route| route.name);
    let status = match response.status().as_u16() {
        0..200 => "1xx",
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        _ => "5xx",
    };
    metrics().http_answers.count(&[("route", route), ("status", status)]);
    metrics().http_body_bytes.increment(response.body().size_hint().lower());
}

/// Answers the requests of a connection until it ends.
pub(super) async fn serve<S>(edge: Arc<Edge>, router: Router, stream: S, peer: Peer)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let http = http(edge.head_timeout.max(PROGRAM_IDLE));
    let activity = Activity::new();
    let is_proxy = peer.permit.is_none();
    let answering = Arc::clone(&activity);
    let answers = Arc::new(Answers::new((!is_proxy).then_some(edge.requests_per_connection)));
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        metrics().http_requests.increment(1);
        request.extensions_mut().insert(peer.clone());
        let (answers, router) = (Arc::clone(&answers), router.clone());
        let busy = Busy::begin(&answering);
        async move {
            let response = router.oneshot(request.map(Body::new)).await?;
            if response.extensions().get::<OfProgram>().is_some() {
                busy.0.is_program.store(true, Ordering::Relaxed);
            }
            Ok::<_, Infallible>(answers.finish(response).map(|body| AnswerBody { body, _busy: busy }))
        }
    });
    let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        biased;
        ended = connection.as_mut() => ended,
        () = activity.until_idle(edge.head_timeout) => return,
        () = edge.tasks.stopping().cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "an HTTP connection broke");
    }
}

/// Answers one request with 429, whatever it asks; only a check of this machine hears whether the server is ready.
pub(super) async fn reject(
    edge: Arc<Edge>,
    stream: TcpStream,
    address: IpAddr,
    permit: Permit,
    why: TooMany,
) {
    let is_local = address.to_canonical().is_loopback();
    let service = service_fn(|request: Request<Incoming>| {
        let edge = Arc::clone(&edge);
        async move {
            let response = if is_local && request.uri().path() == "/healthz" {
                health(State(edge)).await.into_response()
            } else {
                ApiError::from(why).into_response()
            };
            Ok::<_, Infallible>(Answers::new(Some(1)).finish(response))
        }
    });
    let http = http(edge.head_timeout.min(REJECTED_HEAD_TIMEOUT));
    let connection = http.serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        biased;
        () = edge.tasks.stopping().cancelled() => {}
        ended = connection => if let Err(error) = ended {
            tracing::debug!(%error, "a rejected connection broke");
        }
    }
    drop(permit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_program_may_think_between_two_calls_and_others_may_not() {
        let head_timeout = Duration::from_secs(10);
        let activity = Activity::new();
        let idle_for = async |within: Duration| {
            let idle = activity.until_idle(head_timeout);
            tokio::time::timeout(within, idle).await.is_ok()
        };
        assert!(idle_for(Duration::from_secs(11)).await);
        drop(Busy::begin(&activity));
        assert!(!idle_for(Duration::from_secs(9)).await);
        let busy = Busy::begin(&activity);
        assert!(!idle_for(Duration::from_secs(1_000)).await, "an answer may take as long as it takes");
        activity.is_program.store(true, Ordering::Relaxed);
        drop(busy);
        assert!(!idle_for(Duration::from_secs(75)).await);
        assert!(idle_for(Duration::from_secs(91)).await);
    }

    #[test]
    fn the_fourth_answer_of_429_or_503_is_the_last_but_a_proxy_asks_for_many() {
        let (one, proxy) = (Answers::new(Some(1_000)), Answers::new(None));
        let statuses = [429, 200, 503, 503, 101, 503];
        let last =
            |answers: &Answers| statuses.map(|status| answers.is_last(StatusCode::from_u16(status).unwrap()));
        assert_eq!(last(&one), [false, false, false, false, false, true]);
        assert_eq!(last(&proxy), [false; 6]);
    }
}
