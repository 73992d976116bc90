//! P3: the server's CPU time per accepted move, journal in memory. P4: the same on disk (`--journal
//! sqlite`). P12: how the cost grows with the number of games.
//!
//! Games are created and ended between the measured windows; each window holds plies 3 to 80 of
//! every game. With several numbers of games there is no reference: the cost at the largest number
//! is compared with that at the smallest.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::closed_loop::{ClosedLoop, Dialect, Game};
use super::comparison::{Comparison, ComparisonOptions, Costs, JournalKind, Reference, Sample, Side, Window};
use super::openings::{self, PLIES};
use crate::player;
use crate::process::Process;
use crate::report::{Figure, Recorder, Target, figure};
use crate::server_process::ServerProcess;
use crate::wire::{Received, Socket, connect_all};

const P3: Target = Target { name: "P3", must: 1.3, aim: 1.0, unit: "x" };
const P4: Target = Target { name: "P4", must: 2.0, aim: 1.4, unit: "x" };
const P12: Target = Target { name: "P12", must: 1.3, aim: 1.05, unit: "x" };

/// How many games are started before their first moves: few enough that no first move comes too
/// late.
const WAVE: usize = 250;

/// About how long it takes to start a server and a batch of games, in seconds.
const BEGINS_WITHIN: f64 = 2.0;

/// How many games at a time, and which moves.
#[derive(Clone, Debug, Args)]
pub struct MovesOptions {
    /// Shared options.
    #[command(flatten)]
    pub comparison: ComparisonOptions,
    /// Number of games at a time; several numbers, such as 100,1000,10000, measure how the cost
    /// grows.
    #[arg(long, value_delimiter = ',', default_value = "200")]
    pub games: Vec<usize>,
    /// Games at a time between the same two players. 10,000 games need more than 1, because sockets
    /// are limited.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=60))]
    pub games_per_pair: u16,
    /// A file of games, one per line, moves in UCI; by default a built-in one.
    #[arg(long)]
    pub openings: Option<PathBuf>,
}

/// Measures; whether the required target holds.
pub(crate) fn run(options: &MovesOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    ensure!(!options.games.is_empty() && !options.games.contains(&0), "--games: at least one game");
    let reference = Reference { name: "chess_server", mode: "actor" };
    let several = options.games.len() > 1;
    let alone = several || options.games_per_pair > 1;
    let comparison = Comparison::new(&options.comparison, (!alone).then_some(reference), recorder)?;
    comparison.plan(options.games.len(), comparison.seconds() + BEGINS_WITHIN);
    let openings = openings::read(options.openings.as_deref())?;
    let mut table = Costs::table("move");
    let mut medians = Vec::new();
    let mut ratio = None;
    for &games in &options.games {
        let condition = format!("{games} games");
        let costs = comparison.compare(&condition, |side, server| {
            let mut bench = Bench::open(side, server, games, usize::from(options.games_per_pair))?;
            bench.measure(&openings, comparison.seconds())
        })?;
        costs.add_rows(&comparison, &condition, &mut table);
        costs.record(&comparison, &condition, "move");
        if comparison.has_reference() {
            costs.record_ratio(&comparison, &condition, accepted(&comparison));
        }
        medians.push(costs.ours.cost.median());
        ratio = comparison.has_reference().then(|| costs.ratio());
    }
    write!(out, "{table}")?;
    let accepted = *accepted(&comparison);
    let (target, value) = match (&*medians, ratio) {
        ([smallest, .., largest], _) => {
            let growth = Figure::once(
                "P12 (growth of the processor time)",
                "most to fewest games",
                "x",
                largest / smallest,
            );
            recorder.figure(growth.within(&P12));
            (P12, largest / smallest)
        }
        (_, Some(ratio)) => {
            writeln!(out, "ratio {ratio}")?;
            (accepted, ratio.median())
        }
        (medians, None) => {
            let cost = medians.first().copied().unwrap_or(f64::NAN);
            writeln!(
                out,
                "{} {} µs a move; no ratio: give --against chess_server=PATH",
                accepted.name,
                figure(cost)
            )?;
            return Ok(true);
        }
    };
    writeln!(out, "{}", target.judge(value))?;
    Ok(target.holds(value))
}

/// What is required of an accepted move.
fn accepted(comparison: &Comparison<'_>) -> &'static Target {
    match comparison.journal() {
        JournalKind::Memory => &P3,
        JournalKind::Sqlite => &P4,
    }
}

/// The games and sockets of one side.
struct Bench<'g> {
    process: Process,
    dialect: Dialect,
    games: usize,
    per_pair: usize,
    closed_loop: ClosedLoop<'g>,
}

