//! P8: the memory of an idle connection with an account.
//!
//! Every connection is a new guest that answers pings and sends nothing else. The figure is the
//! growth of the server's resident memory, with everything that belongs to a connection: session,
//! account, token.

use std::io::Write;

use anyhow::{Result, ensure};
use clap::Args;

use super::closed_loop::{ClosedLoop, Dialect};
use super::comparison::{Comparison, ComparisonOptions, Reference, Side};
use crate::player;
use crate::process::Process;
use crate::report::{Better, Figure, Recorder, Series, Table, Target, figure};
use crate::server_process::ServerProcess;
use crate::wire::{Socket, connect_all};

const P8: Target = Target { name: "P8", must: 12.0, aim: 6.0, unit: " KiB" };

/// About how long it takes to start a server and connect, in seconds.
const CONNECTS_WITHIN: f64 = 4.0;

/// How many connections, and how long they are idle.
#[derive(Clone, Debug, Args)]
pub struct IdleOptions {
    /// Shared options.
    #[command(flatten)]
    pub comparison: ComparisonOptions,
    /// Number of connections.
    #[arg(long, default_value_t = 10_000)]
    pub connections: usize,
    /// How long they are idle before memory is read, in seconds; the server sends two pings in the
    /// default time.
    #[arg(long, default_value_t = 11.0)]
    pub rest: f64,
}

/// Measures; whether the required target holds.
pub(crate) fn run(options: &IdleOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.connections > 0, "--connections: at least one");
    let comparison = Comparison::new(
        &options.comparison,
        Some(Reference { name: "echo_server", mode: "tung-small" }),
        recorder,
    )?;
    comparison.plan(1, options.rest + CONNECTS_WITHIN);
    let mut sides = vec![Side::Ours];
    if comparison.has_reference() {
        sides.push(Side::Reference);
    }
    let mut table = Table::new(&["connections", "server", "KiB per connection", "server KiB at the start"]);
    let mut ours = f64::NAN;
    for side in sides {
        let (mut grown, mut before) = (Series::default(), Series::default());
        for round in 1..=comparison.rounds() {
            let (start, end) = comparison.one("idle", round, side, || {
                let mut server = comparison.start(side)?;
                measure(side, &server, options).or_else(|error| server.check_alive().and(Err(error)))
            })?;
            grown.push((end - start) / 1024.0 / options.connections as f64);
            before.push(start / 1024.0);
        }
        let memory = Figure::of_rounds("Memory of an idle connection", comparison.name(side), "KiB", &grown);
        recorder.figure(if side == Side::Ours { memory.within(&P8) } else { memory });
        let start =
            Figure::of_rounds("Memory of the server at the start", comparison.name(side), "KiB", &before);
        recorder.figure(start.better(Better::Neither));
        if side == Side::Ours {
            ours = grown.median();
        }
        table.row(vec![
            options.connections.to_string(),
            comparison.name(side).to_owned(),
            grown.to_string(),
            figure(before.median()),
        ]);
    }
    write!(out, "{table}")?;
    writeln!(out, "{}", P8.judge(ours))?;
    Ok(P8.holds(ours))
}

/// The server's memory in bytes, before and after connecting.
fn measure(side: Side, server: &ServerProcess, options: &IdleOptions) -> Result<(f64, f64)> {
    let process = Process::new(server.pid());
    let open = |index| match side {
        Side::Ours => player::connect(server.endpoint(), index, true),
        Side::Reference => {
            let mut socket = Socket::open(server.endpoint(), index, None)?;
            // One message, so that buffers which are allocated on first use exist.
            socket.send(&"x".repeat(100))?;
            Ok(socket)
        }
    };
    // The first connection causes what a server allocates only once.
    let first = open(0)?;
    std::thread::sleep(std::time::Duration::from_millis(500));
    let before = process.rss_bytes()?;
    let sockets = connect_all(vec![first], (1..=options.connections).map(open))?;
    ClosedLoop::new(Dialect::Zeitnot, sockets)?.rest(options.rest)?;
    Ok((before, process.rss_bytes()?))
}
