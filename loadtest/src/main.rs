//! The `zeitnot-loadtest` binary: reads its flags, runs one part of the library, prints what came out.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use zeitnot_loadtest::abuse::{self, AbuseOptions};
use zeitnot_loadtest::bench::{self, BenchOptions};
use zeitnot_loadtest::crash::{self, CrashOptions};
use zeitnot_loadtest::pairing::{self, PairingOptions};
use zeitnot_loadtest::replay::{self, ReplayOptions};
use zeitnot_loadtest::siege::{self, SiegeOptions};

/// Bots and measurements for the Zeitnot chess server.
#[derive(Parser)]
#[command(name = "zeitnot-loadtest", version)]
struct Flags {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Replays the games of a PGN file and compares every event; exits 1 on a difference.
    Replay(ReplayOptions),
    /// Measures what things cost; exits 1 when a must of performance.md is missed.
    #[command(subcommand)]
    Bench(BenchOptions),
    /// Sends bad frames and forbidden commands; exits 1 when one is not answered as documented, or memory grows.
    Abuse(AbuseOptions),
    /// Besieges a server with slow, silent, deaf and flooding connections beside games; exits 1 when the games suffer or one
    /// is not cut as documented.
    Siege(SiegeOptions),
    /// Has bots paired by the quick pairing pools; exits 1 when a pairing is wrong, or somebody waits over 15 s beside
    /// somebody else.
    Pairing(PairingOptions),
    /// Breaks the server again and again while games are played; exits 1 when a move that was acked is lost or doubled, or
    /// somebody is flagged.
    Crash(CrashOptions),
}

fn main() -> ExitCode {
    match run(&Flags::parse().part) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "the last words of a program belong on stderr")]
            {
                eprintln!("zeitnot-loadtest: {error:#}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Runs the part; says whether all was as it must be.
fn run(part: &Part) -> Result<bool> {
    let mut out = io::stdout();
    match part {
        Part::Replay(options) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let report = runtime.block_on(replay::run(options))?;
            for difference in &report.named {
                writeln!(out, "{difference}")?;
            }
            if report.unfinished > 0 {
                writeln!(out, "unfinished in the file, not compared with a result: {}", report.unfinished)?;
            }
            writeln!(out, "{report}")?;
            Ok(report.is_clean())
        }
        Part::Bench(options) => bench::run(options, &mut out),
        Part::Abuse(options) => abuse::run(options, &mut out),
        Part::Siege(options) => siege::run(options, &mut out),
        Part::Pairing(options) => pairing::run(options, &mut out),
        Part::Crash(options) => crash::run(options, &mut out),
    }
}
