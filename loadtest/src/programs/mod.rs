//! Bots of both kinds in one pool: some speak the Lichess API over HTTP, the others our own protocol over WebSockets. They
//! play rated games, one after the other, from one address.
//!
//! Afterwards every game is read in all the ways in which a server shows it, and compared with what its players were told:
//! no move may be lost or played twice, and all must know the same result. All bots are futures of one task.
//!
//! Deliberately absent: playing well, faults (`crash` breaks the server), and what it costs.

mod audit;
pub(crate) mod http;
mod http_bot;
mod line;
mod report;
mod socket_bot;
mod world;

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use hyper::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use zeitnot_protocol::{Hello, PoolId};

use crate::account_requests;
use crate::client::Client;
use crate::endpoint::Endpoint;
use crate::report::{MarkKind, Recorder};
use crate::rng::Rng;
use crate::server_process::{Flags, ServerProcess, zeitnot_binary};
use http::Program;
use http_bot::HttpBot;
pub use report::Report;
use socket_bot::SocketBot;
use world::World;

/// The pool in which all of them wait.
const POOL: PoolId = PoolId::ThreePlusTwo;

/// How long a bot thinks before it acts, in ms: the least and the most.
const PAUSE_MS: (u64, u64) = (50, 450);

/// So many of 100 moves are sent twice.
const TWICE: u64 = 5;

/// How often a bot that looks for a game checks whether the run is over.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How long after the last bot has stopped looking a game may still begin: a seek whose stream was closed is withdrawn
/// within 2 s.
const LINGER: Duration = Duration::from_secs(5);

/// About how long it takes until the last game has ended and all are compared, in seconds.
const GAMES_END_WITHIN: f64 = 60.0;

/// How many bots are registered at the same time.
const AT_ONCE: usize = 8;

/// What the server needs: bots in pools, and one address and accounts that play all the time.
const FLAGS: Flags = &[
    ("--connections-per-address", "1000"),
    ("--guests-per-address-per-minute", "1000000"),
    ("--games-per-account-per-minute", "1000000"),
    ("--games-per-address-per-minute", "1000000"),
    ("--games-per-address-per-day", "1000000"),
    ("--challenges-per-account-per-minute", "1000000"),
    ("--new-connections-per-address-per-minute", "1000000"),
    ("--http-cost-per-minute", "1000000"),
];

/// How many bots, and for how long.
#[derive(Clone, Debug, Args)]
pub struct ProgramsOptions {
    /// Number of bots of each kind.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub bots: u32,
    /// For how many seconds they look for games, and until one has ended; games that have started by then are played to
    /// their end.
    #[arg(long, default_value_t = 300.0)]
    pub seconds: f64,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// A bot's account.
#[derive(Clone, Debug)]
struct Account {
    name: String,
    token: String,
}

/// Runs with these options and writes the report to `out`; whether the server passed.
///
/// # Errors
/// When the server does not start, or a bot cannot go on.
pub fn run(options: &ProgramsOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    recorder.server_binary(&binary);
    let mut command = Command::new(binary);
    command.args(["--listen", "127.0.0.1:0", "--data", ":memory:", "--log", "warn", "--bots-in-pools"]);
    command.args(FLAGS.iter().flat_map(|(flag, value)| [flag, value]));
    let mut server = ServerProcess::zeitnot_by(command, None)?;
    recorder.watch("zeitnot", &server);
    let report = play(server.endpoint(), options, recorder);
    let report = report.or_else(|error| server.check_alive().and(Err(error)))?;
    for finding in &report.findings {
        writeln!(out, "{finding}")?;
    }
    for difference in &report.named {
        writeln!(out, "{difference}")?;
    }
    writeln!(out, "{report}")?;
    Ok(report.is_clean())
}

/// Lets the bots play on a running server, and compares all games.
///
/// # Errors
/// As [`run`].
pub fn play(endpoint: &Endpoint, options: &ProgramsOptions, recorder: &Recorder) -> Result<Report> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        recorder.progress().plan(1, "runs", options.seconds + GAMES_END_WITHIN);
        let world = World::new(endpoint, recorder);
        let bots = all_bots(&world, options);
        let time_limit = async {
            while world.ready.get() < 2 * options.bots {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            tokio::time::sleep(Duration::from_secs_f64(options.seconds)).await;
            while world.told.borrow().is_empty() {
                tokio::time::sleep(LOOK_EVERY).await;
            }
            world.is_over.set(true);
            std::future::pending::<Result<()>>().await
        };
        tokio::select! {
            biased;
            end = bots => end?,
            end = time_limit => end?,
        }
        world.record(recorder);
        let phase = recorder.begin(MarkKind::Phase, "comparing");
        let games = audit::audit(&world).await?;
        recorder.end(phase);
        let checker = world.checker.take();
        let report = Report::new(options.bots, games, checker.moves(), world.again.get());
        let report = report.with(checker.findings(), world.wrong.take());
        report.record(recorder);
        recorder.progress().step();
        Ok(report)
    })
}

async fn all_bots(world: &World<'_>, options: &ProgramsOptions) -> Result<()> {
    let (turnstile, rng) = (Semaphore::new(AT_ONCE), Rng::new(options.seed));
    let bot = |index: u32| {
        let (turnstile, rng) = (&turnstile, rng.branch(index.into()));
        async move {
            let permit = turnstile.acquire().await?;
            let account = register(world.endpoint, index as usize).await?;
            drop(permit);
            world.ready.set(world.ready.get() + 1);
            if index.is_multiple_of(2) {
                HttpBot::start(world, account, rng).await?.play().await
            } else {
                SocketBot::start(world, account, rng).await?.play().await
            }
        }
    };
    let mut playing: FuturesUnordered<_> = (0..2 * options.bots).map(bot).collect();
    while let Some(end) = playing.next().await {
        end?;
    }
    Ok(())
}

/// A registered account that is a bot, with an API token.
async fn register(endpoint: &Endpoint, index: usize) -> Result<Account> {
    let hello = Hello { guest: true, token: None };
    let guest = Client::connect(endpoint, index, hello).await.context("a bot cannot connect")?;
    let session = guest.welcome().token.clone().context("a guest has a token")?;
    guest.close().await?;
    let name = format!("Program{index}");
    account_requests::register(endpoint, index, &session, &name).await?;
    let wanted = json!({"name": "loadtest", "scopes": ["play", "challenge", "bot"]});
    let made =
        account_requests::post(endpoint, index, "/api/account/tokens", Some(&session), &wanted).await?;
    ensure!(made.status == 201, "no token for {name}: {} {}", made.status, made.body);
    let made: Value = serde_json::from_str(&made.body)?;
    let token = made["token"].as_str().context("an answer without a token")?.to_owned();
    let (status, answer) =
        Program::new(endpoint, Some(token.clone())).post("/api/bot/account/upgrade").await?;
    ensure!(status == StatusCode::OK, "{name} becomes no bot: {status} {answer}");
    Ok(Account { name, token })
}
