//! What one address may do: how many connections it has open, how often it makes new ones and new guests, and how many
//! tokens it may name that no account has.
//!
//! An IPv6 address counts with its whole /64, because that is what one customer is given. Loopback counts like any
//! other; flags raise the limits.
//!
//! Invariants: a [`Permit`] that is dropped is given back; while it is [`Spared`] it does not count; an address without
//! connections and with its full allowances is forgotten at the latest a thousand connections later.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use dashmap::DashMap;
use zeitnot_protocol::Limits;

use super::allowances::Allowances;
use super::cuts::Cuts;
use super::limited_log::LimitedLog;
use crate::rate::{Allowance, Rate};
use crate::time::ServiceInstant;

/// Connections beyond a limit that are answered with 429 at a time, an address; further ones are dropped without a word.
const REJECTIONS_PER_ADDRESS: u32 = 16;

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

impl Address {
    /// The address; of IPv6 the first of its /64.
    pub(crate) const fn ip(self) -> IpAddr {
        self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V6(network) => write!(f, "{network}/64"),
            IpAddr::V4(address) => write!(f, "{address}"),
        }
    }
}

/// What an address has in use. It is forgotten when all of this is as at first.
#[derive(Debug, Default)]
struct Use {
    connections: u32,
    rejections: u32,
    connects: Allowance,
    guests: Allowance,
}

impl Use {
    fn is_over(&self, at: ServiceInstant) -> bool {
        self.connections == 0 && self.rejections == 0 && self.connects.is_full(at) && self.guests.is_full(at)
    }
}

/// All addresses.
#[derive(Debug)]
pub(crate) struct Addresses {
    uses: DashMap<Address, Use>,
    connections_max: u32,
    connects: Rate,
    guests: Rate,
    bad_tokens: Allowances<Address>,
    /// Those that nothing is answered to.
    pub(crate) cuts: Cuts,
    log: LimitedLog,
    since_sweep: AtomicU32,
}

/// Which limit was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TooMany {
    /// Open connections.
    Connections,
    /// New connections in a short time.
    NewConnections,
}

/// How a new connection is to be treated.
#[derive(Debug)]
pub(crate) enum Admission {
    /// As any other.
    Served(Permit),
    /// It gets a 429 and is closed.
    Rejected(Permit, TooMany),
    /// It is closed at once.
    Dropped,
}

impl Addresses {
    /// What the limits allow an address.
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            uses: DashMap::new(),
            connections_max: limits.connections_per_address,
            connects: Rate::per_minute(limits.new_connections_per_address_per_minute),
            guests: Rate::per_minute(limits.guests_per_address_per_minute),
            bad_tokens: Allowances::per_minute(limits.bad_tokens_per_address_per_minute),
            cuts: Cuts::default(),
            log: LimitedLog::default(),
            since_sweep: AtomicU32::new(0),
        })
    }

    /// Counts a new connection.
    pub(crate) fn admit(self: &Arc<Self>, address: Address, at: ServiceInstant) -> Admission {
        self.sweep_now_and_then(at);
        let mut entry = self.uses.entry(address).or_default();
        let too_many = if entry.connections >= self.connections_max {
            Some(TooMany::Connections)
        } else if entry.connects.take(at, self.connects) {
            None
        } else {
            Some(TooMany::NewConnections)
        };
        let permit = |served| Permit {
            addresses: Arc::clone(self),
            address,
            counts: if served { Counts::Served } else { Counts::Rejected },
            is_spared: AtomicBool::new(false),
        };
        match too_many {
            None => {
                entry.connections += 1;
                Admission::Served(permit(true))
            }
            Some(_) if entry.rejections >= REJECTIONS_PER_ADDRESS => Admission::Dropped,
            Some(why) => {
                entry.rejections += 1;
                Admission::Rejected(permit(false), why)
            }
        }
    }

    /// A connection inside the server that counts for no address: those for whom it is there have places. What it reads, it
    /// reads for `address`.
    pub(crate) fn uncounted(self: &Arc<Self>, address: Address) -> Permit {
        let is_spared = AtomicBool::new(false);
        Permit { addresses: Arc::clone(self), address, counts: Counts::Nothing, is_spared }
    }

    /// Whether this address may make one more guest now.
    pub(crate) fn may_make_guest(&self, address: Address, at: ServiceInstant) -> bool {
        self.sweep_now_and_then(at);
        let may = self.uses.entry(address).or_default().guests.take(at, self.guests);
        if !may {
            self.note_limited(address, "too_many_guests", at);
        }
        may
    }

    /// Whether a token that a client at this address names is looked up: not after too many that no account has.
    pub(crate) fn may_name_token(&self, address: Address, at: ServiceInstant) -> bool {
        self.bad_tokens.has_left(&address, at)
    }

    /// Counts a token that no account has.
    pub(crate) fn named_bad_token(&self, address: Address, at: ServiceInstant) {
        // Several may be looked up at once: those that passed while something was left count, too.
        self.bad_tokens.overdraw(address, at);
        if !self.bad_tokens.has_left(&address, at) {
            self.note_limited(address, "too_many_bad_tokens", at);
        }
    }

    /// Logs that an address met a limit, now and then.
    pub(crate) fn note_limited(&self, address: Address, code: &'static str, at: ServiceInstant) {
        self.log.note(address, code, at);
    }

    fn release(&self, address: Address, counts: Counts) {
        if counts == Counts::Nothing {
            return;
        }
        if let Some(mut entry) = self.uses.get_mut(&address) {
            let is_served = counts == Counts::Served;
            let count = if is_served { &mut entry.connections } else { &mut entry.rejections };
            *count -= 1;
        }
    }

    /// Forgets addresses that are gone and whose allowances are full again.
    fn sweep_now_and_then(&self, at: ServiceInstant) {
        if self.since_sweep.fetch_add(1, Ordering::Relaxed) >= SWEEP_EVERY {
            self.since_sweep.store(0, Ordering::Relaxed);
            self.uses.retain(|_, entry| !entry.is_over(at));
        }
    }
}

