//! A attack of the server: slow handshakes, silent sockets, spectators who never read and a flood, all at once, beside
//! games at a steady rate that must not notice.
//!
//! Each round measures the games alone and attacked, in turns: attacked until the last attacker must have been cut. What
//! comes behind that, the attackers' own look at what the server had written to them, is tens of megabytes at once, and is
//! not measured. How each attacker was cut is counted and compared with what docs/protocol.md says. Limits per address are
//! raised, those per connection are not.

mod attack;
mod attacker;
mod games;
mod report;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;

use crate::conditions::{Conditions, Watch};
use crate::endpoint::Endpoint;
use crate::process;
use crate::process::Process;
use crate::server_process::{ServerProcess, zeitnot_binary};
use crate::stopwatch::Stopwatch;
use attack::Attack;
use attacker::Cuts;
use games::Orders;
use report::Bytes;
pub use report::Report;

/// How often the server's memory is read.
const LOOK_EVERY: f64 = 0.1;

/// The seconds of a attack that are told apart; a later move counts for the last one.
const SECONDS: usize = 20;

/// The windows of measurement of one round: the games alone, then each second of the attack.
const WINDOWS: usize = 1 + SECONDS;

/// Two workers: the machine that the figures of performance.md are for.
const TWO_WORKERS: &[(&str, &str)] = &[("--workers", "2")];

/// How long a round rests behind a attack, so that the next window begins with nothing left of it.
const REST: Duration = Duration::from_secs(2);

/// How large a attack, and for how long.
#[derive(Clone, Debug, Args)]
pub struct DosOptions {
    /// How many rounds; medians are reported.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// How long the games are measured alone in a round, in seconds. A attack lasts as long as the server needs to cut it.
    #[arg(long, default_value_t = 15.0)]
    pub seconds: f64,
    /// The attackers, as a part of 2,000 slow handshakes, 2,000 silent sockets and 1,000 spectators.
    #[arg(long, default_value_t = 1.0)]
    pub scale: f64,
    /// Games beside.
    #[arg(long, default_value_t = 100)]
    pub games: usize,
    /// Moves a second in all games together.
    #[arg(long, default_value_t = 500)]
    pub moves_per_second: u32,
    /// The core of the games' players; the others go where the system likes.
    #[arg(long)]
    pub games_core: Option<usize>,
    /// The `zeitnot` binary; without it the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// What is done, in numbers.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many rounds.
    pub rounds: u32,
    /// How long the games are measured alone in a round, in seconds.
    pub seconds: f64,
    /// Games beside.
    pub games: usize,
    /// Moves a second in all games together.
    pub moves_per_second: u32,
    /// The core of the games' players.
    pub games_core: Option<usize>,
    /// Slow handshakes.
    pub slow: usize,
    /// Silent sockets.
    pub silent: usize,
    /// Spectators who never read.
    pub deaf: usize,
    /// How long the server lets a request's head take.
    pub head_timeout_ms: u32,
    /// Seconds beyond the documented times after which a attacker counts as not cut.
    pub margin: f64,
}

impl From<&DosOptions> for Plan {
    fn from(options: &DosOptions) -> Self {
        let part = |of: f64| (of * options.scale).round() as usize;
        Self {
            rounds: options.rounds,
            seconds: options.seconds,
            games: options.games,
            moves_per_second: options.moves_per_second,
            games_core: options.games_core,
            slow: part(2_000.0),
            silent: part(2_000.0),
            deaf: part(1_000.0),
            head_timeout_ms: 10_000,
            margin: 5.0,
        }
    }
}

/// Runs with these options and writes the report to `out`; says whether all was as it must be.
///
/// # Errors
/// When the server does not come up, or a game beside is disturbed.
pub fn run(options: &DosOptions, out: &mut dyn Write) -> Result<bool> {
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    let mut server =
        ServerProcess::zeitnot_with(&binary, None, &[ServerProcess::ADDRESS_LIMITS, TWO_WORKERS])?;
    let process = Process::new(server.pid());
    let machine = Watch::start(Some(process))?;
    let report = attack(server.endpoint(), Some(server.pid()), &Plan::from(options));
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

/// Besieges a running server.
///
/// # Errors
/// As [`run`].
pub fn attack(endpoint: &Endpoint, pid: Option<u32>, plan: &Plan) -> Result<Report> {
    ensure!(plan.games > 0 && plan.moves_per_second > 0, "there must be games, and moves in them");
    let (orders, windows) = (&Orders::default(), 1 + WINDOWS * plan.rounds as usize);
    thread::scope(|scope| {
        let (begun, games) = sync_channel(1);
        let playing = scope.spawn(move || {
            plan.games_core.map_or(Ok(()), process::move_to)?;
            games::play(endpoint, plan, windows, orders, &begun)
        });
        let rounds = match games.recv() {
            Ok(games) => rounds(endpoint, pid, plan, &games, orders),
            Err(_) => Err(anyhow!("the games did not begin")),
        };
        orders.stop.store(true, Ordering::Relaxed);
        let times = playing.join().map_err(|_| anyhow!("the games' thread panicked"))?;
        let (times, (cuts, memory)) = (times.context("the games beside")?, rounds?);
        Ok(Report::new(plan, &times, cuts, memory))
    })
}

/// All rounds: how everybody was cut, and the memory. Odd rounds begin with the attack.
fn rounds(
    endpoint: &Endpoint,
    pid: Option<u32>,
    plan: &Plan,
    games: &games::Begun,
    orders: &Orders,
) -> Result<(Cuts, Option<Bytes>)> {
    let (mut cuts, mut memory) = (Cuts::default(), Memory::new(pid));
    // The first moves find everything cold.
    thread::sleep(Duration::from_secs_f64(plan.seconds.min(1.0)));
    memory.look()?;
    let before = memory.last;
    for round in 0..plan.rounds as usize {
        let first = 1 + WINDOWS * round;
        let alone = || {
            orders.window.store(first, Ordering::Relaxed);
            thread::sleep(Duration::from_secs_f64(plan.seconds));
            orders.window.store(0, Ordering::Relaxed);
        };
        if round % 2 == 0 {
            alone();
        }
        let attack = Attack::new(endpoint, plan, &games.limits, &games.games)?;
        let since = Stopwatch::start();
        let cut = attack.run(|is_over| {
            let second = (since.seconds() as usize).min(SECONDS - 1);
            orders.window.store(if is_over { 0 } else { first + 1 + second }, Ordering::Relaxed);
            memory.look_now_and_then()
        });
        orders.window.store(0, Ordering::Relaxed);
        cuts.add(&cut?);
        thread::sleep(REST.min(Duration::from_secs_f64(plan.seconds)));
        if round % 2 == 1 {
            alone();
        }
    }
    memory.look()?;
    let bytes = Bytes { before, most: memory.most, after: memory.last };
    Ok((cuts, pid.map(|_| bytes)))
}

/// The server's memory as time goes by.
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

    fn look(&mut self) -> Result<()> {
        if let Some(process) = self.process {
            self.last = process.rss_bytes()?;
            self.most = self.most.max(self.last);
        }
        self.since = Stopwatch::start();
        Ok(())
    }

    fn look_now_and_then(&mut self) -> Result<()> {
        if self.since.seconds() < LOOK_EVERY { Ok(()) } else { self.look() }
    }
}
