//! What was measured, and whether it is good enough.

use std::fmt;

use super::generator::Sample;
use super::visits::Counts;
use super::{HALF, TWICE};
use crate::report::{Better, Figure, Recorder, Series, Table, figure};

/// How much slower the moves may be, and what is quick enough however slow they are.
const SLOWER_MAX: f64 = 3.0;
pub(super) const QUICK_MS: f64 = 25.0;

/// How many of the offered moves must be accepted in time, in percent.
const GOODPUT_MIN: f64 = 90.0;

/// The result. Its `Display` is the last line of the report.
#[derive(Debug)]
pub struct Report {
    full_rate: f64,
    quiet: Side,
    overload: Side,
}

#[derive(Debug, Default)]
struct Side {
    p99: Series,
    goodput: Series,
    core: Series,
    busy: Series,
    late: Series,
    logins: Counts,
    http: Counts,
}

impl Side {
    fn add(&mut self, sample: &Sample) {
        self.p99.push(sample.p99_ms);
        self.goodput.push(sample.goodput() * 100.0);
        self.core.push(sample.core_percent);
        self.busy.push(sample.busy_percent);
        self.late.push(sample.late_ms);
        for (sum, more) in [(&mut self.logins, sample.logins), (&mut self.http, sample.http)] {
            sum.add(more);
        }
    }
}

impl Report {
    pub(super) fn new(full_rate: f64) -> Self {
        Self { full_rate, quiet: Side::default(), overload: Side::default() }
    }

    pub(super) fn add(&mut self, is_overload: bool, sample: &Sample) {
        if is_overload { self.overload.add(sample) } else { self.quiet.add(sample) }
    }

    /// Records what was measured.
    pub(super) fn record(&self, recorder: &Recorder) {
        for (name, side) in [(HALF, &self.quiet), (TWICE, &self.overload)] {
            let of = |group, unit, series| Figure::of_rounds(group, name, unit, series);
            let is_overload = name == TWICE;
            let p99 = of("p99 of moves", "ms", &side.p99);
            recorder.figure(if is_overload { p99.at_most(self.limit_ms()) } else { p99 });
            let goodput = of("Moves accepted in time", "%", &side.goodput).better(Better::Higher);
            recorder.figure(if is_overload { goodput.at_least(GOODPUT_MIN) } else { goodput });
            recorder.figure(of("Server's core busy", "%", &side.core).better(Better::Neither));
            recorder.figure(of("Sent late by the load generator", "ms", &side.late).better(Better::Neither));
            for (what, counts) in [("Logins", side.logins), ("HTTP requests", side.http)] {
                let served = 100.0 * counts.served as f64 / counts.made as f64;
                let figure = Figure::once(&format!("{what} served"), name, "% of those made", served);
                recorder.figure(figure.better(Better::Higher));
            }
        }
        let full = Figure::once("Rate at which the core is full", "moves", "per second", self.full_rate);
        recorder.figure(full.better(Better::Higher));
    }

    /// The most that the p99 may be under overload, in milliseconds.
    fn limit_ms(&self) -> f64 {
        (SLOWER_MAX * self.quiet.p99.median()).max(QUICK_MS)
    }

    /// How many logins and requests were served under overload.
    #[must_use]
    pub fn served(&self) -> u64 {
        self.overload.logins.served + self.overload.http.served
    }

    /// The share of the moves that was accepted in time under overload, in percent.
    #[must_use]
    pub fn goodput(&self) -> f64 {
        self.overload.goodput.median()
    }

    /// The share of what was due besides moves that this program really offered under overload.
    pub(super) fn offered(&self) -> f64 {
        let mut visits = self.overload.logins;
        visits.add(self.overload.http);
        visits.made as f64 / visits.due.max(1) as f64
    }

    /// Whether moves were quick, and as many as were offered.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.overload.p99.median() <= self.limit_ms() && self.overload.goodput.median() >= GOODPUT_MIN
    }

    pub(super) fn table(&self) -> Table {
        let mut table = Table::new(&["", "half of the full rate", "twice the full rate"]);
        let mut row = |what: &str, cell: &dyn Fn(&Side) -> String| {
            table.row(vec![what.to_owned(), cell(&self.quiet), cell(&self.overload)]);
        };
        let visits = |Counts { due, made, served, rejected, .. }: Counts| {
            format!("{served} served, {rejected} told to come again, of {made} ({due} due)")
        };
        row("p99 of ok, ms", &|side| side.p99.to_string());
        row("accepted in time, %", &|side| side.goodput.to_string());
        row("core busy, %", &|side| side.core.to_string());
        row("by threads of normal priority, %", &|side| side.busy.to_string());
        row("sent late, p99, ms", &|side| side.late.to_string());
        row("logins", &|side| visits(side.logins));
        row("HTTP requests", &|side| visits(side.http));
        table
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.holds() { "holds" } else { "missed" };
        write!(
            f,
            "overload: {verdict}, core full at {:.0} moves/s with all that comes with them; at twice that p99 {} ms \
             (limit {} ms, {} ms at half), {:.1} % of the moves accepted in time (at least {GOODPUT_MIN} %)",
            self.full_rate,
            figure(self.overload.p99.median()),
            figure(self.limit_ms()),
            figure(self.quiet.p99.median()),
            self.overload.goodput.median(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(p99_ms: f64, accepted: u64) -> Sample {
        let (logins, http) = (Counts::default(), Counts::default());
        Sample {
            due: 100,
            accepted,
            p99_ms,
            late_ms: 0.1,
            core_percent: 70.0,
            busy_percent: 50.0,
            logins,
            http,
        }
    }

    #[track_caller]
    fn check(quiet_ms: f64, overload_ms: f64, accepted: u64, holds: bool) {
        let mut report = Report::new(1_000.0);
        report.add(false, &sample(quiet_ms, 100));
        report.add(true, &sample(overload_ms, accepted));
        assert_eq!(report.holds(), holds, "{report}");
    }

    #[test]
    fn moves_are_as_quick_as_before_or_quick_enough_and_none_is_left_out() {
        check(2.0, 25.0, 90, true);
        check(2.0, 25.1, 100, false);
        check(10.0, 30.0, 100, true);
        check(10.0, 30.1, 100, false);
        check(2.0, 3.0, 89, false);
    }
}
