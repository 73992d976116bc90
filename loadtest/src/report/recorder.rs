//! What a command fills while it runs, and what becomes a [`Run`] at its end.
//!
//! A recorder is shared by reference between threads. To add to it takes no longer than a lock that
//! nobody holds for long; nothing is written before the end.
//!
//! Deliberately absent: what a figure means, and whether the run passed.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use hdrhistogram::Histogram;

use super::distribution::Distribution;
use super::latencies::Latencies;
use super::machine;
use super::progress::Progress;
use super::run::{
    Figure, Machine, Mark, MarkKind, Outcome, Programs, Run, SCHEMA, TimeSeries, VERSION, rounded,
};
use super::sampler::Sampler;
use crate::server_process::ServerProcess;
use crate::stopwatch::{self, Stopwatch};

/// A line goes on from one measurement to the next within so many seconds.
const APART: f64 = 2.0;

/// A mark that can be ended.
#[derive(Clone, Copy, Debug)]
#[must_use = "a mark lasts until it is ended"]
pub struct OpenMark(usize);

/// What a command records.
#[derive(Debug)]
pub struct Recorder {
    clock: Stopwatch,
    began: String,
    recorded: Mutex<Recorded>,
    sampler: Option<Sampler>,
    progress: Progress,
}

#[derive(Debug)]
struct Recorded {
    machine: Machine,
    server: Option<String>,
    figures: Vec<Figure>,
    distributions: Vec<Distribution>,
    series: Vec<TimeSeries>,
    marks: Vec<Mark>,
    findings: Vec<String>,
    output: String,
}

impl Recorder {
    /// One that watches no process and shows no progress.
    #[must_use]
    pub fn silent() -> Self {
        Self::with(Progress::hidden(), None, Stopwatch::start())
    }

    /// One of a program that is started on a terminal. `samples`: watches processes, and times the
    /// syncs of the disk.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn of_program(samples: bool) -> Result<Self> {
        let clock = Stopwatch::start();
        let progress = Progress::on_stderr().context("cannot start a thread")?;
        let sampler = if samples { Some(Sampler::start(clock)?) } else { None };
        Ok(Self::with(progress, sampler, clock))
    }

    fn with(progress: Progress, sampler: Option<Sampler>, clock: Stopwatch) -> Self {
        let recorded = Recorded {
            machine: machine::this(),
            server: None,
            figures: Vec::new(),
            distributions: Vec::new(),
            series: Vec::new(),
            marks: Vec::new(),
            findings: Vec::new(),
            output: String::new(),
        };
        Self { clock, began: stopwatch::date(), recorded: Mutex::new(recorded), sampler, progress }
    }

    fn recorded(&self) -> MutexGuard<'_, Recorded> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the run is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Watches the processor time, memory and disk of a server until it ends.
    pub fn watch(&self, name: &str, server: &ServerProcess) {
        self.watch_pid(name, server.pid());
    }

    /// As [`Recorder::watch`], of a process that somebody else has started.
    pub fn watch_pid(&self, name: &str, pid: u32) {
        if let Some(sampler) = &self.sampler {
            sampler.watch(name, pid);
        }
    }

    /// The server is this binary: asks it for its version.
    pub fn server_binary(&self, binary: &Path) {
        if self.sampler.is_none() {
            return;
        }
        let answer = Command::new(binary).arg("--version").output().ok();
        let answer = answer.filter(|answer| answer.status.success());
        let version = answer.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_owned());
        self.recorded().server = version;
    }

    /// The server keeps its data here: times the syncs of this disk, before it is used.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn disk(&self, folder: &Path) -> Result<()> {
        if self.sampler.is_some() && self.recorded().machine.sync_ms.is_none() {
            let sync_ms = machine::sync_ms(folder)?;
            self.recorded().machine.sync_ms = Some(sync_ms);
        }
        Ok(())
    }

    /// Adds a figure. One without a value is left out.
    pub fn figure(&self, figure: Figure) {
        if figure.value.is_finite() {
            self.recorded().figures.push(figure);
        }
    }

    /// Latencies over time of operations, such as `moves`, from now on. They are given back by
    /// [`Recorder::add`] or [`Recorder::add_under`].
    #[must_use]
    pub fn latencies(&self, operations: &str) -> Latencies {
        Latencies::new(operations, self.clock)
    }

    /// Adds latencies up to now, and their distribution under this condition.
    pub fn add_under(&self, condition: &str, latencies: Latencies) {
        self.curve(&latencies.plot(), condition, latencies.all());
        self.add(latencies);
    }

    /// Adds latencies up to now, without their distribution. What had the same name before is continued.
    pub fn add(&self, latencies: Latencies) {
        let mut recorded = self.recorded();
        for series in latencies.into_series() {
            recorded.append(series);
        }
    }

    /// Adds the latencies of a curve, in microseconds. Those of the same curve are counted together.
    pub fn curve(&self, plot: &str, name: &str, times_us: &Histogram<u64>) {
        let mut recorded = self.recorded();
        let same = |one: &&mut Distribution| one.is(plot, name);
        match recorded.distributions.iter_mut().find(same) {
            Some(one) => one.add(times_us),
            None => recorded.distributions.push(Distribution::new(plot, name, times_us)),
        }
    }

    /// Something happens now; [`Recorder::end`] says until when.
    pub fn begin(&self, kind: MarkKind, label: &str) -> OpenMark {
        let mark = Mark { kind, label: label.to_owned(), at: rounded(self.clock.seconds()), until: None };
        let mut recorded = self.recorded();
        recorded.marks.push(mark);
        OpenMark(recorded.marks.len() - 1)
    }

    /// It is over.
    pub fn end(&self, mark: OpenMark) {
        self.end_ago(mark, Duration::ZERO);
    }

    /// It was over so long ago.
    pub fn end_ago(&self, mark: OpenMark, ago: Duration) {
        let then = self.clock.elapsed().saturating_sub(ago).as_secs_f64();
        if let Some(mark) = self.recorded().marks.get_mut(mark.0) {
            mark.until = Some(rounded(then).max(mark.at));
        }
    }

    /// Does something that is a part of the run.
    pub fn phase<T>(&self, label: &str, act: impl FnOnce() -> T) -> T {
        let mark = self.begin(MarkKind::Phase, label);
        let done = act();
        self.end(mark);
        done
    }

    /// Adds something that is wrong.
    pub fn finding(&self, what: String) {
        self.recorded().findings.push(what);
    }

    /// Adds what the command printed.
    pub fn printed(&self, text: &str) {
        self.recorded().output.push_str(text);
    }

    /// Ends the run: removes the bar, and gives all that was recorded. `name` is the command.
    #[must_use]
    pub fn finish(self, name: &str, command: Vec<String>, outcome: Outcome) -> Run {
        self.progress.end();
        let sampled = self.sampler.as_ref().map_or_else(Vec::new, Sampler::end);
        let seconds = rounded(self.clock.seconds());
        let recorded = self.recorded.into_inner().unwrap_or_else(PoisonError::into_inner);
        let build = if cfg!(debug_assertions) { "debug" } else { "release" };
        let loadtest = format!("zeitnot-loadtest {} ({build} build)", env!("CARGO_PKG_VERSION"));
        Run {
            schema: SCHEMA.to_owned(),
            version: VERSION,
            name: name.to_owned(),
            command,
            began: self.began,
            seconds,
            programs: Programs { loadtest, server: recorded.server },
            machine: recorded.machine,
            outcome,
            figures: recorded.figures,
            curves: recorded.distributions.iter().filter_map(Distribution::curve).collect(),
            series: recorded.series.into_iter().chain(sampled).collect(),
            marks: recorded.marks,
            findings: recorded.findings,
            output: recorded.output,
        }
    }
}

