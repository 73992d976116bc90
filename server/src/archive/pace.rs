//! How much of a core reads of the archive take together.
//!
//! Each read moves an instant into the future, by [`PARTS`] times what it took. A read that comes while that instant is
//! more than [`AHEAD_US`] away waits until it is not. So somebody who reads now and then waits for nobody, and however many
//! read, most of each core is left to games.
//!
//! Deliberately absent: whose turn it is (`queue`).

use std::sync::Mutex;
use std::time::Duration;

use crate::sync::unpoisoned;
use crate::time::{ServiceClock, ServiceInstant};

/// Reads take one part of a core, of so many: the kernel works for them too, at no priority, when it writes what they
/// made.
const PARTS: u32 = 4;

/// How far reads may be ahead of their part, in microseconds: a quarter of a second of reading after a pause.
const AHEAD_US: u64 = 1_000_000;

/// What counts of a single read. A disk that hangs for a minute is not made up for with minutes.
const COUNTED: Duration = Duration::from_millis(250);

/// What reads have taken so far.
#[derive(Debug)]
pub(super) struct Pace {
    clock: ServiceClock,
    /// When all reads so far will have taken no more than their part.
    even_at: Mutex<ServiceInstant>,
}

impl Pace {
    /// Nothing was read.
    pub(super) fn new(clock: ServiceClock) -> Self {
        Self { clock, even_at: Mutex::default() }
    }

    /// Waits until something may be read, and tells when that is.
    pub(super) async fn begin(&self) -> ServiceInstant {
        let even_at = *unpoisoned(self.even_at.lock());
        self.clock.sleep_until(ServiceInstant(even_at.0.saturating_sub(AHEAD_US))).await;
        self.clock.now()
    }

    /// What began then has been read.
    pub(super) fn end(&self, began: ServiceInstant) {
        let now = self.clock.now();
        let mut even_at = unpoisoned(self.even_at.lock());
        *even_at = even_at.max(now) + now.since(began).min(COUNTED) * PARTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long `count` reads take that take `each`.
    async fn reads(pace: &Pace, count: u32, each: Duration) -> Duration {
        let first = pace.clock.now();
        for _ in 0..count {
            let began = pace.begin().await;
            tokio::time::sleep(each).await;
            pace.end(began);
        }
        pace.clock.now().since(first)
    }

    #[tokio::test(start_paused = true)]
    async fn many_reads_take_their_part_and_few_do_not_wait() {
        let pace = Pace::new(ServiceClock::of_runtime());
        let each = Duration::from_millis(5);
        assert_eq!(reads(&pace, 40, each).await, 40 * each, "a quarter of a second may be read at once");
        let took = reads(&pace, 4_000, each).await;
        let part = 4_000 * each * PARTS;
        let ahead = Duration::from_micros(AHEAD_US);
        assert!((part - ahead..=part).contains(&took), "{took:?}");
        tokio::time::sleep(ahead).await;
        assert_eq!(reads(&pace, 40, each).await, 40 * each, "after a pause");
        pace.end(ServiceInstant::default());
        assert!(reads(&pace, 2, each).await < COUNTED * PARTS, "a disk that hung");
    }
}
