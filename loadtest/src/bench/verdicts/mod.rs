//! What searches for verdicts cost the other games: the p99 latency of moves in quiet games, alone
//! and beside games whose players keep building positions that are hard to search.
//!
//! [`super::beside`] says how it is measured.

mod hard;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::beside::{Compared, Load, QuietOptions, compare};
use crate::report::{Recorder, Target};
use crate::server_process::{ServerProcess, zeitnot_binary};
pub(crate) use hard::HardGames;

const GOAL: Target = Target { name: "p99 beside hard games", must: 1.25, aim: 1.1, unit: "x" };

/// How many games, and how long.
#[derive(Clone, Debug, Args)]
pub struct VerdictsOptions {
    /// The quiet games.
    #[command(flatten)]
    pub quiet: QuietOptions,
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

/// Measures; whether the required target holds.
pub(crate) fn run(options: &VerdictsOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    recorder.server_binary(&binary);
    let positions = hard::positions(options.positions.as_deref(), options.hard)?;
    writeln!(out, "the hardest of {} positions: {}", positions.asked, positions.hardest.join("; "))?;
    let compared = Compared { quiet: &options.quiet, what: "hard games", goal: GOAL };
    let flags = [ServerProcess::ADDRESS_LIMITS, ServerProcess::IN_MEMORY];
    let server = || ServerProcess::zeitnot_with(&binary, None, &flags);
    let load = |endpoint: &_| -> Result<Load> {
        let hard = HardGames::start(endpoint, &positions.hardest)?;
        Ok(Box::new(|| hard.end()))
    };
    compare(&compared, server, load, recorder, out)
}
