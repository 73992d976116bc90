//! Plays real games through a server and compares every message with what the rules say.
//!
//! [`script`] says what must be received, [`checker`] whether it was, [`game`] plays one game, and
//! this file plays all games of a file, many at a time. Moves are compared by the SAN that the
//! rules write, not by the spelling in the file.

pub mod checker;
pub mod clocks;
pub mod game;
pub mod listener;
mod report;
pub mod script;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use futures_util::{StreamExt, stream};
use zeitnot_protocol::Hello;
use zeitnot_rules::notation::pgn::{self, ImportedGame};

use crate::client::Client;
use crate::endpoint::Endpoint;
use crate::report::Recorder;
use crate::server_process::{ServerProcess, zeitnot_binary};
use crate::stopwatch::Stopwatch;
use listener::Fault;
pub use report::{Difference, Report};
use script::Script;

/// About how long a game takes, in seconds, beside the others.
const GAME_TAKES: f64 = 0.02;

/// Which games to replay, and on which server.
#[derive(Clone, Debug, Args)]
pub struct ReplayOptions {
    /// The games in PGN.
    pub file: PathBuf,
    /// The server, such as ws://127.0.0.1:8080, with its limits raised as --connections-per-address
    /// 20000, --guests-per-address-per-minute 1000000, --challenges-per-account-per-minute 1000000,
    /// --games-per-account-per-minute 1000000, --games-per-address-per-minute 1000000,
    /// --frames-per-second 1000000 and --frames-burst 1000000 do. By default the `zeitnot` beside this
    /// program is started.
    #[arg(long)]
    pub server: Option<String>,
    /// Replays only so many games from the start of the file.
    #[arg(long)]
    pub games: Option<usize>,
    /// Number of games played at the same time.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=2000))]
    pub parallel: u16,
}

/// Reads the file, starts a server unless one is given, and replays.
///
/// # Errors
/// When the file cannot be read, or no server can be reached. Differences are not errors; they are
/// in the report.
pub async fn run(options: &ReplayOptions, recorder: &Recorder) -> Result<Report> {
    let name = options.file.display();
    let bytes = std::fs::read(&options.file).with_context(|| format!("cannot read {name}"))?;
    // Old archives are in Latin-1; only names are affected.
    let text = String::from_utf8_lossy(&bytes);
    let limit = options.games.unwrap_or(usize::MAX);
    let games: Vec<ImportedGame> = pgn::games(&text)
        .take(limit)
        .collect::<Result<_, _>>()
        .with_context(|| format!("cannot read {name}"))?;
    let process = match &options.server {
        Some(_) => None,
        None => Some(ServerProcess::zeitnot(&zeitnot_binary(None)?)?),
    };
    let endpoint = match (&options.server, &process) {
        (Some(server), _) => Endpoint::parse(server)?,
        (None, Some(process)) => process.endpoint().clone(),
        (None, None) => unreachable!("without a server one was started"),
    };
    // Otherwise a wrong address would be reported as a difference in every game.
    let probe = Client::connect(&endpoint, 0, Hello::default()).await;
    probe.with_context(|| format!("no server answers at {endpoint}"))?.close().await?;
    process.iter().for_each(|process| recorder.watch("zeitnot", process));
    Ok(replay(&endpoint, &games, usize::from(options.parallel), recorder).await)
}

/// Replays games, `parallel` at a time.
pub async fn replay(
    endpoint: &Endpoint,
    games: &[ImportedGame],
    parallel: usize,
    recorder: &Recorder,
) -> Report {
    recorder.progress().plan(games.len() as u64, "games", GAME_TAKES);
    let time = Stopwatch::start();
    let mut report = Report::default();
    let played = stream::iter(games.iter().enumerate())
        .map(|(index, game)| one(endpoint, index, game))
        .buffer_unordered(parallel.max(1));
    let mut played = std::pin::pin!(played);
    while let Some((script, result)) = played.next().await {
        report.add(&script, result);
        recorder.progress().step();
    }
    report.finish(time.elapsed());
    report
}

async fn one(
    endpoint: &Endpoint,
    index: usize,
    game: &ImportedGame,
) -> (Script, Result<game::Played, Fault>) {
    let script = Script::new(index + 1, game);
    let result = match script.result_mismatch(game.result) {
        Some(what) => Err(Fault { role: listener::Role::Spectator, ply: script.plies.len(), what }),
        None => game::play(endpoint, 3 * index, &script).await,
    };
    (script, result)
}
