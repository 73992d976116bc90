//! The only place of the server that reads a clock.
//!
//! [`ServiceClock`] counts microseconds of service: a thread ticks every 20 ms, and a tick moves the clock by at most
//! 100 ms, so a stop of the process, however long, moves it by at most 100 ms and shifts every deadline with it. Stamps,
//! flags and timers are all on this clock. The time of day is [`unix_now_ms`], for dates in games and accounts.
//!
//! Invariants: the clock never goes back, on one thread or from one thread to the next; it is never ahead of the
//! machine's own clock; a read costs two atomic loads and one reading of the machine's clock.

use std::fmt;
use std::ops::Add;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::seeded_bugs::bug;

/// How often the clock's thread ticks.
const TICK: Duration = Duration::from_millis(20);

/// The most by which one tick moves the clock, and by which a reading may be ahead of the last tick.
pub const ADVANCE_MAX: Duration = Duration::from_millis(100);
const ADVANCE_MAX_US: u64 = 100_000;

/// An instant of service: microseconds since this process's service clock began.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ServiceInstant(pub u64);

impl ServiceInstant {
    /// Later than every instant that is reached: what a stopped timer is set to.
    pub const NEVER: Self = Self(u64::MAX);

    /// The time from `earlier` to here, or zero when `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

/// Saturates at the end of the axis.
impl Add<Duration> for ServiceInstant {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(span.as_micros()).unwrap_or(u64::MAX)))
    }
}

impl fmt::Debug for ServiceInstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}s", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// What a reading needs, as of the last tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tick {
    /// How far the service clock is behind the machine's: it only grows.
    lost_us: u64,
    /// The latest instant that may be read before the next tick: it only grows.
    cap_us: u64,
}

impl Tick {
    const FIRST: Self = Self { lost_us: 0, cap_us: ADVANCE_MAX_US };

    /// The service clock when the machine's shows `machine_us`.
    fn read(self, machine_us: u64) -> u64 {
        bug!(ClockRunsInAStop => return machine_us.saturating_sub(self.lost_us));
        machine_us.saturating_sub(self.lost_us).min(self.cap_us)
    }

    /// The next tick, when the machine's clock shows `machine_us`.
    fn next(self, machine_us: u64) -> Self {
        let service_us = self.read(machine_us);
        Self { lost_us: machine_us - service_us, cap_us: service_us + ADVANCE_MAX_US }
    }
}

/// The last tick, shared between the ticking thread and all readers.
///
/// The writer stores `lost_us` first and the readers load it last: a reader sees a new cap only together with the new
/// loss, and a new loss under an old cap gives that cap at most. Readers take the machine's clock after both loads, so a
/// stop in between is never taken for service.
#[derive(Debug)]
struct LastTick {
    lost_us: AtomicU64,
    cap_us: AtomicU64,
}

impl LastTick {
    fn new() -> Self {
        Self { lost_us: AtomicU64::new(Tick::FIRST.lost_us), cap_us: AtomicU64::new(Tick::FIRST.cap_us) }
    }

    fn load(&self) -> Tick {
        let cap_us = self.cap_us.load(Ordering::Acquire);
        Tick { lost_us: self.lost_us.load(Ordering::Acquire), cap_us }
    }

    fn store(&self, tick: Tick) {
        self.lost_us.store(tick.lost_us, Ordering::Release);
        self.cap_us.store(tick.cap_us, Ordering::Release);
    }
}

#[derive(Debug)]
enum Source {
    /// The machine's clock, with a thread that ticks.
    Machine { began: Instant, last: LastTick },
    /// The runtime's clock, which a test may pause and advance.
    Runtime {
        began: tokio::time::Instant,
        /// What stops of the process have taken.
        #[cfg(test)]
        lost_us: AtomicU64,
    },
    /// A machine whose clock and whose ticks are moved by hand.
    #[cfg(test)]
    Hand { machine_us: AtomicU64, last: LastTick },
}

