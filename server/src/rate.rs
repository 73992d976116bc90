//! How often something may happen: so many at once, then so many a second.
//!
//! A pure token bucket in 8 bytes; the instant is passed in. What is used may cost more than one.
//!
//! Invariant: an allowance that was never used, or not for long enough, has its full burst.

use std::time::Duration;

use crate::time::ServiceInstant;

/// What is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rate {
    /// At once, after a quiet time.
    pub(crate) burst: u32,
    /// The microseconds after which one more is allowed.
    pub(crate) every_us: u64,
}

impl Rate {
    /// `count` in a minute, all of them at once if need be.
    pub(crate) const fn per_minute(count: u32) -> Self {
        Self { burst: count, every_us: 60_000_000 / count as u64 }
    }

    /// `count` in an hour, all of them at once if need be.
    pub(crate) const fn per_hour(count: u32) -> Self {
        Self { burst: count, every_us: 3_600_000_000 / count as u64 }
    }

    /// `count` in a day, all of them at once if need be.
    pub(crate) const fn per_day(count: u32) -> Self {
        Self { burst: count, every_us: 86_400_000_000 / count as u64 }
    }

    /// `count` a second on average, `burst` at once.
    pub(crate) const fn per_second(count: u32, burst: u32) -> Self {
        Self { burst, every_us: 1_000_000 / count as u64 }
    }
}

/// What is left of a [`Rate`]: kept as the instant at which everything used so far will have been paid back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Allowance {
    paid_back: ServiceInstant,
}

impl Allowance {
    /// Uses one, if one is left at `at`.
    pub(crate) fn take(&mut self, at: ServiceInstant, rate: Rate) -> bool {
        self.spend(1, at, rate).is_ok()
    }

    /// Uses `cost` at once, if so much is left at `at`. Otherwise nothing is used, and the answer is how long it takes
    /// until there is. More than the burst is never left.
    pub(crate) fn spend(&mut self, cost: u32, at: ServiceInstant, rate: Rate) -> Result<(), Duration> {
        let paid_back = self.paid_back.0.max(at.0) + rate.every_us * u64::from(cost);
        let most = at.0 + rate.every_us * u64::from(rate.burst);
        if paid_back > most {
            return Err(Duration::from_micros(paid_back - most));
        }
        self.paid_back = ServiceInstant(paid_back);
        Ok(())
    }

    /// Uses one, also if none is left: how many were used beyond the burst, this one included.
    pub(crate) fn overdraw(&mut self, at: ServiceInstant, rate: Rate) -> u32 {
        self.paid_back = ServiceInstant(self.paid_back.0.max(at.0) + rate.every_us);
        let used = self.paid_back.0 - at.0;
        let over = used.saturating_sub(rate.every_us * u64::from(rate.burst)).div_ceil(rate.every_us);
        u32::try_from(over).unwrap_or(u32::MAX)
    }

    /// From when on one is left.
    pub(crate) fn ready_at(self, rate: Rate) -> ServiceInstant {
        ServiceInstant(
            self.paid_back.0.saturating_sub(rate.every_us * u64::from(rate.burst.saturating_sub(1))),
        )
    }

    /// Whether everything is paid back: such an allowance need not be kept.
    pub(crate) fn is_full(self, at: ServiceInstant) -> bool {
        self.paid_back <= at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate::per_second(10, 3);

    fn taken(allowance: &mut Allowance, at_us: u64, tries: u32) -> u32 {
        (0..tries).map(|_| u32::from(allowance.take(ServiceInstant(at_us), RATE))).sum()
    }

    #[test]
    fn the_burst_and_no_more() {
        assert_eq!(taken(&mut Allowance::default(), 5_000_000, 10), 3);
    }

    #[test]
    fn one_more_after_each_interval() {
        let mut allowance = Allowance::default();
        assert_eq!(taken(&mut allowance, 1_000_000, 5), 3);
        assert_eq!(taken(&mut allowance, 1_099_999, 5), 0);
        assert_eq!(taken(&mut allowance, 1_100_000, 5), 1);
        assert_eq!(taken(&mut allowance, 1_300_000, 5), 2);
    }

    #[test]
    fn a_quiet_time_gives_the_burst_back_and_not_more() {
        let mut allowance = Allowance::default();
        assert_eq!(taken(&mut allowance, 0, 5), 3);
        assert!(!allowance.is_full(ServiceInstant(299_999)));
        assert!(allowance.is_full(ServiceInstant(300_000)));
        assert_eq!(taken(&mut allowance, 3_600_000_000, 9), 3);
    }

    #[test]
    fn an_overdraft_is_counted_and_paid_back_first() {
        let mut allowance = Allowance::default();
        let over = |at_us, allowance: &mut Allowance| allowance.overdraw(ServiceInstant(at_us), RATE);
        let first = [0; 5].map(|_| over(1_000_000, &mut allowance));
        assert_eq!(first, [0, 0, 0, 1, 2]);
        assert_eq!(allowance.ready_at(RATE), ServiceInstant(1_300_000));
        assert_eq!(over(1_299_999, &mut allowance.clone()), 1);
        assert_eq!(over(1_300_000, &mut allowance), 0);
        assert_eq!(allowance.ready_at(RATE), ServiceInstant(1_400_000));
        assert!(!allowance.take(ServiceInstant(1_399_999), RATE));
    }

    #[test]
    fn a_rejection_costs_nothing() {
        let mut allowance = Allowance::default();
        assert_eq!(taken(&mut allowance, 0, 1_000), 3);
        assert_eq!(taken(&mut allowance, 100_000, 1), 1);
    }

    #[test]
    fn a_cost_is_used_as_a_whole_or_not_at_all() {
        let mut allowance = Allowance::default();
        let spend =
            |allowance: &mut Allowance, cost, at_us| allowance.spend(cost, ServiceInstant(at_us), RATE);
        assert_eq!(spend(&mut allowance, 2, 0), Ok(()));
        assert_eq!(spend(&mut allowance, 2, 0), Err(Duration::from_millis(100)));
        assert_eq!(spend(&mut allowance, 1, 0), Ok(()), "the rejection cost nothing");
        assert_eq!(spend(&mut allowance, 3, 0), Err(Duration::from_millis(300)));
        assert_eq!(spend(&mut allowance, 3, 300_000), Ok(()));
        assert_eq!(spend(&mut allowance, 0, 300_000), Ok(()), "what costs nothing is always allowed");
        assert_eq!(spend(&mut Allowance::default(), 4, 0), Err(Duration::from_millis(100)));
    }
}
