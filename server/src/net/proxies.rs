//! Which client a request is from when proxies stand before us: `X-Forwarded-For`, believed from trusted proxies only.
//!
//! Each proxy appends the address it was connected from. Read from the right, hops are skipped while they are trusted;
//! the first that is not is the client. What stands further left came from that client and proves nothing.
//!
//! Deliberately absent: the `Forwarded` header, and trust in anybody by default.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use http::HeaderMap;

/// An address, or a network such as `10.0.0.0/8`.
///
/// Invariant: an IPv4-mapped network (`::ffff:10.0.0.0/104`) is kept as the IPv4 network that it is (`10.0.0.0/8`), so the
/// prefix is never longer than the address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// The bits of an IPv4-mapped IPv6 address before its IPv4 address (RFC 4291, 2.5.5.2).
const MAPPED_PREFIX: u8 = 96;

/// What is not a [`Network`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotANetwork {
    /// Not an address with or without a prefix length.
    #[error("{0:?} is not an address or a network such as 10.0.0.0/8 or fd00::/8")]
    Unreadable(String),
    /// A network that is larger than all of IPv4, named by an IPv4-mapped address.
    #[error(
        "{0:?} holds more than IPv4-mapped addresses: with an address of ::ffff:0:0/96 the prefix is 96 to 128; \
         an IPv4 network is better written like 10.0.0.0/8"
    )]
    LargerThanMapped(String),
}

impl FromStr for Network {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let unreadable = || NotANetwork::Unreadable(text.to_owned());
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let written = address.parse::<IpAddr>().map_err(|_| unreadable())?;
        let most: u8 = if written.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(most), str::parse).map_err(|_| unreadable())?;
        if prefix > most {
            return Err(unreadable());
        }
        let address = written.to_canonical();
        let mapped = written.is_ipv6() && address.is_ipv4();
        let prefix = if mapped { prefix.checked_sub(MAPPED_PREFIX) } else { Some(prefix) };
        let prefix = prefix.ok_or_else(|| NotANetwork::LargerThanMapped(text.to_owned()))?;
        Ok(Self { address, prefix })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

impl Network {
    /// Whether its addresses are of IPv4.
    pub(crate) const fn is_ipv4(self) -> bool {
        self.address.is_ipv4()
    }

    /// How many bits all its addresses have in common.
    pub(crate) const fn prefix(self) -> u8 {
        self.prefix
    }

    /// The same with its first address, and with no longer a prefix than this one.
    pub(crate) fn at_most_prefix(self, most: u8) -> Self {
        let prefix = self.prefix.min(most);
        let address = match self.address {
            IpAddr::V4(address) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or_default();
                IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask))
            }
            IpAddr::V6(address) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or_default();
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask))
            }
        };
        Self { address, prefix }
    }

    /// Whether some address is in both.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.holds(other.address) || other.holds(self.address)
    }

    /// Whether an address is in it.
    pub(crate) fn holds(self, address: IpAddr) -> bool {
        let bits = |address: u128, width: u32| {
            address.checked_shr(width - u32::from(self.prefix)).unwrap_or_default()
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(ours), IpAddr::V4(other)) => {
                bits(u128::from(ours.to_bits()), 32) == bits(u128::from(other.to_bits()), 32)
            }
            (IpAddr::V6(ours), IpAddr::V6(other)) => bits(ours.to_bits(), 128) == bits(other.to_bits(), 128),
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => false,
        }
    }
}

/// The proxies whose word counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies(Vec<Network>);

impl Proxies {
    /// These, and no others.
    pub(crate) fn new(trusted: Vec<Network>) -> Self {
        Self(trusted)
    }

    /// Whether this is one of them.
    pub(crate) fn trust(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.holds(address))
    }

    /// Whether one of them may be in this network.
    pub(crate) fn meet(&self, network: Network) -> bool {
        self.0.iter().any(|proxy| proxy.meets(network))
    }

    /// The client that `peer` forwards for. A hop that cannot be read as an address ends the search
    /// at the hop before it.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer;
        let values = headers.get_all("x-forwarded-for").into_iter().collect::<Vec<_>>();
        let hops = values.iter().rev().flat_map(|value| value.to_str().unwrap_or("?").rsplit(','));
        for hop in hops {
            if !self.trust(client) {
                break;
            }
            let Some(address) = address_of(hop.trim()) else { break };
            client = address;
        }
        client
    }

    /// The scheme that a trusted `peer` says the client used; ours is http.
    pub(crate) fn scheme(&self, peer: IpAddr, headers: &HeaderMap) -> &'static str {
        let said = headers.get("x-forwarded-proto").filter(|_| self.trust(peer));
        if said.is_some_and(|said| said.as_bytes().eq_ignore_ascii_case(b"https")) { "https" } else { "http" }
    }
}

