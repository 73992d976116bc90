//! Breaks a cluster on purpose while players and spectators are connected to all its nodes: nothing
//! that a client was told may be lost, nothing may appear twice, nobody may lose on time because of the
//! fault, and no socket may close on a node that stays.
//!
//! PostgreSQL, NATS and three nodes are real processes ([`harness`]); between a node and what it needs
//! are proxies that can be cut ([`mod@proxy`]). The seed says what is broken next ([`plan`]). The
//! clients, and the checker that compares all that they were told, are those of [`crate::crash`].
//! [`supervisor`] starts nodes again, [`audit`] reads each game from each node and from the archive,
//! [`totals`] adds up what came of a run, and [`totals_file`] of many. Without faults, [`mod@pace`] measures games over two
//! nodes, and [`mod@join`] how servers join.
//!
//! The clients are one task of one thread; the proxies have a thread of their own.

mod audit;
mod course;
mod database;
mod harness;
mod join;
mod nats;
mod node;
mod pace;
pub mod plan;
pub mod proxy;
mod report;
mod supervisor;
pub mod totals;
pub mod totals_file;

use std::hash::{BuildHasher as _, RandomState};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};

use crate::conditions::Conditions;
use crate::report::Recorder;
use crate::server_process::zeitnot_binary;
use crate::stopwatch;
pub use pace::PaceOptions;
use plan::Kind;
use totals::{Batch, Totals};
use totals_file::TotalsFile;

/// What is done with a cluster, as subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum ClusterOptions {
    /// It is broken.
    #[command(flatten)]
    Break(FaultOptions),
    /// Measures what it costs when players are connected to another node than their game's owner.
    Pace(PaceOptions),
    /// Starts servers that join a cluster, and servers that must not and say so.
    Join(Programs),
}

/// The faults, as subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum FaultOptions {
    /// Kills a node with SIGKILL and starts a new one.
    Kill(Options),
    /// Stops a node with SIGSTOP, and lets it go on after 5 s.
    Stop5(Options),
    /// Stops a node with SIGSTOP, and lets it go on after 30 s.
    Stop30(Options),
    /// Cuts a node off from the database for 12 to 15 s.
    CutDatabase(Options),
    /// Cuts a node off from the bus for 12 to 15 s.
    CutBus(Options),
    /// Cuts a node off from the database and the bus for 12 to 15 s.
    CutBoth(Options),
    /// Cuts the NATS server of a node off from those of the others for 12 to 15 s.
    CutRoutes(Options),
    /// Kills the NATS server and starts it again up to 8 s later.
    Nats(Options),
    /// Kills the NATS server and starts it again 20 s later.
    Nats20(Options),
    /// Stops PostgreSQL, in order or as by a crash, and starts it again.
    Postgres(Options),
    /// Stops the primary and promotes its synchronous standby.
    FailOver(Options),
    /// Promotes the standby while the old primary lives, which can be reached again later.
    Zombie(Options),
    /// Replaces one node after the other: SIGTERM, and a new one starts when it has ended.
    Deploy(Options),
}

/// What a cluster is started from, beside PostgreSQL.
#[derive(Clone, Debug, Default, Args)]
pub struct Programs {
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
    /// The `nats-server` binary; by default the one that ZEITNOT_NATS_SERVER names, that scripts/test
    /// has installed, or that of the system.
    #[arg(long)]
    pub nats: Option<PathBuf>,
}

impl Programs {
    /// The `zeitnot` binary, which the report names.
    fn zeitnot(&self, recorder: &Recorder) -> Result<PathBuf> {
        let binary = zeitnot_binary(self.zeitnot.as_deref())?;
        recorder.server_binary(&binary);
        Ok(binary)
    }
}

/// How often the cluster is broken, and how much is played meanwhile.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Number of faults; with --batch, of all batches in the file together.
    #[arg(long, default_value_t = 5)]
    pub faults: u64,
    /// Number of players, two to a game.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    pub players: u32,
    /// Number of spectators.
    #[arg(long, default_value_t = 400)]
    pub spectators: u32,
    /// Moves per second in all games together.
    #[arg(long, default_value_t = 50)]
    pub rate: u64,
    /// The seed of all random choices; by default a random one.
    #[arg(long)]
    pub seed: Option<u64>,
    /// A file that adds up the faults of many runs. A run makes those that are still missing.
    #[arg(long, value_name = "FILE.json")]
    pub batch: Option<PathBuf>,
    /// An empty folder for the data folders and logs of the nodes; it is kept. By default a temporary
    /// one, which is kept only when something is wrong.
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// What is started.
    #[command(flatten)]
    pub programs: Programs,
}

