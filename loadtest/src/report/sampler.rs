//! What servers use, once a second: processor, memory, disk. One thread watches all of them, this
//! program, and the whole machine.
//!
//! A look takes some 0.1 ms. Invariant: a process that has ended is left out from then on, and its
//! lines are broken there, unless another one with its name has begun.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::run::{TimeSeries, rounded};
use crate::process::{MachineTime, Process, machine_time};
use crate::stopwatch::Stopwatch;

/// How often is looked.
const EVERY: Duration = Duration::from_secs(1);

/// Two looks that are closer say nothing about a rate: the kernel counts processor time in steps of
/// 10 ms.
const APART_MIN: f64 = 0.3;

/// What is measured: the plot and its unit.
type What = (&'static str, &'static str);

const CPU: What = ("Processor time", "% of one core");
const MEMORY: What = ("Resident memory", "MiB");
const WRITTEN: What = ("Written to disk", "MiB/s");
const READ: What = ("Read from disk", "MiB/s");

/// What this program is called in the plots.
const OWN: &str = "load generator";

/// What the processor time of all processes is called.
const WHOLE: &str = "whole machine";

/// Times with values; without one the line is broken there.
type Points = Vec<(f64, Option<f64>)>;

/// A process, and what it had used when it was last looked at.
#[derive(Debug)]
struct Watched {
    name: String,
    process: Process,
    last: Option<Look>,
}

/// What a process had used at a time.
#[derive(Clone, Copy, Debug)]
struct Look {
    at: f64,
    cpu_micros: f64,
    rss_bytes: f64,
    /// Read and written; `None`: the system does not tell.
    disk: Option<[f64; 2]>,
}

#[derive(Debug, Default)]
struct State {
    watched: Vec<Watched>,
    machine: Option<(f64, MachineTime)>,
    points: BTreeMap<(What, String), Points>,
    is_over: bool,
}

/// The thread, and what it has seen.
#[derive(Debug)]
pub(super) struct Sampler {
    state: Arc<Mutex<State>>,
    clock: Stopwatch,
    thread: Thread,
    end: Mutex<Option<JoinHandle<()>>>,
}

impl Sampler {
    /// Begins, on the clock of the run.
    pub(super) fn start(clock: Stopwatch) -> Result<Self> {
        let state = Arc::new(Mutex::new(State::default()));
        let looking = Arc::clone(&state);
        let look = move || {
            loop {
                thread::park_timeout(EVERY);
                let mut state = looking.lock().unwrap_or_else(PoisonError::into_inner);
                if state.is_over {
                    return;
                }
                state.look(clock.seconds());
            }
        };
        let end = thread::Builder::new().name("sampler".to_owned()).spawn(look);
        let end = end.context("cannot start a thread")?;
        let sampler = Self { state, clock, thread: end.thread().clone(), end: Mutex::new(Some(end)) };
        sampler.watch(OWN, std::process::id());
        Ok(sampler)
    }

    /// Watches a process until it ends. What had this name before is continued by it.
    pub(super) fn watch(&self, name: &str, pid: u32) {
        let mut watched = Watched { name: name.to_owned(), process: Process::new(pid), last: None };
        watched.last = watched.process.look(self.clock.seconds());
        self.state.lock().unwrap_or_else(PoisonError::into_inner).watched.push(watched);
    }

    /// Looks once more and ends; what was seen.
    pub(super) fn end(&self) -> Vec<TimeSeries> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.look(self.clock.seconds());
        state.is_over = true;
        let points = std::mem::take(&mut state.points);
        drop(state);
        self.thread.unpark();
        let end = self.end.lock().unwrap_or_else(PoisonError::into_inner).take();
        end.map_or(Ok(()), JoinHandle::join).expect("the sampler's thread does not panic");
        let series = points.into_iter().map(|(((plot, unit), name), points)| TimeSeries {
            plot: plot.to_owned(),
            name,
            unit: unit.to_owned(),
            points,
        });
        let mut series: Vec<_> = series.filter(says_something).collect();
        series.sort_by_key(order);
        series
    }
}

/// Whether there is a value; a disk that was never used says nothing either.
fn says_something(series: &TimeSeries) -> bool {
    let is_disk = [WRITTEN.0, READ.0].contains(&&*series.plot);
    series.points.iter().filter_map(|(_, value)| *value).any(|value| value > 0.0 || !is_disk)
}

