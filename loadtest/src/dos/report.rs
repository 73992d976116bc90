//! The result of an attack, and how it is printed.

use std::fmt;

use hdrhistogram::Histogram;

use super::attack::Outcome;
use super::attacker::Kind;
use super::games::Times;
use super::sign_ins::SignInOutcome;
use super::{Plan, SECONDS, WINDOWS};
use crate::report::{Better, Figure, Recorder, Series, Table, Target, figure};

/// How much slower the games may be under attack.
const P99: Target = Target { name: "p99 under attack to alone", must: 1.25, aim: 1.1, unit: "x" };

/// The result. Its `Display` is the last line of the report.
#[derive(Debug)]
pub struct Report {
    rounds: u32,
    outcome: Outcome,
    alone: Series,
    attacked: Series,
    /// The p99 of each second of the attack.
    by_second: Vec<Series>,
    moves: u64,
    late_ms: f64,
    memory: Option<Bytes>,
}

/// The server's memory in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes {
    /// Before the first attack.
    pub(super) before: f64,
    pub(super) most: f64,
    /// After the last one.
    pub(super) after: f64,
}

impl Report {
    /// From the latencies of each window: the first is unused; then for each round the games alone,
    /// and each second of the attack.
    pub(super) fn new(plan: &Plan, times: &Times, outcome: Outcome, memory: Option<Bytes>) -> Self {
        let (mut alone, mut attacked) = (Series::default(), Series::default());
        let mut by_second = vec![Series::default(); SECONDS];
        for round in times.windows[1..].chunks_exact(WINDOWS) {
            alone.push(p99(&round[0]));
            let mut whole = round[1].clone();
            for second in &round[2..] {
                whole += second;
            }
            attacked.push(p99(&whole));
            for (series, second) in by_second.iter_mut().zip(&round[1..]).filter(|(_, s)| !s.is_empty()) {
                series.push(p99(second));
            }
        }
        let moves = times.windows[1..].iter().map(Histogram::len).sum();
        let late_ms = p99(&times.late);
        Self { late_ms, rounds: plan.rounds, outcome, alone, attacked, by_second, moves, memory }
    }

    /// Records what was measured. `times` are those that the report is made of.
    pub(super) fn record(&self, times: &Times, recorder: &Recorder) {
        let p99 = |name, series| Figure::of_rounds("p99 of moves", name, "ms", series);
        recorder.figure(p99("alone", &self.alone));
        recorder.figure(p99("under attack", &self.attacked));
        recorder.figure(Figure::of_rounds(P99.name, "games", "x", &self.ratio()).within(&P99));
        let wrong = Figure::once("Not closed or answered as documented", "", "", self.wrong() as f64);
        recorder.figure(wrong.at_most(0.0));
        if let Some(Bytes { before, most, after }) = self.memory {
            for (name, bytes) in [("before", before), ("at most", most), ("after", after)] {
                let mib = bytes / f64::from(1 << 20);
                recorder.figure(Figure::once("Memory of the server", name, "MiB", mib));
            }
        }
        let late = Figure::once("Sent late by the load generator", "p99", "ms", self.late_ms);
        recorder.figure(late.better(Better::Neither));
        let moves = Figure::once("Played", "moves", "", self.moves as f64);
        recorder.figure(moves.better(Better::Neither));
        for round in times.windows[1..].chunks_exact(WINDOWS) {
            recorder.curve("Latency of moves", "alone", &round[0]);
            round[1..].iter().for_each(|second| recorder.curve("Latency of moves", "under attack", second));
        }
    }

    /// The games' p99 under attack divided by that alone, round by round.
    #[must_use]
    pub fn ratio(&self) -> Series {
        self.attacked.ratio_to(&self.alone)
    }

    /// How many connections were not closed, and how many requests not answered, as documented.
    #[must_use]
    pub fn wrong(&self) -> u64 {
        self.outcome.cuts.wrong() + self.outcome.answers.wrong() + self.outcome.sign_ins.wrong()
    }

    /// How late this program sent one move in a hundred, in milliseconds.
    pub(super) fn late_ms(&self) -> f64 {
        self.late_ms
    }

    /// Moves that were answered in the measured windows.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Whether every connection was closed as documented and the games did not become slower.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.wrong() == 0 && P99.holds(self.ratio().median())
    }

    /// The figures of all rounds, and how the connections were closed.
    pub(super) fn table(&self) -> Table {
        let mut table = Table::new(&["p99 of ok, ms", &format!("{} rounds", self.rounds)]);
        table.row(vec!["games alone".to_owned(), self.alone.to_string()]);
        table.row(vec!["games under attack".to_owned(), self.attacked.to_string()]);
        table.row(vec!["ratio".to_owned(), self.ratio().to_string()]);
        let seconds = self.by_second.iter().filter(|series| !series.is_empty());
        let seconds = seconds.map(|series| figure(series.median())).collect::<Vec<_>>();
        table.row(vec!["under attack, second by second".to_owned(), seconds.join(" ")]);
        table.row(vec!["sent late, p99".to_owned(), figure(self.late_ms)]);
        for kind in Kind::ALL {
            table.row(vec![kind.name().to_owned(), self.outcome.cuts.of(kind)]);
        }
        table.row(vec!["HTTP requests".to_owned(), self.outcome.answers.list()]);
        let SignInOutcome { answers, told, .. } = &self.outcome.sign_ins;
        table.row(vec!["sign-ins".to_owned(), answers.list()]);
        let after = [0.5, 0.99, 1.0].map(|quantile| figure(told.value_at_quantile(quantile) as f64 / 1e3));
        table.row(vec!["told to come back after, ms: p50, p99, most".to_owned(), after.join(", ")]);
        table.row(vec!["moves of games without end".to_owned(), self.outcome.endless.to_string()]);
        table
    }
}

/// In milliseconds.
fn p99(times: &Histogram<u64>) -> f64 {
    times.value_at_quantile(0.99) as f64 / 1e3
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (alone, attacked) = (figure(self.alone.median()), figure(self.attacked.median()));
        write!(f, "dos: {}, ", P99.judge(self.ratio().median()))?;
        write!(f, "{} moves, p99 {alone} ms alone, {attacked} ms under attack, ", self.moves)?;
        write!(f, "not closed or answered as documented {}, ", self.wrong())?;
        match self.memory {
            Some(Bytes { before, most, after }) => {
                let mib = |bytes: f64| figure(bytes / 1024.0 / 1024.0);
                write!(f, "RSS {} MiB before, {} at most, {} after", mib(before), mib(most), mib(after))
            }
            None => f.write_str("RSS not watched"),
        }
    }
}
