//! Measures what things cost: the server's CPU time, memory and latency, beside a reference server
//! where there is one.
//!
//! One generator drives both sides: a single thread with epoll and hand-written frames, so that its
//! own cost stays small; it is never part of a figure. P10, P11 and P15 have no reference: they time
//! the server in its production configuration. Every bench prints a table, and last whether the
//! required target and the aim hold. The targets P1 to P15 are those of docs/performance.md.

mod archive;
mod beside;
mod closed_loop;
mod comparison;
mod computer;
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

use crate::report::Recorder;

pub use archive::ArchiveOptions;
pub use beside::QuietOptions;
pub use comparison::ComparisonOptions;
pub use computer::ComputerOptions;
pub use crowd::CrowdOptions;
pub use games::GamesOptions;
pub use idle::IdleOptions;
pub use latency::LatencyOptions;
pub use moves::MovesOptions;
pub(crate) use open_loop::Players;
pub use ping::PingOptions;
pub use restart::RestartOptions;
pub use verdicts::VerdictsOptions;
pub(crate) use verdicts::{HardGames, hard_positions};

/// What to measure.
#[derive(Clone, Debug, Subcommand)]
pub enum BenchOptions {
    /// P3, P4 (with --journal sqlite), P12: CPU time of an accepted move, against chess_server.
    Moves(MovesOptions),
    /// P5: CPU time from ping to pong, against echo_server.
    Ping(PingOptions),
    /// P6, P7: CPU time of a delivery to a spectator, against fan_server.
    Crowd(CrowdOptions),
    /// P8: memory of an idle connection; echo_server can be measured beside it.
    Idle(IdleOptions),
    /// P9: memory of a live game at rest.
    Games(GamesOptions),
    /// Latency of moves beside games in positions that are hard to search, against that without
    /// them.
    Verdicts(VerdictsOptions),
    /// Latency of moves beside games against the computer opponent, against that without them.
    Computer(ComputerOptions),
    /// P10: latency of a move until its durable `ok`, at a fixed rate; with --rate 0, the length of
    /// the journal's log.
    Latency(LatencyOptions),
    /// P11: time from the start on a folder with many live games to the first accepted move.
    Restart(RestartOptions),
    /// P15: searches of an archive of many games, alone and beside moves; its start, size and copy.
    Archive(ArchiveOptions),
}

/// Measures and writes the report to `out`; whether all required targets hold.
///
/// # Errors
/// When a binary is missing, a server does not start, or an answer is not what it must be; and
/// [`Inconclusive`](crate::conditions::Inconclusive) when the conditions of the measurement did not
/// hold.
pub fn run(options: &BenchOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    match options {
        BenchOptions::Moves(options) => moves::run(options, recorder, out),
        BenchOptions::Ping(options) => ping::run(options, recorder, out),
        BenchOptions::Crowd(options) => crowd::run(options, recorder, out),
        BenchOptions::Idle(options) => idle::run(options, recorder, out),
        BenchOptions::Games(options) => games::run(options, recorder, out),
        BenchOptions::Verdicts(options) => verdicts::run(options, recorder, out),
        BenchOptions::Computer(options) => computer::run(options, recorder, out),
        BenchOptions::Latency(options) => latency::run(options, recorder, out),
        BenchOptions::Restart(options) => restart::run(options, recorder, out),
        BenchOptions::Archive(options) => archive::run(options, recorder, out),
    }
}
