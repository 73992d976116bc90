//! The open loop: everything falls due at its rate, whatever the server does. One thread with epoll.
//!
//! Moves come first here too: a few visits are made and looked at, then moves that are due are sent and answers to moves are
//! read. So when this program cannot offer all, fewer visits are made than are due, and no move is late.

use std::fmt;
use std::time::Duration;

use anyhow::{Context as _, Result};
use hdrhistogram::Histogram;

use super::OverloadOptions;
use super::players::{self, Players};
use super::report::QUICK_MS;
use super::visits::{self, Visits};
use crate::endpoint::Endpoint;
use crate::process::Process;
use crate::report::{MarkKind, Recorder, figure};
use crate::schedule::Schedule;
use crate::stopwatch::Stopwatch;
use crate::wire::{Poll, Token};

/// How long the server has to answer what is in flight before the next window begins, in seconds.
const REST_MAX: f64 = 10.0;

/// The share of what was offered that must be served in time where nothing is held back: the rest is on its way when a
/// window ends.
const SERVED_MIN: f64 = 0.98;

/// How long one turn waits while nothing is due.
const TURN: Duration = Duration::from_millis(1);

/// How many visits are made before moves are looked at again.
const VISITS_AT_ONCE: usize = 4;

/// The token of the visits' poll.
const VISITS: Token = Token::MAX;

pub(super) struct Generator<'s> {
    players: Players,
    visits: Visits<'s>,
    visits_per_100: u32,
    poll: Poll,
    clock: Stopwatch,
    server: Process,
    scratch: Vec<u8>,
    recorder: &'s Recorder,
}

/// What a window measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) due: u64,
    pub(super) accepted: u64,
    pub(super) p99_ms: f64,
    pub(super) late_ms: f64,
    /// Of the core, by all threads of the server, and by those of normal priority.
    pub(super) core_percent: f64,
    pub(super) busy_percent: f64,
    pub(super) logins: visits::Counts,
    pub(super) http: visits::Counts,
}

impl Sample {
    /// The share of the moves that were accepted before the window was over.
    pub(super) fn goodput(&self) -> f64 {
        self.accepted as f64 / self.due.max(1) as f64
    }

    /// Whether everything was served in time, and nobody was told to come again.
    pub(super) fn is_all_served(&self) -> bool {
        let visits = [self.logins, self.http];
        let are_served = visits
            .iter()
            .all(|counts| counts.rejected == 0 && counts.in_time as f64 >= SERVED_MIN * counts.due as f64);
        self.goodput() >= SERVED_MIN && self.p99_ms <= QUICK_MS && are_served
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { p99_ms, core_percent, busy_percent, logins, http, .. } = self;
        write!(
            f,
            "core {core_percent:.0} % (urgent {busy_percent:.0} %), p99 {} ms, accepted {:.1} %, logins {} of {}, HTTP {} of {}",
            figure(*p99_ms),
            self.goodput() * 100.0,
            logins.in_time,
            logins.due,
            http.in_time,
            http.due,
        )
    }
}

impl<'s> Generator<'s> {
    pub(super) fn begin(
        endpoint: &'s Endpoint,
        server: Process,
        options: &OverloadOptions,
        recorder: &'s Recorder,
    ) -> Result<Self> {
        let poll = Poll::new()?;
        let players = Players::begin(endpoint, options.games, &poll, recorder)?;
        let visits = Visits::new(endpoint, &players.ended)?;
        poll.add(&visits.poll, VISITS)?;
        Ok(Self {
            players,
            visits,
            visits_per_100: options.visits,
            poll,
            clock: Stopwatch::start(),
            server,
            scratch: vec![0; 64 * 1024],
            recorder,
        })
    }

    /// Records the latencies of all windows, second by second.
    pub(super) fn end(self) {
        self.recorder.add(self.players.over_time);
    }

    /// Offers so many moves per second, and what comes with them. Then waits until all is answered.
    /// `condition` is what the report calls it.
    pub(super) fn run(&mut self, moves_per_second: f64, seconds: f64, condition: &str) -> Result<Sample> {
        let phase = self.recorder.begin(MarkKind::Phase, condition);
        self.players.counts = players::Counts::new()?;
        (self.visits.logins, self.visits.http) = (visits::Counts::default(), visits::Counts::default());
        let (busy, core) = (self.server.urgent_cpu_micros()?, self.server.cpu_micros()?);
        let begun = self.clock.micros();
        let mut moves = Schedule::new(moves_per_second.round() as u32);
        let mut visits =
            Schedule::new((moves_per_second / 100.0 * f64::from(self.visits_per_100)).round() as u32);
        let end = (seconds * 1e6) as u64;
        loop {
            let now = self.clock.micros() - begun;
            if now >= end {
                break;
            }
            while let Some((_, at)) = moves.due(now) {
                self.players.is_due(begun + at, self.clock.micros())?;
            }
            let mut made = 0;
            while self.visits_per_100 > 0 && made < VISITS_AT_ONCE && visits.due(now).is_some() {
                self.visits.is_due(self.clock.seconds())?;
                made += 1;
            }
            let now = self.clock.micros() - begun;
            self.receive(moves.pause(now).min(visits.pause(now)))?;
        }
        let took = (self.clock.micros() - begun) as f64;
        let percent = |micros: f64| micros / took * 100.0;
        let busy_percent = percent(self.server.urgent_cpu_micros()? - busy);
        let core_percent = percent(self.server.cpu_micros()? - core);
        let (due, accepted) = (self.players.counts.due, self.players.counts.accepted);
        // What this program had no time for.
        while self.visits_per_100 > 0 && visits.due(end).is_some() {
            self.visits.is_left_out();
        }
        self.rest()?;
        // Those that were still in flight took longest.
        self.recorder.end(phase);
        let counts = &self.players.counts;
        self.recorder.curve("Latency of moves", condition, &counts.times);
        let (p99_ms, late_ms) = (p99(&counts.times), p99(&counts.late));
        let (logins, http) = (self.visits.logins, self.visits.http);
        Ok(Sample { due, accepted, p99_ms, late_ms, core_percent, busy_percent, logins, http })
    }

    fn rest(&mut self) -> Result<()> {
        let since = self.clock.seconds();
        while !self.players.is_idle() || !self.visits.is_idle() {
            if self.clock.seconds() > since + REST_MAX {
                return self.players.is_idle().then_some(()).context("moves were not answered for seconds");
            }
            self.receive(TURN)?;
        }
        Ok(())
    }

    fn receive(&mut self, wait: Duration) -> Result<()> {
        let mut has_visits = false;
        for &token in self.poll.wait(wait)? {
            if token == VISITS {
                has_visits = true;
            } else {
                self.players.read(token, &mut self.scratch, || self.clock.micros())?;
            }
        }
        if has_visits {
            self.visits.look(&mut self.scratch, self.clock.seconds())?;
        }
        self.visits.give_up(self.clock.seconds());
        Ok(())
    }
}

/// In milliseconds.
fn p99(times: &Histogram<u64>) -> f64 {
    times.value_at_quantile(0.99) as f64 / 1e3
}
