//! Networks that an admin has cut: until an instant nothing from there is answered.
//!
//! Each request is compared with the whole list, which is short. Deliberately absent: storage, and the connections that are
//! open (`connections`).
//!
//! Invariant: neither this machine nor a trusted proxy is in a network of the list.

use std::net::IpAddr;
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{Network, Proxies};
use crate::sync::unpoisoned;
use crate::time::unix_now_ms;

/// The shortest prefix of IPv4 that can be cut: a provider's, not a continent's.
const IPV4_PREFIX_MIN: u8 = 16;
/// The same for IPv6.
const IPV6_PREFIX_MIN: u8 = 32;
/// The longest of IPv6: one customer has that.
const IPV6_PREFIX_MAX: u8 = 64;

/// A network and when the cut ends, in milliseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CutNetwork {
    pub(crate) network: Network,
    pub(crate) until_unix_ms: u64,
}

/// Why a network cannot be cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum NotCut {
    /// It is not an address or a network.
    #[error("an address, or a network such as 192.0.2.0/24 or 2001:db8::/48, is cut")]
    Unreadable,
    /// It holds too much.
    #[error("a network of IPv4 has a prefix of 16 or more, one of IPv6 one of 32 to 64")]
    TooLarge,
    /// This machine is in it.
    #[error("this machine itself is in it")]
    Loopback,
    /// A trusted proxy is in it.
    #[error("a trusted proxy is in it, and with it all clients behind")]
    Proxy,
}

/// All networks that are cut.
#[derive(Debug, Default)]
pub(crate) struct Cuts {
    networks: RwLock<Vec<CutNetwork>>,
}

impl Cuts {
    /// The network of a text, if it can be cut: the clients behind proxies are, and these are not. An address of IPv6 stands
    /// for its /64.
    pub(crate) fn read(text: &str, proxies: &Proxies) -> Result<Network, NotCut> {
        let network: Network = text.parse().map_err(|_| NotCut::Unreadable)?;
        let least = if network.is_ipv4() { IPV4_PREFIX_MIN } else { IPV6_PREFIX_MIN };
        let network = network.at_most_prefix(if network.is_ipv4() { 32 } else { IPV6_PREFIX_MAX });
        if network.prefix() < least {
            return Err(NotCut::TooLarge);
        }
        let loopback = ["127.0.0.0/8", "::1"].map(|text| text.parse::<Network>());
        if loopback.into_iter().flatten().any(|loopback| loopback.meets(network)) {
            return Err(NotCut::Loopback);
        }
        if proxies.meet(network) {
            return Err(NotCut::Proxy);
        }
        Ok(network)
    }

    /// Whether nothing from this address is answered now.
    pub(crate) fn hold(&self, address: IpAddr) -> bool {
        let list = self.list();
        !list.is_empty() && {
            let now_ms = unix_now_ms();
            list.iter().any(|cut| cut.until_unix_ms > now_ms && cut.network.holds(address))
        }
    }

    /// Cuts a network, in place of another cut of it.
    pub(crate) fn insert(&self, cut: CutNetwork) {
        let now_ms = unix_now_ms();
        let mut list = self.list_mut();
        list.retain(|kept| kept.network != cut.network && kept.until_unix_ms > now_ms);
        list.push(cut);
    }

    /// Cuts a network no more; whether it was cut.
    pub(crate) fn remove(&self, network: Network) -> bool {
        let now_ms = unix_now_ms();
        let mut list = self.list_mut();
        let was_cut = list.iter().any(|cut| cut.network == network && cut.until_unix_ms > now_ms);
        list.retain(|cut| cut.network != network);
        was_cut
    }

    /// The cuts that are not over, the one that ends first first.
    pub(crate) fn all(&self) -> Vec<CutNetwork> {
        let now_ms = unix_now_ms();
        let mut cuts: Vec<_> = self.list().iter().copied().filter(|cut| cut.until_unix_ms > now_ms).collect();
        cuts.sort_by_key(|cut| cut.until_unix_ms);
        cuts
    }

    /// Every critical section leaves the list whole.
    fn list(&self) -> RwLockReadGuard<'_, Vec<CutNetwork>> {
        unpoisoned(self.networks.read())
    }

    fn list_mut(&self) -> RwLockWriteGuard<'_, Vec<CutNetwork>> {
        unpoisoned(self.networks.write())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Network, NotCut> {
        let proxies = ["10.1.0.0/16", "2001:db8:1::7"].map(|text| text.parse().unwrap());
        Cuts::read(text, &Proxies::new(proxies.into()))
    }

    #[test]
    fn a_network_is_cut_that_is_neither_large_nor_ours() {
        for (text, expected) in [
            ("192.0.2.7", "192.0.2.7/32"),
            ("192.0.2.77/24", "192.0.2.0/24"),
            ("203.0.0.0/16", "203.0.0.0/16"),
            ("::ffff:192.0.2.7", "192.0.2.7/32"),
            ("2001:db8::1", "2001:db8::/64"),
            ("2001:db8:2:3:4::/72", "2001:db8:2:3::/64"),
            ("2001:db9::/32", "2001:db9::/32"),
        ] {
            assert_eq!(read(text).map(|network| network.to_string()).as_deref(), Ok(expected), "{text}");
        }
        for (text, why) in [
            ("", NotCut::Unreadable),
            ("host", NotCut::Unreadable),
            ("192.0.2.0/33", NotCut::Unreadable),
            ("203.0.0.0/15", NotCut::TooLarge),
            ("0.0.0.0/0", NotCut::TooLarge),
            ("2001::/31", NotCut::TooLarge),
            ("127.0.0.1", NotCut::Loopback),
            ("127.1.0.0/16", NotCut::Loopback),
            ("::1", NotCut::Loopback),
            ("10.1.2.3", NotCut::Proxy),
            ("2001:db8:1::/48", NotCut::Proxy),
            ("2001:db8:1::9", NotCut::Proxy),
        ] {
            assert_eq!(read(text), Err(why), "{text}");
        }
    }

    #[test]
    fn a_cut_holds_its_network_until_it_ends_or_is_removed() {
        let (cuts, now_ms) = (Cuts::default(), unix_now_ms());
        let network = read("192.0.2.0/24").unwrap();
        let holds = |text: &str| cuts.hold(text.parse().unwrap());
        assert!(!holds("192.0.2.7"));
        cuts.insert(CutNetwork { network, until_unix_ms: now_ms });
        assert!(!holds("192.0.2.7"), "it is over");
        let cut = CutNetwork { network, until_unix_ms: now_ms + 600_000 };
        cuts.insert(cut);
        assert!(holds("192.0.2.7") && holds("::ffff:192.0.2.8") && !holds("192.0.3.7"));
        assert_eq!(cuts.all(), [cut], "one a network");
        assert!(cuts.remove(network) && !cuts.remove(network));
        assert!(!holds("192.0.2.7"));
    }
}
