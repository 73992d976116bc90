//! Whether the other end is alive, and its round trip: the timeout before `hello`, pings, pongs,
//! the smoothed round trip.
//!
//! Pure: instants are passed in, and the caller sends the pings that it asks for.
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

/// A new sample counts for an eighth, as in TCP (RFC 6298): one delayed pong changes little.
const SMOOTHING: u32 = 8;

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
    smoothed: Option<Duration>,
}

impl Keepalive {
    /// A connection that was opened at `at` and has not said who it is.
    pub(crate) fn waiting_for_hello(at: ServiceInstant, timing: Timing) -> Self {
        Self { next: at + timing.hello, alive: None, ping: (0, at), unanswered: false, smoothed: None }
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

    /// A pong came: the smoothed round trip, if this one measured it. A pong for an older ping, or one that nobody
    /// asked for, only says that the other end is alive.
    pub(crate) fn pong(&mut self, number: u32, at: ServiceInstant) -> Option<Duration> {
        if let Some(alive) = &mut self.alive {
            *alive = at.max(*alive);
        }
        if !self.unanswered || number != self.ping.0 {
            return None;
        }
        self.unanswered = false;
        let sample = at.since(self.ping.1);
        let smoothed = self.smoothed.map_or(sample, |old| (old * (SMOOTHING - 1) + sample) / SMOOTHING);
        self.smoothed = Some(smoothed);
        Some(smoothed)
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
        keepalive.pong(first, at(1_050));
        assert_eq!(keepalive.deadline(timing()), at(6_000));
        assert_eq!(keepalive.tick(at(5_999), timing()), Ok(None));
        let second = keepalive.tick(at(6_000), timing()).unwrap().unwrap();
        assert_ne!(first, second);
        assert_eq!(keepalive.deadline(timing()), at(11_000));
    }

    #[test]
    fn without_a_pong_it_ends_after_fifteen_seconds() {
        let (mut keepalive, _) = open();
        for ms in [6_000, 11_000] {
            assert!(keepalive.tick(at(ms), timing()).unwrap().is_some());
        }
        assert_eq!(keepalive.deadline(timing()), at(16_000));
        assert_eq!(keepalive.tick(at(16_000), timing()), Err(CloseCode::NoPong));
    }

    #[test]
    fn any_pong_keeps_it_alive_but_only_the_asked_for_one_measures() {
        let (mut keepalive, first) = open();
        assert_eq!(keepalive.pong(first + 7, at(1_500)), None);
        assert_eq!(keepalive.pong(first, at(1_040)), Some(Duration::from_millis(40)));
        assert_eq!(keepalive.pong(first, at(9_000)), None, "the same pong again");
        assert_eq!(keepalive.tick(at(16_000), timing()).map(|ping| ping.is_some()), Ok(true));
        assert_eq!(keepalive.tick(at(24_000), timing()), Err(CloseCode::NoPong), "15 s after the last pong");
    }

    #[test]
    fn the_round_trip_is_smoothed() {
        let (mut keepalive, first) = open();
        keepalive.pong(first, at(1_080));
        let second = keepalive.tick(at(6_000), timing()).unwrap().unwrap();
        assert_eq!(keepalive.pong(second, at(6_880)), Some(Duration::from_millis(180)));
    }
}
