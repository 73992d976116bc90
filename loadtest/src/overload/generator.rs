//! The open loop: everything falls due at its rate, whatever the server does. One thread with epoll.

use std::fmt;
use std::time::Duration;

use anyhow::{Context as _, Result};
use hdrhistogram::Histogram;

use super::OverloadOptions;
use super::players::{self, Players};
use super::visits::{self, Visits};
use crate::endpoint::Endpoint;
use crate::process::Process;
use crate::report::figure;
use crate::schedule::Schedule;
use crate::stopwatch::Stopwatch;
use crate::wire::Poll;

/// How long the server has to answer what is in flight before the next window begins, in seconds.
const REST_MAX: f64 = 10.0;

/// How long one turn waits while nothing is due.
const TURN: Duration = Duration::from_millis(1);

pub(super) struct Generator<'s> {
    players: Players,
    visits: Visits<'s>,
    visits_per_100: u32,
    poll: Poll,
    clock: Stopwatch,
    server: Process,
    scratch: Vec<u8>,
}

/// What a window measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) due: u64,
    pub(super) accepted: u64,
    pub(super) p99_ms: f64,
    pub(super) late_ms: f64,
    /// Of the core, by threads of normal priority.
    pub(super) busy_percent: f64,
    pub(super) logins: visits::Counts,
    pub(super) http: visits::Counts,
}

impl Sample {
    /// The share of the moves that were accepted before the window was over.
    pub(super) fn goodput(&self) -> f64 {
        self.accepted as f64 / self.due.max(1) as f64
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { p99_ms, busy_percent, logins, http, .. } = self;
        write!(
            f,
            "busy {busy_percent:.0} %, p99 {} ms, accepted {:.1} %, logins {} of {}, HTTP {} of {}",
            figure(*p99_ms),
            self.goodput() * 100.0,
            logins.served,
            logins.made,
            http.served,
            http.made,
        )
    }
}

impl<'s> Generator<'s> {
    pub(super) fn begin(endpoint: &'s Endpoint, server: Process, options: &OverloadOptions) -> Result<Self> {
        let poll = Poll::new()?;
        let players = Players::begin(endpoint, options.games, &poll)?;
        let visits = Visits::new(endpoint, players.sockets(), players.ids());
        Ok(Self {
            players,
            visits,
            visits_per_100: options.visits,
            poll,
            clock: Stopwatch::start(),
            server,
            scratch: vec![0; 64 * 1024],
        })
    }

    /// Offers so many moves per second, and what comes with them. Then waits until all is answered.
    pub(super) fn run(&mut self, moves_per_second: f64, seconds: f64) -> Result<Sample> {
        self.players.counts = players::Counts::new()?;
        (self.visits.logins, self.visits.http) = (visits::Counts::default(), visits::Counts::default());
        let busy = self.server.urgent_cpu_micros()?;
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
            while self.visits_per_100 > 0 && visits.due(now).is_some() {
                self.visits.is_due(&self.poll, self.clock.seconds())?;
            }
            let now = self.clock.micros() - begun;
            self.receive(moves.pause(now).min(visits.pause(now)))?;
        }
        let busy = self.server.urgent_cpu_micros()? - busy;
        let took = (self.clock.micros() - begun) as f64;
        let counts = &self.players.counts;
        let sample = Sample {
            due: counts.due,
            accepted: counts.accepted,
            p99_ms: 0.0,
            late_ms: p99(&counts.late),
            busy_percent: busy / took * 100.0,
            logins: self.visits.logins,
            http: self.visits.http,
        };
        self.rest()?;
        // Those that were still in flight took longest.
        Ok(Sample { p99_ms: p99(&self.players.counts.times), ..sample })
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
        let first_visit = self.players.sockets();
        for &token in self.poll.wait(wait)? {
            if token < first_visit {
                self.players.read(token, &mut self.scratch, || self.clock.micros())?;
            } else {
                self.visits.read(token, &mut self.scratch);
            }
        }
        self.visits.give_up(self.clock.seconds());
        Ok(())
    }
}

/// In milliseconds.
fn p99(times: &Histogram<u64>) -> f64 {
    times.value_at_quantile(0.99) as f64 / 1e3
}
