//! Counts the leaves of move trees and compares them with known counts: the proof that move
//! generation is right.
//!
//! `cargo run --release -p zeitnot-rules --example perft -- [FILE] [--max-nodes N] [--bench]`
//!
//! `FILE` holds positions and counts, one per line: `id NAME`, `epd FEN`, `perft DEPTH NODES`;
//! empty lines and lines that begin with `#` are skipped. Every position is read as Chess960, of
//! which standard chess is a case. Lines of more than N nodes are skipped. The last line printed is
//! `P passed, F failed`; the exit code is 1 when anything failed and 2 when the file or the command
//! line cannot be read.
//!
//! `--bench` prints the speed on eight well-known positions in millions of leaves per second of
//! processor time, and the geometric mean. Leaves are counted in bulk: the last move is generated
//! but not played.
#![expect(clippy::print_stdout, reason = "the counts are what the program is for")]

use std::process::ExitCode;

use rustix::time::{ClockId, clock_gettime};
use zeitnot_rules::board::Position;
use zeitnot_rules::notation::fen;

fn main() -> ExitCode {
    let options = match Options::from_arguments(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("perft: {error}\nusage: perft [FILE] [--max-nodes N] [--bench]");
            return ExitCode::from(2);
        }
    };
    if options.bench && !bench() {
        return ExitCode::FAILURE;
    }
    let Some(file) = options.file else { return ExitCode::SUCCESS };
    match check_file(&file, options.max_nodes) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("perft: {error}");
            ExitCode::from(2)
        }
    }
}

/// What the command line asks for.
struct Options {
    file: Option<String>,
    max_nodes: u64,
    bench: bool,
}

impl Options {
    fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { file: None, max_nodes: u64::MAX, bench: false };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--bench" => options.bench = true,
                "--max-nodes" => {
                    let number = arguments.next().ok_or("--max-nodes needs a number")?;
                    options.max_nodes =
                        number.parse().map_err(|_| format!("--max-nodes needs a number, not `{number}`"))?;
                }
                option if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
                _ if options.file.is_none() => options.file = Some(argument),
                _ => return Err(format!("more than one file: `{argument}`")),
            }
        }
        if options.file.is_none() && !options.bench {
            return Err("a file or --bench is needed".to_owned());
        }
        Ok(options)
    }
}

/// The number of leaves `depth` plies below `position`, counted in bulk.
fn perft(position: &Position, depth: u32) -> u64 {
    let mut nodes = 0;
    match depth {
        0 => return 1,
        1 => {
            position.for_each_piece_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
        }
        _ => {
            position.for_each_piece_moves(|moves| {
                for mv in moves {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    nodes += perft(&next, depth - 1);
                }
                false
            });
        }
    }
    nodes
}

/// Checks the counts of a file and prints the differences. Whether all passed, or why the file
/// cannot be read.
fn check_file(path: &str, max_nodes: u64) -> Result<bool, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut id = "";
    let mut position = None;
    let (mut passed, mut failed) = (0u64, 0u64);
    for (number, line) in (1..).zip(text.lines()) {
        let error = |what: &str| format!("{path}:{number}: {what}: `{line}`");
        let (keyword, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match keyword {
            "" => {}
            _ if keyword.starts_with('#') => {}
            "id" => (id, position) = (rest.trim(), None),
            "epd" => position = Some(fen::parse(rest.trim()).map_err(|why| error(&why.to_string()))?),
            "perft" => {
                let position = position.as_ref().ok_or_else(|| error("a count before any position"))?;
                let (depth, nodes) =
                    depth_and_nodes(rest).ok_or_else(|| error("expected `perft DEPTH NODES`"))?;
                if nodes > max_nodes {
                    continue;
                }
                let found = perft(position, depth);
                if found == nodes {
                    passed += 1;
                } else {
                    failed += 1;
                    println!("{path}:{number}: {id}: depth {depth} has {found} nodes, expected {nodes}");
                }
            }
            _ => return Err(error("expected `id`, `epd` or `perft`")),
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0)
}

fn depth_and_nodes(text: &str) -> Option<(u32, u64)> {
    let mut numbers = text.split_whitespace();
    let pair = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    numbers.next().is_none().then_some(pair)
}

/// Name, position, depth, leaves.
const BENCH: [(&str, &str, u32, u64); 8] = [
    ("startpos d5", START, 5, 4_865_609),
    ("startpos d6", START, 6, 119_060_324),
    ("kiwipete d4", KIWIPETE, 4, 4_085_603),
    ("kiwipete d5", KIWIPETE, 5, 193_690_690),
    ("pos3 d6", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("pos4 d5", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
    ("pos5 d5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    ("pos6 d5", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164_075_551),
];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Prints the speeds. Whether all counts were right.
fn bench() -> bool {
    let mut all_right = true;
    let mut logarithms = 0.0;
    for (name, fen, depth, nodes) in BENCH {
        let position = fen::parse(fen).expect("the positions above are well-formed");
        let start = processor_seconds();
        let found = perft(std::hint::black_box(&position), depth);
        let speed = found as f64 / (processor_seconds() - start) / 1e6;
        logarithms += speed.ln();
        println!("{name:<12} {speed:7.1} Mnodes/s");
        if found != nodes {
            println!("{name}: {found} nodes, expected {nodes}");
            all_right = false;
        }
    }
    println!("{:<12} {:7.1} Mnodes/s", "geomean", (logarithms / BENCH.len() as f64).exp());
    all_right
}

/// Processor time of this thread. Wall time would count what else the machine does.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