/// The clock of the whole process. Clones are the same clock. Its thread ends with the last clone.
#[derive(Clone, Debug)]
pub struct ServiceClock(Arc<Source>);

impl ServiceClock {
    /// Starts the clock and its thread.
    ///
    /// # Errors
    /// When the thread cannot be started.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads a clock")]
    pub fn start() -> std::io::Result<Self> {
        let source = Arc::new(Source::Machine { began: Instant::now(), last: LastTick::new() });
        let weak = Arc::downgrade(&source);
        std::thread::Builder::new()
            .name("service-clock".to_owned())
            .spawn(move || tick_until_dropped(&weak))?;
        Ok(Self(source))
    }

    /// A clock that follows the runtime's, for tests: `tokio::time::pause` and `advance` move it, and nothing else does.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads a clock")]
    pub fn of_runtime() -> Self {
        Self(Arc::new(Source::Runtime {
            began: tokio::time::Instant::now(),
            #[cfg(test)]
            lost_us: AtomicU64::new(0),
        }))
    }

    /// Now.
    #[must_use]
    #[inline]
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads a clock")]
    pub fn now(&self) -> ServiceInstant {
        match &*self.0 {
            Source::Machine { began, last } => {
                let tick = last.load();
                ServiceInstant(tick.read(micros(began.elapsed())))
            }
            #[cfg(not(test))]
            Source::Runtime { began } => ServiceInstant(micros(tokio::time::Instant::now() - *began)),
            #[cfg(test)]
            Source::Runtime { began, lost_us } => {
                let machine_us = micros(tokio::time::Instant::now() - *began);
                ServiceInstant(machine_us - lost_us.load(Ordering::Relaxed))
            }
            #[cfg(test)]
            Source::Hand { machine_us, last } => {
                ServiceInstant(last.load().read(machine_us.load(Ordering::Relaxed)))
            }
        }
    }

    /// When the runtime's timers should look again for something that is due at `at`. A timer may be
    /// early, never late: the service clock can fall behind, so a woken task reads
    /// [`ServiceClock::now`] and arms again if need be.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads a clock")]
    pub fn timer_for(&self, at: ServiceInstant) -> tokio::time::Instant {
        // Far enough for every game, near enough for the timer wheel.
        const FURTHEST: Duration = Duration::from_secs(365 * 24 * 3600);
        tokio::time::Instant::now() + at.since(self.now()).min(FURTHEST)
    }

    /// Ends when the service clock has come to `at`.
    pub async fn sleep_until(&self, at: ServiceInstant) {
        while self.now() < at {
            tokio::time::sleep_until(self.timer_for(at)).await;
        }
    }
}

/// For the simulation: the same arithmetic of ticks, on a machine that is moved by hand.
#[cfg(test)]
impl ServiceClock {
    /// A clock that stands until [`ServiceClock::advance_machine`] moves it.
    pub(crate) fn by_hand() -> Self {
        Self(Arc::new(Source::Hand { machine_us: AtomicU64::new(0), last: LastTick::new() }))
    }

    /// The process of a clock that follows the runtime's was stopped for so long until now.
    pub(crate) fn was_stopped(&self, span: Duration) {
        let Source::Runtime { lost_us, .. } = &*self.0 else { panic!("only a clock of the runtime is told") };
        lost_us.fetch_add(micros(span.saturating_sub(ADVANCE_MAX)), Ordering::Relaxed);
    }

    /// The machine's clock goes on to `machine_us`, with a tick every 20 ms on the way if the process runs, and none if
    /// it is stopped.
    pub(crate) fn advance_machine(&self, to_us: u64, process_runs: bool) {
        let Source::Hand { machine_us, last } = &*self.0 else { panic!("only a clock by hand is moved") };
        let from_us = machine_us.swap(to_us, Ordering::Relaxed);
        let tick_us = micros(TICK);
        if process_runs {
            for tick in from_us / tick_us + 1..=to_us / tick_us {
                last.store(last.load().next(tick * tick_us));
            }
        }
    }
}

