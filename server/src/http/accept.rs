//! From the listening socket to hyper: our own accept loop.
//!
//! Each connection is counted for its address, gets its socket options, and is served HTTP/1.1 with a bound on how long a
//! request's head may take. A connection that is upgraded leaves here; its session keeps the permit.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::IntoResponse as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

use super::address::{Address, Admission, Permit};
use super::error::ApiError;
use crate::server::Server;
use crate::telemetry::metrics;

/// A request's head must be complete after this time; an idle connection is closed after it too.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest head of a request.
const HEADER_BYTES_MAX: usize = 16 * 1024;

/// What the kernel buffers for a client that does not read; its own default is up to 4 MiB.
const SEND_BUFFER_BYTES: usize = 64 * 1024;

/// The kernel gives a connection up when sent data are not acknowledged for this long.
const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(30);

/// The pause after a failed accept, such as when the process has no file left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Accepts until the server stops.
pub(crate) async fn accept(server: Arc<Server>, listener: TcpListener) {
    let router = super::routes(&server);
    let mut fails = false;
    loop {
        let accepted = tokio::select! {
            biased;
            () = server.tasks.stopping().cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                fails = false;
                admit(&server, &router, stream, peer.ip());
            }
            Err(error) if is_about_one_connection(&error) => {
                tracing::debug!(%error, "a connection went before it was accepted");
            }
            Err(error) => {
                // Said once, not at every try.
                if !std::mem::replace(&mut fails, true) {
                    tracing::warn!(%error, "no connection can be accepted");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn is_about_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}

fn admit(server: &Arc<Server>, router: &Router, stream: TcpStream, address: IpAddr) {
    if let Err(error) = set_options(&stream) {
        tracing::debug!(%error, "a connection went before it was set up");
        return;
    }
    match server.addresses.admit(Address::from(address), server.clock.now()) {
        Admission::Served(permit) => {
            let router = router.clone();
            server.tasks.spawn(serve(Arc::clone(server), router, stream, Arc::new(permit)));
        }
        Admission::Refused(permit) => {
            metrics().connections_refused.increment(1);
            server.tasks.spawn(refuse(Arc::clone(server), stream, permit));
        }
        Admission::Dropped => metrics().connections_refused.increment(1),
    }
}

fn set_options(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_send_buffer_size(SEND_BUFFER_BYTES)?;
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED_MAX))
}

fn http() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(HEADER_BYTES_MAX);
    http
}

async fn serve(server: Arc<Server>, router: Router, stream: TcpStream, permit: Arc<Permit>) {
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        metrics().http_requests.increment(1);
        request.extensions_mut().insert(Arc::clone(&permit));
        router.clone().oneshot(request.map(axum::body::Body::new))
    });
    let connection = http().serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        biased;
        ended = connection.as_mut() => ended,
        () = server.tasks.stopping().cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "an HTTP connection broke");
    }
}

/// Says 429 to whatever is asked, once.
async fn refuse(server: Arc<Server>, stream: TcpStream, permit: Permit) {
    let service = service_fn(|_: Request<Incoming>| async {
        Ok::<_, std::convert::Infallible>(ApiError::TooManyConnections.into_response())
    });
    let connection = http().keep_alive(false).serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        biased;
        () = server.tasks.stopping().cancelled() => {}
        ended = connection => if let Err(error) = ended {
            tracing::debug!(%error, "a refused connection broke");
        }
    }
    drop(permit);
}