impl FaultOptions {
    fn split(&self) -> (Kind, &Options) {
        match self {
            Self::Kill(options) => (Kind::Kill, options),
            Self::Stop5(options) => (Kind::Stop5, options),
            Self::Stop30(options) => (Kind::Stop30, options),
            Self::CutDatabase(options) => (Kind::CutDatabase, options),
            Self::CutBus(options) => (Kind::CutBus, options),
            Self::CutBoth(options) => (Kind::CutBoth, options),
            Self::CutRoutes(options) => (Kind::CutRoutes, options),
            Self::Nats(options) => (Kind::Nats, options),
            Self::Nats20(options) => (Kind::Nats20, options),
            Self::Postgres(options) => (Kind::Postgres, options),
            Self::FailOver(options) => (Kind::FailOver, options),
            Self::Zombie(options) => (Kind::Zombie, options),
            Self::Deploy(options) => (Kind::Deploy, options),
        }
    }
}

/// Runs with these options and writes the report to `out`; whether the servers passed.
///
/// # Errors
/// When a server does not start, or a target is missed although this program was too slow to tell.
pub fn run(options: &ClusterOptions, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
    let (kind, options) = match options {
        ClusterOptions::Pace(options) => return pace::run(options, recorder, out),
        ClusterOptions::Join(options) => return join::run(options, recorder, out),
        ClusterOptions::Break(fault) => fault.split(),
    };
    let mut file = options.batch.as_deref().map(TotalsFile::load).transpose()?;
    let done = file.as_ref().map_or(0, |file| file.faults(kind));
    if done < options.faults {
        let options = &Options { faults: options.faults - done, ..options.clone() };
        let (batch, lateness_ms) = batch(kind, options, recorder, out, |batch| {
            if let Some(path) = &options.batch {
                file = Some(TotalsFile::add(path, kind, batch)?);
            }
            Ok(())
        })?;
        let totals = Totals::of(std::slice::from_ref(&batch));
        let holds = report::record(kind, &batch, &totals, recorder);
        batch.findings.iter().try_for_each(|finding| writeln!(out, "{finding}"))?;
        report::write_table(&totals, out)?;
        if file.is_none() {
            writeln!(out, "{}: {totals}", kind.name())?;
        }
        if !totals.is_clean() {
            write_totals(file.as_ref(), kind, out)?;
            return Ok(false);
        }
        let mut conditions = Conditions::default();
        conditions.add_lateness(lateness_ms);
        write_totals(file.as_ref(), kind, out)?;
        if !conditions.conclude(holds)? {
            return Ok(false);
        }
    } else {
        write_totals(file.as_ref(), kind, out)?;
    }
    Ok(file.is_none_or(|file| file.totals(kind).is_clean()))
}

/// What all batches came to; that of this kind is the result.
fn write_totals(file: Option<&TotalsFile>, kind: Kind, out: &mut dyn Write) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    for (name, totals) in file.all().filter(|(name, _)| *name != kind.name()) {
        writeln!(out, "all batches: {name}: {totals}")?;
    }
    writeln!(out, "all batches: {}: {}", kind.name(), file.totals(kind))?;
    Ok(())
}

/// Breaks a new cluster `options.faults` times. What came of it, and how late this program was; `save`
/// is given that after each fault.
///
/// # Errors
/// As [`run`].
pub fn batch(
    kind: Kind,
    options: &Options,
    recorder: &Recorder,
    out: &mut dyn Write,
    save: impl FnMut(&Batch) -> Result<()>,
) -> Result<(Batch, f64)> {
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one("a seed") >> 32);
    let binary = options.programs.zeitnot(recorder)?;
    let temporary = match &options.data {
        Some(_) => None,
        None => Some(tempfile::Builder::new().prefix("zeitnot-cluster-").tempdir()?),
    };
    let home = options.data.as_deref().or(temporary.as_ref().map(tempfile::TempDir::path));
    let home = home.context("there is a folder")?.to_owned();
    std::fs::create_dir_all(&home).with_context(|| format!("cannot create {}", home.display()))?;
    recorder.disk(&home)?;
    writeln!(out, "seed {seed}, {} faults, logs in {}", options.faults, home.display())?;
    out.flush()?;
    let begun = Batch {
        seed,
        began: stopwatch::date(),
        players: options.players as usize,
        spectators: options.spectators as usize,
        ..Batch::default()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(course::run(kind, options, (&binary, &home), begun, recorder, save));
    let is_clean = done.as_ref().is_ok_and(|(batch, _)| batch.findings.is_empty());
    if !is_clean && let Some(temporary) = temporary {
        let kept: &Path = &temporary.keep();
        writeln!(out, "kept: {}", kept.display())?;
    }
    done
}
