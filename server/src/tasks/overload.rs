//! Whether tasks get their turns in time, and what waits while they do not: everything but games.
//!
//! A probe asks the scheduler for a turn again and again, and measures how long it waits: every move that has just
//! arrived waits as long. While that is more than a bound, each probe lets only a few others pass: requests over HTTP,
//! new connections, look-ups of identities. They halve while the probes are late and become more while they are not, so
//! what is held back adapts to what games leave. Crowds are notified less often meanwhile.
//!
//! Deliberately absent: an order among those that wait, other than that in which they came. Moves, and whatever else a
//! player does in a game, never come here.
//!
//! Invariants: without a probe everything passes at once; at most [`HELD_BACK_MAX`] wait, none of them longer than
//! [`HELD_BACK_FOR_MAX`]; what waits never stands still, because each probe lets at least [`PASSED_MIN`] pass.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;

use crate::sync::unpoisoned;
use crate::time::ServiceClock;

/// Between two probes while all is in time: an idle process wakes 20 times a second.
const PROBE_EVERY: Duration = Duration::from_millis(50);
/// Between two probes while something is held back: it waits about that long for its turn.
const PROBE_AGAIN: Duration = Duration::from_millis(10);

/// How many a probe lets pass at first, at least, and from where on nothing is held back any more.
const PASSED_FIRST: usize = 16;
const PASSED_MIN: usize = 4;
const PASSED_MAX: usize = 64;

/// What may wait. What comes beyond is told to come again at once: waiting takes memory.
const HELD_BACK_MAX: usize = 1_024;
/// How long it waits. Then it is told to come again, which tells more than silence.
const HELD_BACK_FOR_MAX: Duration = Duration::from_secs(2);

/// Between two looks whether a crowd may be notified, and how many of them: it waits for a second at most.
const CROWD_LOOK: Duration = Duration::from_millis(50);
const CROWD_LOOKS_MAX: usize = 20;

/// Turns while nothing is held back: more than can come between two probes.
const UNLIMITED: usize = 1 << 20;

/// There are too many others, or they take too long: the client is to come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the server is overloaded")]
pub struct Overloaded;

/// The gate in front of what is not a game.
#[derive(Debug)]
pub struct Overload {
    /// How many the last probe let pass; `None` while nothing is held back.
    passed: Mutex<Option<usize>>,
    holds_back: AtomicBool,
    turns: Semaphore,
    places: Semaphore,
}

impl Default for Overload {
    fn default() -> Self {
        Self {
            passed: Mutex::new(None),
            holds_back: AtomicBool::new(false),
            turns: Semaphore::new(Semaphore::MAX_PERMITS),
            places: Semaphore::new(HELD_BACK_MAX),
        }
    }
}

impl Overload {
    /// Whether anything is held back.
    pub fn holds_back(&self) -> bool {
        self.holds_back.load(Ordering::Relaxed)
    }

    /// Waits until work that is not a game's may begin: not at all while tasks run in time.
    ///
    /// # Errors
    /// When too many wait, or it has waited too long.
    pub async fn turn(&self) -> Result<(), Overloaded> {
        if let Ok(turn) = self.turns.try_acquire() {
            turn.forget();
            return Ok(());
        }
        let _place = self.places.try_acquire().map_err(|_| Overloaded)?;
        let turn = tokio::time::timeout(HELD_BACK_FOR_MAX, self.turns.acquire()).await;
        turn.ok().and_then(Result::ok).ok_or(Overloaded)?.forget();
        Ok(())
    }

    /// Waits while anything is held back, for a moment at most: what happens meanwhile reaches a crowd in one go.
    pub async fn crowd_turn(&self) {
        for _ in 0..CROWD_LOOKS_MAX {
            if !self.holds_back() {
                return;
            }
            tokio::time::sleep(CROWD_LOOK).await;
        }
    }

    /// Waits until it is time for a probe, then returns how long a task that is ready waits for its turn.
    pub async fn probe(&self, clock: &ServiceClock, delay_max: Duration) -> Duration {
        tokio::time::sleep(if self.holds_back() { PROBE_AGAIN } else { PROBE_EVERY }).await;
        let ready = clock.now();
        tokio::task::yield_now().await;
        let delay = clock.now().since(ready);
        self.note(delay > delay_max);
        delay
    }

