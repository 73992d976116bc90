//! Says whether a side can still checkmate by any series of legal moves.
//!
//! `cargo run --release -p zeitnot-rules --example winnable -- FILE.csv [--nodes N]`
//!
//! `FILE.csv` has a line `fen,side_that_wants_to_win,verdict,source` and rows of that form; a
//! verdict is `winnable`, `unwinnable` or `dead`, which means that neither side can. Printed are
//! the rows that are wrong or undecided within `N` positions (3,200,000), and last the figures. The
//! exit code is 1 when a row is wrong, 2 when the file cannot be read.
//!
//! `… --example winnable -- --fen "FEN" [--nodes N]` explains one position for both sides.

#![expect(clippy::print_stdout, reason = "the answers are what the program is for")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::{fen, san, uci};
use zeitnot_rules::verdict::{Limits, Proof, Winnable, winnable};

const USAGE: &str = "usage: winnable FILE.csv [--nodes N]\n       winnable --fen \"FEN\" [--nodes N]";

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut nodes = 3_200_000;
    if let Some(at) = arguments.iter().position(|argument| argument == "--nodes") {
        match arguments.get(at + 1).map(|number| number.parse()) {
            Some(Ok(number)) => nodes = number,
            _ => return fail(USAGE),
        }
        arguments.drain(at..=at + 1);
    }
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--fen", text] => match fen::parse(text) {
            Ok(position) => explain(&position, nodes),
            Err(error) => fail(&format!("{text}: {error}")),
        },
        [file] => match std::fs::read_to_string(file) {
            Ok(text) => compare(&text, nodes),
            Err(error) => fail(&format!("{file}: {error}")),
        },
        _ => fail(USAGE),
    }
}

fn fail(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(2)
}

/// Answers, and says how long it took.
#[expect(clippy::disallowed_methods, reason = "a program that measures reads a clock")]
fn timed(position: &Position, color: Color, nodes: u32) -> (Winnable, Duration) {
    let started = Instant::now();
    let answer = winnable(position, color, &Limits::nodes(nodes));
    (answer, started.elapsed())
}

/// Answers every row and compares it with the row's verdict.
fn compare(text: &str, nodes: u32) -> ExitCode {
    let (mut wrong, mut undecided) = (0, 0);
    let mut times = Vec::new();
    for row in text.lines().skip(1).filter(|row| !row.is_empty()) {
        let fields: Vec<&str> = row.split(',').collect();
        let (&[text, _, verdict, ..], Some(color)) =
            (&fields[..], fields.get(1).and_then(|side| color(side)))
        else {
            return fail(&format!("not a row: {row}"));
        };
        let Ok(position) = fen::parse(text) else { return fail(&format!("not a position: {row}")) };
        let (answer, took) = timed(&position, color, nodes);
        times.push((took, row));
        match (&answer, verdict) {
            (Winnable::Unknown { nodes }, _) => {
                undecided += 1;
                println!("undecided after {nodes} positions and {} ms: {row}", took.as_millis());
            }
            (Winnable::CanMate { .. }, "winnable") | (Winnable::CannotMate { .. }, "unwinnable" | "dead") => {
            }
            _ => {
                wrong += 1;
                println!("wrong: {row}: {}", describe(&position, &answer));
            }
        }
    }
    times.sort();
    let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
    let [median, p99, max] =
        [50, 99, 100].map(|percent| at(percent).map_or(Duration::ZERO, |&(took, _)| took));
    for (took, row) in times.iter().rev().take(5) {
        println!("among the slowest, {} ms: {row}", took.as_millis());
    }
    println!(
        "rows {}, wrong {wrong}, undecided {undecided}, median {} µs, p99 {} µs, max {} ms",
        times.len(),
        median.as_micros(),
        p99.as_micros(),
        max.as_millis()
    );
    if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn color(name: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|color| color.to_string() == name)
}

/// Answers for both sides.
fn explain(position: &Position, nodes: u32) -> ExitCode {
    for color in Color::ALL {
        let (answer, took) = timed(position, color, nodes);
        println!("{color} {} ({} µs)", describe(position, &answer), took.as_micros());
    }
    ExitCode::SUCCESS
}

fn describe(position: &Position, answer: &Winnable) -> String {
    match answer {
        Winnable::Unknown { nodes } => format!("undecided after {nodes} positions"),
        Winnable::CannotMate { proof: Proof::Exhaustive { positions } } => {
            format!("cannot checkmate: none in {positions} positions")
        }
        Winnable::CannotMate { proof } => format!("cannot checkmate: {proof:?}"),
        Winnable::CanMate { line } => {
            let mut position = position.clone();
            let (mut moves, mut sans) = (Vec::new(), Vec::new());
            for mv in line {
                moves.push(uci::write(*mv, &position, Variant::Standard).to_string());
                sans.push(san::write(*mv, &position).to_string());
                position.play_unchecked(*mv);
            }
            format!("can checkmate in {} half-moves: {}\n  {}", line.len(), sans.join(" "), moves.join(" "))
        }
    }
}
