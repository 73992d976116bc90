//! Searches of finished games over HTTP, of every kind, at a steady pace.
//!
//! Each is timed from when it was due until the whole answer is there. Each comes from a loopback
//! address of its own, because what an address may ask for is limited.
//!
//! Invariant: an answer that is not 200 is an error.

use std::io::{Read as _, Write as _};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use hdrhistogram::Histogram;

use super::games;
use crate::account_requests::address;
use crate::endpoint::Endpoint;
use crate::report::Latencies;
use crate::rng::Rng;
use crate::schedule::{self, Schedule};
use crate::stopwatch::Stopwatch;
use crate::wire::connect_from;

/// The kinds of searches, in turns.
const KINDS: [&str; 8] =
    ["player", "two players", "player, colour, result", "everything", "reason", "moves", "dates", "count"];

/// How long each kind took, in microseconds.
#[derive(Debug)]
pub(super) struct Found(Vec<Histogram<u64>>);

impl Found {
    pub(super) fn new() -> Result<Self> {
        Ok(Self(KINDS.iter().map(|_| schedule::times()).collect::<Result<_>>()?))
    }

    /// Each kind with its times.
    pub(super) fn kinds(&self) -> impl Iterator<Item = (&'static str, &Histogram<u64>)> {
        KINDS.into_iter().zip(&self.0)
    }

    /// All kinds together.
    pub(super) fn all(&self) -> Result<Histogram<u64>> {
        let mut all = schedule::times()?;
        for times in &self.0 {
            all.add(times).context("the histograms have the same bounds")?;
        }
        Ok(all)
    }
}

/// Searches for some seconds, at this rate, and adds to `found` how long it took.
pub(super) fn search(
    endpoint: &Endpoint,
    per_second: u32,
    seconds: f64,
    openings: &[Vec<String>],
    rng: &mut Rng,
    found: &mut Found,
    over_time: &mut Latencies,
) -> Result<()> {
    let (clock, mut schedule) = (Stopwatch::start(), Schedule::new(per_second));
    while clock.seconds() < seconds {
        let Some((number, due)) = schedule.due(clock.micros()) else {
            thread::sleep(schedule.pause(clock.micros()));
            continue;
        };
        let kind = number % KINDS.len();
        let path = path(kind, openings, rng);
        get(endpoint, number, &path).with_context(|| path.clone())?;
        let took = clock.micros().saturating_sub(due);
        found.0[kind].saturating_record(took);
        over_time.record(took);
    }
    Ok(())
}

/// A search of a kind.
fn path(kind: usize, openings: &[Vec<String>], rng: &mut Rng) -> String {
    let any = |rng: &mut Rng| games::player(rng.below(games::PLAYERS / 10)).replace(' ', "%20");
    match KINDS[kind] {
        "player" => format!("/api/games?imported=true&player={}", any(rng)),
        "two players" => format!("/api/games?imported=true&player={}&opponent={}", any(rng), any(rng)),
        "player, colour, result" => {
            format!("/api/games?imported=true&player={}&color=white&result=1-0", any(rng))
        }
        "everything" => "/api/games".to_owned(),
        "reason" => "/api/games?reason=checkmate&category=blitz".to_owned(),
        "moves" => format!("/api/games?moves={}", opening(openings, rng)),
        "dates" => "/api/games?since=2021-01-01&until=2100-01-01&result=1%2F2-1%2F2".to_owned(),
        _ => match rng.below(2) {
            0 => format!("/api/games/count?imported=true&player={}", any(rng)),
            _ => format!("/api/games/count?moves={}", opening(openings, rng)),
        },
    }
}

/// The first moves of an opening, as the query has them.
fn opening(openings: &[Vec<String>], rng: &mut Rng) -> String {
    let opening = &openings[games::index(openings.len(), rng)];
    opening[..=games::index(12, rng)].join(",")
}

/// Asks, and reads the whole answer.
fn get(endpoint: &Endpoint, number: usize, path: &str) -> Result<()> {
    let mut stream = connect_from(endpoint, address(number))?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", endpoint.host);
    stream.write_all(head.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).context("there is no answer")?;
    ensure!(answer.starts_with("HTTP/1.1 200 "), "{}", answer.lines().next().unwrap_or_default());
    Ok(())
}
