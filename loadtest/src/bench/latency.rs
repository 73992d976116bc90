//! P10: the latency of a move, from when it was due until its durable `ok`, at a fixed rate over
//! many games.
//!
//! With `--rate 0` moves are sent as fast as the server answers, one in flight per game. Latency is
//! not judged then, but that the journal's log stays short at the highest rate. The server runs in
//! its production configuration.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use hdrhistogram::Histogram;

use super::durable::{self, LogWatch};
use super::open_loop::{Played, Players};
use crate::conditions::{Conditions, Watch};
use crate::process::Process;
use crate::report::{Series, Target, figure};
use crate::server_process::zeitnot_binary;

const P50: Target = Target { name: "P10 p50", must: 5.0, aim: 1.5, unit: " ms" };

/// Only one value is required here and below; there is no separate aim.
const P99: Target = Target { name: "P10 p99", must: 25.0, aim: 25.0, unit: " ms" };

const LOG: Target = Target { name: "log at most", must: 64.0, aim: 64.0, unit: " MiB" };

/// How many games, at which rate, for how long.
#[derive(Clone, Debug, Args)]
pub struct LatencyOptions {
    /// Number of games, each with two players of its own.
    #[arg(long, default_value_t = 2_000)]
    pub games: usize,
    /// Moves per second over all games; 0 is as fast as the server answers.
    #[arg(long, default_value_t = 1_000)]
    pub rate: u32,
    /// How long a round is measured, in seconds.
    #[arg(long, default_value_t = 20.0)]
    pub seconds: f64,
    /// Half-moves per game; then it is resigned and another one starts.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(3..=2000))]
    pub plies: u16,
    /// Number of rounds, each with a fresh server; medians count.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// Pins the server to this core, with one worker; by default it runs as in production.
    #[arg(long)]
    pub server_core: Option<usize>,
    /// Where to create the data folder; by default in the system's temporary folder.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// Figures per round: times in ms, the log in MiB.
#[derive(Debug, Default)]
struct Rounds {
    p50: Series,
    p99: Series,
    max: Series,
    log: Series,
}

/// Measures; whether the required targets hold.
pub(crate) fn run(options: &LatencyOptions, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.games > 0, "--games: at least one");
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    let (mut rounds, mut conditions) = (Rounds::default(), Conditions::default());
    for round in 1..=options.rounds {
        let line = measure(options, &binary, &mut rounds, &mut conditions)
            .with_context(|| format!("round {round}"))?;
        writeln!(out, "round {round}: {line}")?;
    }
    let Rounds { p50, p99, max, log } = &rounds;
    writeln!(out, "medians: p50 {p50} ms, p99 {p99} ms, max {max} ms")?;
    let most = log.values().iter().copied().fold(0.0, f64::max);
    let mut judged = vec![(LOG, most)];
    if options.rate > 0 {
        judged.extend([(P50, p50.median()), (P99, p99.median())]);
    }
    for (target, value) in &judged {
        writeln!(out, "{}", target.judge(*value))?;
    }
    let times_hold = judged[1..].iter().all(|(target, value)| target.holds(*value));
    Ok(LOG.holds(most) && conditions.conclude(times_hold)?)
}

/// Measures one round with a fresh server; returns the line of the report.
fn measure(
    options: &LatencyOptions,
    binary: &Path,
    rounds: &mut Rounds,
    conditions: &mut Conditions,
) -> Result<String> {
    let home = durable::folder(options.data.as_deref())?;
    let data = home.path().join("data");
    let (mut server, metrics) = durable::start(binary, &data, options.server_core)?;
    let process = Process::new(server.pid());
    let play = || {
        let mut players = Players::begin(server.endpoint(), options.games, usize::from(options.plies))?;
        let watch = LogWatch::start(metrics, data.clone())?;
        let machine = Watch::start(Some(process))?;
        let played = players.play(options.rate, options.seconds)?;
        Ok((played, machine.others_percent(process)?, watch.end()?))
    };
    let (Played { times, late, seconds, renewed }, others, log) =
        play().or_else(|error: anyhow::Error| server.check_alive().and(Err(error)))?;
    server.kill()?;
    ensure!(!times.is_empty(), "no move was due: --rate or --seconds is too small");
    let (reported, file) = (mib(log.reported), mib(log.file));
    let [p50, p99, max] = [ms(&times, 0.5), ms(&times, 0.99), ms(&times, 1.0)];
    rounds.p50.push(p50);
    rounds.p99.push(p99);
    rounds.max.push(max);
    rounds.log.push(reported.max(file));
    conditions.add_others(others);
    conditions.add_lateness(ms(&late, 0.99));
    let late = match options.rate {
        0 => String::new(),
        _ => format!("sent late by p50 {}, p99 {} ms; ", figure(ms(&late, 0.5)), figure(ms(&late, 0.99))),
    };
    Ok(format!(
        "p50 {} ms, p99 {} ms, max {} ms; {} moves, {} per second; {late}games begun anew {renewed}; log at most {} MiB, \
         its file {} MiB; other processes took {others:.0} % of the machine",
        figure(p50),
        figure(p99),
        figure(max),
        times.len(),
        figure(times.len() as f64 / seconds),
        figure(reported),
        figure(file)
    ))
}

fn ms(times: &Histogram<u64>, quantile: f64) -> f64 {
    times.value_at_quantile(quantile) as f64 / 1e3
}

fn mib(bytes: f64) -> f64 {
    bytes / f64::from(1 << 20)
}
