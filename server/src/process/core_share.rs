//! Threads that do what strangers ask for take no more than their share of a core.
//!
//! A low priority is not enough: a thread that is busy all the time also takes memory, caches and the kernel's time from
//! those that it yields to. So after a piece of work such a thread rests, seven times as long as the work took of the
//! processor. What it is given after a quiet time it may use at once, so that whoever asks now and then waits for nothing.
//!
//! Deliberately absent: priorities (`priority`), and whose work is next.
//!
//! Invariant: time in which the thread was ready and others ran does not count.

use std::time::Duration;

use crate::rate::{Allowance, Rate};
use crate::time::{ServiceClock, thread_cpu_time};

/// Of a core, such a thread takes one part of so many.
const PARTS: u64 = 8;

/// What it may use at once, in microseconds of the processor.
const BURST_US: u32 = 250_000;

/// An eighth of a core, in microseconds.
const SHARE: Rate = Rate { burst: BURST_US, every_us: PARTS };

/// The share of the thread that made it.
pub(crate) struct CoreShare {
    clock: ServiceClock,
    left: Allowance,
    /// What the thread had used at the end of its last rest.
    used: Duration,
}

impl CoreShare {
    /// All of the burst is there.
    pub(crate) fn new(clock: ServiceClock) -> Self {
        Self { clock, left: Allowance::default(), used: thread_cpu_time() }
    }

    /// Rests, if the thread has used more than its share since it last did.
    pub(crate) fn rest(&mut self) {
        let cost = cost_of(thread_cpu_time().saturating_sub(self.used));
        while let Err(pause) = self.left.spend(cost, self.clock.now(), SHARE) {
            std::thread::sleep(pause);
        }
        self.used = thread_cpu_time();
    }
}

/// What an allowance of [`SHARE`] is charged for this much of the processor: all of it at most.
fn cost_of(used: Duration) -> u32 {
    u32::try_from(used.as_micros()).map_or(BURST_US, |used| used.min(BURST_US))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::ServiceInstant;

    #[test]
    fn much_work_takes_its_share_and_little_work_does_not_wait() {
        let (mut left, mut now_us) = (Allowance::default(), 0);
        let mut work = |pieces: u64, piece_us: u64| {
            let began_us = now_us;
            for _ in 0..pieces {
                now_us += piece_us;
                let cost = cost_of(Duration::from_micros(piece_us));
                while let Err(pause) = left.spend(cost, ServiceInstant(now_us), SHARE) {
                    now_us += u64::try_from(pause.as_micros()).unwrap();
                }
            }
            now_us - began_us
        };
        assert_eq!(work(50, 5_000), 250_000, "a burst");
        let took_us = work(10_000, 5_000);
        let part = 10_000 * 5_000 * PARTS;
        assert!((part - 2_000_000..=part).contains(&took_us), "{took_us}");
        assert!(work(1, 60_000_000) < 63_000_000, "one piece is not made up for by minutes");
    }

    #[test]
    fn a_rest_charges_what_the_thread_has_used() {
        let mut share = CoreShare::new(ServiceClock::start().unwrap());
        let before = thread_cpu_time();
        while thread_cpu_time() < before + Duration::from_millis(2) {
            std::hint::black_box(0);
        }
        share.rest();
        assert!(!share.left.is_full(ServiceInstant(0)));
    }
}
