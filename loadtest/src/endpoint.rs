//! Where a server is: the address of its port, and the path of its WebSocket.
//!
//! No TLS: `wss://` is refused in words.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs};

use anyhow::{Context, Result, bail, ensure};

/// The sockets that share one loopback source address: below the number of ephemeral ports of one address.
const SOCKETS_PER_SOURCE: usize = 8_000;

/// A WebSocket address, resolved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Endpoint {
    /// Where to connect to.
    pub address: SocketAddr,
    /// The `Host` header.
    pub host: String,
    /// The path of the upgrade, such as `/ws`.
    pub path: String,
}

impl Endpoint {
    /// Reads `ws://host:port` or `ws://host:port/path`; without a path it is `/ws`. `http://` means the same.
    ///
    /// # Errors
    /// When it is no such address, or the host has none.
    pub fn parse(text: &str) -> Result<Self> {
        let rest = match text.split_once("://") {
            Some(("ws" | "http", rest)) => rest,
            Some((scheme, _)) => bail!("{text}: {scheme}:// is not supported, use ws://"),
            None => text,
        };
        let (host, path) = rest.split_once('/').map_or((rest, ""), |(host, path)| (host, path));
        let path = if path.is_empty() { "/ws".to_owned() } else { format!("/{path}") };
        ensure!(!host.is_empty(), "{text}: there is no host in it");
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

    /// A port of this machine.
    #[must_use]
    pub fn loopback(port: u16, path: &str) -> Self {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        Self { address, host: address.to_string(), path: path.to_owned() }
    }

    /// The source address of the `index`th socket: on the loopback 127.0.0.2 for the first 8,000, then 127.0.0.3 and
    /// so on, because one address has too few ports. `None`: the system chooses.
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
