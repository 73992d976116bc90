//! The result of a crash test. Its `Display` is the last line of the report.

use std::fmt;

use hdrhistogram::Histogram;

use super::finding::{Finding, Kind};
use crate::report::{Better, Figure, Recorder, figure};

/// The result.
#[derive(Debug)]
pub struct Report {
    /// How often the server was broken.
    pub cycles: u64,
    /// Moves that were acknowledged or told to any client.
    pub moves: u64,
    /// What is wrong with the games.
    pub findings: Vec<Finding>,
    /// What else is wrong.
    pub complaints: Vec<String>,
    /// Flag falls that are not counted, because this program itself was late.
    pub excused: u64,
    /// What the faults affected.
    pub notes: Vec<String>,
    /// From the start of a server to its first accepted move, in µs.
    pub to_move: Histogram<u64>,
}

impl Report {
    /// How many findings are of this kind.
    #[must_use]
    pub fn count(&self, kind: Kind) -> usize {
        self.findings.iter().filter(|finding| finding.kind == kind).count()
    }

    /// Records what came of it.
    pub(super) fn record(&self, recorder: &Recorder) {
        let wrong =
            |what: &str, of: &str, count: usize| Figure::once(what, of, "", count as f64).at_most(0.0);
        for (name, kind) in [("Lost", Kind::Lost), ("Doubled", Kind::Doubled), ("Flagged", Kind::Flagged)] {
            recorder.figure(wrong(name, "events of games", self.count(kind)));
        }
        recorder.figure(wrong("Complaints", "of clients and the harness", self.complaints.len()));
        for (name, quantile) in [("p50", 0.5), ("p99", 0.99), ("max", 1.0)] {
            let ms = self.to_move.value_at_quantile(quantile) as f64 / 1e3;
            if !self.to_move.is_empty() {
                recorder.figure(Figure::once("From the restart to the first accepted move", name, "ms", ms));
            }
        }
        for (name, count) in [("acknowledged moves", self.moves), ("faults", self.cycles)] {
            recorder.figure(Figure::once("Played", name, "", count as f64).better(Better::Neither));
        }
        recorder.curve("From the restart to the first accepted move", "all faults", &self.to_move);
        self.findings.iter().for_each(|finding| recorder.finding(finding.to_string()));
        self.complaints.iter().for_each(|complaint| recorder.finding(complaint.clone()));
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.complaints.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |quantile| figure(self.to_move.value_at_quantile(quantile) as f64 / 1_000.0);
        write!(
            f,
            "cycles {}, acked moves {}, lost {}, doubled {}, flagged {}, restart-to-move p50 {} ms p99 {} ms",
            self.cycles,
            self.moves,
            self.count(Kind::Lost),
            self.count(Kind::Doubled),
            self.count(Kind::Flagged),
            ms(0.5),
            ms(0.99)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line() {
        let mut to_move = Histogram::new_with_bounds(1, 1_000_000, 3).unwrap();
        to_move.saturating_record(120_000);
        let finding = |kind| Finding {
            kind,
            game: "AbCdEfGh0123".parse().unwrap(),
            seq: 7,
            seen: "e2e4 acked".to_owned(),
            there: "the game ends with seq 6".to_owned(),
        };
        let report = Report {
            cycles: 2,
            moves: 345,
            findings: vec![finding(Kind::Lost), finding(Kind::Flagged)],
            complaints: Vec::new(),
            excused: 0,
            notes: Vec::new(),
            to_move,
        };
        assert!(!report.is_clean());
        assert_eq!(
            report.to_string(),
            "cycles 2, acked moves 345, lost 1, doubled 0, flagged 1, restart-to-move p50 120.1 ms p99 120.1 ms"
        );
        assert_eq!(
            report.findings[0].to_string(),
            "lost: game AbCdEfGh0123, seq 7: seen: e2e4 acked; there: the game ends with seq 6"
        );
    }
}
