//! Prints how many nanoseconds of processor time the rules need for one half-move, from the
//! client's text to SAN and outcome.
//!
//! `cargo run --release -p zeitnot-rules --example half_move -- [FILE] [ROUNDS]`
//!
//! `FILE` holds one game a line, moves in UCI, from the standard start position; without one it is
//! the games of the bench of the same name. Each of the rounds (9) lasts a quarter of a second at
//! least. Printed are the median, the lowest and the highest of them.
//!
//! This is an example (see `Cargo.toml`). It lies beside the bench because both use `server_path`.

mod server_path;

use std::hint::black_box;
use std::process::ExitCode;

use rustix::time::{ClockId, clock_gettime};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let text = match arguments.next() {
        None => include_str!("../data/games.txt").to_owned(),
        Some(file) => match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("half_move: {file}: {error}");
                return ExitCode::from(2);
            }
        },
    };
    let Ok(rounds) = arguments.next().map_or(Ok(9), |number| number.parse::<usize>()) else {
        eprintln!("usage: half_move [FILE] [ROUNDS]");
        return ExitCode::from(2);
    };
    let games = server_path::games(&text);
    let mut nanoseconds: Vec<f64> = (0..rounds.max(1)).map(|_| round(&games)).collect();
    nanoseconds.sort_by(f64::total_cmp);
    let (lowest, median, highest) =
        (nanoseconds[0], nanoseconds[nanoseconds.len() / 2], nanoseconds[nanoseconds.len() - 1]);
    #[expect(clippy::print_stdout, reason = "the figures are what the program is for")]
    {
        println!("{} games, {} half-moves", games.len(), server_path::half_moves(&games));
        println!("ns per half-move: median {median:.0}, lowest {lowest:.0}, highest {highest:.0}");
    }
    ExitCode::SUCCESS
}

/// Walks all games again and again for a quarter of a second, and gives the nanoseconds for one
/// half-move.
fn round(games: &[Vec<&str>]) -> f64 {
    let started = processor_seconds();
    let mut walks = 0_usize;
    loop {
        black_box(server_path::walk(black_box(games)));
        walks += 1;
        let passed = processor_seconds() - started;
        if passed >= 0.25 {
            return passed * 1e9 / (walks * server_path::half_moves(games)) as f64;
        }
    }
}

/// The processor time that this thread has used, in seconds: other programs do not count.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
