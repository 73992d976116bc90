//! Measures the guard before the question whether a position is dead, over the games of a PGN file.
//!
//! `cargo run --release -p zeitnot-rules --example dead_guard -- FILE.pgn [NODES]`
//!
//! Printed are the nanoseconds for one half-move, how often the question had to be asked, and how
//! long its answers took within `NODES` positions (1,000,000).

#![expect(clippy::print_stdout, reason = "the figures are what the program is for")]
#![expect(clippy::disallowed_methods, reason = "a program that measures reads a clock")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use zeitnot_rules::board::Position;
use zeitnot_rules::notation::pgn;
use zeitnot_rules::verdict::{Dead, Guard, Limits, dead, guard};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let text = arguments.next().and_then(|file| std::fs::read_to_string(file).ok());
    let nodes = arguments.next().map_or(Ok(1_000_000), |number| number.parse());
    let (Some(text), Ok(nodes)) = (text, nodes) else {
        eprintln!("usage: dead_guard FILE.pgn [NODES]");
        return ExitCode::from(2);
    };
    let positions = positions(&text);
    let rounds = 5;
    let started = Instant::now();
    let mut asked = Vec::new();
    for _ in 0..rounds {
        asked = positions.iter().filter(|position| guard(position) == Guard::Ask).collect();
    }
    let each = started.elapsed().as_nanos() as f64 / (rounds * positions.len().max(1)) as f64;
    let share = 100.0 * asked.len() as f64 / positions.len().max(1) as f64;
    println!(
        "guard: {} half-moves, {each:.0} ns each, asked {} ({share:.2} %)",
        positions.len(),
        asked.len()
    );
    answer(&asked, nodes);
    ExitCode::SUCCESS
}

/// Every position after a move of every game, where the game goes on by the moves that are there.
fn positions(text: &str) -> Vec<Position> {
    let mut positions = Vec::new();
    for game in pgn::games(text).filter_map(Result::ok) {
        let mut position = game.start.clone();
        for mv in &game.moves {
            position.play_unchecked(*mv);
            if position.has_legal_move() {
                positions.push(position.clone());
            }
        }
    }
    positions
}

fn answer(asked: &[&Position], nodes: u32) {
    let (mut is_dead, mut undecided) = (0, 0);
    let mut times: Vec<Duration> = Vec::new();
    for position in asked {
        let started = Instant::now();
        match dead(position, &Limits::nodes(nodes)) {
            Dead::Yes(_) => is_dead += 1,
            Dead::No => {}
            Dead::Unknown { .. } => undecided += 1,
        }
        times.push(started.elapsed());
    }
    times.sort();
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
    let [median, p99, max] =
        [50, 99, 100].map(|percent| at(percent).copied().unwrap_or_default().as_micros());
    println!(
        "answers: dead {is_dead}, undecided {undecided}, median {median} µs, p99 {p99} µs, max {max} µs"
    );
}
