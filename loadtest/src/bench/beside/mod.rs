//! What something costs the games beside it: the p99 latency of moves in quiet games, alone and beside it.
//!
//! A round measures both, each on a fresh server; every second round begins with the other. The
//! server has all cores and its default threads. The latency of a move is the time from sending it
//! to the opponent's `turn`.

mod quiet;

use std::cell::Cell;
use std::io::Write;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use zeitnot_protocol::{
    ChallengeCommand, ClientMessage, CommandId, CreateChallenge, GameId, GameOptions, ServerMessage, Turn,
    WireColor, WireProfile,
};

use crate::conditions::{Conditions, Watch};
use crate::endpoint::Endpoint;
use crate::player;
use crate::process::Process;
use crate::report::{Better, Figure, Recorder, Series, Table, Target};
use crate::server_process::ServerProcess;
use crate::wire::Socket;
use quiet::QuietGames;

/// How long both sides play before the measurement, in seconds.
const WARM_UP: f64 = 2.0;

/// About how long it takes to start a server and its games, in seconds.
const BEGINS_WITHIN: f64 = 5.0;

/// What the games without anything beside them are called.
const ALONE: &str = "alone";

/// What is beside the quiet games. It ends when it is called, and says how many moves were played.
pub(super) type Load = Box<dyn FnOnce() -> Result<u64>>;

/// How many quiet games, and how long.
#[derive(Clone, Debug, Args)]
pub struct QuietOptions {
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
}

/// What is compared.
pub(super) struct Compared<'a> {
    pub(super) quiet: &'a QuietOptions,
    /// What is beside the quiet games, for the table.
    pub(super) what: &'static str,
    pub(super) goal: Target,
}

/// What one side of a round measured.
struct Sample {
    p99_ms: f64,
    busy_percent: f64,
    moves_beside: u64,
}

#[derive(Default)]
struct Figures {
    p99: Series,
    busy: Series,
    moves: Series,
}

impl Figures {
    fn record(&self, name: &str, moves_of: &str, recorder: &Recorder) {
        recorder.figure(Figure::of_rounds("p99 of moves of quiet games", name, "ms", &self.p99));
        let busy = Figure::of_rounds("Server busy", name, "% of one core", &self.busy);
        recorder.figure(busy.better(Better::Neither));
        let moves = Figure::of_rounds(moves_of, name, "", &self.moves);
        recorder.figure(moves.better(Better::Neither));
    }

    fn push(&mut self, sample: &Sample) {
        self.p99.push(sample.p99_ms);
        self.busy.push(sample.busy_percent);
        self.moves.push(sample.moves_beside as f64);
    }
}

/// Measures all rounds and prints the table; whether the goal holds.
pub(super) fn compare(
    compared: &Compared<'_>,
    server: impl Fn() -> Result<ServerProcess>,
    load: impl Fn(&Endpoint) -> Result<Load>,
    recorder: &Recorder,
    out: &mut dyn Write,
) -> Result<bool> {
    let Compared { quiet, what, goal } = compared;
    ensure!(quiet.games > 0 && quiet.rate > 0.0, "--games and --rate: at least one");
    let steps = 2 * u64::from(quiet.rounds);
    recorder.progress().plan(steps, "measurements", quiet.seconds + BEGINS_WITHIN);
    let name_beside = format!("beside {what}");
    let (mut alone, mut beside) = (Figures::default(), Figures::default());
    let mut conditions = Conditions::default();
    let nothing = |_: &Endpoint| -> Result<Load> { Ok(Box::new(|| Ok(0))) };
    for round in 0..quiet.rounds {
        let mut sides = [false, true];
        if round % 2 == 1 {
            sides.reverse();
        }
        for is_beside in sides {
            let server = server()?;
            recorder.watch("zeitnot", &server);
            let name = if is_beside { &*name_beside } else { ALONE };
            let sample = recorder.phase(name, || {
                if is_beside {
                    measure(quiet, &server, &load, recorder, name, &mut conditions)
                } else {
                    measure(quiet, &server, nothing, recorder, name, &mut conditions)
                }
            });
            recorder.progress().step();
            let figures = if is_beside { &mut beside } else { &mut alone };
            figures.push(&sample.with_context(|| format!("round {}", round + 1))?);
        }
    }
    let moves_of = format!("moves of {what}");
    let mut table = Table::new(&["moves of quiet games", "p99 ms", "server busy %", &moves_of]);
    for (side, figures) in [(ALONE.to_owned(), &alone), (name_beside, &beside)] {
        figures.record(&side, &moves_of, recorder);
        let cells = [&figures.p99, &figures.busy, &figures.moves].map(ToString::to_string);
        table.row(std::iter::once(side).chain(cells).collect());
    }
    write!(out, "{table}")?;
    let ratio = beside.p99.median() / alone.p99.median();
    let rounds = beside.p99.ratio_to(&alone.p99);
    let figure = Figure::of_rounds(goal.name, "to alone", goal.unit, &rounds);
    recorder.figure(figure.counting(ratio).within(goal));
    writeln!(out, "{}", goal.judge(ratio))?;
    conditions.conclude(goal.holds(ratio))
}

fn measure(
    options: &QuietOptions,
    server: &ServerProcess,
    load: impl Fn(&Endpoint) -> Result<Load>,
    recorder: &Recorder,
    condition: &str,
    conditions: &mut Conditions,
) -> Result<Sample> {
    // In this order, because nobody answers pings in the quiet games until they are played.
    let load = load(server.endpoint())?;
    let mut quiet = QuietGames::start(server.endpoint(), options.games)?;
    quiet.play(options.rate, WARM_UP, None)?;
    let process = Process::new(server.pid());
    let (watch, before) = (Watch::start(Some(process))?, process.cpu_micros()?);
    let mut over_time = recorder.latencies("moves");
    let times = quiet.play(options.rate, options.seconds, Some(&mut over_time))?;
    recorder.add_under(condition, over_time);
    let busy_percent = (process.cpu_micros()? - before) / 1e4 / options.seconds;
    conditions.add_others(watch.others_percent(process)?);
    Ok(Sample { p99_ms: p99(times)?, busy_percent, moves_beside: load()? })
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
pub(super) fn start(players: [&mut Socket; 2], fen: Option<&str>) -> Result<Option<(GameId, usize, Turn)>> {
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
pub(super) fn receive<T>(socket: &mut Socket, wanted: impl Fn(ServerMessage) -> Option<T>) -> Result<T> {
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
