//! Whether the other end is alive, and its round trip: the timeout before `hello`, pings, pongs,
//! the round trip that counts for lag compensation.
//!
//! That is the mean of recent pongs, but no more than the kernel's own estimate and a margin. A
//! program can answer pings late. The kernel's estimate comes from acknowledgements, which the other
//! end's kernel sends; behind a trusted proxy there is none, because it would be the proxy's. It is
//! the mean and not the least pong, because a line that jitters takes its mean from the clock. A
//! client that delays its pongs by the same time always, and its acknowledgements with them, looks
//! like a slow line in everything: only the bank bounds what it gains (docs/laws.md).
//!
//! Pure: instants and the kernel's estimate are passed in, and the caller sends the pings that it
//! asks for.
//!
//! Invariant: there is always a next deadline, at most one ping interval away once the connection is open.

use std::time::Duration;

use zeitnot_protocol::{CloseCode, Limits};

use crate::time::ServiceInstant;

/// The timeouts of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Timing {
    /// From the upgrade to `hello`.
    pub(crate) hello: Duration,
    /// Between two pings.
    pub(crate) ping_every: Duration,
    /// Without a pong.
    pub(crate) pong: Duration,
}

impl Timing {
    /// What `limits` say.
    #[must_use]
    pub(crate) fn of(limits: &Limits) -> Self {
        let ms = |ms: u32| Duration::from_millis(u64::from(ms));
        Self {
            hello: ms(limits.hello_timeout_ms),
            ping_every: ms(limits.ping_every_ms),
            pong: ms(limits.pong_timeout_ms),
        }
    }
}

/// A new pong counts for an eighth, as in TCP (RFC 6298): one delayed pong changes little. The first
/// eight count alike, because the very first may be far from the mean.
const SMOOTHING: u32 = 8;

/// How much more than the kernel's estimate pongs may take, and a share of the estimate beside it. The
/// kernel leaves out what was sent again: with 2 % of the packets lost that is 9 ms on a line of
/// 20 ms and 24 ms on one of 400 ms. A client that answers late gains no more than that a move.
const KERNEL_MARGIN: Duration = Duration::from_millis(15);

/// See [`KERNEL_MARGIN`].
const KERNEL_MARGIN_SHARE: u32 = 32;

/// The keepalive state of one connection.
#[derive(Debug)]
pub(crate) struct Keepalive {
    /// When to do something next: give up waiting for `hello`, or ping.
    next: ServiceInstant,
    /// When the last pong came, or the connection became open; `None` before.
    alive: Option<ServiceInstant>,
    /// The number and instant of the ping that was sent last.
    ping: (u32, ServiceInstant),
    /// Whether `ping` is unanswered.
    unanswered: bool,
    /// The mean of the pongs.
    mean: Duration,
    /// How many pongs it is of, up to [`SMOOTHING`].
    pongs: u32,
}

impl Keepalive {
    /// A connection that was opened at `at` and has not said who it is.
    pub(crate) fn waiting_for_hello(at: ServiceInstant, timing: Timing) -> Self {
        Self {
            next: at + timing.hello,
            alive: None,
            ping: (0, at),
            unanswered: false,
            mean: Duration::ZERO,
            pongs: 0,
        }
    }

    /// The connection is open: the number of the first ping.
    pub(crate) fn begin(&mut self, at: ServiceInstant, timing: Timing) -> u32 {
        self.alive = Some(at);
        self.send(at, timing)
    }

    fn send(&mut self, at: ServiceInstant, timing: Timing) -> u32 {
        self.ping = (self.ping.0.wrapping_add(1), at);
        self.unanswered = true;
        self.next = at + timing.ping_every;
        self.ping.0
    }

    /// When [`Keepalive::tick`] has something to do.
    pub(crate) fn deadline(&self, timing: Timing) -> ServiceInstant {
        match self.alive {
            Some(alive) => self.next.min(alive + timing.pong),
            None => self.next,
        }
    }

    /// Handles a passed deadline. Returns the number of a ping to send, if one is due.
    ///
    /// # Errors
    /// The code to close with, when the other end was silent for too long.
    pub(crate) fn tick(&mut self, at: ServiceInstant, timing: Timing) -> Result<Option<u32>, CloseCode> {
        match self.alive {
            None if at >= self.next => Err(CloseCode::NoHello),
            Some(alive) if at >= alive + timing.pong => Err(CloseCode::NoPong),
            Some(_) if at >= self.next => Ok(Some(self.send(at, timing))),
            None | Some(_) => Ok(None),
        }
    }

