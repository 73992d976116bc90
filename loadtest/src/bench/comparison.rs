//! Compares our server with a reference: the same generator, in turns, over several rounds.
//!
//! Each measurement starts a fresh server with one worker, pinned to one core; the generator runs
//! on another. Odd rounds begin with the other side, so that drift of the machine affects both. The
//! figure is the server's CPU time per operation, never the generator's.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::process;
use crate::process::Process;
use crate::report::{Better, Figure, Recorder, Series, Table, Target};
use crate::server_process::{Flags, ServerProcess, zeitnot_binary};
use crate::stopwatch::Stopwatch;

/// The options that most benches share.
#[derive(Clone, Debug, Args)]
pub struct ComparisonOptions {
    /// The reference server and its binary, such as chess_server=/path/to/chess_server.
    #[arg(long, value_name = "NAME=PATH")]
    pub against: Option<String>,
    /// Number of rounds; medians are reported.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// How long each server is measured in a round, in seconds.
    #[arg(long, default_value_t = 2.0)]
    pub seconds: f64,
    /// The core that the server is pinned to.
    #[arg(long, default_value_t = 0)]
    pub server_core: usize,
    /// The core that this program is pinned to.
    #[arg(long, default_value_t = 1)]
    pub generator_core: usize,
    /// Where `zeitnot` keeps its journal: by default in memory, as the reference servers do, except
    /// in `bench games`.
    #[arg(long)]
    pub journal: Option<JournalKind>,
    /// The `zeitnot` binary; by default the one beside this program.
    #[arg(long)]
    pub zeitnot: Option<PathBuf>,
}

/// Where `zeitnot` keeps its journal while it is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum JournalKind {
    /// In memory; the reference servers store nothing.
    Memory,
    /// On disk as in production, in a temporary folder.
    Sqlite,
}

impl JournalKind {
    fn flags(self) -> Flags {
        match self {
            Self::Memory => ServerProcess::IN_MEMORY,
            Self::Sqlite => ServerProcess::ON_DISK,
        }
    }
}

/// The server that is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The `zeitnot` binary.
    Ours,
    /// The reference.
    Reference,
}

/// A reference server: its name for --against, and the mode that it is started in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    pub(crate) name: &'static str,
    pub(crate) mode: &'static str,
}

/// The two servers of a bench.
#[derive(Debug)]
pub(crate) struct Comparison<'r> {
    options: ComparisonOptions,
    ours: PathBuf,
    reference: Option<(Reference, PathBuf)>,
    recorder: &'r Recorder,
}

impl<'r> Comparison<'r> {
    /// Checks that both binaries exist, and pins this thread to its core.
    pub(crate) fn new(
        options: &ComparisonOptions,
        reference: Option<Reference>,
        recorder: &'r Recorder,
    ) -> Result<Self> {
        let ours = zeitnot_binary(options.zeitnot.as_deref())?;
        recorder.server_binary(&ours);
        let reference = match (&options.against, reference) {
            (None, _) => None,
            (Some(against), None) => bail!("this bench has no reference: omit --against {against}"),
            (Some(against), Some(reference)) => Some((reference, reference_binary(against, reference.name)?)),
        };
        process::move_to(options.generator_core)?;
        Ok(Self { options: options.clone(), ours, reference, recorder })
    }

    /// The bench measures every side in every round, under so many conditions; each takes about so many
    /// seconds.
    pub(crate) fn plan(&self, conditions: usize, seconds: f64) {
        let sides = if self.has_reference() { 2 } else { 1 };
        let steps = conditions as u64 * u64::from(self.options.rounds) * sides;
        self.recorder.progress().plan(steps, "measurements", seconds);
    }

    /// Starts a fresh server.
    pub(crate) fn start(&self, side: Side) -> Result<ServerProcess> {
        let core = self.options.server_core;
        let server = match (side, &self.reference) {
            (Side::Ours, _) => ServerProcess::zeitnot_on(&self.ours, core, self.journal().flags()),
            (Side::Reference, Some((reference, path))) => {
                ServerProcess::reference(path, reference.mode, core)
            }
            (Side::Reference, None) => bail!("there is no reference"),
        }?;
        self.recorder.watch(self.name(side), &server);
        Ok(server)
    }

    /// Does one measurement, with its name in the report.
    pub(crate) fn one<T>(
        &self,
        what: &str,
        round: u32,
        side: Side,
        act: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let name = format!("{what}, round {round}, {}", self.name(side));
        let done =
            self.recorder.phase(&name, act).with_context(|| format!("round {round}, {}", self.name(side)))?;
        self.recorder.progress().step();
        Ok(done)
    }

    /// Where our server keeps its journal.
    pub(crate) fn journal(&self) -> JournalKind {
        self.options.journal.unwrap_or(JournalKind::Memory)
    }

