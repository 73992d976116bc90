//! What searches for verdicts cost the other games: the p99 latency of moves in quiet games, alone
//! and beside games whose players keep building positions that are hard to search.
//!
//! A round measures both, each on a fresh server; every second round begins with the other. The
//! server has all cores and its default threads. The latency of a move is the time from sending it
//! to the opponent's `turn`.

mod hard;
mod quiet;

use std::cell::Cell;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use zeitnot_protocol::{
    ChallengeCommand, ClientMessage, CommandId, CreateChallenge, GameId, GameOptions, ServerMessage, Turn,
    WireColor, WireProfile,
};

use crate::conditions::{Conditions, Watch};
use crate::player;
use crate::process::Process;
use crate::report::{Series, Table, Target};
use crate::server_process::{ServerProcess, zeitnot_binary};
use crate::wire::Socket;
pub(crate) use hard::HardGames;
use quiet::QuietGames;

const GOAL: Target = Target { name: "p99 beside hard games", must: 1.25, aim: 1.1, unit: "x" };

/// How many games, and how long.
#[derive(Clone, Debug, Args)]
pub struct VerdictsOptions {
    /// Number of rounds; medians are reported.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// How long each side is measured in a round, in seconds.
    #[arg(long, default_value_t = 20.0)]
    pub seconds: f64,
    /// Number of quiet games.
    #[arg(long, default_value_t = 200)]
    pub games: usize,
    /// Moves per second in all quiet games together.
    #[arg(long, default_value_t = 10.0)]
    pub rate: f64,
    /// Number of games in hard positions.
    #[arg(long, default_value_t = 20)]
    pub hard: usize,
    /// A CSV file with a header whose first column is a FEN, to choose the hardest positions from;
    /// by default the sample of the rules' tests.
    #[arg(long)]
    pub positions: Option<PathBuf>,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// The hardest positions of the sample, the hardest first.
pub(crate) fn hard_positions(count: usize) -> Result<Vec<String>> {
    Ok(hard::positions(None, count)?.hardest)
}

/// What one side of a round measured.
struct Sample {
    p99_ms: f64,
    busy_percent: f64,
    hard_moves: u64,
}

/// Measures; whether the required target holds.
pub(crate) fn run(options: &VerdictsOptions, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.games > 0 && options.rate > 0.0, "--games and --rate: at least one");
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    let positions = hard::positions(options.positions.as_deref(), options.hard)?;
    writeln!(out, "the hardest of {} positions: {}", positions.asked, positions.hardest.join("; "))?;
    let (mut alone, mut beside, mut conditions) =
        (Figures::default(), Figures::default(), Conditions::default());
    for round in 0..options.rounds {
        let mut sides = [false, true];
        if round % 2 == 1 {
            sides.reverse();
        }
        for is_beside in sides {
            let fens = if is_beside { positions.hardest.as_slice() } else { &[] };
            let sample = measure(&binary, options, fens, &mut conditions)
                .with_context(|| format!("round {}", round + 1))?;
            let figures = if is_beside { &mut beside } else { &mut alone };
            figures.push(&sample);
        }
    }
    let mut table = Table::new(&["moves of quiet games", "p99 ms", "server busy %", "hard games' moves"]);
    for (what, figures) in [("alone", &alone), ("beside hard games", &beside)] {
        let cells = [&figures.p99, &figures.busy, &figures.moves].map(ToString::to_string);
        table.row(std::iter::once(what.to_owned()).chain(cells).collect());
    }
    write!(out, "{table}")?;
    let ratio = beside.p99.median() / alone.p99.median();
    writeln!(out, "{}", GOAL.judge(ratio))?;
    conditions.conclude(GOAL.holds(ratio))
}

#[derive(Default)]
struct Figures {
    p99: Series,
    busy: Series,
    moves: Series,
}

impl Figures {
    fn push(&mut self, sample: &Sample) {
        self.p99.push(sample.p99_ms);
        self.busy.push(sample.busy_percent);
        self.moves.push(sample.hard_moves as f64);
    }
}