/// What a connection is counted among.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Counts {
    /// Those that are served.
    Served,
    /// Those that are rejected.
    Rejected,
    /// None.
    Nothing,
}

/// A counted connection.
#[derive(Debug)]
pub(crate) struct Permit {
    addresses: Arc<Addresses>,
    address: Address,
    counts: Counts,
    is_spared: AtomicBool,
}

impl Permit {
    /// Whose connection it is.
    pub(crate) const fn address(&self) -> Address {
        self.address
    }

    /// Counts the connection no more, until what is returned is dropped: another one counts for the same client. `None` if
    /// it is spared already, or was never counted.
    pub(crate) fn spare(self: &Arc<Self>) -> Option<Spared> {
        if self.counts != Counts::Served || self.is_spared.swap(true, Ordering::Relaxed) {
            return None;
        }
        self.addresses.release(self.address, self.counts);
        Some(Spared(Arc::clone(self)))
    }
}

/// While it is there, a connection is not counted. Afterwards it is, even beyond the limit: it is about to close.
#[derive(Debug)]
pub(crate) struct Spared(Arc<Permit>);

impl Drop for Spared {
    fn drop(&mut self) {
        let Permit { addresses, address, is_spared, .. } = &*self.0;
        addresses.uses.entry(*address).or_default().connections += 1;
        is_spared.store(false, Ordering::Relaxed);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.addresses.release(self.address, self.counts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        text.parse::<IpAddr>().unwrap().into()
    }

    const START: ServiceInstant = ServiceInstant(0);

    fn limits(connections: u32, new_connections: u32, guests: u32) -> Arc<Addresses> {
        Addresses::new(&Limits {
            connections_per_address: connections,
            new_connections_per_address_per_minute: new_connections,
            guests_per_address_per_minute: guests,
            ..Limits::STANDARD
        })
    }

    fn served(addresses: &Arc<Addresses>, text: &str) -> Option<Permit> {
        served_at(addresses, text, START)
    }

    fn served_at(addresses: &Arc<Addresses>, text: &str, at: ServiceInstant) -> Option<Permit> {
        match addresses.admit(address(text), at) {
            Admission::Served(permit) => Some(permit),
            Admission::Rejected(..) | Admission::Dropped => None,
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
        let addresses = limits(2, 60, 60);
        let first = served(&addresses, "192.0.2.1").unwrap();
        let second = served(&addresses, "192.0.2.1").unwrap();
        let third = addresses.admit(address("192.0.2.1"), START);
        assert!(matches!(third, Admission::Rejected(_, TooMany::Connections)));
        assert!(served(&addresses, "192.0.2.2").is_some(), "another address is not concerned");
        drop(first);
        assert!(served(&addresses, "192.0.2.1").is_some());
        drop((second, third));
        assert!(addresses.uses.iter().all(|entry| entry.connections == 0 && entry.rejections == 0));
    }

    #[test]
    fn a_connection_inside_the_server_takes_no_place() {
        let addresses = limits(1, 60, 60);
        let inside = [addresses.uncounted(address("192.0.2.1")), addresses.uncounted(address("192.0.2.1"))];
        let open = served(&addresses, "192.0.2.1").unwrap();
        drop(inside);
        assert!(served(&addresses, "192.0.2.1").is_none(), "nothing was given back that was not taken");
        drop(open);
        assert!(served(&addresses, "192.0.2.1").is_some());
    }

    #[test]
    fn a_spared_connection_takes_no_place_until_it_counts_again() {
        let addresses = limits(1, 60, 60);
        let first = Arc::new(served(&addresses, "192.0.2.1").unwrap());
        assert!(served(&addresses, "192.0.2.1").is_none());
        let spared = first.spare().unwrap();
        assert!(first.spare().is_none(), "it is given back once");
        let second = served(&addresses, "192.0.2.1").unwrap();
        drop(spared);
        drop(second);
        assert!(served(&addresses, "192.0.2.1").is_none(), "it counts again");
        drop(first);
        assert!(served(&addresses, "192.0.2.1").is_some());
        assert!(Arc::new(addresses.uncounted(address("192.0.2.1"))).spare().is_none());
    }

    #[test]
    fn new_connections_are_counted_also_when_the_old_ones_are_gone() {
        let addresses = limits(9, 3, 60);
        for _ in 0..3 {
            assert!(served(&addresses, "2001:db8::1").is_some());
        }
        let fourth = addresses.admit(address("2001:db8::2"), START);
        assert!(matches!(fourth, Admission::Rejected(_, TooMany::NewConnections)), "the same /64");
        assert!(served_at(&addresses, "2001:db8::1", ServiceInstant(20_000_000)).is_some());
        assert!(served_at(&addresses, "2001:db8::1", ServiceInstant(20_000_000)).is_none());
    }

    #[test]
    fn rejections_are_bounded_too() {
        let addresses = limits(1, 60, 60);
        let open = served(&addresses, "192.0.2.1").unwrap();
        let rejected = (0..REJECTIONS_PER_ADDRESS).map(|_| addresses.admit(address("192.0.2.1"), START));
        let rejected = rejected.collect::<Vec<_>>();
        assert!(rejected.iter().all(|admission| matches!(admission, Admission::Rejected(..))));
        assert!(matches!(addresses.admit(address("192.0.2.1"), START), Admission::Dropped));
        drop((open, rejected));
    }

    #[test]
    fn guests_are_counted_over_all_connections_of_an_address() {
        let addresses = limits(9, 60, 2);
        let here = address("192.0.2.1");
        drop(served(&addresses, "192.0.2.1").unwrap());
        assert!(addresses.may_make_guest(here, START));
        assert!(addresses.may_make_guest(here, START));
        assert!(!addresses.may_make_guest(here, START));
        assert!(addresses.may_make_guest(here, ServiceInstant(30_000_000)));
    }

    #[test]
    fn addresses_that_used_something_are_forgotten_later() {
        let addresses = limits(9, 60, 2);
        for n in 0..=SWEEP_EVERY {
            drop(addresses.admit(Address::from(IpAddr::from(n.to_be_bytes())), START));
        }
        assert!(addresses.uses.len() > 1_000);
        let (later, open) = (ServiceInstant(120_000_000), served(&addresses, "203.0.113.9"));
        for _ in 0..=SWEEP_EVERY {
            drop(addresses.admit(address("192.0.2.1"), later));
        }
        assert!(addresses.uses.len() <= 2);
        assert!(
            open.is_some() && addresses.uses.contains_key(&address("203.0.113.9")),
            "an open one is kept"
        );
    }
}