/// Processor first, then memory, then the disk; servers before the rest.
fn order(series: &TimeSeries) -> (usize, usize) {
    let plot = [CPU, MEMORY, WRITTEN, READ].iter().position(|(plot, _)| *plot == series.plot);
    let name = [OWN, WHOLE].iter().position(|name| *name == series.name).map_or(0, |place| place + 1);
    (plot.unwrap_or(usize::MAX), name)
}

impl State {
    fn look(&mut self, at: f64) {
        let mut watched = std::mem::take(&mut self.watched);
        let mut ended = Vec::new();
        watched.retain_mut(|one| {
            let runs = self.look_at(one, at);
            if !runs {
                ended.push(one.name.clone());
            }
            runs
        });
        // A server that was started again continues the line.
        ended.retain(|name| watched.iter().all(|one| one.name != *name));
        for name in ended {
            [CPU, MEMORY, WRITTEN, READ].into_iter().for_each(|what| self.push(what, &name, at, None));
        }
        self.watched = watched;
        let Ok(time) = machine_time() else { return };
        match self.machine {
            Some((last, before)) if at - last >= APART_MIN => {
                let percent = (time.busy - before.busy) / 1e4 / (at - last);
                self.push(CPU, WHOLE, at, Some(percent));
                self.machine = Some((at, time));
            }
            Some(_) => {}
            None => self.machine = Some((at, time)),
        }
    }

    /// Looks at a process; whether it still runs.
    fn look_at(&mut self, one: &mut Watched, at: f64) -> bool {
        let Some(look) = one.process.look(at) else { return false };
        let before = *one.last.get_or_insert(look);
        let took = look.at - before.at;
        if took < APART_MIN {
            return true;
        }
        one.last = Some(look);
        self.push(CPU, &one.name, at, Some((look.cpu_micros - before.cpu_micros) / 1e4 / took));
        self.push(MEMORY, &one.name, at, Some(look.rss_bytes / f64::from(1 << 20)));
        if let (Some(now), Some(then)) = (look.disk, before.disk)
            && one.name != OWN
        {
            for (what, (now, then)) in [READ, WRITTEN].into_iter().zip(now.into_iter().zip(then)) {
                self.push(what, &one.name, at, Some((now - then) / f64::from(1 << 20) / took));
            }
        }
        true
    }

    fn push(&mut self, what: What, name: &str, at: f64, value: Option<f64>) {
        let points = self.points.entry((what, name.to_owned())).or_default();
        points.push((rounded(at), value.map(|value| rounded(value.max(0.0)))));
    }
}

impl Process {
    fn look(self, at: f64) -> Option<Look> {
        let (cpu_micros, rss_bytes) = (self.cpu_micros().ok()?, self.rss_bytes().ok()?);
        Some(Look { at, cpu_micros, rss_bytes, disk: self.disk_bytes().ok() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(state: &State, what: What, name: &str) -> Points {
        state.points.get(&(what, name.to_owned())).cloned().unwrap_or_default()
    }

    #[test]
    fn a_process_is_watched_until_it_ends() {
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let process = Process::new(child.id());
        let watched = Watched { name: "server".to_owned(), process, last: process.look(0.0) };
        let mut state = State { watched: vec![watched], ..State::default() };
        state.look(0.1);
        assert_eq!(points(&state, CPU, "server"), [], "too soon after the first look");
        state.look(1.0);
        assert_eq!(points(&state, CPU, "server").len(), 1);
        assert!(points(&state, MEMORY, "server")[0].1.is_some(), "{state:?}");
        child.kill().unwrap();
        child.wait().unwrap();
        state.look(2.0);
        state.look(3.0);
        assert_eq!(points(&state, MEMORY, "server")[1..], [(2.0, None)]);
        assert_eq!(points(&state, CPU, WHOLE).len(), 3);
    }

    #[test]
    fn what_was_seen_is_in_order_and_only_what_has_a_value() {
        let sampler = Sampler::start(Stopwatch::start()).unwrap();
        {
            let mut state = sampler.state.lock().unwrap();
            for (what, name) in
                [(WRITTEN, "server"), (CPU, WHOLE), (CPU, OWN), (MEMORY, "server"), (CPU, "server")]
            {
                state.push(what, name, 1.0, Some(1.0));
            }
            state.push(READ, "server", 1.0, None);
        }
        let seen: Vec<_> = sampler.end().into_iter().map(|one| (one.plot, one.name)).collect();
        let wanted = [(CPU, "server"), (CPU, OWN), (CPU, WHOLE), (MEMORY, "server"), (WRITTEN, "server")];
        assert_eq!(seen, wanted.map(|((plot, _), name)| (plot.to_owned(), name.to_owned())));
    }
}
