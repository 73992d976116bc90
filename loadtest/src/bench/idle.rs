//! P8: the memory of an idle connection of an account.
//!
//! Every connection is a guest of its own, answers pings, and says nothing more. What is measured is how much the
//! server's resident memory grew, with everything that belongs to a connection: session, account, token.

use std::io::Write;

use anyhow::{Result, ensure};
use clap::Args;

use super::closed_loop::{ClosedLoop, Dialect};
use super::comparison::{Comparison, ComparisonOptions, Reference, Side};
use crate::player;
use crate::process::Process;
use crate::report::{Series, Table, Target, figure};
use crate::server_process::ServerProcess;
use crate::wire::Socket;

const P8: Target = Target { name: "P8", must: 12.0, aim: 6.0, unit: " KiB" };

/// How many connections, and how long they rest.
#[derive(Clone, Debug, Args)]
pub struct IdleOptions {
    /// What all benches have in common.
    #[command(flatten)]
    pub comparison: ComparisonOptions,
    /// Connections.
    #[arg(long, default_value_t = 10_000)]
    pub connections: usize,
    /// How long they rest before the memory is read, in seconds: two pings of the server.
    #[arg(long, default_value_t = 11.0)]
    pub rest: f64,
}

/// Measures, and says whether the must holds.
pub(crate) fn run(options: &IdleOptions, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.connections > 0, "--connections: at least one");
    let comparison =
        Comparison::new(&options.comparison, Some(Reference { name: "echo_server", mode: "tung-small" }))?;
    let mut sides = vec![Side::Ours];
    if comparison.has_reference() {
        sides.push(Side::Reference);
    }
    let mut table = Table::new(&["connections", "server", "KiB per connection", "server KiB before"]);
    let mut ours = f64::NAN;
    for side in sides {
        let (mut grown, mut before) = (Series::default(), Series::default());
        for _ in 0..comparison.rounds() {
            let server = comparison.start(side)?;
            let (start, end) = measure(side, &server, options)?;
            grown.push((end - start) / 1024.0 / options.connections as f64);
            before.push(start / 1024.0);
        }
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

/// The server's memory in bytes, before and after.
fn measure(side: Side, server: &ServerProcess, options: &IdleOptions) -> Result<(f64, f64)> {
    let process = Process::new(server.pid());
    let open = |index| match side {
        Side::Ours => player::connect(server.endpoint(), index, true),
        Side::Reference => {
            let mut socket = Socket::open(server.endpoint(), index, None)?;
            // One message, so that buffers which are made on first use are there.
            socket.send(&"x".repeat(100))?;
            Ok(socket)
        }
    };
    // The first connection makes what a server makes once.
    let first = open(0)?;
    std::thread::sleep(std::time::Duration::from_millis(500));
    let before = process.rss_bytes()?;
    let sockets: Vec<Socket> = (1..=options.connections).map(open).collect::<Result<_>>()?;
    let mut closed_loop = ClosedLoop::new(Dialect::Zeitnot, sockets)?;
    closed_loop.set_nonblocking(true)?;
    closed_loop.rest(options.rest)?;
    let after = process.rss_bytes()?;
    drop(first);
    Ok((before, after))
}
