//! Whether tasks get their turns in time, and what waits while they do not: everything but games.
//!
//! A probe asks the scheduler for a turn again and again, and measures how long it waits: every move that has just
//! arrived waits as long, once for each task that it passes. Between two probes only so many others begin: requests over
//! HTTP, upgrades, look-ups of identities. Who comes next has the next probe made at once, and it comes behind all that
//! has begun. While probes are quick, one follows the other and nobody notices. When one is late, games have the
//! next milliseconds for themselves and fewer others begin, so what is held back adapts to what games leave. New
//! connections wait in the kernel meanwhile, where they cost nothing, and crowds are notified less often.
//!
//! Deliberately absent: an order among those that wait, other than that in which they came. Moves, and whatever else a
//! player does in a game, never come here.
//!
//! Invariants: without a probe everything passes at once; at most [`HELD_BACK_MAX`] wait, none of them longer than
//! [`HELD_BACK_FOR_MAX`]; what waits never stands still, because each probe lets at least [`PASSED_MIN`] pass.

use std::future::poll_fn;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use tokio::sync::{Notify, Semaphore};

use crate::sync::unpoisoned;
use crate::time::ServiceClock;

/// Between two probes while nobody asks for more: an idle process wakes 20 times a second.
const PROBE_EVERY: Duration = Duration::from_millis(50);
/// Between two probes while tasks are not quick, which games have for themselves, and while anything is held back.
const PROBE_AGAIN: Duration = Duration::from_millis(10);
/// A probe is quick when its delay is at most the bound divided by this: then more may begin at once.
const QUICK: u32 = 4;

/// How many a probe lets pass at most, after the first that was late, and at least.
const PASSED_MAX: usize = 64;
const PASSED_FIRST: usize = 16;
const PASSED_MIN: usize = 4;

/// How many connections are taken from the kernel after a probe at least, also when all turns are for those who wait: a
/// check of this server's health may be among them.
const ARRIVALS_MIN: usize = 8;

/// How many connections that are closed at once are not counted, after each probe: who opens too many does not keep others
/// in the kernel, and to close them takes little.
const UNSERVED_MAX: usize = 256;

/// Probes in time with nobody waiting, after which nothing is held back any more.
const CALM_PROBES: u32 = 10;

/// What may wait. What comes beyond is told to come again at once: waiting takes memory.
const HELD_BACK_MAX: usize = 1_024;
/// How long it waits. Then it is told to come again, which tells more than silence.
const HELD_BACK_FOR_MAX: Duration = Duration::from_secs(2);

/// Between two looks whether a crowd may be notified, and how many of them: it waits for a second at most.
const CROWD_LOOK: Duration = Duration::from_millis(50);
const CROWD_LOOKS_MAX: usize = 20;

/// Connections while nothing is held back: more than can come between two probes.
const UNLIMITED: usize = 1 << 20;

/// There are too many others, or they take too long: the client is to come again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the server is overloaded")]
pub struct Overloaded;

/// The gate in front of what is not a game.
#[derive(Debug)]
pub struct Overload {
    probed: Mutex<Probed>,
    holds_back: AtomicBool,
    turns: Semaphore,
    arrivals: Semaphore,
    /// Connections since the last probe that were not served.
    unserved: AtomicUsize,
    places: Semaphore,
    /// Somebody waits for a turn.
    wanted: Notify,
}

/// What the last probe found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Probed {
    is_quick: bool,
    /// How many it let pass.
    passed: usize,
    /// How many probes in a row were in time and found nobody waiting.
    calm: u32,
}

impl Default for Overload {
    fn default() -> Self {
        Self {
            probed: Mutex::new(Probed { is_quick: true, passed: PASSED_MAX, calm: 0 }),
            holds_back: AtomicBool::new(false),
            turns: Semaphore::new(Semaphore::MAX_PERMITS),
            arrivals: Semaphore::new(Semaphore::MAX_PERMITS),
            unserved: AtomicUsize::new(0),
            places: Semaphore::new(HELD_BACK_MAX),
            wanted: Notify::new(),
        }
    }
}

