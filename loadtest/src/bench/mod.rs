//! What things cost: the server's CPU time and memory, beside a reference where performance.md names one.
//!
//! One generator drives both sides: a single thread with epoll and frames made by hand, so that its own cost stays
//! small and is never part of a figure. P10 and P11 have no reference: they time the server as it is in service. Every bench prints a table, and last whether the must and the aim hold.

mod closed_loop;
mod comparison;
mod crowd;
mod durable;
mod games;
mod idle;
mod incoming;
mod latency;
mod moves;
mod open_loop;
mod openings;
mod ping;
mod publisher;
mod restart;
mod verdicts;

use std::io::Write;

use anyhow::Result;
use clap::Subcommand;

pub use comparison::ComparisonOptions;
pub use crowd::CrowdOptions;
pub use games::GamesOptions;
pub use idle::IdleOptions;
pub use latency::LatencyOptions;
pub use moves::MovesOptions;
pub use ping::PingOptions;
pub use restart::RestartOptions;
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
    /// P10: a move to its durable ok at a steady pace; with --rate 0 how long the journal's log gets at the highest.
    Latency(LatencyOptions),
    /// P11: from the start on a folder with many live games to the first accepted move.
    Restart(RestartOptions),
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
        BenchOptions::Latency(options) => latency::run(options, out),
        BenchOptions::Restart(options) => restart::run(options, out),
    }
}
