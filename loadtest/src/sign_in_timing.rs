//! Whether the time of a rejected sign-in tells whether an account has the name: wrong passwords for names that accounts
//! have and for names that none has, in turns, one at a time.
//!
//! The difference of the two medians is given with its 95 % interval, by bootstrapping, and as a share of one hash: of the
//! median of all tries, which consist of one. The server has nothing else to do.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::json;
use zeitnot_protocol::Hello;

use crate::account_requests::{post, register};
use crate::client::Client;
use crate::endpoint::Endpoint;
use crate::report::{Recorder, figure};
use crate::rng::Rng;
use crate::server_process::{ServerProcess, zeitnot_binary};
use crate::stopwatch::Stopwatch;

/// So much of one hash the interval may reach to either side, in percent.
const TELLS_PERCENT: f64 = 2.0;

/// Times that the tries are drawn anew.
const DRAWN: usize = 4_000;

/// Each account is tried at most so often: less than a name may be from one address in an hour.
const TRIES_PER_NAME: usize = 10;

/// Each address tries at most so often: less than it may in a minute, however long the run takes.
const TRIES_PER_ADDRESS: usize = 20;

/// About how long a try takes, in seconds: a hash of a password.
const TRY_TAKES: f64 = 0.05;

/// How many tries.
#[derive(Clone, Debug, Args)]
pub struct SignInOptions {
    /// Number of tries, half of them for names that accounts have.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    pub tries: u32,
    /// The seed of the drawing.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// The result.
#[derive(Clone, Copy, Debug)]
pub struct Report {
    /// Medians in µs, for names that accounts have and for others.
    medians: [f64; 2],
    /// The 95 % interval of their difference, in percent of a hash.
    interval: [f64; 2],
}

impl Report {
    /// From the times of the tries in µs: those for names that accounts have, and those for others.
    ///
    /// # Panics
    /// Without a try of either.
    #[must_use]
    pub fn of([known, unknown]: [Vec<f64>; 2], seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let all = [known.clone(), unknown.clone()].concat();
        let hash = median(all);
        let mut drawn = |times: &[f64]| {
            let count = times.len() as u64;
            let place = |_| times[usize::try_from(rng.below(count)).expect("a place in a list")];
            median((0..count).map(place).collect())
        };
        let mut differences: Vec<f64> = (0..DRAWN).map(|_| drawn(&known) - drawn(&unknown)).collect();
        differences.sort_by(f64::total_cmp);
        let percent = |quantile: f64| 100.0 * differences[(DRAWN as f64 * quantile) as usize] / hash;
        Self { medians: [median(known), median(unknown)], interval: [percent(0.025), percent(0.975)] }
    }

    /// Whether the time tells nothing.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.interval.iter().all(|end| end.abs() <= TELLS_PERCENT)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [known, unknown] = self.medians.map(|micros| figure(micros / 1e3));
        let [from, to] = self.interval;
        write!(f, "sign-in: median {known} ms for names that accounts have, {unknown} ms for others, ")?;
        write!(f, "difference {from:+.2} to {to:+.2} % of one hash (limit {TELLS_PERCENT} %)")
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Runs with these options and writes the report to `out`; whether the time tells nothing.
///
/// # Errors
/// When the server does not start, or answers a try with anything but 403.
pub fn run(options: &SignInOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    let mut server = ServerProcess::zeitnot_with(&binary, None, &[ServerProcess::ADDRESS_LIMITS])?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let times = runtime.block_on(try_all(server.endpoint(), options.tries as usize / 2, recorder));
    let times = times.or_else(|error| server.check_alive().and(Err(error)))?;
    let report = Report::of(times, options.seed);
    writeln!(out, "{report}")?;
    Ok(report.is_clean())
}

/// The times of so many tries of each kind, in µs.
async fn try_all(endpoint: &Endpoint, each: usize, recorder: &Recorder) -> Result<[Vec<f64>; 2]> {
    recorder.progress().plan(2 * each as u64, "tries", TRY_TAKES);
    let accounts = each.div_ceil(TRIES_PER_NAME);
    for number in 0..accounts {
        let client = Client::connect(endpoint, number, Hello { guest: true, token: None }).await?;
        let token = client.welcome().token.clone().context("a guest has a token")?;
        register(endpoint, number, &token, &format!("Somebody{number}")).await?;
        client.close().await?;
    }
    let mut times = [Vec::new(), Vec::new()];
    for number in 0..each {
        let names = [format!("Somebody{}", number % accounts), format!("Nobody{number}")];
        // Which of the two comes first changes.
        for kind in if number % 2 == 0 { [0, 1] } else { [1, 0] } {
            let from = 1_000 + number / (TRIES_PER_ADDRESS / 2);
            let wanted = json!({"name": names[kind], "password": "a wrong password"});
            let since = Stopwatch::start();
            let answer = post(endpoint, from, "/api/account/sign-in", None, &wanted).await?;
            times[kind].push(since.seconds() * 1e6);
            recorder.progress().step();
            ensure!(answer.status == 403, "{}: {}", answer.status, answer.body);
        }
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(shift: f64) -> Vec<f64> {
        (0..500_u32).map(|number| 20_000.0 + shift + f64::from(number * 7 % 101)).collect()
    }

    #[test]
    fn a_difference_is_found_and_none_is_not() {
        assert!(Report::of([times(0.0), times(0.0)], 1).is_clean());
        let report = Report::of([times(600.0), times(0.0)], 1);
        assert!(!report.is_clean(), "{report}");
        assert!(report.interval[0] > 2.0 && report.interval[1] < 4.0, "{report}");
    }
}
