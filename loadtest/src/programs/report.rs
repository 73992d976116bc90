//! The result of a run of bots of both kinds. Its `Display` is the last line of the report.

use std::fmt;

use super::audit::Games;
use crate::crash::finding::{Finding, Kind};
use crate::report::{Better, Figure, Recorder};

/// How many differences are named at most.
const NAMED: usize = 20;

/// The result.
#[derive(Debug)]
pub struct Report {
    /// Bots of each kind.
    pub bots: u32,
    /// Games between two bots of the Lichess API, mixed ones, and games between two bots of our own protocol.
    pub games: [u64; 3],
    /// Moves that were acknowledged or told to anybody.
    pub moves: u64,
    /// Moves and calls that were made a second time, on purpose or because there was no answer.
    pub again: u64,
    /// What is wrong with the moves.
    pub findings: Vec<Finding>,
    /// How much else is wrong.
    pub differences: usize,
    /// The first of it.
    pub named: Vec<String>,
}

impl Report {
    pub(super) fn new(bots: u32, games: Games, moves: u64, again: u64) -> Self {
        let games = [games.http, games.mixed, games.socket];
        Self { bots, games, moves, again, findings: Vec::new(), differences: 0, named: Vec::new() }
    }

    pub(super) fn with(mut self, findings: &[Finding], mut wrong: Vec<String>) -> Self {
        self.findings = findings.to_vec();
        self.differences = wrong.len();
        wrong.truncate(NAMED);
        self.named = wrong;
        self
    }

    fn count(&self, kind: Kind) -> usize {
        self.findings.iter().filter(|finding| finding.kind == kind).count()
    }

    /// Records what came of it.
    pub(super) fn record(&self, recorder: &Recorder) {
        let wrong =
            |what: &str, of: &str, count: usize| Figure::once(what, of, "", count as f64).at_most(0.0);
        for (name, kind) in [("Lost", Kind::Lost), ("Doubled", Kind::Doubled), ("Flagged", Kind::Flagged)] {
            recorder.figure(wrong(name, "events of games", self.count(kind)));
        }
        recorder.figure(wrong("Differences", "between readers of a game", self.differences));
        let kinds = ["games over HTTP", "games of both kinds", "games over WebSockets"];
        let games = kinds.into_iter().zip(self.games);
        for (name, count) in games.chain([("moves", self.moves), ("sent again", self.again)]) {
            recorder.figure(Figure::once("Played", name, "", count as f64).better(Better::Neither));
        }
        self.findings.iter().for_each(|finding| recorder.finding(finding.to_string()));
        self.named.iter().for_each(|difference| recorder.finding(difference.clone()));
    }

    /// Whether nothing is wrong, and something was played.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty() && self.differences == 0 && self.games.iter().sum::<u64>() > 0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bots, games: [http, mixed, socket], moves, again, differences, .. } = self;
        let [lost, doubled, flagged] =
            [Kind::Lost, Kind::Doubled, Kind::Flagged].map(|kind| self.count(kind));
        write!(f, "programs: bots {bots}+{bots}, games {} ", http + mixed + socket)?;
        write!(f, "(http {http}, mixed {mixed}, socket {socket}), moves {moves}, sent again {again}, ")?;
        write!(f, "lost {lost}, doubled {doubled}, flagged {flagged}, differences {differences}")
    }
}
