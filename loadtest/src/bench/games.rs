//! P9: the memory of a live game at rest, after 80 plies and some seconds without a move.
//!
//! The players' connections are opened first and belong to the baseline, so the growth is games:
//! their state, their feeds, and what the players' sessions hold for them. Then all players
//! disconnect, and memory is read again: that is P9. The journal is on disk as in production. With
//! `--journal memory` its records are part of the figure.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;

use super::closed_loop::{ClosedLoop, Dialect, Game};
use super::comparison::{Comparison, ComparisonOptions, JournalKind, Side};
use super::openings;
use crate::player;
use crate::process::Process;
use crate::report::{Figure, Recorder, Series, Table, Target};
use crate::server_process::ServerProcess;
use crate::wire::{Socket, connect_all};

const P9: Target = Target { name: "P9", must: 8.0, aim: 3.0, unit: " KiB" };

/// Games per pair of players: fewer than an account may have.
pub(super) const PER_PAIR: usize = 50;

/// How many games are started before their first moves: few enough that no first move comes too
/// late.
const WAVE: usize = 250;

/// After so many starts of games, all connections answer their pings.
const SERVE_EVERY: usize = 50;

/// About how long it takes to start a server and play all games, in seconds.
const PLAYS_WITHIN: f64 = 40.0;

/// How many games, and how long they are at rest.
#[derive(Clone, Debug, Args)]
pub struct GamesOptions {
    /// Shared options; the default of --journal is sqlite here.
    #[command(flatten)]
    pub comparison: ComparisonOptions,
    /// Number of live games.
    #[arg(long, default_value_t = 10_000)]
    pub games: usize,
    /// How long they are at rest before memory is read, in seconds.
    #[arg(long, default_value_t = 11.0)]
    pub rest: f64,
}

/// The figures of one round, in KiB per game.
#[derive(Clone, Copy, Debug)]
struct Grown {
    with_players: f64,
    alone: f64,
}

/// Measures; whether the required target holds.
pub(crate) fn run(options: &GamesOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.games > 0, "--games: at least one");
    let journal = options.comparison.journal.unwrap_or(JournalKind::Sqlite);
    let comparison = ComparisonOptions { journal: Some(journal), ..options.comparison.clone() };
    let comparison = Comparison::new(&comparison, None, recorder)?;
    comparison.plan(1, 2.0 * options.rest + PLAYS_WITHIN);
    let openings = openings::read(None)?;
    let (mut with_players, mut alone) = (Series::default(), Series::default());
    for round in 1..=comparison.rounds() {
        let grown = comparison.one("games", round, Side::Ours, || {
            let mut server = comparison.start(Side::Ours)?;
            measure(&server, options, &openings).or_else(|error| server.check_alive().and(Err(error)))
        })?;
        with_players.push(grown.with_players);
        alone.push(grown.alone);
    }
    let mut table = Table::new(&["KiB per game", &format!("{} games, 80 plies", options.games)]);
    for (what, series) in [("players connected", &with_players), ("players disconnected", &alone)] {
        table.row(vec![what.to_owned(), series.to_string()]);
    }
    write!(out, "{table}")?;
    let memory = |name, series| Figure::of_rounds("Memory of a game", name, "KiB", series);
    recorder.figure(memory("players connected", &with_players));
    recorder.figure(memory("players disconnected (P9)", &alone).within(&P9));
    let basis = match journal {
        JournalKind::Memory => "journal records included",
        JournalKind::Sqlite => "journal on disk",
    };
    writeln!(out, "{} ({basis})", P9.judge(alone.median()))?;
    Ok(P9.holds(alone.median()))
}

fn measure(server: &ServerProcess, options: &GamesOptions, openings: &[Vec<String>]) -> Result<Grown> {
    let process = Process::new(server.pid());
    let empty = process.rss_bytes()?;
    let pairs = options.games.div_ceil(PER_PAIR);
    let connect = |index| player::connect(server.endpoint(), index, true);
    let sockets = connect_all(Vec::new(), (0..2 * pairs).map(connect))?;
    let mut closed_loop = ClosedLoop::new(Dialect::Zeitnot, sockets)?;
    closed_loop.rest(1.0)?;
    let connected = process.rss_bytes()?;
    play_to(&mut closed_loop, options.games, openings, openings::PLIES)?;
    closed_loop.rest(options.rest)?;
    let played = process.rss_bytes()?;
    drop(closed_loop);
    std::thread::sleep(Duration::from_secs_f64(options.rest));
    let left = process.rss_bytes()?;
    let per_game = |bytes: f64| bytes / 1024.0 / options.games as f64;
    Ok(Grown { with_players: per_game(played - connected), alone: per_game(left - empty) })
}

/// Starts games on these sockets and plays each up to ply `last`, in waves.
pub(super) fn play_to<'g>(
    closed_loop: &mut ClosedLoop<'g>,
    games: usize,
    openings: &'g [Vec<String>],
    last: usize,
) -> Result<()> {
    let pairs = closed_loop.sockets.len() / 2;
    for wave in (0..games).step_by(WAVE) {
        closed_loop.set_nonblocking(false)?;
        for number in wave..games.min(wave + WAVE) {
            let game = start(&mut closed_loop.sockets, number, pairs, openings)?;
            closed_loop.add(game);
            if number % SERVE_EVERY == 0 {
                closed_loop.answer_pings(Duration::ZERO)?;
            }
        }
        closed_loop.set_nonblocking(true)?;
        closed_loop.play(wave, last)?;
    }
    Ok(())
}

/// Starts a game between the players of its pair. Consecutive games go to different pairs, so all
/// play in every wave.
fn start<'g>(
    sockets: &mut [Socket],
    number: usize,
    pairs: usize,
    openings: &'g [Vec<String>],
) -> Result<Game<'g>> {
    let pair = number % pairs;
    let (white, black) = sockets[2 * pair..].split_at_mut(1);
    let game = player::start_game(&mut white[0], &mut black[0])?;
    Ok(Game::new([2 * pair, 2 * pair + 1], Some(game), &openings[number % openings.len()]))
}