/// A hop, as `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`.
fn address_of(hop: &str) -> Option<IpAddr> {
    let bare = || hop.strip_prefix('[')?.strip_suffix(']')?.parse::<IpAddr>().ok();
    let with_port = || hop.parse::<SocketAddr>().map(|address| address.ip()).ok();
    let address = hop.parse::<IpAddr>().ok().or_else(with_port).or_else(bare)?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn proxies(networks: &[&str]) -> Proxies {
        Proxies::new(networks.iter().map(|network| network.parse().unwrap()).collect())
    }

    #[track_caller]
    fn check(trusted: &[&str], peer: &str, forwarded: &[&str], client: &str) {
        let headers = forwarded.iter().map(|value| {
            (http::HeaderName::from_static("x-forwarded-for"), http::HeaderValue::from_str(value).unwrap())
        });
        assert_eq!(proxies(trusted).client(ip(peer), &headers.collect()), ip(client), "{forwarded:?}");
    }

    #[test]
    fn networks() {
        for (network, inside, outside) in [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"),
            ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("192.0.2.0/25", "192.0.2.127", "192.0.2.128"),
            ("0.0.0.0/0", "203.0.113.9", "2001:db8::1"),
            ("fd00::/8", "fdff::1", "fe80::1"),
            ("::/0", "2001:db8::1", "10.0.0.1"),
            ("10.0.0.0/8", "::ffff:10.1.2.3", "::ffff:11.1.2.3"),
            ("::ffff:10.0.0.0/104", "10.1.2.3", "203.0.113.9"),
            ("::ffff:10.0.0.0/104", "::ffff:10.1.2.3", "11.0.0.1"),
            ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.8"),
            ("::ffff:0:0/96", "203.0.113.9", "2001:db8::1"),
        ] {
            let network = network.parse::<Network>().unwrap();
            assert!(network.holds(ip(inside)) && !network.holds(ip(outside)), "{network}");
        }
        for wrong in ["", "10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "host", "::/129", "10.0.0.0/-1"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
        for large in ["::ffff:10.0.0.0/95", "::ffff:10.0.0.0/8", "::ffff:0:0/0"] {
            let error = large.parse::<Network>().unwrap_err();
            assert_eq!(error, NotANetwork::LargerThanMapped(large.to_owned()));
        }
        assert_eq!("::ffff:10.0.0.0/104".parse::<Network>().unwrap().to_string(), "10.0.0.0/8");
    }

    #[test]
    fn nobody_is_believed_by_default() {
        check(&[], "127.0.0.1", &["203.0.113.9"], "127.0.0.1");
        check(&["10.0.0.1"], "10.0.0.2", &["203.0.113.9"], "10.0.0.2");
    }

    #[test]
    fn the_rightmost_hop_that_is_not_trusted_counts() {
        let trusted = ["10.0.0.0/8", "fd00::/8"];
        check(&trusted, "10.0.0.1", &["203.0.113.9"], "203.0.113.9");
        check(&trusted, "10.0.0.1", &["6.6.6.6, 203.0.113.9"], "203.0.113.9");
        check(&trusted, "10.0.0.1", &["6.6.6.6, 203.0.113.9, 10.0.0.7"], "203.0.113.9");
        check(&trusted, "10.0.0.1", &["6.6.6.6", "203.0.113.9", "10.0.0.7"], "203.0.113.9");
        check(&trusted, "fd00::1", &["[2001:db8::5]:4711"], "2001:db8::5");
        check(&trusted, "10.0.0.1", &["203.0.113.9:99 "], "203.0.113.9");
    }

    #[test]
    fn without_a_readable_hop_it_is_the_last_one_known() {
        check(&["10.0.0.0/8"], "10.0.0.1", &[], "10.0.0.1");
        check(&["10.0.0.0/8"], "10.0.0.1", &["unknown"], "10.0.0.1");
        check(&["10.0.0.0/8"], "10.0.0.1", &["203.0.113.9, unknown, 10.0.0.7"], "10.0.0.7");
        check(&["10.0.0.0/8"], "10.0.0.1", &["10.0.0.8, 10.0.0.7"], "10.0.0.8");
    }

    #[test]
    fn the_scheme_is_believed_from_a_proxy_only() {
        let headers = HeaderMap::from_iter([(
            http::HeaderName::from_static("x-forwarded-proto"),
            http::HeaderValue::from_static("https"),
        )]);
        let proxies = proxies(&["10.0.0.1"]);
        assert_eq!(proxies.scheme(ip("10.0.0.1"), &headers), "https");
        assert_eq!(proxies.scheme(ip("10.0.0.2"), &headers), "http");
        assert_eq!(proxies.scheme(ip("10.0.0.1"), &HeaderMap::new()), "http");
    }
}