impl Overload {
    /// Whether anything is held back.
    pub fn holds_back(&self) -> bool {
        self.holds_back.load(Ordering::Relaxed)
    }

    /// How many wait for a turn.
    fn waiting(&self) -> usize {
        HELD_BACK_MAX - self.places.available_permits()
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
        self.wanted.notify_one();
        let turn = tokio::time::timeout(HELD_BACK_FOR_MAX, self.turns.acquire()).await;
        turn.ok().and_then(Result::ok).ok_or(Overloaded)?.forget();
        Ok(())
    }

    /// Waits until one more connection may be taken from the kernel: not at all while nothing is held back.
    pub async fn arrival(&self) {
        let arrival = match self.arrivals.try_acquire() {
            Ok(arrival) => Some(arrival),
            Err(_) => {
                self.wanted.notify_one();
                // It is never closed.
                self.arrivals.acquire().await.ok()
            }
        };
        if let Some(arrival) = arrival {
            arrival.forget();
        }
    }

    /// The connection that was taken last is not served, so another may be taken in its place.
    pub fn not_served(&self) {
        if self.unserved.fetch_add(1, Ordering::Relaxed) < UNSERVED_MAX {
            self.arrivals.add_permits(1);
        }
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
        let is_quick = unpoisoned(self.probed.lock()).is_quick;
        let pause = if is_quick && !self.holds_back() { PROBE_EVERY } else { PROBE_AGAIN };
        if !is_quick {
            tokio::time::sleep(pause).await;
        } else if self.waiting() == 0 {
            // Either it is wanted or the pause is over.
            drop(tokio::time::timeout(pause, self.wanted.notified()).await);
        }
        let ready = clock.now();
        behind_all_that_are_ready().await;
        let delay = clock.now().since(ready);
        self.note(delay, delay_max);
        delay
    }

    /// Takes note of a probe, and lets some pass.
    fn note(&self, delay: Duration, delay_max: Duration) {
        let is_late = delay > delay_max;
        let waiting = self.waiting();
        let mut probed = unpoisoned(self.probed.lock());
        probed.is_quick = delay * QUICK <= delay_max;
        probed.passed = match probed.passed {
            passed if is_late && !self.holds_back() => passed.min(PASSED_FIRST),
            passed if is_late => (passed / 2).max(PASSED_MIN),
            passed if probed.is_quick => (passed + passed / 4 + 1).min(PASSED_MAX),
            passed => (passed + 1).min(PASSED_MAX),
        };
        probed.calm = if !is_late && waiting == 0 { probed.calm.saturating_add(1) } else { 0 };
        let some_wait = waiting > 0 && probed.passed < PASSED_MAX;
        let holds_back = is_late || some_wait || self.holds_back() && probed.calm < CALM_PROBES;
        self.holds_back.store(holds_back, Ordering::Relaxed);
        // Who waits comes before who is still in the kernel.
        let left = probed.passed.saturating_sub(waiting).max(ARRIVALS_MIN);
        let arrivals = if holds_back { left } else { UNLIMITED };
        self.unserved.store(0, Ordering::Relaxed);
        // What nobody took is not saved up.
        for (gate, count) in [(&self.turns, probed.passed), (&self.arrivals, arrivals)] {
            gate.forget_permits(gate.available_permits());
            gate.add_permits(count);
        }
    }
}

