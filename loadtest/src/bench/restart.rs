//! P11: the time from the start of the process to the first accepted move, on a folder with many
//! live games.
//!
//! The games are played once, and the server is killed while they are in progress. Every round
//! starts on a copy of that folder, so that all recover the same state; one player reconnects and
//! moves. A game that is missing after a restart is an error.

use std::fs;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use zeitnot_protocol::{ClientMessage, GameId, Hello, PlayMove, ServerMessage};

use super::closed_loop::{ClosedLoop, Dialect};
use super::games::{self, PER_PAIR};
use super::{durable, openings};
use crate::conditions::{Conditions, Watch};
use crate::player;
use crate::process::Process;
use crate::report::{Figure, Recorder, Series, Table, Target};
use crate::server_process::zeitnot_binary;
use crate::stopwatch::Stopwatch;
use crate::wire::connect_all;

const P11: Target = Target { name: "P11", must: 3.0, aim: 1.0, unit: " s" };

/// The server's count of its live games.
const LIVE_GAMES: &str = "zeitnot_games_live";

/// About how long it takes to play all games, in seconds.
const PLAYS_WITHIN: f64 = 20.0;

/// How many games, and how many restarts.
#[derive(Clone, Debug, Args)]
pub struct RestartOptions {
    /// Number of live games.
    #[arg(long, default_value_t = 10_000)]
    pub games: usize,
    /// Half-moves that each of them has had; an even number.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u8).range(2..80))]
    pub plies: u8,
    /// Number of restarts; medians count.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// Where to create the data folder; by default in the system's temporary folder.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// What the player who has the turn needs to reconnect and move.
#[derive(Debug)]
struct Waiting {
    token: String,
    game: GameId,
    on: u32,
    uci: String,
}

/// Measures; whether the required target holds.
pub(crate) fn run(options: &RestartOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.games > 0, "--games: at least one");
    ensure!(options.plies.is_multiple_of(2), "--plies: an even number, so that White has the turn");
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    recorder.server_binary(&binary);
    let home = durable::folder(options.data.as_deref())?;
    recorder.disk(home.path())?;
    recorder.progress().plan(u64::from(options.rounds) + 1, "parts", PLAYS_WITHIN);
    let killed = home.path().join("killed");
    let waiting = recorder.phase("playing", || play(options, &binary, &killed, recorder))?;
    recorder.progress().step();
    writeln!(out, "{} live games of {} plies, {} MiB", options.games, options.plies, folder_mib(&killed)?)?;
    let (mut listening, mut moved, mut conditions) =
        (Series::default(), Series::default(), Conditions::default());
    for round in 1..=options.rounds {
        let data = home.path().join(format!("round-{round}"));
        copy(&killed, &data)?;
        let (first, second) = recorder
            .phase(&format!("round {round}"), || {
                restart(&binary, &data, &waiting, options, recorder, &mut conditions)
            })
            .with_context(|| format!("round {round}"))?;
        recorder.progress().step();
        listening.push(first);
        moved.push(second);
        writeln!(
            out,
            "round {round}: listening after {first:.3} s, first move accepted after {second:.3} s"
        )?;
        fs::remove_dir_all(&data).context("cannot remove a round's folder")?;
    }
    let times = |name, series| Figure::of_rounds("From the start of the process", name, "s", series);
    recorder.figure(times("to listening", &listening));
    recorder.figure(times("to the first accepted move (P11)", &moved).within(&P11));
    let mut table = Table::new(&["seconds from the process start", "median (least-most)"]);
    table.row(vec!["to listening".to_owned(), listening.to_string()]);
    table.row(vec!["to the first accepted move".to_owned(), moved.to_string()]);
    write!(out, "{table}")?;
    writeln!(out, "{}", P11.judge(moved.median()))?;
    conditions.conclude(P11.holds(moved.median()))
}

/// Plays all games and kills the server. Returns a player who has the turn.
fn play(options: &RestartOptions, binary: &Path, data: &Path, recorder: &Recorder) -> Result<Waiting> {
    let openings = openings::read(None)?;
    let (server, _) = durable::start(binary, data, None)?;
    recorder.watch("zeitnot", &server);
    let pairs = options.games.div_ceil(PER_PAIR);
    let mut tokens = Vec::new();
    let connect = |index| {
        let hello = Hello { guest: true, token: None };
        let (socket, welcome) = player::connect_as(server.endpoint(), index, hello)?;
        tokens.push(welcome.token.context("a new guest has no token")?);
        Ok(socket)
    };
    let sockets = connect_all(Vec::new(), (0..2 * pairs).map(connect))?;
    let plies = usize::from(options.plies);
    let mut closed_loop = ClosedLoop::new(Dialect::Zeitnot, sockets)?;
    games::play_to(&mut closed_loop, options.games, &openings, plies)?;
    server.kill()?;
    let game = closed_loop.games.first().context("there is no game")?;
    Ok(Waiting {
        token: tokens.swap_remove(game.sockets[0]),
        game: game.id.context("a game has no id")?,
        on: u32::from(options.plies) + 1,
        uci: openings[0][plies].clone(),
    })
}

/// Seconds from the process start to listening, and to the first accepted move.
fn restart(
    binary: &Path,
    data: &Path,
    waiting: &Waiting,
    options: &RestartOptions,
    recorder: &Recorder,
    conditions: &mut Conditions,
) -> Result<(f64, f64)> {
    let watch = Watch::start(None)?;
    let time = Stopwatch::start();
    let (server, metrics) = durable::start(binary, data, None)?;
    let listening = time.seconds();
    recorder.watch("zeitnot", &server);
    let hello = Hello { guest: false, token: Some(waiting.token.clone()) };
    let (mut socket, _) = player::connect_as(server.endpoint(), 0, hello)?;
    let uci = waiting.uci.parse().context("a move in UCI")?;
    let play = PlayMove { game: waiting.game, on: waiting.on, uci, id: None };
    player::send(&mut socket, &ClientMessage::Move(play))?;
    let answer = player::receive(&mut socket, |message| matches!(message, ServerMessage::Ok(_)))?;
    let moved = time.seconds();
    let ServerMessage::Ok(ok) = answer else { bail!("the move was answered with {}", answer.to_text()) };
    ensure!(ok.seq == Some(waiting.on + 1), "the move after the restart is event {:?}", ok.seq);
    conditions.add_others(watch.others_percent(Process::new(server.pid()))?);
    count(metrics, options.games)?;
    server.kill()?;
    Ok((listening, moved))
}

/// Checks that the server has recovered all games.
fn count(metrics: SocketAddr, games: usize) -> Result<()> {
    let live = durable::gauge(&durable::metrics(metrics)?, LIVE_GAMES)?;
    ensure!(
        (live - games as f64).abs() < 0.5,
        "{games} games were live before the restart, {live} are after it"
    );
    Ok(())
}

/// Copies a folder of files.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to).context("cannot create a round's folder")?;
    for entry in fs::read_dir(from).context("cannot list the data folder")? {
        let entry = entry?;
        // A server that was killed leaves its socket.
        if !entry.file_type()?.is_file() {
            continue;
        }
        fs::copy(entry.path(), to.join(entry.file_name())).context("cannot copy the data folder")?;
    }
    Ok(())
}

fn folder_mib(folder: &Path) -> Result<String> {
    Ok(crate::report::figure(durable::folder_bytes(folder)? / f64::from(1 << 20)))
}