impl Recorded {
    fn append(&mut self, series: TimeSeries) {
        let Some(&(at, _)) = series.points.first() else { return };
        let same = |one: &&mut TimeSeries| one.plot == series.plot && one.name == series.name;
        match self.series.iter_mut().find(same) {
            Some(before) => {
                if before.points.last().is_none_or(|(last, _)| at - last > APART) {
                    before.points.push((at, None));
                }
                before.points.extend(series.points);
            }
            None => self.series.push(series),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(recorder: Recorder) -> Run {
        recorder.finish("bench latency", Vec::new(), Outcome::Passed)
    }

    #[test]
    fn latencies_of_a_second_round_continue_those_of_the_first() {
        let recorder = Recorder::silent();
        let series = |at| TimeSeries {
            plot: "Latency of moves".to_owned(),
            name: "p99".to_owned(),
            unit: "ms".to_owned(),
            points: vec![(at, Some(1.0))],
        };
        [1.0, 2.0, 9.0].into_iter().for_each(|at| recorder.recorded().append(series(at)));
        let run = run(recorder);
        let [p99] = &*run.series else { panic!("one series: {run:?}") };
        let wanted = [(1.0, Some(1.0)), (2.0, Some(1.0)), (9.0, None), (9.0, Some(1.0))];
        assert_eq!(p99.points, wanted, "a line that is broken where nothing was measured");
    }

    #[test]
    fn a_mark_lasts_until_it_is_ended_and_a_figure_without_a_value_is_left_out() {
        let recorder = Recorder::silent();
        assert_eq!(recorder.phase("round 1", || 7), 7);
        let kill = recorder.begin(MarkKind::Fault, "kill");
        recorder.figure(Figure::once("p99", "moves", "ms", f64::NAN));
        recorder.figure(Figure::once("p99", "moves", "ms", 4.0));
        recorder.end(kill);
        let _open = recorder.begin(MarkKind::Fault, "pause");
        let run = run(recorder);
        let until: Vec<_> = run.marks.iter().map(|mark| (mark.kind, mark.until.is_some())).collect();
        assert_eq!(until, [(MarkKind::Phase, true), (MarkKind::Fault, true), (MarkKind::Fault, false)]);
        assert_eq!(run.figures.len(), 1);
    }
}
