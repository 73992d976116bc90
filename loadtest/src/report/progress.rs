//! How far a run is, and what is left of it: a bar on the terminal.
//!
//! A run has steps, such as rounds or faults. What is left is their mean time, or what the command
//! expects of one, times how many are left. Standard error that is no terminal gets no bar, but a line
//! now and then. A run of a few seconds shows nothing.
//!
//! Deliberately absent: results. They are on standard output.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::stopwatch::Stopwatch;

/// How often the bar is drawn.
const DRAWN_EVERY: Duration = Duration::from_secs(1);

/// A run that takes no longer needs no bar, in seconds.
const SHORT: f64 = 5.0;

/// How often a line says it where there is no terminal, in seconds.
const LINE_EVERY: f64 = 30.0;

/// The length of the bar, in steps of its own.
const FINE: u64 = 1_000;

/// What a run has to do.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// What its steps are called, such as `rounds`.
    unit: &'static str,
    steps: u64,
    done: u64,
    /// What a step is expected to take, in seconds, until one is done.
    expected: f64,
    /// Since the plan, and since the last step was done.
    began: Stopwatch,
    step_began: Stopwatch,
}

impl Plan {
    fn left(&self) -> f64 {
        left(self.steps, self.done, self.began.seconds(), self.step_began.seconds(), self.expected)
    }

    fn words(&self) -> String {
        let Self { unit, steps, done, .. } = self;
        let left = time(self.left());
        if *steps == 1 { format!("{left} left") } else { format!("{done} of {steps} {unit}, {left} left") }
    }
}

/// What is left, in seconds, after `elapsed`, of which `in_step` belong to the current step.
fn left(steps: u64, done: u64, elapsed: f64, in_step: f64, expected: f64) -> f64 {
    if done >= steps {
        return 0.0;
    }
    let each = if done == 0 { expected } else { (elapsed - in_step) / done as f64 };
    let later = (steps - done - 1) as f64 * each;
    later + (each - in_step).max(0.0)
}

/// A time in words.
fn time(seconds: f64) -> String {
    let whole = seconds.ceil() as u64;
    match (whole / 3_600, whole / 60 % 60, whole % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        (hours, minutes, _) => format!("{hours} h {minutes:02} min"),
    }
}

#[derive(Debug, Default)]
struct State {
    plan: Option<Plan>,
    is_over: bool,
}

/// The bar of a run. Handles of it share the bar.
#[derive(Debug)]
pub struct Progress {
    state: Arc<Mutex<State>>,
    bar: ProgressBar,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Progress {
    /// One that nobody sees.
    pub(super) fn hidden() -> Self {
        Self { state: Arc::default(), bar: ProgressBar::hidden(), thread: Mutex::default() }
    }

    /// One on standard error.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(super) fn on_stderr() -> io::Result<Self> {
        let style = ProgressStyle::with_template("{bar:30} {msg}").expect("the template is well-formed");
        let bar = ProgressBar::new(FINE).with_style(style);
        let state = Arc::new(Mutex::new(State::default()));
        let (shown, drawn) = (Arc::clone(&state), bar.clone());
        let thread =
            thread::Builder::new().name("progress".to_owned()).spawn(move || draw(&shown, &drawn))?;
        Ok(Self { state, bar, thread: Mutex::new(Some(thread)) })
    }

    /// The run has so many steps, each of which is expected to take so many seconds.
    pub fn plan(&self, steps: u64, unit: &'static str, expected: f64) {
        let now = Stopwatch::start();
        let plan = Plan { unit, steps, done: 0, expected, began: now, step_began: now };
        self.state.lock().unwrap_or_else(PoisonError::into_inner).plan = Some(plan);
    }

    /// A step is done.
    pub fn step(&self) {
        if let Some(plan) = &mut self.state.lock().unwrap_or_else(PoisonError::into_inner).plan {
            plan.done += 1;
            plan.step_began = Stopwatch::start();
        }
    }

    /// Does something while the bar is not on the terminal, such as printing a line.
    pub fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        self.bar.suspend(act)
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            thread.thread().unpark();
            thread.join().expect("the thread of the bar does not panic");
        }
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end();
    }
}

/// Draws the bar, or prints a line now and then, until the run is over.
fn draw(state: &Mutex<State>, bar: &ProgressBar) {
    let mut since_line = Stopwatch::start();
    loop {
        thread::park_timeout(DRAWN_EVERY);
        let state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_over {
            return;
        }
        let Some(plan) = state.plan else { continue };
        drop(state);
        let (elapsed, left) = (plan.began.seconds(), plan.left());
        if elapsed + left <= SHORT {
            continue;
        }
        if !bar.is_hidden() {
            bar.set_position((elapsed / (elapsed + left) * FINE as f64) as u64);
            bar.set_message(plan.words());
        } else if since_line.seconds() >= LINE_EVERY {
            since_line = Stopwatch::start();
            // Whoever reads it may have gone; the run goes on.
            drop(writeln!(io::stderr(), "{}", plan.words()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_expected_first_and_then_follows_the_steps_that_are_done() {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(near(left(3, 0, 0.0, 0.0, 10.0), 30.0));
        assert!(near(left(3, 0, 4.0, 4.0, 10.0), 26.0));
        assert!(near(left(3, 0, 14.0, 14.0, 10.0), 20.0), "a step that takes longer is nearly done");
        assert!(near(left(3, 1, 25.0, 5.0, 10.0), 35.0), "one step took 20 s");
        assert!(near(left(3, 3, 60.0, 0.0, 10.0), 0.0));
    }

    #[test]
    fn times_are_words() {
        assert_eq!([0.2, 59.9, 65.0, 3_700.0].map(time), ["1 s", "1 min 00 s", "1 min 05 s", "1 h 01 min"]);
    }

    #[test]
    fn steps_are_counted() {
        let progress = Progress::hidden();
        progress.step();
        progress.plan(3, "rounds", 20.0);
        progress.step();
        let plan = progress.state.lock().unwrap().plan.unwrap();
        assert!(plan.words().starts_with("1 of 3 rounds, "), "{}", plan.words());
    }
}
