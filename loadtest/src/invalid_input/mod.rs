//! Malformed frames and forbidden commands by the hundred thousand. Each must be answered as
//! docs/protocol.md says, a game in the background must go on undisturbed, and the server's memory
//! must not grow.
//!
//! The cases are tables ([`frames`], [`commands`]); [`sender`] sends one and checks the answer;
//! [`background_game`] is the game that must not be disturbed. Limits per address are raised, those
//! per connection are not: a sender reconnects when it reaches one.

mod background_game;
mod commands;
mod fixture;
mod frames;
mod sender;

use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::endpoint::Endpoint;
use crate::process::Process;
use crate::report::Recorder;
use crate::server_process::{ServerProcess, zeitnot_binary};
use background_game::BackgroundGame;
use fixture::Fixture;
use sender::{Senders, WrongAnswer};

/// After so many inputs memory is read for the first time.
const SETTLED: u64 = 10_000;

/// How much memory may have grown since then, in bytes.
const GROWTH_MAX: f64 = 1024.0 * 1024.0;

/// The background game advances once per so many inputs.
const MOVE_EVERY: u64 = 1_000;

/// The most wrong answers that are shown.
const SHOWN: usize = 20;

/// About how long one input takes, in seconds.
const INPUT_TAKES: f64 = 0.000_2;

/// How many inputs, and to which server.
#[derive(Clone, Debug, Args)]
pub struct InvalidInputOptions {
    /// The server, such as ws://127.0.0.1:8080, with its limits per address raised; by default the
    /// `zeitnot` beside this program is started.
    #[arg(long)]
    pub server: Option<String>,
    /// The process id of that server, if it runs on this machine, to watch its memory.
    #[arg(long, requires = "server")]
    pub pid: Option<u32>,
    /// Number of frames and commands to send.
    #[arg(long, default_value_t = 100_000)]
    pub count: u64,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long, conflicts_with = "server")]
    pub zeitnot: Option<PathBuf>,
}

/// The result. Its `Display` is the last line of the report.
#[derive(Debug)]
pub struct Report {
    /// Frames and commands sent.
    pub sent: u64,
    /// Number of cases of malformed frames.
    pub frame_kinds: usize,
    /// Number of cases of forbidden commands.
    pub command_kinds: usize,
    /// Answers that were not as documented.
    pub wrong: u64,
    /// The first of them.
    pub shown: Vec<WrongAnswer>,
    /// Connections made.
    pub connections: u64,
    /// Moves of the background game, all of them answered correctly.
    pub moves_beside: usize,
    /// The server's memory in bytes after the first 10,000 and at the end.
    pub memory: Option<(f64, f64)>,
}

impl Report {
    /// Whether every answer was correct and memory did not grow.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.wrong == 0 && self.memory.is_none_or(|(settled, end)| (end - settled).abs() <= GROWTH_MAX)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sent, frame_kinds, command_kinds, wrong, connections, moves_beside, .. } = self;
        write!(
            f,
            "invalid-input: sent {sent}, malformed frames {frame_kinds} cases, forbidden commands {command_kinds} cases, \
             wrong answers {wrong}, connections {connections}, background moves {moves_beside}, "
        )?;
        match self.memory {
            Some((settled, end)) => {
                let mib = |bytes: f64| bytes / 1024.0 / 1024.0;
                write!(f, "RSS {:.2} MiB, then {:.2} ({:+.2})", mib(settled), mib(end), mib(end - settled))
            }
            None => f.write_str("RSS not watched"),
        }
    }
}

/// Runs with these options and writes the report to `out`; whether the server passed.
///
/// # Errors
/// When no server can be reached, it ends, or the background game is disturbed.
pub fn run(options: &InvalidInputOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let process = match &options.server {
        Some(_) => None,
        None => Some(ServerProcess::zeitnot_with(
            &zeitnot_binary(options.zeitnot.as_deref())?,
            None,
            &[ServerProcess::ADDRESS_LIMITS],
        )?),
    };
    let endpoint = match (&options.server, &process) {
        (Some(server), _) => Endpoint::parse(server)?,
        (None, Some(process)) => process.endpoint().clone(),
        (None, None) => unreachable!("without a server one was started"),
    };
    let pid = process.as_ref().map(ServerProcess::pid).or(options.pid);
    process.iter().for_each(|process| recorder.watch("zeitnot", process));
    let report = send(&endpoint, pid, options.count, recorder)?;
    for wrong in &report.shown {
        writeln!(out, "{wrong}")?;
    }
    writeln!(out, "{report}")?;
    Ok(report.is_clean())
}

/// Sends `count` inputs, all cases in turn.
///
/// # Errors
/// As [`run`].
pub fn send(endpoint: &Endpoint, pid: Option<u32>, count: u64, recorder: &Recorder) -> Result<Report> {
    ensure!(count > 0, "--count: at least one");
    let process = pid.map(Process::new);
    let frames = frames::cases();
    let fixture = Fixture::create(endpoint)?;
    let commands = commands::cases(&fixture);
    let (frame_kinds, command_kinds) = (frames.len(), commands.len());
    let cases: Vec<_> = frames.into_iter().chain(commands).collect();
    let mut background_game = BackgroundGame::start(endpoint)?;
    let mut senders = Senders::new(endpoint, &fixture);
    let (mut wrong, mut shown, mut settled) = (0, Vec::new(), None);
    recorder.progress().plan(count, "inputs", INPUT_TAKES);
    for (case, number) in cases.iter().cycle().zip(1..=count) {
        if let Some(answer) = senders.send(case).with_context(|| format!("input {number}: {}", case.name))? {
            wrong += 1;
            if !shown.contains(&answer) && shown.len() < SHOWN {
                shown.push(answer);
            }
        }
        if number % MOVE_EVERY == 0 {
            background_game.advance().context("the background game")?;
        }
        if number == SETTLED {
            settled = memory(process)?;
        }
        recorder.progress().step();
    }
    let end = memory(process)?;
    fixture.check_untouched(endpoint)?;
    Ok(Report {
        sent: count,
        frame_kinds,
        command_kinds,
        wrong,
        shown,
        connections: senders.connections(),
        moves_beside: background_game.moves(),
        memory: settled.zip(end),
    })
}

/// The memory one second after the last input, when closed connections have been freed.
fn memory(process: Option<Process>) -> Result<Option<f64>> {
    let Some(process) = process else { return Ok(None) };
    std::thread::sleep(Duration::from_secs(1));
    process.rss_bytes().map(Some)
}
