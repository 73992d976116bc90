//! The address of a server: its host and port, and the path of its WebSocket.
//!
//! Deliberately absent: TLS. `wss://` is rejected with a message that says so.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};

use anyhow::{Context, Result, bail, ensure};

/// How many sockets share one loopback source address: fewer than an address has ephemeral ports.
const SOCKETS_PER_SOURCE: usize = 8_000;

/// A resolved WebSocket address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// The address to connect to.
    pub address: SocketAddr,
    /// The `Host` header.
    pub host: String,
    /// The path of the upgrade, such as `/ws`.
    pub path: String,
}

impl Endpoint {
    /// Parses `ws://host:port` or `ws://host:port/path`; the default path is `/ws`. `http://` means
    /// the same.
    ///
    /// # Errors
    /// When the text is not such an address, or the host cannot be resolved.
    pub fn parse(text: &str) -> Result<Self> {
        let rest = match text.split_once("://") {
            Some(("ws" | "http", rest)) => rest,
            Some((scheme, _)) => bail!("{text}: {scheme}:// is not supported, use ws://"),
            None => text,
        };
        let (host, path) = rest.split_once('/').map_or((rest, ""), |(host, path)| (host, path));
        let path = if path.is_empty() { "/ws".to_owned() } else { format!("/{path}") };
        ensure!(!host.is_empty(), "{text}: the host is missing");
        let with_port = if host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()) {
            host.to_owned()
        } else {
            format!("{host}:80")
        };
        let address = with_port
            .to_socket_addrs()
            .with_context(|| format!("cannot find {host}"))?
            .next()
            .with_context(|| format!("{host} has no address"))?;
        Ok(Self { address, host: host.to_owned(), path })
    }

    /// A port on the loopback address.
    #[must_use]
    pub fn loopback(port: u16, path: &str) -> Self {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        Self { address, host: address.to_string(), path: path.to_owned() }
    }

    /// The source address of the socket with this number; `None` lets the system choose. On the
    /// loopback it is 127.0.0.2 for the first 8,000 sockets, then 127.0.0.3 and so on, because one
    /// address has too few ports.
    #[must_use]
    pub fn source(&self, index: usize) -> Option<SocketAddr> {
        let IpAddr::V4(target) = self.address.ip() else { return None };
        if !target.is_loopback() {
            return None;
        }
        let step = u8::try_from(index / SOCKETS_PER_SOURCE % 200).expect("below 200");
        Some(SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2 + step)), 0))
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ws://{}{}", self.host, self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_their_usual_forms() {
        let plain = Endpoint::parse("ws://127.0.0.1:7777").unwrap();
        assert_eq!(plain, Endpoint::loopback(7777, "/ws"));
        assert_eq!(Endpoint::parse("http://127.0.0.1:7777/").unwrap(), plain);
        assert_eq!(Endpoint::parse("127.0.0.1:7777/ws").unwrap(), plain);
        assert_eq!(Endpoint::parse("ws://127.0.0.1/other").unwrap().path, "/other");
        assert_eq!(Endpoint::parse("ws://127.0.0.1").unwrap().address.port(), 80);
        for bad in ["wss://127.0.0.1:1", "ws://", "ws:///ws", "ftp://x"] {
            assert!(Endpoint::parse(bad).is_err(), "{bad} was taken");
        }
    }

    #[test]
    fn sources_change_every_8000_sockets_on_the_loopback_only() {
        let here = Endpoint::loopback(1, "/");
        let ip = |index| here.source(index).unwrap().ip().to_string();
        assert_eq!(
            [ip(0), ip(7_999), ip(8_000), ip(16_000)],
            ["127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.4"]
        );
        let elsewhere = Endpoint::parse("ws://192.0.2.1:80").unwrap();
        assert_eq!(elsewhere.source(0), None);
    }
}