/// Measures quiet games on a fresh server, beside games from `fens`.
fn measure(
    binary: &std::path::Path,
    options: &VerdictsOptions,
    fens: &[String],
    conditions: &mut Conditions,
) -> Result<Sample> {
    let flags = [ServerProcess::ADDRESS_LIMITS, ServerProcess::IN_MEMORY];
    let server = ServerProcess::zeitnot_with(binary, None, &flags)?;
    let mut quiet = QuietGames::start(server.endpoint(), options.games)?;
    let hard = HardGames::start(server.endpoint(), fens)?;
    // By then every hard game has asked for its search.
    quiet.play(options.rate, 2.0)?;
    let process = Process::new(server.pid());
    let (watch, before) = (Watch::start(Some(process))?, process.cpu_micros()?);
    let times = quiet.play(options.rate, options.seconds)?;
    let busy_percent = (process.cpu_micros()? - before) / 1e4 / options.seconds;
    conditions.add_others(watch.others_percent(process)?);
    Ok(Sample { p99_ms: p99(times)?, busy_percent, hard_moves: hard.end()? })
}

fn p99(mut times_us: Vec<u64>) -> Result<f64> {
    times_us.sort_unstable();
    let place = (times_us.len() * 99).div_ceil(100);
    let time = times_us.get(place.saturating_sub(1)).context("no move was played: --seconds is too short")?;
    Ok(*time as f64 / 1_000.0)
}

/// Starts a game of half an hour without a limit for first moves, from `fen` if there is one.
/// Returns the game, the player who has the first turn, and that turn; `None` when the game ended
/// before the first move, because the server knew that the position is dead.
fn start(players: [&mut Socket; 2], fen: Option<&str>) -> Result<Option<(GameId, usize, Turn)>> {
    let options = GameOptions { profile: WireProfile::FideBoard, ..GameOptions::default() };
    let fen_given = fen.map(str::to_owned);
    let wanted = CreateChallenge { fen: fen_given, options, ..player::challenge(WireColor::White) };
    let [white, black] = players;
    player::send(white, &ClientMessage::CreateChallenge(wanted))?;
    let made = receive(white, |message| match message {
        ServerMessage::Challenge(made) => Some(made.challenge),
        _ => None,
    })?;
    // It has an id, because the `ok` to the last move of the previous game may still be unread.
    let id: Option<CommandId> = Some("start".parse().context("an id")?);
    player::send(black, &ClientMessage::AcceptChallenge(ChallengeCommand { challenge: made, id }))?;
    let is_over = Cell::new(false);
    let game = receive(black, |message| match message {
        ServerMessage::Ok(ok) if ok.id == id => ok.game,
        ServerMessage::Snapshot(snapshot) => {
            is_over.set(snapshot.state.outcome.is_some());
            None
        }
        _ => None,
    })?;
    let is_over_for_white = receive(white, |message| match message {
        ServerMessage::Snapshot(snapshot) if snapshot.game == game => Some(snapshot.state.outcome.is_some()),
        _ => None,
    })?;
    if is_over.get() || is_over_for_white {
        return Ok(None);
    }
    let first = usize::from(fen.is_some_and(|fen| fen.contains(" b ")));
    let mover = if first == 0 { white } else { black };
    let turn = receive(mover, |message| match message {
        ServerMessage::Turn(turn) if turn.game == game => Some(Some(turn)),
        ServerMessage::Ended(ended) if ended.game == game => Some(None),
        _ => None,
    })?;
    Ok(turn.map(|turn| (game, first, turn)))
}

/// The first message for which `wanted` returns something. Others are skipped, also `rejected`,
/// because a move may arrive after the end of its game.
fn receive<T>(socket: &mut Socket, wanted: impl Fn(ServerMessage) -> Option<T>) -> Result<T> {
    loop {
        let message = player::receive(socket, |message| {
            matches!(message, ServerMessage::Rejected(_)) || wanted(message.clone()).is_some()
        })?;
        if let Some(found) = wanted(message) {
            return Ok(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p99_is_the_time_that_one_in_a_hundred_exceeds() {
        let times: Vec<u64> = (1..=1_000).rev().map(|ms| ms * 1_000).collect();
        assert!((p99(times).unwrap() - 990.0).abs() < 1e-9);
        assert!((p99(vec![5_000]).unwrap() - 5.0).abs() < 1e-9);
        assert!(p99(Vec::new()).is_err());
    }
}
