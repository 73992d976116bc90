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
use crate::report::{Better, Figure, Recorder, Series, Target, figure};
use crate::server_process::zeitnot_binary;

const P50: Target = Target { name: "P10 p50", must: 5.0, aim: 1.5, unit: " ms" };

/// Only one value is required here and below; there is no separate aim.
const P99: Target = Target { name: "P10 p99", must: 25.0, aim: 25.0, unit: " ms" };

const LOG: Target = Target { name: "log at most", must: 64.0, aim: 64.0, unit: " MiB" };

/// About how long it takes to start a server and all games, in seconds.
const BEGINS_WITHIN: f64 = 5.0;

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
    /// Moves per second, and how late this program sent 1 % of them itself.
    rate: Series,
    late: Series,
}

/// Measures; whether the required targets hold.
pub(crate) fn run(options: &LatencyOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.games > 0, "--games: at least one");
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    recorder.server_binary(&binary);
    recorder.progress().plan(options.rounds.into(), "rounds", options.seconds + BEGINS_WITHIN);
    let (mut rounds, mut conditions) = (Rounds::default(), Conditions::default());
    for round in 1..=options.rounds {
        let line = recorder.phase(&format!("round {round}"), || {
            measure(options, &binary, recorder, &mut rounds, &mut conditions)
                .with_context(|| format!("round {round}"))
        })?;
        recorder.progress().step();
        writeln!(out, "round {round}: {line}")?;
    }
    let Rounds { p50, p99, max, log, .. } = &rounds;
    writeln!(out, "medians: p50 {p50} ms, p99 {p99} ms, max {max} ms")?;
    let most = log.values().iter().copied().fold(0.0, f64::max);
    rounds.record(most, options.rate > 0, recorder);
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

impl Rounds {
    /// `longest` is the most that the log was.
    fn record(&self, longest: f64, is_judged: bool, recorder: &Recorder) {
        let latency = |name, series| Figure::of_rounds("Latency of moves", name, "ms", series);
        let judged = |figure: Figure, target| if is_judged { figure.within(&target) } else { figure };
        recorder.figure(judged(latency("p50", &self.p50), P50));
        recorder.figure(judged(latency("p99", &self.p99), P99));
        recorder.figure(latency("max", &self.max));
        let log = Figure::of_rounds("Journal's log", "longest", "MiB", &self.log);
        recorder.figure(log.counting(longest).within(&LOG));
        let rate = Figure::of_rounds("Moves per second", "accepted", "per second", &self.rate);
        recorder.figure(rate.better(if is_judged { Better::Neither } else { Better::Higher }));
        if is_judged {
            let late = Figure::of_rounds("Sent late by the load generator", "p99", "ms", &self.late);
            recorder.figure(late.better(Better::Neither));
        }
    }
}

/// Measures one round with a fresh server; returns the line of the report.
fn measure(
    options: &LatencyOptions,
    binary: &Path,
    recorder: &Recorder,
    rounds: &mut Rounds,
    conditions: &mut Conditions,
) -> Result<String> {
    let home = durable::folder(options.data.as_deref())?;
    recorder.disk(home.path())?;
    let data = home.path().join("data");
    let (mut server, metrics) = durable::start(binary, &data, options.server_core)?;
    recorder.watch("zeitnot", &server);
    let process = Process::new(server.pid());
    let play = || {
        let mut players = Players::begin(server.endpoint(), options.games, usize::from(options.plies))?;
        let watch = LogWatch::start(metrics, data.clone())?;
        let machine = Watch::start(Some(process))?;
        let played = players.play(options.rate, options.seconds, recorder, "all rounds")?;
        Ok((played, machine.others_percent(process)?, watch.end()?))
    };
    let (Played { times, late, seconds, renewed, .. }, others, log) =
        play().or_else(|error: anyhow::Error| server.check_alive().and(Err(error)))?;
    server.kill()?;
    ensure!(!times.is_empty(), "no move was due: --rate or --seconds is too small");
    let (reported, file) = (mib(log.reported), mib(log.file));
    let [p50, p99, max] = [ms(&times, 0.5), ms(&times, 0.99), ms(&times, 1.0)];
    rounds.p50.push(p50);
    rounds.p99.push(p99);
    rounds.max.push(max);
    rounds.log.push(reported.max(file));
    rounds.rate.push(times.len() as f64 / seconds);
    rounds.late.push(ms(&late, 0.99));
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
