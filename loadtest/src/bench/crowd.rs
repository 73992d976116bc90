//! P6 and P7: what a delivery to a spectator costs when games have a crowd.
//!
//! Events are published in waves: the next wave follows when every spectator has had all of the last one. A wave of
//! one event is P6: one game, and everybody watches it. A wave of eight is P7, events that queue up at each socket: two
//! players play eight games at once, everybody watches all eight, and the eight moves of a wave leave the player in
//! one write. The rules of chess allow no more than that: in one game a move must wait for the other's.
//!
//! The floor is a server that writes a finished frame to every socket with `try_write`. It publishes the very frames
//! that ours sent in the first round, wave by wave, so both deliver the same bytes.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use clap::Args;

use super::closed_loop::shown;
use super::comparison::{Comparison, ComparisonOptions, Costs, Reference, Sample, Side, Window};
use super::publisher::{Publisher, Waves};
use crate::process::Process;
use crate::report::{Series, Target};
use crate::server_process::ServerProcess;
use crate::stopwatch::Stopwatch;
use crate::wire::{Poll, Socket};
use crate::{long_game, player};

const P6_SMALL: Target = Target { name: "P6 at 1,000", must: 1.3, aim: 1.15, unit: "x" };
const P6_LARGE: Target = Target { name: "P6 at 5,000", must: 1.4, aim: 1.2, unit: "x" };
const P7: Target = Target { name: "P7", must: 1.3, aim: 0.95, unit: " µs" };

/// The seed of the game that is played, and its length.
const SEED: u64 = 20_261_101;
const PLIES: usize = 6_000;

/// How large the crowds are.
#[derive(Clone, Debug, Args)]
pub struct CrowdOptions {
    /// What all benches have in common.
    #[command(flatten)]
    pub comparison: ComparisonOptions,
    /// The crowds that get one event at a time.
    #[arg(long, value_delimiter = ',', default_value = "1000,5000")]
    pub spectators: Vec<usize>,
    /// The crowd that gets several at a time; 0 for none.
    #[arg(long, default_value_t = 1000)]
    pub queued_spectators: usize,
    /// How many events it gets at a time.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(2..=32))]
    pub queued: u8,
}

/// Measures, and says whether the musts hold.
pub(crate) fn run(options: &CrowdOptions, out: &mut dyn Write) -> Result<bool> {
    let comparison =
        Comparison::new(&options.comparison, Some(Reference { name: "fan_server", mode: "pre-direct" }))?;
    let moves = long_game::moves(SEED, PLIES);
    let mut table = Costs::table("delivery");
    let mut judgements = Vec::new();
    let mut holds = true;
    let single = options.spectators.iter().map(|&spectators| (spectators, 1));
    let queued = (options.queued_spectators, usize::from(options.queued));
    for (spectators, events) in single.chain([queued]).filter(|&(spectators, _)| spectators > 0) {
        let mut waves = Waves::default();
        let mut per_read = Series::default();
        let costs = comparison.compare(|side, server| {
            let publisher = Publisher::open(side, server.endpoint(), &moves, events, &mut waves)?;
            let mut crowd = Crowd::gather(side, server, publisher, spectators)?;
            let sample = crowd.measure(comparison.seconds())?;
            if side == Side::Ours {
                per_read.push(crowd.per_read());
            }
            Ok(sample)
        })?;
        costs.add_rows(&comparison, &format!("{spectators}, {events} at a time"), &mut table);
        writeln!(out, "{spectators} spectators, {events} at a time: {per_read} events in a read")?;
        let (target, value) = judged(spectators, events, &costs, &comparison);
        if let Some(value) = value {
            holds &= target.holds(value);
            judgements.push(target.judge(value));
        }
    }
    write!(out, "{table}")?;
    if judgements.is_empty() {
        writeln!(out, "P6: no ratio; give --against fan_server=PATH")?;
    } else {
        writeln!(out, "{}", judgements.join("; "))?;
    }
    Ok(holds)
}

fn judged(spectators: usize, events: usize, costs: &Costs, comparison: &Comparison) -> (Target, Option<f64>) {
    let ratio = || comparison.has_reference().then(|| costs.ratio().median());
    match (spectators, events) {
        (_, 2..) => (P7, Some(costs.ours.cost.median())),
        (0..3_000, _) => (P6_SMALL, ratio()),
        _ => (P6_LARGE, ratio()),
    }
}

/// Spectators, and what has come to them.
struct Crowd<'p> {
    process: Process,
    publisher: Publisher<'p>,
    sockets: Vec<Socket>,
    /// Which games' events of the present wave each spectator has had, one bit each.
    had: Vec<u32>,
    /// The deliveries that the present wave still owes.
    owed: usize,
    deliveries: u64,
    /// Reads of spectators that brought something.
    reads: u64,
    poll: Poll,
    scratch: Vec<u8>,
}

