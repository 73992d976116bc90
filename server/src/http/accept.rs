//! From the listening socket to hyper: our own accept loop.
//!
//! Each connection is counted for its address, gets its socket options, and is handed on: `connection` serves or
//! rejects it. While tasks run late, few connections are taken at a time, and the kernel keeps the others.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::connection::{reject, serve};
use super::guard::Peer;
use super::state::{Edge, HttpState};
use crate::net::Admission;
use crate::tasks::Overload;
use crate::telemetry::metrics;

/// What the kernel buffers for a client that does not read; its own default is up to 4 MiB.
const SEND_BUFFER_BYTES: usize = 64 * 1024;

/// The kernel gives a connection up when sent data are not acknowledged, or not taken, for this
/// long: the last bound on an HTTP client that does not read. A session has pings, which are
/// quicker.
const UNACKNOWLEDGED_MAX: Duration = Duration::from_secs(30);

/// Connections that read the metrics: what rendering them takes is bounded so. A scraper has one.
const METRICS_CONNECTIONS_MAX: usize = 8;

/// The pause after a failed accept, such as when the process has no file left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Accepts clients until the server stops.
pub(crate) async fn accept(state: HttpState, listener: TcpListener) {
    let edge = Arc::clone(&state.edge);
    let router = super::routes(state);
    let gate = edge.tasks.overload();
    accept_each(&edge, listener, Some(gate), |stream, address| admit(&edge, &router, stream, address)).await;
}

/// Accepts those who read the metrics until the server stops. One more than [`METRICS_CONNECTIONS_MAX`] is closed at
/// once.
pub(crate) async fn accept_metrics(edge: Arc<Edge>, listener: TcpListener) {
    let router = super::metrics_routes(Arc::clone(&edge));
    let places = Arc::new(Semaphore::new(METRICS_CONNECTIONS_MAX));
    accept_each(&edge, listener, None, |stream, ip| {
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { return false };
        let served = serve(Arc::clone(&edge), router.clone(), stream, Peer { ip, permit: None });
        edge.tasks.spawn(async move {
            served.await;
            drop(place);
        });
        true
    })
    .await;
}

/// Hands each new connection on until the server stops; `take` says whether it is served. With a gate, those that may not
/// come in yet wait in the kernel.
async fn accept_each(
    edge: &Edge,
    listener: TcpListener,
    gate: Option<&Overload>,
    take: impl Fn(TcpStream, IpAddr) -> bool,
) {
    let mut fails = false;
    loop {
        let next = async {
            if let Some(gate) = gate {
                gate.arrival().await;
            }
            listener.accept().await
        };
        let accepted = tokio::select! {
            biased;
            () = edge.tasks.stopping().cancelled() => return,
            accepted = next => accepted,
        };
        match accepted {
            Ok((stream, peer)) => {
                fails = false;
                if !take(stream, peer.ip())
                    && let Some(gate) = gate
                {
                    gate.not_served();
                }
            }
            Err(error) if is_about_one_connection(&error) => {
                tracing::debug!(%error, "a connection went before it was accepted");
            }
            Err(error) => {
                // Logged once, not at every try.
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

/// Whether the connection is served, if only with a rejection; else it is closed at once.
fn admit(edge: &Arc<Edge>, router: &Router, stream: TcpStream, address: IpAddr) -> bool {
    if let Err(error) = set_options(&stream) {
        tracing::debug!(%error, "a connection went before it was set up");
        return false;
    }
    let counted = (!edge.proxies.trust(address)).then(|| edge.admit(address));
    let permit = match counted {
        None => None,
        Some(Admission::Served(permit)) => Some(Arc::new(permit)),
        Some(Admission::Rejected(permit, why)) => {
            metrics().connections_rejected.increment(1);
            edge.tasks.spawn(reject(Arc::clone(edge), stream, address, permit, why));
            return true;
        }
        Some(Admission::Dropped) => {
            metrics().connections_rejected.increment(1);
            return false;
        }
    };
    edge.tasks.spawn(serve(Arc::clone(edge), router.clone(), stream, Peer { ip: address, permit }));
    true
}

fn set_options(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    socket.set_send_buffer_size(SEND_BUFFER_BYTES)?;
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_connection_has_bounds_in_the_kernel_too() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (client, accepted) =
            tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        let (stream, _) = accepted.unwrap();
        set_options(&stream).unwrap();
        let socket = SockRef::from(&stream);
        // The kernel doubles what is asked for, to have room for its own records.
        assert_eq!(socket.send_buffer_size().unwrap(), 2 * SEND_BUFFER_BYTES);
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(UNACKNOWLEDGED_MAX));
        assert!(stream.nodelay().unwrap());
        drop(client.unwrap());
    }
}