    /// Takes note of a probe, and lets some pass.
    fn note(&self, is_late: bool) {
        let mut passed = unpoisoned(self.passed.lock());
        *passed = next(*passed, is_late);
        self.holds_back.store(passed.is_some(), Ordering::Relaxed);
        // Turns that nobody took are not saved up.
        self.turns.forget_permits(self.turns.available_permits());
        self.turns.add_permits(passed.unwrap_or(UNLIMITED));
    }
}

/// How many pass after a probe, by how many passed before.
fn next(passed: Option<usize>, is_late: bool) -> Option<usize> {
    match (passed, is_late) {
        (None, false) => None,
        (None, true) => Some(PASSED_FIRST),
        (Some(passed), true) => Some((passed / 2).max(PASSED_MIN)),
        (Some(passed), false) => Some(passed + passed / 4 + 1).filter(|passed| *passed <= PASSED_MAX),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tasks::Tasks;

    #[tokio::test(start_paused = true)]
    async fn without_a_probe_everything_passes() {
        let overload = Overload::default();
        for _ in 0..10_000 {
            assert_eq!(overload.turn().await, Ok(()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn in_time_everything_passes_and_late_a_few_with_each_probe() {
        let (overload, tasks) = (Arc::new(Overload::default()), Tasks::default());
        overload.note(false);
        for _ in 0..10_000 {
            assert_eq!(overload.turn().await, Ok(()));
        }
        overload.note(true);
        overload.note(true);
        overload.note(true);
        for _ in 0..PASSED_MIN {
            assert_eq!(overload.turn().await, Ok(()), "these pass");
        }
        let passed = Arc::new(Mutex::new(0));
        for _ in 0..100 {
            let (overload, passed) = (Arc::clone(&overload), Arc::clone(&passed));
            tasks.spawn(async move {
                overload.turn().await.unwrap();
                *passed.lock().unwrap() += 1;
            });
        }
        let settle = || tokio::time::sleep(Duration::from_millis(1));
        settle().await;
        assert_eq!(*passed.lock().unwrap(), 0, "they wait");
        overload.note(true);
        settle().await;
        assert_eq!(*passed.lock().unwrap(), PASSED_MIN);
        while overload.holds_back() {
            overload.note(false);
        }
        settle().await;
        assert_eq!(*passed.lock().unwrap(), 100, "nothing is held back any more");
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_too_long_or_comes_last_is_told_to_come_again() {
        let (overload, tasks) = (Arc::new(Overload::default()), Tasks::default());
        overload.note(true);
        for _ in 0..PASSED_FIRST {
            overload.turn().await.unwrap();
        }
        let turn = || {
            let overload = Arc::clone(&overload);
            tasks.spawn(async move { overload.turn().await })
        };
        let clock = ServiceClock::of_runtime();
        let began = clock.now();
        let waiting: Vec<_> = (0..HELD_BACK_MAX).map(|_| turn()).collect();
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(overload.turn().await, Err(Overloaded));
        assert!(clock.now().since(began) < HELD_BACK_FOR_MAX, "at once");
        for waits in waiting {
            assert_eq!(waits.await.unwrap(), Err(Overloaded));
        }
        assert!(clock.now().since(began) >= HELD_BACK_FOR_MAX);
        assert_eq!(overload.places.available_permits(), HELD_BACK_MAX);
    }

    #[tokio::test(start_paused = true)]
    async fn a_crowd_waits_a_second_at_most() {
        let (overload, clock) = (Overload::default(), ServiceClock::of_runtime());
        let began = clock.now();
        overload.crowd_turn().await;
        assert_eq!(clock.now(), began);
        overload.note(true);
        overload.crowd_turn().await;
        let waited = clock.now().since(began).as_millis();
        assert!((1_000..1_100).contains(&waited), "{waited} ms");
    }

    #[tokio::test]
    async fn a_probe_measures_how_long_a_ready_task_waits() {
        let (overload, tasks) = (Arc::new(Overload::default()), Tasks::default());
        let stopping = tasks.stopping().clone();
        tasks.spawn(async move {
            while !stopping.is_cancelled() {
                std::thread::sleep(Duration::from_millis(5));
                tokio::task::yield_now().await;
            }
        });
        let clock = ServiceClock::start().unwrap();
        while !overload.holds_back() {
            overload.probe(&clock, Duration::from_millis(3)).await;
        }
        tasks.stop();
        tasks.ended().await;
    }
}
