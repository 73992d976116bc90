//! The log of addresses that meet a limit: who floods, without a flood of the log.
//!
//! Deliberately absent: how often an address met it (the metrics count that), and accounts.
//!
//! Invariant: at most one line a minute for each address, and [`LINES_PER_MINUTE_MAX`] for all of them together.

use std::sync::Mutex;

use super::addresses::Address;
use super::allowances::Allowances;
use crate::rate::{Allowance, Rate};
use crate::sync::unpoisoned;
use crate::time::ServiceInstant;

/// Lines in a minute, whatever the number of addresses: enough to see who floods, and not enough to fill a disk.
const LINES_PER_MINUTE_MAX: u32 = 60;

/// Which addresses have a line already.
#[derive(Debug)]
pub(crate) struct LimitedLog {
    each: Allowances<Address>,
    all: Mutex<Allowance>,
}

impl Default for LimitedLog {
    fn default() -> Self {
        Self { each: Allowances::per_minute(1), all: Mutex::default() }
    }
}

impl LimitedLog {
    /// Notes that an address met a limit. `code` is what its client is told.
    pub(crate) fn note(&self, address: Address, code: &'static str, at: ServiceInstant) {
        if self.has_line(address, at) {
            tracing::warn!(%address, code, "an address meets a limit; it is not logged again for a minute");
        }
    }

    fn has_line(&self, address: Address, at: ServiceInstant) -> bool {
        self.each.spend(address, 1, at).is_ok()
            && unpoisoned(self.all.lock()).take(at, Rate::per_minute(LINES_PER_MINUTE_MAX))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn one_line_a_minute_for_each_address_and_not_too_many_for_all() {
        let log = LimitedLog::default();
        let lines = |at: u64, addresses: std::ops::Range<u32>| {
            let addresses = addresses.map(|number| Address::from(IpAddr::from(number.to_be_bytes())));
            addresses.filter(|address| log.has_line(*address, ServiceInstant(at))).count()
        };
        assert_eq!((lines(0, 1..2), lines(0, 1..2), lines(59_999_999, 1..2)), (1, 0, 0));
        assert_eq!(lines(60_000_000, 1..2), 1);
        assert_eq!(lines(60_000_000, 100..1_000), LINES_PER_MINUTE_MAX as usize - 1);
    }
}
