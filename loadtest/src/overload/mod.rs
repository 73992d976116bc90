//! Overload: one worker on one core is offered twice as much as it can do, and games go on as if nothing were.
//!
//! The load is a mix: moves, a spectator for each game, guests who log in, requests for games that are over and for the page,
//! and games in positions that are hard to search. First the rate is found at which the server's core is full: the highest
//! one at which all of it is still served in time and nobody is told to come again. The searches and the answers from the
//! archive run at low priority and fill whatever the core has left, so the answers are what is missing first. Rounds
//! follow, of half of that rate and of twice that rate, in turns. Everything is an open loop.
//!
//! Deliberately absent: limits per address and per connection. They would hold back the load before the server is full.

mod generator;
mod players;
mod report;
mod visits;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::bench::{HardGames, hard_positions};
use crate::conditions::{Conditions, Inconclusive, Watch};
use crate::endpoint::Endpoint;
use crate::process::{self, Process};
use crate::report::Recorder;
use crate::server_process::{Flags, ServerProcess, zeitnot_binary};
use generator::Generator;
pub use report::Report;

/// What HTTP requests may cost: see the head of this file.
const HTTP_LIMITS: Flags = &[("--http-cost-per-minute", "1000000")];

/// The first rate that is tried, in moves per second, and how much more the next one is.
const FIRST_RATE: f64 = 800.0;
const NEXT_RATE: f64 = 1.1;
/// The search ends here: no server of one worker does so much.
const LAST_RATE: f64 = 100_000.0;

/// The share of the visits under overload that this program must have made: with fewer it was no overload.
const OFFERED_MIN: f64 = 0.97;

/// How the rate relates to the one that fills the core.
const QUIET: f64 = 0.5;
const OVERLOAD: f64 = 2.0;

/// What reports call them, and the search.
const HALF: &str = "half of the full rate";
const TWICE: &str = "twice the full rate";
const SEARCH: &str = "search";

/// About how many rates are tried, some of them twice.
const SEARCH_TRIES: f64 = 16.0;

/// How much, and for how long.
#[derive(Clone, Debug, Args)]
pub struct OverloadOptions {
    /// Number of rounds; medians are reported.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub rounds: u32,
    /// How long each rate is measured, in seconds.
    #[arg(long, default_value_t = 8.0)]
    pub seconds: f64,
    /// How long each rate is tried until the core is full, in seconds.
    #[arg(long, default_value_t = 2.0)]
    pub search_seconds: f64,
    /// Moves per second that fill the core; by default they are searched for.
    #[arg(long)]
    pub full_rate: Option<f64>,
    /// Number of games, each with a spectator.
    #[arg(long, default_value_t = 400)]
    pub games: usize,
    /// Visits for each 100 moves: a third of them are logins, the rest are HTTP requests. With few of them the moves alone
    /// are more at twice the rate than a core can do.
    #[arg(long, default_value_t = 100)]
    pub visits: u32,
    /// Number of games in hard positions.
    #[arg(long, default_value_t = 20)]
    pub hard: usize,
    /// The core of the server; its searches run there too.
    #[arg(long, default_value_t = 0)]
    pub server_core: usize,
    /// The core of this program.
    #[arg(long, default_value_t = 1)]
    pub own_core: usize,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// Runs with these options and writes the report to `out`; whether the server passed.
///
/// # Errors
/// When the server does not start, or a game is disturbed; and
/// [`Inconclusive`] when the games were slow under conditions that
/// did not hold.
pub fn run(options: &OverloadOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.games > 0, "--games: at least one");
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    recorder.server_binary(&binary);
    process::move_to(options.own_core)?;
    let positions = hard_positions(options.hard)?;
    let flags = [
        ServerProcess::ADDRESS_LIMITS,
        ServerProcess::CONNECTION_LIMITS,
        ServerProcess::ONE_WORKER,
        HTTP_LIMITS,
    ];
    let mut server = ServerProcess::zeitnot_with(&binary, Some(options.server_core), &flags)?;
    recorder.watch("zeitnot", &server);
    let process = Process::new(server.pid());
    let measured = measure(server.endpoint(), process, options, &positions, recorder, out);
    let (report, conditions) = measured.or_else(|error| server.check_alive().and(Err(error)))?;
    write!(out, "{}", report.table())?;
    writeln!(out, "{report}")?;
    if report.offered() < OFFERED_MIN {
        let percent = report.offered() * 100.0;
        let why = format!("this program made only {percent:.0} % of the visits that were due");
        return Err(Inconclusive(why).into());
    }
    conditions.conclude(report.holds())
}

/// Measures a running server. `server` is its process.
///
/// # Errors
/// As [`run`].
pub fn attack(
    endpoint: &Endpoint,
    server: u32,
    options: &OverloadOptions,
    recorder: &Recorder,
    out: &mut dyn Write,
) -> Result<Report> {
    let positions = hard_positions(options.hard)?;
    Ok(measure(endpoint, Process::new(server), options, &positions, recorder, out)?.0)
}

fn measure(
    endpoint: &Endpoint,
    process: Process,
    options: &OverloadOptions,
    positions: &[String],
    recorder: &Recorder,
    out: &mut dyn Write,
) -> Result<(Report, Conditions)> {
    let mut generator = Generator::begin(endpoint, process, options, recorder)?;
    let hard = HardGames::start(endpoint, positions)?;
    // The search for the full rate is one step of some tries, each of which may be made twice.
    recorder.progress().plan(1, "searches", SEARCH_TRIES * options.search_seconds);
    let full = options.full_rate.map_or_else(|| full_rate(&mut generator, options, out), Ok)?;
    recorder.progress().plan(2 * u64::from(options.rounds), "measurements", options.seconds);
    let mut report = Report::new(full);
    let mut conditions = Conditions::default();
    for round in 0..options.rounds {
        let watch = Watch::start(Some(process))?;
        let mut factors = [QUIET, OVERLOAD];
        if round % 2 == 1 {
            factors.reverse();
        }
        for factor in factors {
            let name = if factor > 1.0 { TWICE } else { HALF };
            let sample = generator.run(factor * full, options.seconds, name).context("a round")?;
            recorder.progress().step();
            if factor > 1.0 {
                conditions.add_lateness(sample.late_ms);
            }
            report.add(factor > 1.0, &sample);
        }
        conditions.add_others(watch.others_percent(process)?);
    }
    hard.end()?;
    generator.end();
    report.record(recorder);
    Ok((report, conditions))
}

/// The highest rate of moves, with all that comes with them, at which everything is served in time. A rate fails twice,
/// because a machine that pauses for a moment looks the same once.
fn full_rate(generator: &mut Generator<'_>, options: &OverloadOptions, out: &mut dyn Write) -> Result<f64> {
    let (mut rate, mut full) = (FIRST_RATE, None);
    while rate < LAST_RATE {
        let mut is_served = false;
        for _ in 0..2 {
            let sample = generator
                .run(rate, options.search_seconds, SEARCH)
                .context("the search for the full rate")?;
            writeln!(out, "{rate:.0} moves/s: {sample}")?;
            is_served = sample.is_all_served();
            if is_served {
                break;
            }
        }
        if !is_served {
            break;
        }
        full = Some(rate);
        rate *= NEXT_RATE;
    }
    full.with_context(|| format!("not even {FIRST_RATE} moves per second are served in time"))
}
