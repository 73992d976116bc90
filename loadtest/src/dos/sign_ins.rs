//! Sign-ins with wrong passwords, so many a second: the server compares as many as its one thread can, and tells the others
//! at once to come back.
//!
//! Each has a connection of its own. They come from many addresses, so that no limit of an address hides the limit of the
//! thread.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;

use anyhow::{Context as _, Result};
use hdrhistogram::Histogram;

use super::requests::Answers;
use crate::account_requests::address;
use crate::endpoint::Endpoint;
use crate::wire::connect_from;

/// Addresses that they come from: fewer tries of each than an address may make in a minute.
const ADDRESSES: u64 = 500;

/// Within this time whoever is told to come back must be told, in microseconds.
pub(super) const TOLD_WITHIN: u64 = 100_000;

/// The statuses of an answer: a wrong password, and come back later.
const DOCUMENTED: [u16; 2] = [403, 429];

/// What they were answered.
#[derive(Clone, Debug)]
pub(super) struct SignInOutcome {
    pub(super) answers: Answers,
    /// How long each was kept waiting that is told to come back, in microseconds.
    pub(super) told: Histogram<u64>,
    /// Those without `Retry-After`.
    pub(super) without_time: u64,
    /// Those that were not answered at all.
    pub(super) unanswered: u64,
}

impl Default for SignInOutcome {
    fn default() -> Self {
        let told = Histogram::new_with_bounds(1, 60_000_000, 3).expect("the bounds are in order");
        Self { answers: Answers::default(), told, without_time: 0, unanswered: 0 }
    }
}

impl SignInOutcome {
    pub(super) fn add(&mut self, other: &Self) {
        self.answers.add(&other.answers);
        self.told += &other.told;
        self.without_time += other.without_time;
        self.unanswered += other.unanswered;
    }

    /// How many were not answered as documented, or one in a hundred of those that are told to come back too late.
    pub(super) fn wrong(&self) -> u64 {
        let late = u64::from(self.told.value_at_quantile(0.99) > TOLD_WITHIN);
        self.answers.outside(&DOCUMENTED) + self.without_time + self.unanswered + late
    }
}

/// A try that is not answered yet.
struct Try {
    stream: TcpStream,
    since: f64,
    answer: Vec<u8>,
}

/// The tries of an attack.
pub(super) struct SignIns<'s> {
    endpoint: &'s Endpoint,
    per_second: f64,
    begun: u64,
    open: Vec<Try>,
    outcome: SignInOutcome,
}

impl<'s> SignIns<'s> {
    pub(super) fn new(endpoint: &'s Endpoint, per_second: f64) -> Self {
        Self { endpoint, per_second, begun: 0, open: Vec::new(), outcome: SignInOutcome::default() }
    }

    /// Begins what is due, unless the attack ends, and reads what is answered.
    pub(super) fn turn(&mut self, now: f64, ends: bool, scratch: &mut [u8]) -> Result<()> {
        while !ends && (self.begun as f64) < now * self.per_second {
            self.begin(now).context("a sign-in")?;
        }
        let Self { open, outcome, .. } = self;
        open.retain_mut(|one| !one.is_over(now, scratch, outcome));
        Ok(())
    }

    fn begin(&mut self, now: f64) -> Result<()> {
        let number = self.begun;
        self.begun += 1;
        let from = address(usize::try_from(number % ADDRESSES)?);
        let mut stream = connect_from(self.endpoint, from)?;
        let body = format!("{{\"name\":\"Nobody{number}\",\"password\":\"a wrong password\"}}");
        let request = format!(
            "POST /api/account/sign-in HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.endpoint.host,
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        stream.set_nonblocking(true)?;
        self.open.push(Try { stream, since: now, answer: Vec::new() });
        Ok(())
    }

    /// How many wait for an answer.
    pub(super) fn waiting(&self) -> usize {
        self.open.len()
    }

    pub(super) fn into_outcome(mut self) -> SignInOutcome {
        self.outcome.unanswered += self.open.len() as u64;
        self.outcome
    }
}

impl Try {
    /// Reads what came. `true`: it is answered, or the connection is gone.
    fn is_over(&mut self, now: f64, scratch: &mut [u8], outcome: &mut SignInOutcome) -> bool {
        loop {
            match self.stream.read(scratch) {
                Ok(0) => break,
                Ok(count) => self.answer.extend_from_slice(&scratch[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let text = String::from_utf8_lossy(&self.answer).to_ascii_lowercase();
        let Some(status) = text.split(' ').nth(1).and_then(|status| status.parse().ok()) else {
            outcome.unanswered += 1;
            return true;
        };
        outcome.answers.count(status);
        if status == 429 {
            outcome.told.saturating_record(((now - self.since) * 1e6) as u64);
            outcome.without_time += u64::from(!text.contains("\r\nretry-after:"));
        }
        true
    }
}
