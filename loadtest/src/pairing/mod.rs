//! Quick pairing under load: bots join pools, end the game they get soon, and join again.
//!
//! A checker that sees every bot's messages decides whether each pairing is legal, and how long
//! each bot waited while another one waited in the same pool. All bots are futures of one task.
//!
//! Deliberately absent: playing well, and what pairing costs the games beside it.

mod bot;
mod checker;
mod report;

use std::cell::{Cell, RefCell};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::sync::Semaphore;
use zeitnot_protocol::PoolId;

use crate::endpoint::Endpoint;
use crate::report::Recorder;
use crate::rng::Rng;
use crate::server_process::{ServerProcess, zeitnot_binary};
use crate::stopwatch::Stopwatch;
use bot::{Bot, Strengths};
pub use checker::{PairingChecker, Seen};
pub use report::Report;

/// How many bots connect at the same time.
const AT_ONCE: usize = 64;

/// How many bots, and for how long.
#[derive(Clone, Debug, Args)]
pub struct PairingOptions {
    /// Number of bots.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(2..=15_000))]
    pub bots: u32,
    /// For how many seconds they join pools; games that have started by then are still ended.
    #[arg(long, default_value_t = 60.0)]
    pub seconds: f64,
    /// Number of pools that they choose from at random.
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=11))]
    pub pools: u32,
    /// Registers the bots and lets them play rated games. Each has a strength of its own, and the weaker one resigns after
    /// two half-moves: so ratings move apart.
    #[arg(long)]
    pub rated: bool,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// What all bots share.
struct World {
    checker: RefCell<PairingChecker>,
    clock: Stopwatch,
    pools: &'static [PoolId],
    connected: Cell<u32>,
    is_over: Cell<bool>,
    /// How strong each bot is, if the games are rated.
    strengths: Option<RefCell<Strengths>>,
}

/// Runs with these options and writes the report to `out`; whether the server passed.
///
/// # Errors
/// When the server does not start, or a bot cannot go on.
pub fn run(options: &PairingOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    let mut server = ServerProcess::zeitnot_with(&binary, None, &[ServerProcess::ADDRESS_LIMITS])?;
    recorder.watch("zeitnot", &server);
    recorder.progress().plan(1, "runs", options.seconds);
    let report = pair(server.endpoint(), options);
    let report = report.or_else(|error| server.check_alive().and(Err(error)))?;
    for wrong in &report.named {
        writeln!(out, "wrong: {wrong}")?;
    }
    write!(out, "{}", report.table())?;
    writeln!(out, "{report}")?;
    Ok(report.is_clean())
}

/// Lets bots be paired by a running server.
///
/// # Errors
/// As [`run`].
pub fn pair(endpoint: &Endpoint, options: &PairingOptions) -> Result<Report> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(play(endpoint, options))
}

async fn play(endpoint: &Endpoint, options: &PairingOptions) -> Result<Report> {
    let pools = PoolId::ALL.get(..options.pools as usize).context("there are not so many pools")?;
    ensure!(options.bots >= 2, "--bots: at least two");
    let rng = Rng::new(options.seed);
    let world = World {
        checker: RefCell::new(PairingChecker::default()),
        clock: Stopwatch::start(),
        pools,
        connected: Cell::new(0),
        is_over: Cell::new(false),
        strengths: options.rated.then(RefCell::default),
    };
    let turnstile = Semaphore::new(AT_ONCE);
    // A bot plays as soon as it is connected: it answers pings while the others connect.
    let bot = |index: usize| {
        let (world, turnstile, rng) = (&world, &turnstile, rng.branch(index as u64));
        async move {
            let permit = turnstile.acquire().await?;
            let bot = Bot::connect(endpoint, index, rng, world).await?;
            drop(permit);
            world.connected.set(world.connected.get() + 1);
            bot.play(world).await
        }
    };
    let mut playing: FuturesUnordered<_> = (0..options.bots as usize).map(bot).collect();
    let time_limit = async {
        while world.connected.get() < options.bots {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_secs_f64(options.seconds)).await;
        world.is_over.set(true);
        std::future::pending::<Result<()>>().await
    };
    let all_bots = async {
        while let Some(end) = playing.next().await {
            end?;
        }
        anyhow::Ok(())
    };
    tokio::select! {
        biased;
        end = all_bots => end?,
        end = time_limit => end?,
    }
    let (checker, now) = (world.checker.take(), world.clock.micros() / 1_000);
    Ok(checker.report(options.bots, pools.len(), now))
}
