//! The data of one run of this program: what it was, what it measured, what came of it.
//!
//! This is the schema of the JSON file, documented in loadtest/README.md. A field that is added with
//! a default keeps [`VERSION`]; any other change of a field raises it.
//!
//! Invariants: every number is finite; times are seconds since the run began, in order.

use serde::{Deserialize, Serialize};

use super::text::{Series, Target};

/// The name of the schema, in every file.
pub const SCHEMA: &str = "zeitnot-loadtest-run";

/// The version of the schema that is written, and the only one that is read.
pub const VERSION: u32 = 1;

/// One run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// [`SCHEMA`].
    pub schema: String,
    /// [`VERSION`].
    pub version: u32,
    /// The command, such as `bench latency`.
    pub name: String,
    /// The command line, with the program first.
    pub command: Vec<String>,
    /// When it began, as in RFC 3339, UTC.
    pub began: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What was measured, and by what.
    pub programs: Programs,
    /// The machine.
    pub machine: Machine,
    /// Whether it passed.
    pub outcome: Outcome,
    /// What was measured once or once per round.
    pub figures: Vec<Figure>,
    /// How latencies are distributed.
    pub curves: Vec<Curve>,
    /// What was measured over time.
    pub series: Vec<TimeSeries>,
    /// What happened when.
    pub marks: Vec<Mark>,
    /// What is wrong, in words.
    pub findings: Vec<String>,
    /// What the command printed.
    pub output: String,
}

/// The versions of the programs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Programs {
    /// This program, with how it was built.
    pub loadtest: String,
    /// The server, as it says itself.
    pub server: Option<String>,
}

/// The machine of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The number of its cores.
    pub cores: u32,
    /// Its processor, as the kernel calls it.
    pub processor: String,
    /// Its memory, in bytes.
    pub memory_bytes: u64,
    /// The kernel.
    pub kernel: String,
    /// What one fsync of 4 KiB took on the disk of the server's data, in milliseconds: the median.
    pub sync_ms: Option<f64>,
}

/// What came of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", content = "why", rename_all = "snake_case")]
pub enum Outcome {
    /// Everything is correct, and all required limits hold.
    Passed,
    /// Something is wrong, or a limit is missed.
    Failed,
    /// The conditions of the measurement did not hold: its figures mean nothing.
    Inconclusive(String),
    /// It came to no end.
    Stopped(String),
}

/// Which values of a figure are good.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Small ones.
    Lower,
    /// Great ones.
    Higher,
    /// The figure says what the load was, not how good the server is.
    Neither,
}

/// What was measured once, or once per round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// What is measured; figures with the same group and unit share a plot.
    pub group: String,
    /// Of what, such as a server or a condition.
    pub name: String,
    /// The unit.
    pub unit: String,
    /// The value of each round, in their order.
    pub rounds: Vec<f64>,
    /// The value that counts: the median, unless the command says otherwise.
    pub value: f64,
    /// Which values are good.
    pub better: Better,
    /// What is required, if anything is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// What is required of a figure: at most, or at least where greater values are better.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Limit {
    /// The bound.
    pub must: f64,
    /// Where the figure is wanted to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aim: Option<f64>,
}

/// How latencies are distributed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Curve {
    /// What is timed; curves of the same plot lie over each other.
    pub plot: String,
    /// Under which condition.
    pub name: String,
    /// The unit of the values.
    pub unit: String,
    /// How many latencies.
    pub count: u64,
    /// Pairs of a quantile, from 0 to 1, and the value that this share does not exceed.
    pub points: Vec<(f64, f64)>,
}

/// What was measured over time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TimeSeries {
    /// What is measured; series of the same plot share it.
    pub plot: String,
    /// Of what, such as a percentile or a process.
    pub name: String,
    /// The unit of the values.
    pub unit: String,
    /// Pairs of a time and a value; without a value the line is broken there.
    pub points: Vec<(f64, Option<f64>)>,
}

/// What a mark is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// The server was broken on purpose.
    Fault,
    /// A part of the run, such as a round.
    Phase,
}

/// What happened at a time or for some time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// What it is about.
    pub kind: MarkKind,
    /// What happened.
    pub label: String,
    /// When, or since when.
    pub at: f64,
    /// Until when: for a fault, until the server was there again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
}

impl Figure {
    /// A figure with the value of each round; the median counts. Values that are not finite are left
    /// out.
    #[must_use]
    pub fn of_rounds(group: &str, name: &str, unit: &str, rounds: &Series) -> Self {
        let value = rounds.median();
        Self {
            group: group.to_owned(),
            name: name.to_owned(),
            unit: unit.trim().to_owned(),
            rounds: rounds.values().iter().copied().filter(|value| value.is_finite()).map(rounded).collect(),
            value: rounded(value),
            better: Better::Lower,
            limit: None,
        }
    }

    /// A figure that was measured once.
    #[must_use]
    pub fn once(group: &str, name: &str, unit: &str, value: f64) -> Self {
        let mut rounds = Series::default();
        rounds.push(value);
        Self::of_rounds(group, name, unit, &rounds)
    }

    /// With another value that counts than the median, such as the greatest one.
    #[must_use]
    pub fn counting(mut self, value: f64) -> Self {
        self.value = rounded(value);
        self
    }

    /// With what is required of it: at most `target.must`.
    #[must_use]
    pub fn within(mut self, target: &Target) -> Self {
        self.limit = Some(Limit { must: target.must, aim: (target.aim < target.must).then_some(target.aim) });
        self
    }

    /// With what is required of it: at most `must`.
    #[must_use]
    pub fn at_most(mut self, must: f64) -> Self {
        self.limit = Some(Limit { must, aim: None });
        self
    }

    /// With what is required of it: at least `must`.
    #[must_use]
    pub fn at_least(mut self, must: f64) -> Self {
        (self.better, self.limit) = (Better::Higher, Some(Limit { must, aim: None }));
        self
    }

    /// With which values are good.
    #[must_use]
    pub fn better(mut self, better: Better) -> Self {
        self.better = better;
        self
    }

    /// Whether the value is within its limit; `None` without one.
    #[must_use]
    pub fn holds(&self) -> Option<bool> {
        let Limit { must, .. } = self.limit?;
        Some(if self.better == Better::Higher { self.value >= must } else { self.value <= must })
    }
}

/// A number with six significant digits, so that a file says no more than was measured.
#[must_use]
pub(crate) fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_bound_on_the_side_that_is_bad() {
        let figure = |value| Figure::once("p99", "moves", "ms", value);
        assert_eq!(figure(25.0).at_most(25.0).holds(), Some(true));
        assert_eq!(figure(25.1).at_most(25.0).holds(), Some(false));
        assert_eq!(figure(89.0).at_least(90.0).holds(), Some(false));
        assert_eq!(figure(90.0).at_least(90.0).holds(), Some(true));
        assert_eq!(figure(1.0).holds(), None);
    }

    #[test]
    fn numbers_keep_six_digits() {
        assert_eq!(
            [rounded(1.0 / 3.0), rounded(123_456_789.0), rounded(0.0)],
            [0.333_333, 123_457_000.0, 0.0]
        );
    }
}