    /// A pong came: the round trip that counts, if this one measured it. A pong for an older ping, or one that nobody
    /// asked for, only says that the other end is alive. `kernel` is the kernel's estimate; `None` where it is not of
    /// the client.
    pub(crate) fn pong(
        &mut self,
        number: u32,
        at: ServiceInstant,
        kernel: Option<Duration>,
    ) -> Option<Duration> {
        if let Some(alive) = &mut self.alive {
            *alive = at.max(*alive);
        }
        if !self.unanswered || number != self.ping.0 {
            return None;
        }
        self.unanswered = false;
        let sample = at.since(self.ping.1);
        self.pongs = SMOOTHING.min(self.pongs + 1);
        self.mean = (self.mean * (self.pongs - 1) + sample) / self.pongs;
        let most =
            kernel.map_or(Duration::MAX, |kernel| kernel + KERNEL_MARGIN + kernel / KERNEL_MARGIN_SHARE);
        Some(self.mean.min(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> ServiceInstant {
        ServiceInstant(ms * 1_000)
    }

    fn timing() -> Timing {
        Timing::of(&Limits::STANDARD)
    }

    fn open() -> (Keepalive, u32) {
        let mut keepalive = Keepalive::waiting_for_hello(at(0), timing());
        let number = keepalive.begin(at(1_000), timing());
        (keepalive, number)
    }

    #[test]
    fn without_hello_it_ends_after_ten_seconds() {
        let mut keepalive = Keepalive::waiting_for_hello(at(0), timing());
        assert_eq!(keepalive.deadline(timing()), at(10_000));
        assert_eq!(keepalive.tick(ServiceInstant(9_999_999), timing()), Ok(None));
        assert_eq!(keepalive.tick(at(10_000), timing()), Err(CloseCode::NoHello));
    }

    #[test]
    fn pings_come_every_five_seconds_with_new_numbers() {
        let (mut keepalive, first) = open();
        keepalive.pong(first, at(1_050), None);
        assert_eq!(keepalive.deadline(timing()), at(6_000));
        assert_eq!(keepalive.tick(at(5_999), timing()), Ok(None));
        let second = keepalive.tick(at(6_000), timing()).unwrap().unwrap();
        assert_ne!(first, second);
        assert_eq!(keepalive.deadline(timing()), at(11_000));
    }

    #[test]
    fn without_a_pong_it_ends_after_ten_seconds() {
        let (mut keepalive, _) = open();
        assert!(keepalive.tick(at(6_000), timing()).unwrap().is_some());
        assert_eq!(keepalive.deadline(timing()), at(11_000));
        assert_eq!(keepalive.tick(at(11_000), timing()), Err(CloseCode::NoPong));
    }

    #[test]
    fn a_dead_line_is_seen_within_ten_seconds_whenever_it_dies() {
        for round_trip in [1, 400, 1_500] {
            for died in (1_000..21_000).step_by(100) {
                let (mut keepalive, mut number) = open();
                let mut sent = 1_000;
                let closed = loop {
                    if sent + round_trip <= died {
                        keepalive.pong(number, at(sent + round_trip), None);
                    }
                    let due = keepalive.deadline(timing());
                    match keepalive.tick(due, timing()) {
                        Ok(next) => (number, sent) = (next.expect("a ping is due"), due.0 / 1_000),
                        Err(code) => break (due, code),
                    }
                };
                assert_eq!(closed.1, CloseCode::NoPong);
                let seen = closed.0.since(at(died));
                assert!(seen <= Duration::from_secs(10), "{round_trip}, {died}: {seen:?}");
            }
        }
    }

    #[test]
    fn any_pong_keeps_it_alive_but_only_the_asked_for_one_measures() {
        let (mut keepalive, first) = open();
        assert_eq!(keepalive.pong(first + 7, at(1_500), None), None);
        assert_eq!(keepalive.pong(first, at(1_040), None), Some(Duration::from_millis(40)));
        assert_eq!(keepalive.pong(first, at(9_000), None), None, "the same pong again");
        assert_eq!(keepalive.tick(at(16_000), timing()).map(|ping| ping.is_some()), Ok(true));
        assert_eq!(keepalive.tick(at(19_000), timing()), Err(CloseCode::NoPong), "10 s after the last pong");
    }

    /// The round trips that count when pongs come after so many milliseconds each.
    fn counted(pongs: impl IntoIterator<Item = u64>, kernel: Option<u64>) -> Vec<Duration> {
        let (mut keepalive, mut number) = open();
        let mut now = 1_000;
        let kernel = kernel.map(Duration::from_millis);
        let each = pongs.into_iter().map(|ms| {
            let counted = keepalive.pong(number, at(now + ms), kernel).unwrap();
            now += 5_000;
            number = keepalive.tick(at(now), timing()).unwrap().unwrap();
            counted
        });
        each.collect()
    }

    #[test]
    fn the_first_eight_pongs_count_alike_and_each_later_one_an_eighth() {
        let counted = counted([80, 280, 180, 180, 180, 180, 180, 180, 180, 980], None);
        assert_eq!(counted[..3], [80, 180, 180].map(Duration::from_millis));
        assert_eq!(counted.last(), Some(&Duration::from_millis(280)));
    }

    #[test]
    fn late_pongs_count_no_more_than_the_kernels_estimate_and_its_margin() {
        assert_eq!(counted([950, 950], Some(32)), [Duration::from_millis(48); 2]);
        assert_eq!(
            counted([20, 20], Some(400)),
            [Duration::from_millis(20); 2],
            "late acknowledgements alone"
        );
    }
}
