//! What one address may do: how many connections it has open, how many guests it makes.
//!
//! An IPv6 address counts with its whole /64, because that is what one customer is given. Loopback counts like any
//! other; flags raise the limits.
//!
//! Invariants: a [`Permit`] that is dropped is given back; an address without connections and with its full allowance
//! is forgotten at the latest a thousand connections later.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use dashmap::DashMap;

use crate::allowance::{Allowance, Rate};
use crate::time::ServiceInstant;

/// Connections beyond the limit that are answered with 429, an address; further ones are dropped without a word.
const REFUSALS_PER_ADDRESS: u32 = 16;

/// When the table has this many addresses more than at the last look, those that need not be kept are dropped.
const SWEEP_EVERY: u32 = 1024;

/// An address as it is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Address(IpAddr);

impl From<IpAddr> for Address {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(v6) => {
                let network = u128::from(v6) & !u128::from(u64::MAX);
                Self(IpAddr::V6(Ipv6Addr::from(network)))
            }
            v4 @ IpAddr::V4(_) => Self(v4),
        }
    }
}

#[derive(Debug, Default)]
struct Use {
    connections: u32,
    guests: Allowance,
}

/// All addresses.
#[derive(Debug)]
pub(crate) struct Addresses {
    uses: DashMap<Address, Use>,
    connections_max: u32,
    guests: Rate,
    since_sweep: std::sync::atomic::AtomicU32,
}

/// How a new connection is to be treated.
#[derive(Debug)]
pub(crate) enum Admission {
    /// As any other.
    Served(Permit),
    /// It gets a 429 and is closed.
    Refused(Permit),
    /// It is closed at once.
    Dropped,
}

impl Addresses {
    /// At most `connections_max` connections an address, and `guests_per_minute` guests.
    pub(crate) fn new(connections_max: u32, guests_per_minute: u32) -> Arc<Self> {
        Arc::new(Self {
            uses: DashMap::new(),
            connections_max,
            guests: Rate::per_minute(guests_per_minute),
            since_sweep: std::sync::atomic::AtomicU32::new(0),
        })
    }

    /// Counts a new connection.
    pub(crate) fn admit(self: &Arc<Self>, address: Address, at: ServiceInstant) -> Admission {
        self.sweep_now_and_then(at);
        let mut entry = self.uses.entry(address).or_default();
        let open = entry.connections;
        if open >= self.connections_max.saturating_add(REFUSALS_PER_ADDRESS) {
            return Admission::Dropped;
        }
        entry.connections += 1;
        drop(entry);
        let permit = Permit { addresses: Arc::clone(self), address };
        if open >= self.connections_max { Admission::Refused(permit) } else { Admission::Served(permit) }
    }

    fn release(&self, address: Address) {
        if let Some(mut entry) = self.uses.get_mut(&address) {
            entry.connections -= 1;
        }
        self.uses
            .remove_if(&address, |_, entry| entry.connections == 0 && entry.guests == Allowance::default());
    }

    /// Forgets addresses that are gone and whose allowance is full again.
    fn sweep_now_and_then(&self, at: ServiceInstant) {
        use std::sync::atomic::Ordering;
        if self.since_sweep.fetch_add(1, Ordering::Relaxed) >= SWEEP_EVERY {
            self.since_sweep.store(0, Ordering::Relaxed);
            self.uses.retain(|_, entry| entry.connections > 0 || !entry.guests.is_full(at));
        }
    }
}

/// A counted connection.
#[derive(Debug)]
pub(crate) struct Permit {
    addresses: Arc<Addresses>,
    address: Address,
}

impl Permit {
    /// Whether this address may make one more guest now.
    pub(crate) fn may_make_guest(&self, at: ServiceInstant) -> bool {
        let rate = self.addresses.guests;
        self.addresses.uses.get_mut(&self.address).is_some_and(|mut entry| entry.guests.take(at, rate))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.addresses.release(self.address);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        text.parse::<IpAddr>().unwrap().into()
    }

    const START: ServiceInstant = ServiceInstant(0);

    fn served(addresses: &Arc<Addresses>, text: &str) -> Option<Permit> {
        match addresses.admit(address(text), START) {
            Admission::Served(permit) => Some(permit),
            Admission::Refused(_) | Admission::Dropped => None,
        }
    }

    #[test]
    fn an_ipv6_network_counts_as_one_and_a_mapped_address_as_ipv4() {
        assert_eq!(address("2001:db8:1:2:3:4:5:6"), address("2001:db8:1:2::1"));
        assert_ne!(address("2001:db8:1:2::1"), address("2001:db8:1:3::1"));
        assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
        assert_ne!(address("192.0.2.1"), address("192.0.2.2"));
    }

    #[test]
    fn an_address_has_only_so_many_connections_and_gets_them_back() {
        let addresses = Addresses::new(2, 60);
        let first = served(&addresses, "192.0.2.1").unwrap();
        let second = served(&addresses, "192.0.2.1").unwrap();
        assert!(matches!(addresses.admit(address("192.0.2.1"), START), Admission::Refused(_)));
        assert!(served(&addresses, "192.0.2.2").is_some(), "another address is not concerned");
        drop(first);
        assert!(served(&addresses, "192.0.2.1").is_some());
        drop(second);
        assert!(addresses.uses.is_empty(), "nothing is kept of them");
    }

    #[test]
    fn refusals_are_bounded_too() {
        let addresses = Addresses::new(1, 60);
        let open = served(&addresses, "192.0.2.1").unwrap();
        let refused = (0..REFUSALS_PER_ADDRESS).map(|_| addresses.admit(address("192.0.2.1"), START));
        let refused = refused.collect::<Vec<_>>();
        assert!(refused.iter().all(|admission| matches!(admission, Admission::Refused(_))));
        assert!(matches!(addresses.admit(address("192.0.2.1"), START), Admission::Dropped));
        drop((open, refused));
    }

    #[test]
    fn guests_are_counted_over_all_connections_of_an_address() {
        let addresses = Addresses::new(9, 2);
        let permit = served(&addresses, "192.0.2.1").unwrap();
        assert!(permit.may_make_guest(START));
        drop(permit);
        let again = served(&addresses, "192.0.2.1").unwrap();
        assert!(again.may_make_guest(START));
        assert!(!again.may_make_guest(START));
        assert!(again.may_make_guest(ServiceInstant(30_000_000)));
    }

    #[test]
    fn addresses_that_made_guests_are_forgotten_later() {
        let addresses = Addresses::new(9, 2);
        for n in 0..=SWEEP_EVERY {
            let permit = match addresses.admit(Address::from(IpAddr::from(n.to_be_bytes())), START) {
                Admission::Served(permit) => permit,
                other => panic!("{other:?}"),
            };
            assert!(permit.may_make_guest(START));
        }
        assert!(addresses.uses.len() > 1_000);
        for _ in 0..=SWEEP_EVERY {
            drop(addresses.admit(address("192.0.2.1"), ServiceInstant(120_000_000)));
        }
        assert!(addresses.uses.len() <= 1);
    }
}
