//! Breaks the real server on purpose while hundreds of games are played. Nothing that a client was
//! told may be lost, nothing may appear twice, and nobody may lose on time because of the fault.
//!
//! Players and spectators are real clients that reconnect and send unanswered commands again
//! ([`player`], [`spectator`]). What they receive goes to the [`history_checker`]; after each fault
//! every game is read from its first event and compared ([`audit`]). [`harness`] starts the server
//! and breaks it: by a kill, a pause, a full disk, or a power cut, for which [`trace`] records what
//! was fsynced. [`mod@places`] is where clients connect: the clients of a cluster are the same ones.
//!
//! Everything is one task of one thread. All randomness comes from a seed that is printed first.
//! The seed repeats the plan of a run, not its every step, because the order of messages also
//! depends on the machine.

pub(crate) mod audit;
pub mod clocks;
mod cycles;
mod disk;
pub mod finding;
mod game_history;
mod harness;
pub mod history_checker;
pub mod pauses;
pub(crate) mod places;
pub(crate) mod player;
mod report;
mod script;
pub(crate) mod spectator;
pub mod trace;
pub(crate) mod world;

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::report::Recorder;
use crate::server_process::zeitnot_binary;
pub use report::Report;

/// How often the server is broken, in which way, and how much is played meanwhile.
#[derive(Clone, Debug, Args)]
pub struct CrashOptions {
    /// Number of times that the server is broken.
    #[arg(long, default_value_t = 20)]
    pub cycles: u64,
    /// The fault.
    #[command(flatten)]
    pub kind: FaultFlags,
    /// Registers all players and lets them play short rated games, so that the faults meet many ends of games. While the
    /// server is down, all ratings are compared with the games.
    #[arg(long)]
    pub rated: bool,
    /// The length of a pause, in seconds.
    #[arg(long, default_value_t = 5.0)]
    pub pause_for: f64,
    /// Number of games at a time.
    #[arg(long, default_value_t = 200, value_parser = at_least_one)]
    pub games: usize,
    /// Moves per second in all games together.
    #[arg(long, default_value_t = 200)]
    pub rate: u64,
    /// The seed of all random choices; by default a random one.
    #[arg(long)]
    pub seed: Option<u64>,
    /// An empty folder for the server's data, on the disk to be tested; it is kept. By default a
    /// temporary folder, which is kept only when something is wrong.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// The fault, as flags; without any it is SIGKILL.
#[derive(Clone, Copy, Debug, Default, Args)]
#[group(multiple = false)]
pub struct FaultFlags {
    /// Stops the process with SIGSTOP for --pause-for seconds instead of killing it, with some
    /// players in time trouble.
    #[arg(long)]
    pub pause: bool,
    /// Fills the disk instead: to the last byte if --data is on a small file system, otherwise by a
    /// limit on the size of files.
    #[arg(long)]
    pub full: bool,
    /// Cuts the power: kills the process and restores the files as of their last fsync, with random
    /// parts of later writes. Needs strace.
    #[arg(long)]
    pub powercut: bool,
}

/// A way to break the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    Kill,
    Pause,
    Full,
    PowerCut,
}

impl Fault {
    /// What a report calls it.
    const fn name(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Pause => "pause",
            Self::Full => "full disk",
            Self::PowerCut => "power cut",
        }
    }
}

impl FaultFlags {
    fn fault(self) -> Fault {
        match self {
            Self { pause: true, .. } => Fault::Pause,
            Self { full: true, .. } => Fault::Full,
            Self { powercut: true, .. } => Fault::PowerCut,
            Self { .. } => Fault::Kill,
        }
    }
}

/// Runs with these options and writes the report to `out`; whether the server passed.
///
/// # Errors
/// When the server does not start, does not recover, or sends something that is not valid.
pub fn run(options: &CrashOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one("a seed") >> 32);
    let home = Home::make(options.data.as_deref())?;
    writeln!(out, "seed {seed}, data in {}", home.path().display())?;
    out.flush()?;
    let report = crash(options, home.path(), seed, recorder);
    if !report.as_ref().is_ok_and(Report::is_clean) {
        home.keep();
    }
    let report = report?;
    for finding in &report.findings {
        writeln!(out, "{finding}")?;
    }
    for complaint in &report.complaints {
        writeln!(out, "{complaint}")?;
    }
    for note in &report.notes {
        writeln!(out, "{note}")?;
    }
    if report.excused > 0 {
        writeln!(out, "flag falls not counted, because this program was late itself: {}", report.excused)?;
    }
    writeln!(out, "{report}")?;
    Ok(report.is_clean())
}

/// Breaks a server `options.cycles` times; its data folder is in `home`.
///
/// # Errors
/// As [`run`].
pub fn crash(options: &CrashOptions, home: &Path, seed: u64, recorder: &Recorder) -> Result<Report> {
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    recorder.server_binary(&binary);
    recorder.disk(home)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let report = runtime.block_on(cycles::run(options, binary, home, seed, recorder))?;
    report.record(recorder);
    Ok(report)
}

/// Where the data folder is.
#[derive(Debug)]
enum Home {
    Given(PathBuf),
    Temporary(tempfile::TempDir),
}

impl Home {
    fn make(given: Option<&Path>) -> Result<Self> {
        let Some(path) = given else {
            let made = tempfile::Builder::new().prefix("zeitnot-crash-").tempdir();
            return Ok(Self::Temporary(made.context("cannot create a temporary folder")?));
        };
        std::fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))?;
        let is_empty = std::fs::read_dir(path)?.next().is_none();
        ensure!(is_empty, "{} is not empty: a crash test starts with an empty folder", path.display());
        Ok(Self::Given(path.to_owned()))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Given(path) => path,
            Self::Temporary(folder) => folder.path(),
        }
    }

    fn keep(self) {
        if let Self::Temporary(folder) = self {
            drop(folder.keep());
        }
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number of at least 1".to_owned()),
        Ok(number) => Ok(number),
    }
}
