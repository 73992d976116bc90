//! How fast frames are sent: under the rate at which the server reads them, also when a reconnect asks for many games
//! and sends many commands again.
//!
//! The server counts a frame once, and once more for each 1,024 bytes. A fifth of its rate is left for pongs.

use std::collections::VecDeque;
use std::time::Duration;

use zeitnot_protocol::{ClientMessage, Limits, Ping};

use super::round_trip::RoundTrip;
use super::{Effect, Moment};

/// The messages that wait, and the frames that may be sent now.
#[derive(Debug)]
pub(super) struct Pace {
    waiting: VecDeque<ClientMessage>,
    /// Bounded by what the machine keeps: one for each command, each game and the ping.
    credit: f64,
    at: Moment,
    per_second: f64,
    burst: f64,
}

impl Pace {
    pub(super) fn new() -> Self {
        let mut pace =
            Self { waiting: VecDeque::new(), credit: 0.0, at: Moment::ZERO, per_second: 1.0, burst: 1.0 };
        pace.begin(&Limits::STANDARD, Moment::ZERO);
        pace
    }

    /// A connection begins: nothing waits.
    pub(super) fn begin(&mut self, limits: &Limits, now: Moment) {
        self.waiting.clear();
        self.per_second = (f64::from(limits.frames_per_second) * 0.8).max(1.0);
        self.burst = (f64::from(limits.frames_burst) * 0.8).max(1.0);
        (self.credit, self.at) = (self.burst, now);
    }

    pub(super) fn push(&mut self, message: ClientMessage) {
        self.waiting.push_back(message);
    }

    /// A ping goes before everything that waits, because it measures the way.
    pub(super) fn ping(&mut self, round_trip: &mut RoundTrip, now: Moment) {
        if let Some(n) = round_trip.ping(now) {
            self.waiting.push_front(ClientMessage::Ping(Ping { n }));
        }
    }

    /// Sends what may be sent.
    pub(super) fn pump(&mut self, now: Moment, effects: &mut Vec<Effect>) {
        let passed = now.saturating_sub(self.at).as_secs_f64();
        self.credit = (self.credit + passed * self.per_second).min(self.burst);
        self.at = now;
        // A frame that costs more than there is may make a debt, so that every frame is sent one day.
        while self.credit >= 1.0
            && let Some(message) = self.waiting.pop_front()
        {
            self.credit -= cost(&message);
            effects.push(Effect::Send(message));
        }
    }

    /// When the next frame may be sent.
    pub(super) fn wake_at(&self) -> Option<Moment> {
        let missing = (1.0 - self.credit).max(0.0);
        let wait = Duration::from_secs_f64(missing / self.per_second) + Duration::from_millis(1);
        (!self.waiting.is_empty()).then(|| self.at + wait)
    }
}

fn cost(message: &ClientMessage) -> f64 {
    // Only these can be long.
    match message {
        ClientMessage::CreateChallenge(_) | ClientMessage::Say(_) | ClientMessage::Hello(_) => {
            1.0 + (message.to_text().len() / 1024) as f64
        }
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_the_rate() {
        let mut pace = Pace::new();
        (0..1_000).for_each(|n| pace.push(ClientMessage::Ping(Ping { n })));
        let (mut effects, mut now) = (Vec::new(), Moment::ZERO);
        pace.pump(now, &mut effects);
        assert_eq!(effects.len(), 160, "of a burst of 200");
        while let Some(at) = pace.wake_at() {
            assert!(at > now);
            now = at;
            pace.pump(now, &mut effects);
        }
        assert_eq!(effects.len(), 1_000);
        let seconds = now.as_secs_f64();
        assert!((10.4..11.6).contains(&seconds), "840 frames at 80 a second took {seconds} s");
    }
}
