//! P6 and P7: what a delivery to a spectator costs when a game has many of them.
//!
//! Events are published in waves: the next wave follows when every spectator has received all of
//! the last one. A wave of one event is P6: every spectator watches one game. A wave of eight is P7,
//! where events queue up at each socket: two players play eight games at once, every spectator watches
//! all eight, and the eight moves of a wave are sent in one write. One game could not do this,
//! because each of its moves must wait for the other player's.
//!
//! The reference writes a finished frame to every socket with `try_write`. It publishes the frames
//! that our server sent in the first round, wave by wave, so both deliver the same bytes.

use std::io::Write;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use clap::Args;

use super::closed_loop::shown;
use super::comparison::{Comparison, ComparisonOptions, Costs, Reference, Sample, Side, Window};
use super::publisher::{Publisher, Waves};
use crate::conditions::Inconclusive;
use crate::process::Process;
use crate::report::{Recorder, Series, Target};
use crate::server_process::ServerProcess;
use crate::stopwatch::Stopwatch;
use crate::wire::{Poll, Socket};
use crate::{long_game, player};

const P6_SMALL: Target = Target { name: "P6 at 1,000", must: 1.3, aim: 1.15, unit: "x" };
const P6_LARGE: Target = Target { name: "P6 at 5,000", must: 1.4, aim: 1.2, unit: "x" };

/// The reference sends each queued event in a write of its own, so the ratio is what writing them
/// together saves. It was derived from 1.3 µs (required) and 0.95 µs (aim) per delivery beside 3.8
/// µs of the reference.
const P7: Target = Target { name: "P7", must: 0.35, aim: 0.25, unit: "x" };

/// The seed and the length of the game that is played.
const SEED: u64 = 20_261_101;
const PLIES: usize = 6_000;

/// About how long it takes to start a server and connect a crowd, in seconds.
const BEGINS_WITHIN: f64 = 4.0;

/// How many spectators, and how many events at a time.
#[derive(Clone, Debug, Args)]
pub struct CrowdOptions {
    /// Shared options.
    #[command(flatten)]
    pub comparison: ComparisonOptions,
    /// P6: numbers of spectators that receive one event at a time.
    #[arg(long, value_delimiter = ',', default_value = "1000,5000")]
    pub spectators: Vec<usize>,
    /// P7: the number of spectators that receive several events at a time; 0 skips P7.
    #[arg(long, default_value_t = 1000)]
    pub queued_spectators: usize,
    /// P7: how many events at a time.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(2..=32))]
    pub queued: u8,
}

/// Measures; whether the required targets hold.
pub(crate) fn run(options: &CrowdOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let comparison = Comparison::new(
        &options.comparison,
        Some(Reference { name: "fan_server", mode: "pre-direct" }),
        recorder,
    )?;
    let moves = long_game::moves(SEED, PLIES);
    let mut table = Costs::table("delivery");
    let mut judgements = Vec::new();
    let mut holds = true;
    let single = options.spectators.iter().map(|&spectators| (spectators, 1));
    let queued = (options.queued_spectators, usize::from(options.queued));
    let conditions: Vec<_> = single.chain([queued]).filter(|&(spectators, _)| spectators > 0).collect();
    // A quarter of the time warms up.
    comparison.plan(conditions.len(), comparison.seconds() * 1.25 + BEGINS_WITHIN);
    for (spectators, events) in conditions {
        let condition = format!("{spectators}, {events} at a time");
        let mut waves = Waves::default();
        let mut per_read = Series::default();
        let costs = comparison.compare(&condition, |side, server| {
            let publisher = Publisher::open(side, server.endpoint(), &moves, events, &mut waves)?;
            let mut crowd = Crowd::connect(side, server, publisher, spectators)?;
            let sample = crowd.measure(comparison.seconds())?;
            if side == Side::Ours {
                per_read.push(crowd.per_read());
            }
            Ok(sample)
        })?;
        costs.add_rows(&comparison, &condition, &mut table);
        costs.record(&comparison, &condition, "delivery");
        writeln!(out, "{spectators} spectators, {events} at a time: {per_read} events per read")?;
        let (target, value) = judged(spectators, events, &costs, &comparison);
        if let Some(value) = value {
            costs.record_ratio(&comparison, &condition, &target);
            holds &= target.holds(value);
            judgements.push(target.judge(value));
        }
    }
    write!(out, "{table}")?;
    if judgements.is_empty() {
        writeln!(out, "P6, P7: no ratio; give --against fan_server=PATH")?;
    } else {
        writeln!(out, "{}", judgements.join("; "))?;
    }
    Ok(holds)
}

