//! P6 and P7: what a delivery to a spectator costs, when one game has a crowd.
//!
//! The floor is a server that writes a finished frame to every socket with `try_write`. It publishes the very frames
//! that ours sent in the first round, so both deliver the same bytes. Deliveries are counted at the spectators, event
//! by event: the next move is made when fewer than `window` events are still on their way to somebody.
//!
//! With a window of 1 every event meets an idle crowd. With 8 the players go on while the crowd is served, so events
//! queue up; our players must take turns, and each move waits for its `turn`, while the floor's publisher writes
//! without waiting. The column `per read` says how many events a spectator found at once: the queue that there was.

use std::io::Write;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;

use super::contest::{Comparison, Contest, ContestOptions, Reference, Sample, Side, Window};
use super::lanes::shown;
use super::proc::Process;
use super::publisher::Publisher;
use super::{long_game, seat};
use crate::report::{Series, Target};
use crate::server_process::ServerProcess;
use crate::wire::{Poll, Socket};

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
    pub contest: ContestOptions,
    /// The crowds to measure with a window of 1.
    #[arg(long, value_delimiter = ',', default_value = "1000,5000")]
    pub spectators: Vec<usize>,
    /// The crowd to measure with events queued; 0 for none.
    #[arg(long, default_value_t = 1000)]
    pub queued_spectators: usize,
    /// How many events may be queued there.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(2..=24))]
    pub window: u8,
}

/// Measures, and says whether the musts hold.
pub(crate) fn run(options: &CrowdOptions, out: &mut dyn Write) -> Result<bool> {
    let contest = Contest::new(&options.contest, Some(Reference { name: "fan_server", mode: "pre-direct" }))?;
    let moves = long_game::moves(SEED, PLIES);
    let mut table = Comparison::table("delivery");
    let mut judgements = Vec::new();
    let mut holds = true;
    let mut frames = Vec::new();
    let ones = options.spectators.iter().map(|&spectators| (spectators, 1));
    let queued = (options.queued_spectators, usize::from(options.window));
    for (spectators, window) in ones.chain([queued]).filter(|&(spectators, _)| spectators > 0) {
        let mut per_read = Series::default();
        let comparison = contest.compare(|side, server| {
            let publisher = Publisher::open(side, server.endpoint(), &moves, &mut frames)?;
            let mut crowd = Crowd::gather(side, server, publisher, spectators)?;
            let sample = crowd.measure(window, contest.seconds())?;
            if side == Side::Ours {
                per_read.push(crowd.per_read());
            }
            Ok(sample)
        })?;
        comparison.add_rows(&contest, &format!("{spectators}, window {window}"), &mut table);
        writeln!(out, "{spectators} spectators, window {window}: events per read {per_read}")?;
        let (target, value) = judged(spectators, window, &comparison, &contest);
        if let Some(value) = value {
            holds &= target.holds(value);
            judgements.push(target.judge(value));
        }
    }
    write!(out, "{table}")?;
    ensure!(!judgements.is_empty(), "nothing to judge: give --against fan_server=PATH");
    writeln!(out, "{}", judgements.join("; "))?;
    Ok(holds)
}

fn judged(
    spectators: usize,
    window: usize,
    comparison: &Comparison,
    contest: &Contest,
) -> (Target, Option<f64>) {
    let ratio = || contest.has_reference().then(|| comparison.ratio().median());
    match (spectators, window) {
        (_, 2..) => (P7, Some(comparison.ours.cost.median())),
        (0..3_000, _) => (P6_SMALL, ratio()),
        _ => (P6_LARGE, ratio()),
    }
}

/// Spectators of one game, and what has come to them.
struct Crowd<'p> {
    process: Process,
    publisher: Publisher<'p>,
    sockets: Vec<Socket>,
    tally: Tally,
    poll: Poll,
    scratch: Vec<u8>,
}

/// Which events have come to whom.
#[derive(Debug)]
struct Tally {
    /// How many events each spectator has had.
    had: Vec<usize>,
    /// To how many spectators each event is still on its way.
    missing: Vec<usize>,
    /// Events that everybody has had.
    all_had: usize,
    deliveries: u64,
    reads: u64,
}