impl<'g> Bench<'g> {
    fn open(side: Side, server: &ServerProcess, games: usize, per_pair: usize) -> Result<Self> {
        let pairs = games.div_ceil(per_pair);
        let endpoint = server.endpoint();
        let open = |index| match side {
            Side::Ours => player::connect(endpoint, index, true),
            Side::Reference => Ok(Socket::open(endpoint, index, None)?),
        };
        let sockets = connect_all(Vec::new(), (0..2 * pairs).map(open))?;
        let dialect = match side {
            Side::Ours => Dialect::Zeitnot,
            Side::Reference => Dialect::Tiny,
        };
        let mut closed_loop = ClosedLoop::new(dialect, sockets)?;
        if dialect == Dialect::Tiny {
            closed_loop.set_nonblocking(false)?;
            for (index, socket) in closed_loop.sockets.iter_mut().enumerate() {
                join(socket, index)?;
            }
        }
        Ok(Self { process: Process::new(server.pid()), dialect, games, per_pair, closed_loop })
    }

    /// Plays one batch to warm up, then batches until `seconds` are measured.
    fn measure(&mut self, openings: &'g [Vec<String>], seconds: f64) -> Result<Sample> {
        self.batch(openings)?;
        let mut sample = Sample::default();
        while sample.seconds < seconds {
            sample.add(self.batch(openings)?);
        }
        Ok(sample)
    }

    /// Starts new games and plays them to their last ply. The first moves are played in waves,
    /// before the window, so that none comes too late.
    fn batch(&mut self, openings: &'g [Vec<String>]) -> Result<Sample> {
        for wave in (0..self.games).step_by(WAVE) {
            self.closed_loop.set_nonblocking(false)?;
            for number in wave..self.games.min(wave + WAVE) {
                let game = self.new_game(number, openings)?;
                self.closed_loop.add(game);
                self.answer_pings(number)?;
            }
            self.closed_loop.set_nonblocking(true)?;
            self.closed_loop.play(wave, 2)?;
        }
        let window = Window::open(self.process)?;
        let moves = self.closed_loop.play(0, PLIES)?;
        let sample = window.close(moves)?;
        self.closed_loop.set_nonblocking(false)?;
        for number in 0..self.games {
            self.end_game(number)?;
            self.answer_pings(number)?;
        }
        self.closed_loop.clear();
        Ok(sample)
    }

    fn answer_pings(&mut self, number: usize) -> Result<()> {
        if number % 100 == 99 { self.closed_loop.answer_pings(Duration::ZERO) } else { Ok(()) }
    }

    fn new_game(&mut self, number: usize, openings: &'g [Vec<String>]) -> Result<Game<'g>> {
        let pair = number / self.per_pair;
        let (white, black) = pair_of(&mut self.closed_loop.sockets, pair);
        let game = match self.dialect {
            Dialect::Zeitnot => Some(player::start_game(white, black)?),
            Dialect::Tiny => None,
        };
        Ok(Game::new([2 * pair, 2 * pair + 1], game, &openings[number % openings.len()]))
    }

    fn end_game(&mut self, number: usize) -> Result<()> {
        let game = &self.closed_loop.games[number];
        let (id, pair) = (game.id, game.sockets[0] / 2);
        let (white, black) = pair_of(&mut self.closed_loop.sockets, pair);
        match self.dialect {
            Dialect::Zeitnot => player::end_game(white, black, id.context("a game has no id")?),
            Dialect::Tiny => reset(white, black),
        }
    }
}

/// The two sockets of a pair.
fn pair_of(sockets: &mut [Socket], pair: usize) -> (&mut Socket, &mut Socket) {
    let (white, black) = sockets[2 * pair..].split_at_mut(1);
    (&mut white[0], &mut black[0])
}

/// Joins a game of the reference.
fn join(socket: &mut Socket, index: usize) -> Result<()> {
    let color = if index.is_multiple_of(2) { "w" } else { "b" };
    socket.send(&format!(r#"{{"t":"join","g":"g{}","c":"{color}"}}"#, index / 2))?;
    let answer = socket.receive()?;
    ensure!(
        matches!(&answer, Received::Text(text) if text.contains("joined")),
        "join was answered with {answer:?}"
    );
    Ok(())
}

/// Resets the reference's game to its start.
fn reset(white: &mut Socket, black: &mut Socket) -> Result<()> {
    white.send(r#"{"t":"new"}"#)?;
    for socket in [white, black] {
        let answer = socket.receive()?;
        ensure!(
            matches!(&answer, Received::Text(text) if text.contains("new")),
            "new was answered with {answer:?}"
        );
    }
    Ok(())
}
