//! The listening socket, and error messages that say what to do.

use std::io;
use std::net::SocketAddr;

use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpListener;

/// Connections that wait to be accepted: enough for all of a full server coming back within a second.
const BACKLOG: i32 = 4096;

/// Why the server cannot listen.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Another program has the port.
    #[error(
        "{0} is in use by another program: stop that one, or choose another port with --listen {ip}:{port}",
        ip = .0.ip(), port = .0.port().wrapping_add(1).max(1024)
    )]
    InUse(SocketAddr),
    /// The port is for privileged programs.
    #[error("not allowed to listen on {0}: choose a port from 1024 on with --listen")]
    NotAllowed(SocketAddr),
    /// This machine does not have the address.
    #[error("this machine has no address {}: listen on one it has, or on 0.0.0.0 for all, with --listen", .0.ip())]
    NoSuchAddress(SocketAddr),
    /// Anything else.
    #[error("cannot listen on {0}")]
    Other(SocketAddr, #[source] io::Error),
}

/// Listens on `address` for those who read the metrics. To be called within the runtime.
///
/// # Errors
/// When it cannot; the text is for the person who started the program.
pub fn bind_metrics(address: SocketAddr) -> Result<TcpListener, MetricsListenError> {
    open(address).map_err(|error| MetricsListenError(address, error))
}

/// Why the metrics cannot be served.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot listen on {0} for the metrics: choose another address or port with --metrics-listen, or leave it out"
)]
pub struct MetricsListenError(SocketAddr, #[source] io::Error);

/// Listens on `address`. To be called within the runtime.
///
/// # Errors
/// [`ListenError`], whose text is for the person who started the program.
pub fn bind(address: SocketAddr) -> Result<TcpListener, ListenError> {
    open(address).map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => ListenError::InUse(address),
        io::ErrorKind::PermissionDenied => ListenError::NotAllowed(address),
        io::ErrorKind::AddrNotAvailable => ListenError::NoSuchAddress(address),
        _ => ListenError::Other(address, error),
    })
}

fn open(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A restart need not wait until old connections are forgotten by the kernel.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_port_in_use_is_named_with_what_to_do() {
        let first = bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = first.local_addr().unwrap();
        let error = bind(address).unwrap_err();
        assert!(matches!(error, ListenError::InUse(_)), "{error:?}");
        let text = error.to_string();
        assert!(text.contains(&address.to_string()) && text.contains("--listen"), "{text}");
    }

    #[tokio::test]
    async fn an_address_of_somebody_else_is_rejected() {
        let error = bind("192.0.2.1:0".parse().unwrap()).unwrap_err();
        assert!(matches!(error, ListenError::NoSuchAddress(_)), "{error:?}");
    }
}
