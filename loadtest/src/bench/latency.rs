//! P10: how long a move takes from when it was due to its durable `ok`, at a steady pace over many games.
//!
//! With `--rate 0` the pace is what the server takes, one move in flight a game: then the times are not judged, and what
//! counts is that the journal's log stays short at the highest rate. The server runs as in service.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use hdrhistogram::Histogram;

use super::durable::{self, LogWatch};
use super::open_loop::{Played, Players};
use crate::report::{Series, Target, figure};
use crate::server_process::zeitnot_binary;

const P50: Target = Target { name: "P10 p50", must: 5.0, aim: 1.5, unit: " ms" };

/// There is no aim beside the must, here and below.
const P99: Target = Target { name: "P10 p99", must: 25.0, aim: 25.0, unit: " ms" };

const LOG: Target = Target { name: "log at most", must: 64.0, aim: 64.0, unit: " MiB" };

/// How many games, how fast and how long.
#[derive(Clone, Debug, Args)]
pub struct LatencyOptions {
    /// Games at a time, each with two players of its own.
    #[arg(long, default_value_t = 2_000)]
    pub games: usize,
    /// Moves per second over all games; 0 is as fast as the server takes them.
    #[arg(long, default_value_t = 1_000)]
    pub rate: u32,
    /// How long a round is measured, in seconds.
    #[arg(long, default_value_t = 20.0)]
    pub seconds: f64,
    /// The half-moves of a game; then it is resigned and another begins.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(3..=2000))]
    pub plies: u16,
    /// How many rounds, each with a fresh server; medians are judged.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// Pins the server to this core, with one worker. Without it the server runs as in service.
    #[arg(long)]
    pub server_core: Option<usize>,
    /// The folder to make the data folder in. Without it where temporary files are.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// The `zeitnot` binary; without it the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// One figure each a round: times in ms, the log in MiB.
#[derive(Debug, Default)]
struct Rounds {
    p50: Series,
    p99: Series,
    max: Series,
    log: Series,
}

/// Measures, and says whether the musts hold.
pub(crate) fn run(options: &LatencyOptions, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.games > 0, "--games: at least one");
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    let mut rounds = Rounds::default();
    for round in 1..=options.rounds {
        let line = measure(options, &binary, &mut rounds).with_context(|| format!("round {round}"))?;
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
    Ok(judged.iter().all(|(target, value)| target.holds(*value)))
}

/// One round with a fresh server: its figures in words.
fn measure(options: &LatencyOptions, binary: &Path, rounds: &mut Rounds) -> Result<String> {
    let home = durable::folder(options.data.as_deref())?;
    let data = home.path().join("data");
    let mut server = durable::start(binary, &data, options.server_core)?;
    let play = || {
        let mut players = Players::begin(server.endpoint(), options.games, usize::from(options.plies))?;
        let watch = LogWatch::start(server.endpoint().address, data.clone())?;
        let played = players.play(options.rate, options.seconds)?;
        Ok((played, watch.end()?))
    };
    let (Played { times, late, seconds, renewed }, log) =
        play().or_else(|error: anyhow::Error| server.check_alive().and(Err(error)))?;
    server.kill()?;
    ensure!(!times.is_empty(), "no move was due: --rate or --seconds is too small");
    let (reported, file) = (mib(log.reported), mib(log.file));
    let [p50, p99, max] = [ms(&times, 0.5), ms(&times, 0.99), ms(&times, 1.0)];
    rounds.p50.push(p50);
    rounds.p99.push(p99);
    rounds.max.push(max);
    rounds.log.push(reported.max(file));
    let late = match options.rate {
        0 => String::new(),
        _ => format!("sent late by p50 {}, p99 {} ms; ", figure(ms(&late, 0.5)), figure(ms(&late, 0.99))),
    };
    Ok(format!(
        "p50 {} ms, p99 {} ms, max {} ms; {} moves, {} per second; {late}games begun anew {renewed}; log at most {} MiB, \
         its file {} MiB",
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
