//! P5: the server's CPU time from `ping` to `pong` through our session, against a bare WebSocket
//! echo.
//!
//! There are two rows, because our `pong` is always short. In the row `100 B` our `ping` is padded
//! to 100 bytes with a field that the server ignores, and the echo sends 100 bytes both ways. In
//! the other row all frames of both servers have the same short length. P5 is judged by the row
//! `100 B`.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Args;

use super::closed_loop::shown;
use super::comparison::{Comparison, ComparisonOptions, Costs, Reference, Sample, Side, Window};
use crate::player;
use crate::process::Process;
use crate::report::{Recorder, Target};
use crate::server_process::ServerProcess;
use crate::wire::{Opcode, Poll, Socket, client_frame, connect_all};

const P5: Target = Target { name: "P5", must: 1.3, aim: 1.1, unit: "x" };

/// The size of an echo in docs/performance.md.
const LONG: usize = 100;

/// The `n` of every ping; its digits determine the short size.
const N: u32 = 1_234_567;

/// How many connections, and how many pings in flight on each.
#[derive(Clone, Debug, Args)]
pub struct PingOptions {
    /// Shared options.
    #[command(flatten)]
    pub comparison: ComparisonOptions,
    /// Number of connections.
    #[arg(long, default_value_t = 64)]
    pub connections: usize,
    /// Pings in flight on each connection.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub window: u16,
}

/// Measures; whether the required target holds.
pub(crate) fn run(options: &PingOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    ensure!(options.connections > 0, "--connections: at least one");
    let comparison = Comparison::new(
        &options.comparison,
        Some(Reference { name: "echo_server", mode: "tung-small" }),
        recorder,
    )?;
    // A quarter of the time warms up.
    comparison.plan(2, comparison.seconds() * 1.25 + 0.5);
    let short = ping(0).len();
    let mut table = Costs::table("ping");
    let mut judged = None;
    for size in [LONG, short] {
        let condition = format!("{size} B");
        let costs = comparison
            .compare(&condition, |side, server| measure(side, server, options, size, comparison.seconds()))?;
        costs.add_rows(&comparison, &condition, &mut table);
        costs.record(&comparison, &condition, "ping");
        judged.get_or_insert(costs);
    }
    write!(out, "{table}")?;
    let Some(costs) = judged.filter(|_| comparison.has_reference()) else {
        writeln!(out, "P5: no ratio; give --against echo_server=PATH")?;
        return Ok(true);
    };
    costs.record_ratio(&comparison, &format!("{LONG} B"), &P5);
    let ratio = costs.ratio();
    writeln!(out, "ratio {ratio}")?;
    writeln!(out, "{}", P5.judge(ratio.median()))?;
    Ok(P5.holds(ratio.median()))
}

/// A ping of `length` bytes, or the shortest one.
fn ping(length: usize) -> String {
    let bare = format!(r#"{{"t":"ping","d":{{"n":{N}}}}}"#);
    let frame = |pad: &str| format!(r#"{{"t":"ping","d":{{"n":{N},"pad":"{pad}"}}}}"#);
    match length.checked_sub(frame("").len()) {
        Some(missing) => frame(&"x".repeat(missing)),
        None => bare,
    }
}

/// What every answer of ours begins with; the time of day follows.
fn pong() -> String {
    format!(r#"{{"t":"pong","d":{{"n":{N},"#)
}

fn measure(
    side: Side,
    server: &ServerProcess,
    options: &PingOptions,
    size: usize,
    seconds: f64,
) -> Result<Sample> {
    let request = ping(size);
    let answer = match side {
        Side::Ours => pong(),
        Side::Reference => request.clone(),
    };
    let open = |index| match side {
        Side::Ours => player::connect(server.endpoint(), index, true),
        Side::Reference => Ok(Socket::open(server.endpoint(), index, None)?),
    };
    let sockets = connect_all(Vec::new(), (0..options.connections).map(open))?;
    let frame = client_frame(Opcode::Text, request.as_bytes());
    let frames = frame.repeat(usize::from(options.window));
    Loop::new(sockets, answer.into_bytes(), frame.len(), frames)?.run(Process::new(server.pid()), seconds)
}

/// A closed loop on every socket.
struct Loop {
    sockets: Vec<Socket>,
    poll: Poll,
    /// What an answer begins with.
    answer: Vec<u8>,
    frame_len: usize,
    /// As many requests as may be in flight.
    frames: Vec<u8>,
    scratch: Vec<u8>,
}

impl Loop {
    fn new(sockets: Vec<Socket>, answer: Vec<u8>, frame_len: usize, frames: Vec<u8>) -> Result<Self> {
        let poll = Poll::new()?;
        for (token, socket) in sockets.iter().enumerate() {
            poll.add(socket, token)?;
        }
        Ok(Self { sockets, poll, answer, frame_len, frames, scratch: vec![0; 64 * 1024] })
    }

    fn run(&mut self, process: Process, seconds: f64) -> Result<Sample> {
        for socket in &mut self.sockets {
            socket.write(&self.frames)?;
        }
        let warm = Window::open(process)?;
        while warm.seconds() < seconds / 4.0 {
            self.turn()?;
        }
        let window = Window::open(process)?;
        let mut answers = 0;
        while window.seconds() < seconds {
            answers += self.turn()?;
        }
        ensure!(answers > 0, "no ping was answered");
        window.close(answers)
    }

    /// Waits once; answers every response with the next request.
    fn turn(&mut self) -> Result<u64> {
        let ready = self.poll.wait(Duration::from_secs(15))?;
        ensure!(!ready.is_empty(), "the server has not answered for 15 s");
        let mut answers = 0;
        for &token in ready {
            let socket = &mut self.sockets[token];
            let (mut count, mut other) = (0, None);
            socket.read_ready(&mut self.scratch, |text| {
                if text.starts_with(&self.answer) {
                    count += 1;
                } else if text.starts_with(br#"{"t":"rejected""#) {
                    other = Some(shown(text));
                }
            })?;
            ensure!(other.is_none(), "a ping was answered with {}", other.unwrap_or_default());
            if count > 0 {
                socket.write(&self.frames[..count * self.frame_len])?;
                answers += count as u64;
            }
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeitnot_protocol::{ClientMessage, Ping, Pong, ServerMessage, decode_client};

    #[test]
    fn pings_have_their_size_and_are_valid() {
        assert_eq!(ping(LONG).len(), LONG);
        assert_eq!(ping(0), format!(r#"{{"t":"ping","d":{{"n":{N}}}}}"#));
        for text in [ping(LONG), ping(0)] {
            assert_eq!(decode_client(&text).unwrap(), ClientMessage::Ping(Ping { n: N }));
        }
    }

    #[test]
    fn an_answer_is_known_by_how_it_begins() {
        let answer = ServerMessage::Pong(Pong { n: N, at: 1_795_300_000, ms: 437 }).to_text();
        assert!(answer.starts_with(&pong()), "{answer}");
    }
}
