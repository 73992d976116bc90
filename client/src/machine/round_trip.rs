//! How far away the server is, and what time it is there.
//!
//! The round trip is the shortest of the last pings, because delays only add to a path; half of it is the way here.
//! The server's time of day is that of the pong with the shortest round trip.

use std::collections::VecDeque;
use std::time::Duration;

use zeitnot_protocol::Pong;

use super::Moment;

/// How many round trips are kept.
const KEPT: usize = 8;

/// One answered ping.
#[derive(Clone, Copy, Debug)]
struct Sample {
    took: Duration,
    /// Unix time at the moment 0 of this client, by the server's clock.
    epoch: Duration,
}

/// The pings of a connection, and what the last ones have shown.
#[derive(Debug, Default)]
pub(super) struct RoundTrip {
    next: u32,
    /// The ping that waits for its pong.
    waiting: Option<(u32, Moment)>,
    samples: VecDeque<Sample>,
}

impl RoundTrip {
    /// The connection has ended. What was measured is still the best guess.
    pub(super) fn disconnected(&mut self) {
        self.waiting = None;
    }

    /// A ping leaves now, with this number; none if one is on its way.
    pub(super) fn ping(&mut self, now: Moment) -> Option<u32> {
        if self.waiting.is_some() {
            return None;
        }
        self.next = self.next.wrapping_add(1);
        self.waiting = Some((self.next, now));
        Some(self.next)
    }

    pub(super) fn pong(&mut self, pong: &Pong, now: Moment) {
        let Some((_, sent)) = self.waiting.take_if(|(n, _)| *n == pong.n) else { return };
        let took = now.saturating_sub(sent);
        let at = Duration::from_secs(pong.at.into()) + Duration::from_millis(pong.ms.into());
        if self.samples.len() == KEPT {
            self.samples.pop_front();
        }
        self.samples.push_back(Sample { took, epoch: (at + took / 2).saturating_sub(now) });
    }

    fn best(&self) -> Option<&Sample> {
        self.samples.iter().min_by_key(|sample| sample.took)
    }

    /// The shortest of the last round trips.
    pub(super) fn shortest(&self) -> Option<Duration> {
        self.best().map(|sample| sample.took)
    }

    /// How long a message has travelled when it arrives.
    pub(super) fn one_way(&self) -> Duration {
        self.shortest().unwrap_or_default() / 2
    }

    /// Unix time at the moment 0, by the server's clock.
    pub(super) fn epoch(&self) -> Option<Duration> {
        self.best().map(|sample| sample.epoch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_way_counts_and_tells_the_servers_time() {
        let mut trips = RoundTrip::default();
        let ms = Duration::from_millis;
        // The server's clock: moment 0 is second 1000. Each way takes `way`, and some come late.
        for (sent, way) in [(0, 90), (500, 20), (1_000, 400)] {
            let n = trips.ping(ms(sent)).unwrap();
            assert_eq!(trips.ping(ms(sent)), None, "one at a time");
            let there = ms(sent + way);
            let pong = Pong { n, at: 1_000 + there.as_secs() as u32, ms: there.subsec_millis() };
            trips.pong(&Pong { n: n + 1, ..pong }, ms(sent));
            trips.pong(&pong, ms(sent + 2 * way));
        }
        assert_eq!(trips.shortest(), Some(ms(40)));
        assert_eq!(trips.one_way(), ms(20));
        assert_eq!(trips.epoch(), Some(Duration::from_secs(1_000)));
    }
}
