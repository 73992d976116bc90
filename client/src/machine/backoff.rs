//! How long to wait before the next attempt to connect.
//!
//! The server's `retry_ms` counts where there is one. Otherwise each attempt waits half as long again as the one before
//! it, changed by up to a quarter by lot, so that not all clients come back at once.

use std::time::Duration;

use rand::Rng;

use super::Moment;
use crate::Options;

/// After a connection that stayed open for so long, the waits begin anew.
const STABLE: Duration = Duration::from_secs(10);

/// The attempts since the last connection that lasted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Backoff {
    attempts: u32,
}

impl Backoff {
    /// The connection that was opened then has ended.
    pub(super) fn ended(&mut self, opened: Moment, now: Moment) {
        if now.saturating_sub(opened) >= STABLE {
            self.attempts = 0;
        }
    }

    /// How long to wait now. `told` is what the server said.
    pub(super) fn next(
        &mut self,
        options: &Options,
        told: Option<Duration>,
        not_before: Duration,
        rng: &mut impl Rng,
    ) -> Duration {
        let growth = 1.5_f64.powi(self.attempts.min(64) as i32);
        self.attempts = self.attempts.saturating_add(1);
        let longest = options.retry_longest;
        let plain =
            Duration::try_from_secs_f64(options.retry_first.as_secs_f64() * growth).unwrap_or(longest);
        let by_lot = plain.min(longest).mul_f64(rng.random_range(0.75..=1.25));
        told.unwrap_or(by_lot).max(not_before)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand::rngs::StdRng;

    use super::*;

    const NONE: Duration = Duration::ZERO;

    #[test]
    fn waits_grow_to_the_longest_and_differ_by_lot() {
        let options = Options::default();
        let mut firsts = Vec::new();
        for seed in 0..100 {
            let (mut backoff, mut rng) = (Backoff::default(), StdRng::seed_from_u64(seed));
            let waits: Vec<_> = (0..40).map(|_| backoff.next(&options, None, NONE, &mut rng)).collect();
            let mut plain = options.retry_first;
            for wait in &waits {
                assert!((plain.mul_f64(0.75)..=plain.mul_f64(1.25)).contains(wait), "{wait:?} for {plain:?}");
                plain = plain.mul_f64(1.5).min(options.retry_longest);
            }
            firsts.push(waits[0]);
        }
        firsts.sort_unstable();
        firsts.dedup();
        assert!(firsts.len() > 90, "hardly two clients come back at once");
    }

    #[test]
    fn the_server_has_its_say_and_a_connection_that_lasted_begins_anew() {
        let (options, mut rng) = (Options::default(), StdRng::seed_from_u64(1));
        let mut backoff = Backoff::default();
        let told = Duration::from_millis(1_830);
        assert_eq!(backoff.next(&options, Some(told), NONE, &mut rng), told);
        assert_eq!(backoff.next(&options, None, Duration::from_secs(60), &mut rng), Duration::from_secs(60));
        backoff.ended(Duration::ZERO, STABLE - Duration::from_millis(1));
        assert!(backoff.next(&options, None, NONE, &mut rng) > options.retry_first.mul_f64(1.25));
        backoff.ended(Duration::ZERO, STABLE);
        assert!(backoff.next(&options, None, NONE, &mut rng) <= options.retry_first.mul_f64(1.25));
    }
}
