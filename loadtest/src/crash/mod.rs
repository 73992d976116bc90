//! The real server, broken on purpose while hundreds of games are played: nothing that anybody was told may be lost,
//! nothing may be there twice, and nobody may be flagged.
//!
//! Players and spectators are real clients, which come back and send again ([`player`], [`spectator`]). What they hear is
//! kept in a [`ledger`], which is the checker; after each fault every game is read from its start and compared
//! ([`audit`]). [`rig`] starts the server and breaks it: by a kill, a pause, a full disk, or a power cut, for which [`trace`]
//! records what was fsynced.
//!
//! Everything is one task of one thread. All that is random comes from a seed that is printed first; what a run makes of
//! it also depends on the machine's timing, so a seed repeats the plan of a run, not its every step.

mod audit;
pub mod clocks;
mod cycles;
mod disk;
pub mod finding;
mod game_history;
mod harness;
pub mod history_checker;
mod player;
mod report;
mod script;
mod spectator;
pub mod trace;
mod world;

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::server_process::zeitnot_binary;
pub use report::Report;

/// How often, in which way, and how much is played meanwhile.
#[derive(Clone, Debug, Args)]
pub struct CrashOptions {
    /// How often the server is broken.
    #[arg(long, default_value_t = 20)]
    pub cycles: u64,
    /// In which way.
    #[command(flatten)]
    pub kind: Kind,
    /// How long a pause is, in seconds.
    #[arg(long, default_value_t = 5.0)]
    pub pause_for: f64,
    /// Games at a time.
    #[arg(long, default_value_t = 200, value_parser = at_least_one)]
    pub games: usize,
    /// Moves a second, in all games together.
    #[arg(long, default_value_t = 200)]
    pub rate: u64,
    /// Where random numbers begin; without it, anywhere.
    #[arg(long)]
    pub seed: Option<u64>,
    /// An empty folder for the server's data, on the disk that is to be tried; it is kept. Without it a temporary one,
    /// which is kept when something is wrong.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// The `zeitnot` binary; without it the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// The ways as flags; without any it is SIGKILL.
#[derive(Clone, Copy, Debug, Default, Args)]
#[group(multiple = false)]
pub struct Kind {
    /// Stops the process for 5 s instead of killing it, with some players in time trouble.
    #[arg(long)]
    pub pause: bool,
    /// Lets the data folder fill up instead: to the last byte where --data is on a small file system, else by a limit on
    /// the size of files.
    #[arg(long)]
    pub full: bool,
    /// Kills it and goes on from the files as of their last fsync, or with parts of what was written since. Needs strace.
    #[arg(long)]
    pub powercut: bool,
}

/// A way to break a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Kill,
    Pause,
    Full,
    PowerCut,
}

impl Kind {
    fn mode(self) -> Mode {
        match self {
            Self { pause: true, .. } => Mode::Pause,
            Self { full: true, .. } => Mode::Full,
            Self { powercut: true, .. } => Mode::PowerCut,
            Self { .. } => Mode::Kill,
        }
    }
}

/// Runs with these options and writes the report to `out`; says whether all was as it must be.
///
/// # Errors
/// When the server cannot be started, or does not come back, or says what no server may say.
pub fn run(options: &CrashOptions, out: &mut dyn Write) -> Result<bool> {
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one("a seed") >> 32);
    let home = Home::make(options.data.as_deref())?;
    writeln!(out, "seed {seed}, data in {}", home.path().display())?;
    out.flush()?;
    let report = crash(options, home.path(), seed);
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
        writeln!(out, "flags not counted, because this program was late itself: {}", report.excused)?;
    }
    writeln!(out, "{report}")?;
    Ok(report.is_clean())
}

/// Breaks a server `options.cycles` times; its data are in `home`.
///
/// # Errors
/// As [`run`].
pub fn crash(options: &CrashOptions, home: &Path, seed: u64) -> Result<Report> {
    let binary = zeitnot_binary(options.zeitnot.as_deref())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(cycles::run(options, binary, home, seed))
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
            return Ok(Self::Temporary(made.context("cannot make a temporary folder")?));
        };
        std::fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        let is_empty = std::fs::read_dir(path)?.next().is_none();
        ensure!(is_empty, "{} is not empty: a crash test begins with nothing", path.display());
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
        Ok(0) | Err(_) => Err("a number from 1 on".to_owned()),
        Ok(number) => Ok(number),
    }
}