impl<'p> Crowd<'p> {
    fn gather(
        side: Side,
        server: &ServerProcess,
        publisher: Publisher<'p>,
        spectators: usize,
    ) -> Result<Self> {
        let poll = Poll::new()?;
        let join = |index| match side {
            Side::Ours => {
                let mut socket = player::connect(server.endpoint(), index, false)?;
                for &game in publisher.games() {
                    player::watch(&mut socket, game)?;
                }
                Ok(socket)
            }
            Side::Reference => {
                let mut socket = Socket::open(server.endpoint(), index, None)?;
                socket.send("SUB")?;
                Ok(socket)
            }
        };
        let mut sockets: Vec<Socket> = (0..spectators).map(join).collect::<Result<_>>()?;
        for (token, socket) in sockets.iter_mut().enumerate() {
            socket.forget_waiting();
            socket.set_nonblocking(true)?;
            poll.add(&*socket, token)?;
        }
        for (offset, socket) in publisher.sockets().iter().enumerate() {
            poll.add(socket, spectators + offset)?;
        }
        let mut crowd = Self {
            process: Process::new(server.pid()),
            publisher,
            had: vec![0; spectators],
            sockets,
            owed: 0,
            deliveries: 0,
            reads: 0,
            poll,
            scratch: vec![0; 64 * 1024],
        };
        crowd.settle()?;
        Ok(crowd)
    }

    /// Lets what the gathering caused (`watchers`, the reference's subscriptions) come and go.
    fn settle(&mut self) -> Result<()> {
        let time = Stopwatch::start();
        while time.seconds() < 1.5 {
            self.read(Duration::from_millis(100))?;
        }
        Ok(())
    }

    fn measure(&mut self, seconds: f64) -> Result<Sample> {
        let warm = Window::open(self.process)?;
        while warm.seconds() < seconds / 4.0 {
            self.wave()?;
        }
        (self.deliveries, self.reads) = (0, 0);
        let window = Window::open(self.process)?;
        while window.seconds() < seconds && !self.publisher.is_exhausted() {
            self.wave()?;
        }
        ensure!(
            window.seconds() >= seconds / 2.0,
            "the game is too short: it ended after {:.2} s",
            window.seconds()
        );
        window.close(self.deliveries)
    }

    fn per_read(&self) -> f64 {
        self.deliveries as f64 / self.reads as f64
    }

    /// Publishes a wave and reads until everybody has all of it, and the next player the turn.
    fn wave(&mut self) -> Result<()> {
        self.owed = self.sockets.len() * self.publisher.publish()?;
        self.had.fill(0);
        while self.owed > 0 || !self.publisher.is_ready() {
            let ready = self.read(Duration::from_secs(15))?;
            ensure!(ready > 0, "nothing has come for 15 s, though {} deliveries are owed", self.owed);
        }
        Ok(())
    }

    /// Reads every socket that has something; gives their number.
    fn read(&mut self, limit: Duration) -> Result<usize> {
        let ready = self.poll.wait(limit)?;
        for &token in ready {
            let Some(socket) = self.sockets.get_mut(token) else {
                self.publisher.hear(token - self.sockets.len(), &mut self.scratch)?;
                continue;
            };
            let (had, mut count, mut fault) = (&mut self.had[token], 0, None);
            let publisher = &self.publisher;
            socket.read_ready(&mut self.scratch, |text| match take(publisher, had, text) {
                Ok(delivered) => count += usize::from(delivered),
                Err(error) => fault = Some(error),
            })?;
            fault.map_or(Ok(()), Err)?;
            if count > 0 {
                self.owed =
                    self.owed.checked_sub(count).ok_or_else(|| anyhow!("more came than was published"))?;
                self.deliveries += count as u64;
                self.reads += 1;
            }
        }
        Ok(ready.len())
    }
}

/// Whether a frame is an event: then it must be one of the present wave, and the first of its game.
fn take(publisher: &Publisher<'_>, had: &mut u32, text: &[u8]) -> Result<bool> {
    if let Some(game) = publisher.event_of_wave(text)? {
        ensure!(*had & 1 << game == 0, "an event came twice: {}", shown(text));
        *had |= 1 << game;
        return Ok(true);
    }
    for refusal in ["snapshot", "rejected"] {
        let head = format!(r#"{{"t":"{refusal}""#);
        ensure!(!text.starts_with(head.as_bytes()), "a spectator got {}", shown(text));
    }
    Ok(false)
}