    /// How long each side is measured in a round, in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.options.seconds
    }

    pub(crate) fn rounds(&self) -> u32 {
        self.options.rounds
    }

    /// The name of a side in tables.
    pub(crate) fn name(&self, side: Side) -> &'static str {
        match (side, &self.reference) {
            (Side::Reference, Some((reference, _))) => reference.name,
            _ => "zeitnot",
        }
    }

    /// Whether a reference was given.
    pub(crate) fn has_reference(&self) -> bool {
        self.reference.is_some()
    }

    /// Measures every side once per round. `what` is the condition.
    pub(crate) fn compare(
        &self,
        what: &str,
        mut measure: impl FnMut(Side, &mut ServerProcess) -> Result<Sample>,
    ) -> Result<Costs> {
        let mut costs = Costs::default();
        for round in 0..self.options.rounds {
            let mut sides = vec![Side::Ours];
            if self.has_reference() {
                sides.push(Side::Reference);
            }
            if round % 2 == 1 {
                sides.reverse();
            }
            for side in sides {
                let sample = self.one(what, round + 1, side, || {
                    let mut server = self.start(side)?;
                    measure(side, &mut server).or_else(|error| server.check_alive().and(Err(error)))
                })?;
                costs.side_mut(side).push(&sample);
            }
        }
        Ok(costs)
    }
}

fn reference_binary(against: &str, name: &str) -> Result<PathBuf> {
    let Some((given, path)) = against.split_once('=') else {
        bail!("--against {against}: write {name}=PATH");
    };
    if given != name {
        bail!("--against {against}: this bench is compared with {name}");
    }
    if !Path::new(path).is_file() {
        bail!("--against {against}: there is no such file");
    }
    Ok(PathBuf::from(path))
}

/// What one side did in one round.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    /// Operations done.
    pub(crate) operations: u64,
    /// The server's CPU time, in microseconds.
    pub(crate) cpu_micros: f64,
    /// The time they took, in seconds.
    pub(crate) seconds: f64,
}

impl Sample {
    /// Adds another window of the same round.
    pub(crate) fn add(&mut self, other: Self) {
        self.operations += other.operations;
        self.cpu_micros += other.cpu_micros;
        self.seconds += other.seconds;
    }
}

/// A window of measurement.
#[derive(Debug)]
pub(crate) struct Window {
    process: Process,
    cpu_micros: f64,
    time: Stopwatch,
}

impl Window {
    pub(crate) fn open(process: Process) -> Result<Self> {
        Ok(Self { process, cpu_micros: process.cpu_micros()?, time: Stopwatch::start() })
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.time.seconds()
    }

    pub(crate) fn close(self, operations: u64) -> Result<Sample> {
        let cpu_micros = self.process.cpu_micros()? - self.cpu_micros;
        Ok(Sample { operations, cpu_micros, seconds: self.time.seconds() })
    }
}

/// One side's figures over the rounds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// CPU time per operation, in microseconds.
    pub(crate) cost: Series,
    /// Operations a second.
    pub(crate) rate: Series,
    /// The server's CPU time as a share of the time, in percent.
    pub(crate) busy: Series,
}

impl Figures {
    fn push(&mut self, sample: &Sample) {
        let operations = sample.operations as f64;
        self.cost.push(sample.cpu_micros / operations);
        self.rate.push(operations / sample.seconds);
        self.busy.push(sample.cpu_micros / 1e4 / sample.seconds);
    }
}

/// The figures of both sides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Costs {
    pub(crate) ours: Figures,
    pub(crate) reference: Figures,
}

impl Costs {
    fn side_mut(&mut self, side: Side) -> &mut Figures {
        match side {
            Side::Ours => &mut self.ours,
            Side::Reference => &mut self.reference,
        }
    }

    /// Our cost divided by the reference's, round by round.
    pub(crate) fn ratio(&self) -> Series {
        self.ours.cost.ratio_to(&self.reference.cost)
    }

    /// Records all figures of a condition. `operation` is what is done, such as a `move`.
    pub(crate) fn record(&self, comparison: &Comparison<'_>, what: &str, operation: &str) {
        for (side, figures) in [(Side::Ours, &self.ours), (Side::Reference, &self.reference)] {
            let name = format!("{what}, {}", comparison.name(side));
            let of = |group: &str, unit, series| Figure::of_rounds(group, &name, unit, series);
            let recorder = comparison.recorder;
            recorder.figure(of(&format!("Processor time of a {operation}"), "µs", &figures.cost));
            let rate = of(&format!("Rate of a {operation}"), "per second", &figures.rate);
            recorder.figure(rate.better(Better::Higher));
            recorder.figure(of("Server busy", "% of its core", &figures.busy).better(Better::Neither));
        }
    }

    /// Records the ratio of both sides, and what is required of it.
    pub(crate) fn record_ratio(&self, comparison: &Comparison<'_>, what: &str, target: &Target) {
        let group =
            format!("{} (processor time of zeitnot / {})", target.name, comparison.name(Side::Reference));
        comparison.recorder.figure(Figure::of_rounds(&group, what, "x", &self.ratio()).within(target));
    }

    /// Adds a row per side to a table of [`Costs::table`].
    pub(crate) fn add_rows(&self, comparison: &Comparison<'_>, what: &str, table: &mut Table) {
        for (side, figures) in [(Side::Ours, &self.ours), (Side::Reference, &self.reference)] {
            if !figures.cost.is_empty() {
                let cells = [&figures.cost, &figures.rate, &figures.busy].map(ToString::to_string);
                let mut row = vec![what.to_owned(), comparison.name(side).to_owned()];
                row.extend(cells);
                table.row(row);
            }
        }
    }

    /// A table for [`Costs::add_rows`].
    pub(crate) fn table(operation: &str) -> Table {
        Table::new(&["what", "server", &format!("CPU µs per {operation}"), "per second", "server busy %"])
    }
}