/// Comes back after every task that is ready now has had a turn. A task that wakes itself goes to the end of the queue, also
/// on a runtime with several threads; `yield_now` is woken by the thread between two tasks, and comes back early there.
async fn behind_all_that_are_ready() {
    let mut has_waited = false;
    poll_fn(|context| {
        if std::mem::replace(&mut has_waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::tasks::Tasks;

    #[tokio::test(start_paused = true)]
    async fn without_a_probe_everything_passes() {
        let overload = Overload::default();
        for _ in 0..10_000 {
            assert_eq!(overload.turn().await, Ok(()));
        }
    }

    const DELAY_MAX: Duration = Duration::from_millis(4);
    const QUICKLY: Duration = Duration::from_millis(1);
    const IN_TIME: Duration = DELAY_MAX;
    const LATE: Duration = Duration::from_millis(5);

    async fn settle() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }

    /// Some that want to pass, and how many have.
    fn crowd(overload: &Arc<Overload>, tasks: &Tasks, count: usize) -> Arc<Mutex<usize>> {
        let passed = Arc::new(Mutex::new(0));
        for _ in 0..count {
            let (overload, passed) = (Arc::clone(overload), Arc::clone(&passed));
            tasks.spawn(async move {
                overload.turn().await.unwrap();
                *passed.lock().unwrap() += 1;
            });
        }
        passed
    }

    #[tokio::test(start_paused = true)]
    async fn a_late_probe_lets_fewer_pass_and_a_quick_one_more() {
        let (overload, tasks) = (Arc::new(Overload::default()), Tasks::default());
        overload.note(QUICKLY, DELAY_MAX);
        let passed = crowd(&overload, &tasks, 1_000);
        let mut before = 0;
        for (delay, more) in [
            (QUICKLY, PASSED_MAX),
            (IN_TIME, PASSED_MAX),
            (LATE, PASSED_FIRST),
            (LATE, PASSED_FIRST / 2),
            (LATE, PASSED_MIN),
            (LATE, PASSED_MIN),
            (IN_TIME, PASSED_MIN + 1),
            (QUICKLY, PASSED_MIN + 3),
            (QUICKLY, PASSED_MIN + 5),
        ] {
            settle().await;
            before = *passed.lock().unwrap();
            overload.note(delay, DELAY_MAX);
            settle().await;
            assert_eq!(*passed.lock().unwrap(), before + more, "{delay:?}");
        }
        assert!(before < 1_000);
        for _ in 0..2 * CALM_PROBES {
            overload.note(IN_TIME, DELAY_MAX);
            assert!(overload.holds_back(), "some wait");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_held_back_any_more_when_probes_are_in_time_and_nobody_waits() {
        let (overload, tasks) = (Arc::new(Overload::default()), Tasks::default());
        overload.note(LATE, DELAY_MAX);
        let passed = crowd(&overload, &tasks, 1_000);
        while *passed.lock().unwrap() < 1_000 {
            settle().await;
            assert!(overload.holds_back(), "some wait");
            overload.note(QUICKLY, DELAY_MAX);
        }
        overload.note(LATE, DELAY_MAX);
        for _ in 0..CALM_PROBES {
            assert!(overload.holds_back());
            overload.note(IN_TIME, DELAY_MAX);
        }
        assert!(!overload.holds_back());
    }

    #[tokio::test(start_paused = true)]
    async fn who_finds_no_turn_left_has_a_probe_made_at_once() {
        let (overload, tasks) = (Arc::new(Overload::default()), Tasks::default());
        let clock = ServiceClock::of_runtime();
        overload.note(QUICKLY, DELAY_MAX);
        let began = clock.now();
        let passed = crowd(&overload, &tasks, 1_000);
        tokio::task::yield_now().await;
        while *passed.lock().unwrap() < 1_000 {
            overload.probe(&clock, DELAY_MAX).await;
        }
        assert_eq!(clock.now(), began, "nobody had to wait");
        overload.probe(&clock, DELAY_MAX).await;
        overload.probe(&clock, DELAY_MAX).await;
        assert!(clock.now().since(began) >= PROBE_EVERY, "nobody wants one");
        overload.note(IN_TIME, DELAY_MAX);
        let (passed, began) = (crowd(&overload, &tasks, PASSED_MAX + 1), clock.now());
        while *passed.lock().unwrap() <= PASSED_MAX {
            overload.probe(&clock, DELAY_MAX).await;
        }
        assert!(clock.now().since(began) >= PROBE_AGAIN, "games have that time for themselves");
    }

    #[tokio::test(start_paused = true)]
    async fn while_something_is_held_back_few_connections_are_taken() {
        let (overload, tasks) = (Arc::new(Overload::default()), Tasks::default());
        overload.note(QUICKLY, DELAY_MAX);
        let taken = Arc::new(Mutex::new(0));
        let (gate, count) = (Arc::clone(&overload), Arc::clone(&taken));
        let accepting = tasks.spawn(async move {
            while *count.lock().unwrap() < 10_000 {
                gate.arrival().await;
                *count.lock().unwrap() += 1;
            }
        });
        accepting.await.unwrap();
        let (gate, count) = (Arc::clone(&overload), Arc::clone(&taken));
        overload.note(LATE, DELAY_MAX);
        let accepting = tasks.spawn(async move {
            loop {
                gate.arrival().await;
                *count.lock().unwrap() += 1;
            }
        });
        settle().await;
        assert_eq!(*taken.lock().unwrap(), 10_000 + PASSED_FIRST);
        let waiting = crowd(&overload, &tasks, 500);
        settle().await;
        while *waiting.lock().unwrap() < 500 {
            let (before, waits) = (*taken.lock().unwrap(), overload.waiting());
            overload.note(QUICKLY, DELAY_MAX);
            settle().await;
            let more = *taken.lock().unwrap() - before;
            let left = unpoisoned(overload.probed.lock()).passed.saturating_sub(waits);
            assert_eq!(more, left.max(ARRIVALS_MIN), "{waits} wait");
        }
        accepting.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn connections_that_are_not_served_keep_few_others_in_the_kernel() {
        let (overload, tasks) = (Arc::new(Overload::default()), Tasks::default());
        overload.note(LATE, DELAY_MAX);
        let taken = Arc::new(Mutex::new(0));
        let (gate, count) = (Arc::clone(&overload), Arc::clone(&taken));
        let accepting = tasks.spawn(async move {
            loop {
                gate.arrival().await;
                *count.lock().unwrap() += 1;
                gate.not_served();
            }
        });
        settle().await;
        assert_eq!(*taken.lock().unwrap(), PASSED_FIRST + UNSERVED_MAX);
        overload.note(LATE, DELAY_MAX);
        settle().await;
        assert_eq!(*taken.lock().unwrap(), PASSED_FIRST + PASSED_FIRST / 2 + 2 * UNSERVED_MAX);
        accepting.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_late_probe_lets_no_more_pass_than_the_one_before() {
        let overload = Overload::default();
        for _ in 0..3 {
            overload.note(LATE, DELAY_MAX);
        }
        for _ in 0..CALM_PROBES {
            overload.note(IN_TIME, DELAY_MAX);
        }
        assert!(!overload.holds_back());
        overload.note(LATE, DELAY_MAX);
        assert_eq!(overload.turns.available_permits(), PASSED_MIN + CALM_PROBES as usize);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn a_probe_comes_behind_all_that_are_ready_also_on_a_runtime_with_threads() {
        // As many as wait in the thread's own queue, which is in order.
        const READY: usize = 200;
        let tasks = Tasks::default();
        let turns: Arc<Vec<_>> = Arc::new((0..READY).map(|_| AtomicU64::new(0)).collect());
        let probing = tasks.clone();
        let probe = tasks.spawn(async move {
            for number in 0..READY {
                let (stopping, turns) = (probing.stopping().clone(), Arc::clone(&turns));
                probing.spawn(async move {
                    while !stopping.is_cancelled() {
                        turns[number].fetch_add(1, Ordering::Relaxed);
                        behind_all_that_are_ready().await;
                    }
                });
            }
            let had = || turns.iter().map(|turn| turn.load(Ordering::Relaxed)).collect::<Vec<_>>();
            for _ in 0..20 {
                let before = had();
                behind_all_that_are_ready().await;
                let without = had().iter().zip(&before).filter(|(now, before)| now == before).count();
                assert_eq!(without, 0, "tasks that were ready had no turn");
            }
        });
        let probed = probe.await;
        tasks.stop();
        tasks.ended().await;
        probed.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_too_long_or_comes_last_is_told_to_come_again() {
        let (overload, tasks) = (Arc::new(Overload::default()), Tasks::default());
        overload.note(LATE, DELAY_MAX);
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
        settle().await;
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
        overload.note(LATE, DELAY_MAX);
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
