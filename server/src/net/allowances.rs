//! One allowance for each address or account: a rate that holds for each of many keys.
//!
//! Deliberately absent: what is counted, and what happens to somebody who has used everything up.
//!
//! Invariant: a key whose allowance is full again is forgotten at the latest [`SWEEP_EVERY`] uses later, so the memory
//! is bounded by the keys of the last minute, hour or day.

use std::hash::Hash;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use dashmap::DashMap;

use crate::rate::{Allowance, Rate};
use crate::time::ServiceInstant;

/// After so many uses the keys that need not be kept are dropped: rare enough that a walk over all of them is cheap.
const SWEEP_EVERY: u32 = 1024;

/// What each key has left of the same rate.
#[derive(Debug)]
pub(crate) struct Allowances<K: Eq + Hash> {
    rate: Rate,
    left: DashMap<K, Allowance>,
    since_sweep: AtomicU32,
}

impl<K: Eq + Hash> Allowances<K> {
    /// So many a minute for each key, all of them at once if need be. Nobody has used anything yet.
    pub(crate) fn per_minute(count: u32) -> Self {
        Self::new(Rate::per_minute(count))
    }

    /// So many an hour for each key, all of them at once if need be. Nobody has used anything yet.
    pub(crate) fn per_hour(count: u32) -> Self {
        Self::new(Rate::per_hour(count))
    }

    /// So many a day for each key, all of them at once if need be. Nobody has used anything yet.
    pub(crate) fn per_day(count: u32) -> Self {
        Self::new(Rate::per_day(count))
    }

    fn new(rate: Rate) -> Self {
        Self { rate, left: DashMap::new(), since_sweep: AtomicU32::new(0) }
    }

    /// Uses `cost`, or says how long it takes until so much is left.
    pub(crate) fn spend(&self, key: K, cost: u32, at: ServiceInstant) -> Result<(), Duration> {
        self.sweep_now_and_then(at);
        self.left.entry(key).or_default().spend(cost, at, self.rate)
    }

    /// Whether [`Allowances::spend`] would use `cost` now; else how long it takes until it would.
    pub(crate) fn could_spend(&self, key: &K, cost: u32, at: ServiceInstant) -> Result<(), Duration> {
        let mut left = self.left.get(key).map_or_else(Allowance::default, |allowance| *allowance);
        left.spend(cost, at, self.rate)
    }

    /// Uses one, also if none is left: what is used beyond is paid back first.
    pub(crate) fn overdraw(&self, key: K, at: ServiceInstant) {
        self.sweep_now_and_then(at);
        self.left.entry(key).or_default().overdraw(at, self.rate);
    }

    /// Whether the key has something left.
    pub(crate) fn has_left(&self, key: &K, at: ServiceInstant) -> bool {
        self.left.get(key).is_none_or(|allowance| allowance.ready_at(self.rate) <= at)
    }

    fn sweep_now_and_then(&self, at: ServiceInstant) {
        if self.since_sweep.fetch_add(1, Ordering::Relaxed) >= SWEEP_EVERY {
            self.since_sweep.store(0, Ordering::Relaxed);
            self.left.retain(|_, allowance| !allowance.is_full(at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: ServiceInstant = ServiceInstant(0);

    #[test]
    fn each_key_has_its_own() {
        let allowances = Allowances::per_minute(60);
        assert_eq!(allowances.spend("a", 60, START), Ok(()));
        assert!(!allowances.has_left(&"a", START) && allowances.has_left(&"b", START));
        assert_eq!(allowances.spend("a", 2, START), Err(Duration::from_secs(2)));
        assert_eq!(allowances.could_spend(&"a", 2, START), Err(Duration::from_secs(2)));
        for _ in 0..100 {
            assert_eq!(allowances.could_spend(&"b", 60, START), Ok(()), "to ask costs nothing");
        }
        assert_eq!(allowances.spend("b", 2, START), Ok(()));
        assert!(allowances.has_left(&"a", ServiceInstant(1_000_000)));
    }

    #[test]
    fn what_is_overdrawn_is_paid_back_first() {
        let allowances = Allowances::per_minute(60);
        for _ in 0..90 {
            allowances.overdraw("a", START);
        }
        assert!(!allowances.has_left(&"a", ServiceInstant(30_999_999)));
        assert!(allowances.has_left(&"a", ServiceInstant(31_000_000)));
    }

    #[test]
    fn a_key_is_forgotten_after_its_allowance_is_full_again() {
        let allowances = Allowances::per_minute(60);
        for key in 0..SWEEP_EVERY {
            allowances.spend(key, 1, START).unwrap();
        }
        assert_eq!(allowances.left.len(), SWEEP_EVERY as usize);
        let later = ServiceInstant(1_000_000);
        for _ in 0..=SWEEP_EVERY {
            allowances.spend(u32::MAX, 0, later).unwrap();
        }
        assert!(allowances.left.len() <= 1);
    }
}
