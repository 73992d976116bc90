//! Denial of service: slow handshakes, silent sockets, spectators that never read, floods of messages
//! and of empty fragments, HTTP requests, and games without end, all at once, beside games at a fixed
//! rate that must not become slower.
//!
//! Each round measures the games alone and under attack, in turns. The attack is measured until the
//! server must have closed the last attacking connection. What follows is not measured: the
//! attackers read what the server had written to them, tens of megabytes at once. How each
//! connection was closed is counted and compared with docs/protocol.md. Limits per address are
//! raised, because thousands of connections share few of them; those per connection are not, and what
//! HTTP requests may cost is not. Attackers have other addresses than the players.
//!
//! Attackers have machines of their own in life. Here they share the server's processor, so all else goes before them:
//! what is measured is what the server does about them, and not what they take from it by running beside it.

mod attack;
mod attacker;
mod endless;
mod games;
mod report;
mod requests;
mod sign_ins;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, ValueEnum};

use crate::conditions::{Conditions, Watch};
use crate::endpoint::Endpoint;
use crate::long_game;
use crate::process;
use crate::process::Process;
use crate::report::{MarkKind, Recorder};
use crate::server_process::{ServerProcess, zeitnot_binary};
use crate::stopwatch::Stopwatch;
use attack::{Attack, Outcome};
use games::Control;
use report::Bytes;
pub use report::Report;

/// How often the server's memory is read.
const LOOK_EVERY: f64 = 0.1;

/// How many seconds of an attack are reported one by one; later moves count for the last one.
const SECONDS: usize = 20;

/// The windows of one round: the games alone, then each second of the attack.
const WINDOWS: usize = 1 + SECONDS;

/// Two workers, as on the machine that the figures of docs/performance.md are from.
const TWO_WORKERS: &[(&str, &str)] = &[("--workers", "2")];

const SEED: u64 = 12;

/// The most half-moves of a game without end: longer than any game that a person plays, and than the server allows.
const ENDLESS_PLIES: usize = 3_000;

/// The pause after an attack, so that the next window starts with nothing left of it.
const REST: Duration = Duration::from_secs(2);

/// About how long an attack takes, in seconds: until the slowest handshake is closed.
const ATTACK_TAKES: f64 = 25.0;

/// A part of the attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Part {
    /// Slow handshakes.
    Slow,
    /// Silent sockets.
    Silent,
    /// Spectators that never read.
    Unread,
    /// A flood of messages.
    Flood,
    /// A flood of empty fragments.
    Fragments,
    /// HTTP requests.
    Http,
    /// Games without end.
    Endless,
    /// Sign-ins with wrong passwords.
    SignIns,
}

impl Part {
    /// Those that go on all at once. Sign-ins are a measurement of their own.
    const ALL: [Self; 7] =
        [Self::Slow, Self::Silent, Self::Unread, Self::Flood, Self::Fragments, Self::Http, Self::Endless];
}

/// The size of the attack, and how it is measured.
#[derive(Clone, Debug, Args)]
pub struct DosOptions {
    /// Number of rounds; medians are reported.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// How long the games are measured alone in a round, in seconds. An attack lasts until the
    /// server has closed its connections.
    #[arg(long, default_value_t = 15.0)]
    pub seconds: f64,
    /// The number of attacking connections, relative to 2,000 slow handshakes, 2,000 silent sockets,
    /// 1,000 spectators, 64 HTTP clients, 8 games without end and 200 sign-ins a second.
    #[arg(long, default_value_t = 1.0)]
    pub scale: f64,
    /// The parts of the attack, separated by commas; by default all but sign-ins.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Part::ALL)]
    pub parts: Vec<Part>,
    /// Number of games beside the attack.
    #[arg(long, default_value_t = 100)]
    pub games: usize,
    /// Moves per second in all games together.
    #[arg(long, default_value_t = 500)]
    pub moves_per_second: u32,
    /// Pins the games' players to this core; by default nothing is pinned.
    #[arg(long)]
    pub games_core: Option<usize>,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// The size of an attack, and how it is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Number of rounds.
    pub rounds: u32,
    /// How long the games are measured alone in a round, in seconds.
    pub seconds: f64,
    /// Number of games beside the attack.
    pub games: usize,
    /// Moves per second in all games together.
    pub moves_per_second: u32,
    /// The core of the games' players.
    pub games_core: Option<usize>,
    /// Number of slow handshakes.
    pub slow: usize,
    /// Number of silent sockets.
    pub silent: usize,
    /// Number of spectators that never read.
    pub unread: usize,
    /// Whether there is a flood of messages, and of empty fragments.
    pub floods: [bool; 2],
    /// Number of HTTP clients.
    pub http: usize,
    /// Number of games without end.
    pub endless: usize,
    /// Sign-ins in a second, for as long as the games are measured alone.
    pub sign_ins: f64,
    /// How long the head of a request may take at the server.
    pub head_timeout_ms: u32,
    /// Seconds after the documented time after which a connection counts as not closed.
    pub margin: f64,
}

impl From<&DosOptions> for Plan {
    fn from(options: &DosOptions) -> Self {
        let has = |part| options.parts.contains(&part);
        let count = |part, of: f64| if has(part) { (of * options.scale).round() as usize } else { 0 };
        Self {
            rounds: options.rounds,
            seconds: options.seconds,
            games: options.games,
            moves_per_second: options.moves_per_second,
            games_core: options.games_core,
            slow: count(Part::Slow, 2_000.0),
            silent: count(Part::Silent, 2_000.0),
            unread: count(Part::Unread, 1_000.0),
            floods: [has(Part::Flood), has(Part::Fragments)],
            http: count(Part::Http, 64.0),
            endless: count(Part::Endless, 8.0),
            sign_ins: if has(Part::SignIns) { 200.0 * options.scale } else { 0.0 },
            head_timeout_ms: 10_000,
            margin: 5.0,
        }
    }
}