fn judged(
    spectators: usize,
    events: usize,
    costs: &Costs,
    comparison: &Comparison<'_>,
) -> (Target, Option<f64>) {
    let target = match (spectators, events) {
        (_, 2..) => P7,
        (0..3_000, _) => P6_SMALL,
        _ => P6_LARGE,
    };
    (target, comparison.has_reference().then(|| costs.ratio().median()))
}

/// The spectators, and what they have received.
struct Crowd<'p> {
    process: Process,
    publisher: Publisher<'p>,
    sockets: Vec<Socket>,
    /// Which events of the current wave each spectator has received: one bit per game.
    received: Vec<u32>,
    /// How many deliveries of the current wave are missing.
    missing: usize,
    deliveries: u64,
    /// Reads that returned at least one event.
    reads: u64,
    poll: Poll,
    scratch: Vec<u8>,
}

impl<'p> Crowd<'p> {
    fn connect(
        side: Side,
        server: &ServerProcess,
        mut publisher: Publisher<'p>,
        spectators: usize,
    ) -> Result<Self> {
        let poll = Poll::new()?;
        let games = publisher.games().to_vec();
        let join = |index| match side {
            Side::Ours => {
                let mut socket = player::connect(server.endpoint(), index, false)?;
                for &game in &games {
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
        let sockets = publisher.connect_others((0..spectators).map(join))?;
        for (token, socket) in sockets.iter().chain(publisher.sockets()).enumerate() {
            poll.add(socket, token)?;
        }
        let mut crowd = Self {
            process: Process::new(server.pid()),
            publisher,
            received: vec![0; spectators],
            sockets,
            missing: 0,
            deliveries: 0,
            reads: 0,
            poll,
            scratch: vec![0; 64 * 1024],
        };
        crowd.settle()?;
        Ok(crowd)
    }

    /// Waits until what the subscriptions caused, such as `watchers`, has been received.
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
        let measured = window.seconds();
        if measured < seconds / 2.0 {
            let why =
                format!("the game has no moves left after {measured:.2} s; measure for fewer --seconds");
            return Err(Inconclusive(why).into());
        }
        window.close(self.deliveries)
    }

    fn per_read(&self) -> f64 {
        self.deliveries as f64 / self.reads as f64
    }

    /// Publishes a wave and reads until every spectator has all of it and the next player has the
    /// turn.
    fn wave(&mut self) -> Result<()> {
        self.missing = self.sockets.len() * self.publisher.publish()?;
        self.received.fill(0);
        while self.missing > 0 || !self.publisher.is_ready() {
            let ready = self.read(Duration::from_secs(15))?;
            ensure!(ready > 0, "nothing was received for 15 s, but {} deliveries are missing", self.missing);
        }
        Ok(())
    }

    /// Reads every readable socket; returns their number.
    fn read(&mut self, limit: Duration) -> Result<usize> {
        let ready = self.poll.wait(limit)?;
        for &token in ready {
            let Some(socket) = self.sockets.get_mut(token) else {
                self.publisher.receive(token - self.sockets.len(), &mut self.scratch)?;
                continue;
            };
            let (received, mut count, mut fault) = (&mut self.received[token], 0, None);
            let publisher = &self.publisher;
            socket.read_ready(&mut self.scratch, |text| match take(publisher, received, text) {
                Ok(delivered) => count += usize::from(delivered),
                Err(error) => fault = Some(error),
            })?;
            fault.map_or(Ok(()), Err)?;
            if count > 0 {
                self.missing = self
                    .missing
                    .checked_sub(count)
                    .ok_or_else(|| anyhow!("more was delivered than was published"))?;
                self.deliveries += count as u64;
                self.reads += 1;
            }
        }
        Ok(ready.len())
    }
}

/// Whether a frame is an event. If so, it must be one of the current wave, and the first of its
/// game.
fn take(publisher: &Publisher<'_>, received: &mut u32, text: &[u8]) -> Result<bool> {
    if let Some(game) = publisher.event_of_wave(text)? {
        ensure!(*received & 1 << game == 0, "an event was delivered twice: {}", shown(text));
        *received |= 1 << game;
        return Ok(true);
    }
    for unexpected in ["snapshot", "rejected"] {
        let head = format!(r#"{{"t":"{unexpected}""#);
        ensure!(!text.starts_with(head.as_bytes()), "a spectator received {}", shown(text));
    }
    Ok(false)
}
