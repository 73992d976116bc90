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

/// Why the metrics cannot be served.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot listen on {0} for the metrics: choose another address or port with --metrics-listen, or leave it out"
)]
pub struct MetricsListenError(SocketAddr, #[source] io::Error);

impl ListenError {
    fn new(address: SocketAddr, error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::AddrInUse => Self::InUse(address),
            io::ErrorKind::PermissionDenied => Self::NotAllowed(address),
            io::ErrorKind::AddrNotAvailable => Self::NoSuchAddress(address),
            _ => Self::Other(address, error),
        }
    }
}

/// A socket with an address, on which nobody can connect yet.
#[derive(Debug)]
pub struct Bound {
    address: SocketAddr,
    socket: Socket,
}

/// Takes `address`, so that what is wrong with it shows before anything else begins.
///
/// # Errors
/// [`ListenError`], whose text is for the person who started the program.
pub fn bind(address: SocketAddr) -> Result<Bound, ListenError> {
    match open(address) {
        Ok(socket) => Ok(Bound { address, socket }),
        Err(error) => Err(ListenError::new(address, error)),
    }
}

/// Takes `address` for those who read the metrics, beside the public one.
///
/// # Errors
/// When it cannot; the text is for the person who started the program.
pub fn bind_metrics(address: SocketAddr, public: SocketAddr) -> Result<Bound, MetricsListenError> {
    // The kernel lets a program take an address twice, and only listen once.
    let is_taken = address.port() != 0
        && address.port() == public.port()
        && (address.ip() == public.ip() || address.ip().is_unspecified() || public.ip().is_unspecified());
    let opened = if is_taken { Err(io::ErrorKind::AddrInUse.into()) } else { open(address) };
    match opened {
        Ok(socket) => Ok(Bound { address, socket }),
        Err(error) => Err(MetricsListenError(address, error)),
    }
}

impl Bound {
    /// Listens: from here on clients connect. To be called within the runtime.
    ///
    /// # Errors
    /// [`ListenError`]; another program may have begun to listen on the address in the meantime.
    pub fn listen(self) -> Result<TcpListener, ListenError> {
        let listener = self.socket.listen(BACKLOG).and_then(|()| TcpListener::from_std(self.socket.into()));
        listener.map_err(|error| ListenError::new(self.address, error))
    }
}

fn open(address: SocketAddr) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    // A restart need not wait until old connections are forgotten by the kernel.
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_port_in_use_is_named_with_what_to_do() {
        let first = bind("127.0.0.1:0".parse().unwrap()).unwrap().listen().unwrap();
        let address = first.local_addr().unwrap();
        let error = bind(address).unwrap_err();
        assert!(matches!(error, ListenError::InUse(_)), "{error:?}");
        let text = error.to_string();
        assert!(text.contains(&address.to_string()) && text.contains("--listen"), "{text}");
    }

    #[test]
    fn the_metrics_have_a_port_of_their_own() {
        let address = |text: &str| text.parse().unwrap();
        for (metrics, public) in [("127.0.0.1:8080", "127.0.0.1:8080"), ("127.0.0.1:8080", "0.0.0.0:8080")] {
            let error = bind_metrics(address(metrics), address(public)).unwrap_err();
            assert!(error.to_string().contains("--metrics-listen"), "{error}");
        }
        assert!(bind_metrics(address("127.0.0.1:0"), address("127.0.0.1:0")).is_ok());
    }

    #[tokio::test]
    async fn an_address_of_somebody_else_is_rejected() {
        let error = bind("192.0.2.1:0".parse().unwrap()).unwrap_err();
        assert!(matches!(error, ListenError::NoSuchAddress(_)), "{error:?}");
    }
}