impl Tally {
    fn new(spectators: usize) -> Self {
        Self { had: vec![0; spectators], missing: Vec::new(), all_had: 0, deliveries: 0, reads: 0 }
    }

    fn published(&mut self) {
        self.missing.push(self.had.len());
    }

    /// Events that are still on their way to somebody.
    fn on_the_way(&self) -> usize {
        self.missing.len() - self.all_had
    }

    /// One read of a spectator brought its events up to `now`.
    fn delivered(&mut self, spectator: usize, now: usize) -> Result<()> {
        self.reads += 1;
        for event in self.had[spectator]..now {
            let missing = self.missing.get_mut(event).context("an event came that nobody published")?;
            *missing -= 1;
            self.deliveries += 1;
        }
        self.had[spectator] = now;
        while self.missing.get(self.all_had) == Some(&0) {
            self.all_had += 1;
        }
        Ok(())
    }
}

impl<'p> Crowd<'p> {
    fn gather(
        side: Side,
        server: &ServerProcess,
        publisher: Publisher<'p>,
        spectators: usize,
    ) -> Result<Self> {
        let poll = Poll::new()?;
        let mut sockets = Vec::with_capacity(spectators);
        for index in 0..spectators {
            let socket = match (side, publisher.game()) {
                (Side::Ours, Some(game)) => {
                    let mut socket = seat::open(server.endpoint(), index, false)?;
                    seat::watch(&mut socket, game)?;
                    socket
                }
                (Side::Ours, None) => bail!("there is no game to watch"),
                (Side::Reference, _) => {
                    let mut socket = Socket::open(server.endpoint(), index, None)?;
                    socket.send("SUB")?;
                    socket
                }
            };
            sockets.push(socket);
        }
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
            tally: Tally::new(spectators),
            sockets,
            poll,
            scratch: vec![0; 64 * 1024],
        };
        crowd.settle()?;
        Ok(crowd)
    }

    /// Lets what the gathering caused (`watchers`, the reference's subscriptions) come and go.
    fn settle(&mut self) -> Result<()> {
        let time = crate::stopwatch::Stopwatch::start();
        while time.seconds() < 1.5 {
            self.read(Duration::from_millis(100))?;
        }
        ensure!(self.tally.deliveries == 0, "events came before the first move");
        Ok(())
    }

    fn measure(&mut self, window: usize, seconds: f64) -> Result<Sample> {
        let warm = Window::open(self.process)?;
        while warm.seconds() < seconds / 4.0 {
            self.turn(window)?;
        }
        (self.tally.deliveries, self.tally.reads) = (0, 0);
        let open = Window::open(self.process)?;
        while open.seconds() < seconds && !self.publisher.is_exhausted() {
            self.turn(window)?;
        }
        ensure!(
            open.seconds() >= seconds / 2.0,
            "the game is too short: it ended after {:.2} s",
            open.seconds()
        );
        open.close(self.tally.deliveries)
    }

    fn per_read(&self) -> f64 {
        self.tally.deliveries as f64 / self.tally.reads as f64
    }

    fn turn(&mut self, window: usize) -> Result<()> {
        while self.tally.on_the_way() < window && self.publisher.publish()? {
            self.tally.published();
        }
        let ready = self.read(Duration::from_secs(15))?;
        ensure!(
            ready > 0,
            "nothing has come for 15 s, though {} events are on their way",
            self.tally.on_the_way()
        );
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
            let before = self.tally.had[token];
            let (mut now, mut fault) = (before, None);
            let publisher = &self.publisher;
            socket.read_ready(&mut self.scratch, |text| match publisher.event_number(text, now) {
                Some(number) if number == now => now += 1,
                Some(number) => fault = Some(anyhow!("event {number} came in place of {now}")),
                None if text.starts_with(br#"{"t":"snapshot""#) => {
                    fault = Some(anyhow!("a spectator fell behind at event {now} and got a snapshot"));
                }
                None if text.starts_with(br#"{"t":"rejected""#) => fault = Some(anyhow!("{}", shown(text))),
                None => {}
            })?;
            fault.map_or(Ok(()), Err)?;
            if now > before {
                self.tally.delivered(token, now)?;
            }
        }
        Ok(ready.len())
    }
}
