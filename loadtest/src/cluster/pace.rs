//! What it costs when a game's players are connected to another node than its owner: the same games at the same rate, with
//! both players on the owner's node and with both on another, in turns.
//!
//! Nothing is broken here. The bus is passed over a proxy, as when faults are made; with both players on the owner's node no
//! frame of a game passes it.

use std::io::Write;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use super::Programs;
use super::harness::Harness;
use super::plan::Kind;
use crate::bench::Players;
use crate::process::Process;
use crate::report::{Figure, Recorder, Series, Target};

/// What the hop may add to the median of an `ok`.
const ADDED: Target = Target { name: "C9 p50 added", must: 0.8, aim: 0.5, unit: " ms" };

/// CPU time of a move on all nodes, by that of one whose players are on the owner's. The nodes without a part in it poll alike.
const CPU: Target = Target { name: "C9 CPU of all nodes", must: 2.0, aim: 1.6, unit: "x" };

/// Half-moves per game.
const PLIES: usize = 200;

/// How long it takes to begin the games of a round and to end them, in seconds.
const AROUND: f64 = 4.0;

/// How many games, at which rate, for how long.
#[derive(Clone, Debug, Args)]
pub struct PaceOptions {
    /// Number of games, each with two players of its own.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,
    /// Moves per second over all games.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    pub rate: u32,
    /// How long each side of a round is measured, in seconds.
    #[arg(long, default_value_t = 10.0)]
    pub seconds: f64,
    /// Number of rounds; medians count.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// What is started.
    #[command(flatten)]
    pub programs: Programs,
}

/// Times in ms, CPU time in µs a move.
#[derive(Debug, Default)]
struct Side {
    p50: Series,
    p99: Series,
    cpu: Series,
}

/// Measures; whether the required targets hold.
///
/// # Errors
/// When a server does not start, or rejects a move.
pub(super) fn run(options: &PaceOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let home = tempfile::Builder::new().prefix("zeitnot-cluster-").tempdir()?;
    let programs = (options.programs.zeitnot(recorder)?, options.programs.nats.as_deref());
    let mut harness = runtime.block_on(Harness::start(Kind::Kill, programs, home.path(), recorder))?;
    runtime.block_on(harness.start_all())?;
    recorder.progress().plan(options.rounds.into(), "rounds", 2.0 * (options.seconds + AROUND));
    let mut sides = [Side::default(), Side::default()];
    for round in 0..options.rounds {
        for turn in 0..2 {
            let place = ((round + turn) % 2) as usize;
            let mut players = Players::begin(&harness.endpoints()[place], options.games as usize, PLIES)?;
            let owners = runtime.block_on(harness.owners())?;
            ensure!(owners.values().all(|owner| *owner == 0), "the first node does not own all games");
            measure(&harness, place, &mut players, options, recorder, &mut sides[place])?;
            players.end()?;
        }
        recorder.progress().step();
    }
    conclude(&sides, recorder, out)
}

fn measure(
    harness: &Harness<'_>,
    place: usize,
    players: &mut Players,
    options: &PaceOptions,
    recorder: &Recorder,
    side: &mut Side,
) -> Result<()> {
    let condition = ["players on the owner's node", "players on another node"][place];
    let before = cpu_micros(harness)?;
    let played = players.play(options.rate, options.seconds, recorder, condition)?;
    let spent = cpu_micros(harness)? - before;
    let times = &played.times;
    ensure!(!times.is_empty(), "no move was due: --rate or --seconds is too small");
    side.p50.push(times.value_at_quantile(0.5) as f64 / 1e3);
    side.p99.push(times.value_at_quantile(0.99) as f64 / 1e3);
    side.cpu.push(spent / times.len() as f64);
    Ok(())
}

/// What all nodes have used so far.
fn cpu_micros(harness: &Harness<'_>) -> Result<f64> {
    let pids = harness.nodes.iter().map(|node| node.pid().context("a node has ended"));
    pids.map(|pid| Process::new(pid?).cpu_micros()).sum()
}

fn conclude([local, apart]: &[Side; 2], recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    for (name, side) in [("on the owner's node", local), ("on another node", apart)] {
        writeln!(
            out,
            "players {name}: p50 {} ms, p99 {} ms, {} µs of CPU a move",
            side.p50, side.p99, side.cpu
        )?;
        for (what, unit, series) in
            [("p50", "ms", &side.p50), ("p99", "ms", &side.p99), ("CPU", "µs", &side.cpu)]
        {
            recorder.figure(Figure::of_rounds(&format!("Players {name}"), what, unit, series));
        }
    }
    let (added, cpu) = (apart.p50.median() - local.p50.median(), apart.cpu.ratio_to(&local.cpu).median());
    for (target, value) in [(ADDED, added), (CPU, cpu)] {
        recorder.figure(Figure::once("Another node", target.name, target.unit.trim(), value).within(&target));
        writeln!(out, "{}", target.judge(value))?;
    }
    Ok(ADDED.holds(added) && CPU.holds(cpu))
}