/// Runs with these options and writes the report to `out`; whether the server passed.
///
/// # Errors
/// When the server does not start, or a game is disturbed; and
/// [`Inconclusive`](crate::conditions::Inconclusive) when the games were slow under conditions that
/// did not hold.
pub fn run(options: &DosOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    recorder.server_binary(&binary);
    let mut server =
        ServerProcess::zeitnot_with(&binary, None, &[ServerProcess::ADDRESS_LIMITS, TWO_WORKERS])?;
    recorder.watch("zeitnot", &server);
    let process = Process::new(server.pid());
    let machine = Watch::start(Some(process))?;
    let report = attack(server.endpoint(), Some(server.pid()), &Plan::from(options), recorder);
    let report = report.or_else(|error| server.check_alive().and(Err(error)))?;
    write!(out, "{}", report.table())?;
    writeln!(out, "{report}")?;
    if report.wrong() > 0 {
        return Ok(false);
    }
    let mut conditions = Conditions::default();
    conditions.add_others(machine.others_percent(process)?);
    conditions.add_lateness(report.late_ms());
    conditions.conclude(report.is_clean())
}

/// Attacks a running server.
///
/// # Errors
/// As [`run`].
pub fn attack(endpoint: &Endpoint, pid: Option<u32>, plan: &Plan, recorder: &Recorder) -> Result<Report> {
    ensure!(plan.games > 0 && plan.moves_per_second > 0, "--games and --moves-per-second: at least one");
    recorder.progress().plan(plan.rounds.into(), "rounds", plan.seconds + ATTACK_TAKES);
    let (control, windows) = (&Control::default(), 1 + WINDOWS * plan.rounds as usize);
    thread::scope(|scope| {
        let (started, games) = sync_channel(1);
        let playing = scope.spawn(move || {
            plan.games_core.map_or(Ok(()), process::move_to)?;
            games::play(endpoint, plan, windows, control, recorder, &started)
        });
        let rounds = match games.recv() {
            Ok(games) => process::yield_to_others()
                .and_then(|()| rounds(endpoint, pid, plan, &games, control, recorder)),
            Err(_) => Err(anyhow!("the games did not start")),
        };
        control.stop.store(true, Ordering::Relaxed);
        let times = playing.join().map_err(|_| anyhow!("the games' thread panicked"))?;
        let (times, (outcome, memory)) = (times.context("the games")?, rounds?);
        let report = Report::new(plan, &times, outcome, memory);
        report.record(&times, recorder);
        Ok(report)
    })
}

/// Runs all rounds. Returns how the connections were closed, and the memory. Odd rounds start with
/// the attack.
fn rounds(
    endpoint: &Endpoint,
    pid: Option<u32>,
    plan: &Plan,
    games: &games::Started,
    control: &Control,
    recorder: &Recorder,
) -> Result<(Outcome, Option<Bytes>)> {
    let (mut outcome, mut memory) = (Outcome::default(), Memory::new(pid));
    let moves = long_game::moves(SEED, ENDLESS_PLIES);
    // The first moves meet cold caches.
    thread::sleep(Duration::from_secs_f64(plan.seconds.min(1.0)));
    memory.read()?;
    let before = memory.last;
    for round in 0..plan.rounds as usize {
        let first = 1 + WINDOWS * round;
        let alone = || {
            let phase = recorder.begin(MarkKind::Phase, "alone");
            control.window.store(first, Ordering::Relaxed);
            thread::sleep(Duration::from_secs_f64(plan.seconds));
            control.window.store(0, Ordering::Relaxed);
            recorder.end(phase);
        };
        if round % 2 == 0 {
            alone();
        }
        let attack = Attack::new(endpoint, plan, &games.limits, &games.games, &moves)?;
        let phase = recorder.begin(MarkKind::Phase, "attack");
        let since = Stopwatch::start();
        let came = attack.run(|is_over| {
            let second = (since.seconds() as usize).min(SECONDS - 1);
            control.window.store(if is_over { 0 } else { first + 1 + second }, Ordering::Relaxed);
            memory.read_sometimes()
        });
        control.window.store(0, Ordering::Relaxed);
        recorder.end(phase);
        outcome.add(&came?);
        thread::sleep(REST.min(Duration::from_secs_f64(plan.seconds)));
        if round % 2 == 1 {
            alone();
        }
        recorder.progress().step();
    }
    memory.read()?;
    let bytes = Bytes { before, most: memory.most, after: memory.last };
    Ok((outcome, pid.map(|_| bytes)))
}

/// The server's memory over time.
struct Memory {
    process: Option<Process>,
    since: Stopwatch,
    last: f64,
    most: f64,
}

impl Memory {
    fn new(pid: Option<u32>) -> Self {
        Self { process: pid.map(Process::new), since: Stopwatch::start(), last: 0.0, most: 0.0 }
    }

    fn read(&mut self) -> Result<()> {
        if let Some(process) = self.process {
            self.last = process.rss_bytes()?;
            self.most = self.most.max(self.last);
        }
        self.since = Stopwatch::start();
        Ok(())
    }

    fn read_sometimes(&mut self) -> Result<()> {
        if self.since.seconds() < LOOK_EVERY { Ok(()) } else { self.read() }
    }
}