fn micros(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(u64::MAX)
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads a clock")]
fn tick_until_dropped(source: &Weak<Source>) {
    while let Some(source) = source.upgrade() {
        if let Source::Machine { began, last } = &*source {
            last.store(last.load().next(micros(began.elapsed())));
        }
        drop(source);
        std::thread::sleep(TICK);
    }
}

/// An instant in milliseconds since 1970 as people read it, in UTC.
#[must_use]
pub fn utc_text(unix_ms: u64) -> String {
    let at = i64::try_from(unix_ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    at.map_or_else(String::new, |at| at.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

/// The time of day: milliseconds since 1970 in UTC. It may jump; nothing is ever timed with it.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads a clock")]
pub fn unix_now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// How much of the processor the calling thread has used so far.
pub(crate) fn thread_cpu_time() -> Duration {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(used).unwrap_or_default()
}

/// A day of UTC from its beginning, as in `2026-11-21`, or an instant, as in `2026-11-21T13:14:15Z`: in milliseconds
/// since 1970.
pub fn unix_ms(text: &str) -> Option<u64> {
    let day = || text.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok().map(|day| day.timestamp());
    let is_day = text.len() == "2026-11-21".len();
    let instant = if is_day { day() } else { text.parse::<Timestamp>().ok() };
    instant.and_then(|instant| u64::try_from(instant.as_millisecond()).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000;

    #[test]
    fn with_regular_ticks_it_is_the_machines_clock() {
        let mut tick = Tick::FIRST;
        for machine in (0..10 * SECOND).step_by(20_000) {
            assert_eq!(tick.read(machine), machine);
            tick = tick.next(machine);
            assert_eq!(tick.read(machine + 7), machine + 7);
        }
    }

    #[test]
    fn a_stop_of_any_length_moves_it_by_at_most_100_ms() {
        for stop in [0, 50_000, 100_000, 100_001, 5 * SECOND, 86_400 * SECOND] {
            let before = Tick::FIRST.next(60_000);
            let last_read = before.read(75_000);
            let first_read = before.read(75_000 + stop);
            assert!(first_read - last_read <= stop.min(ADVANCE_MAX_US));
            let after = before.next(75_000 + stop);
            assert_eq!(after.read(75_000 + stop), first_read, "the tick itself moves nothing");
            assert_eq!(after.read(75_000 + stop + 30), first_read + 30, "and then it goes on");
        }
    }

    #[test]
    fn a_reading_that_meets_a_tick_half_stored_never_goes_back() {
        let old = Tick::FIRST.next(20_000);
        for machine in [30_000, 120_000, 120_001, 9 * SECOND] {
            let new = old.next(machine);
            let torn = Tick { lost_us: new.lost_us, cap_us: old.cap_us };
            let latest_before = old.read(machine);
            for now in [machine, machine + 1, machine + 60_000, machine + SECOND] {
                assert!(torn.read(now) >= latest_before);
                assert!(torn.read(now) <= new.read(now), "and never is ahead of the whole tick");
            }
        }
    }

    #[test]
    fn the_running_clock_advances_and_never_goes_back() {
        let clock = ServiceClock::start().unwrap();
        let mut last = clock.now();
        let first = last;
        while clock.now().since(first) < Duration::from_millis(50) {
            let now = clock.now();
            assert!(now >= last);
            last = now;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn sleeping_on_the_runtimes_clock_takes_no_real_time() {
        let clock = ServiceClock::of_runtime();
        let wake = clock.now() + Duration::from_secs(3600);
        clock.sleep_until(wake).await;
        assert!(clock.now() >= wake);
        assert!(clock.now().since(wake) < Duration::from_millis(10));
    }
}
