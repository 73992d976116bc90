//! What things cost: the server's CPU time and memory, beside a reference where performance.md names one.
//!
//! One generator drives both sides: a single thread with epoll and frames made by hand, so that its own cost stays
//! small and is never part of a figure. Every bench prints a table, and last whether the must and the aim hold.

mod contest;
mod crowd;
mod games;
mod idle;
mod lanes;
pub(crate) mod long_game;
mod moves;
mod openings;
mod ping;
mod proc;
mod publisher;
pub(crate) mod seat;
mod verdicts;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;

pub use contest::ContestOptions;
pub use crowd::CrowdOptions;
pub use games::GamesOptions;
pub use idle::IdleOptions;
pub use moves::MovesOptions;
pub use ping::PingOptions;
pub(crate) use proc::Process;
pub use verdicts::VerdictsOptions;

/// What to measure.
#[derive(Clone, Debug, Subcommand)]
pub enum BenchOptions {
    /// P3, P4 (with --journal sqlite) and P12: an accepted move, against chess_server.
    Moves(MovesOptions),
    /// P5: ping to pong, against echo_server.
    Ping(PingOptions),
    /// P6 and P7: a delivery to a spectator, against fan_server.
    Crowd(CrowdOptions),
    /// P8: the memory of an idle connection; echo_server may stand beside it.
    Idle(IdleOptions),
    /// P9: the memory of a live game at rest.
    Games(GamesOptions),
    /// Moves of quiet games while others sit in the hardest positions: the p99 with them beside that without.
    Verdicts(VerdictsOptions),
}

/// Measures and writes the report to `out`; says whether the musts hold.
///
/// # Errors
/// When a binary is missing, a server does not come up, or an answer is not what it must be.
pub fn run(options: &BenchOptions, out: &mut dyn Write) -> Result<bool> {
    match options {
        BenchOptions::Moves(options) => moves::run(options, out),
        BenchOptions::Ping(options) => ping::run(options, out),
        BenchOptions::Crowd(options) => crowd::run(options, out),
        BenchOptions::Idle(options) => idle::run(options, out),
        BenchOptions::Games(options) => games::run(options, out),
        BenchOptions::Verdicts(options) => verdicts::run(options, out),
    }
}
