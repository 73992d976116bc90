//! The result of a replay: counts, differences, times.

use std::fmt;
use std::time::Duration;

use hdrhistogram::Histogram;

use super::game::Played;
use super::listener::Fault;
use super::script::{Ending, Script};

/// How many differences are named at most.
const NAMED: usize = 20;

/// A game that differed from the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Its number in the file, from 1.
    pub game: usize,
    /// The line it begins on, and who played.
    pub name: String,
    /// What differed, and on which connection.
    pub fault: Fault,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, name, fault } = self;
        write!(f, "difference: game {game} ({name}), ply {}, {}: {}", fault.ply, fault.role, fault.what)
    }
}

/// The result of a replay. Its `Display` is the last line of the report.
#[derive(Clone, Debug)]
pub struct Report {
    /// Games replayed.
    pub games: usize,
    /// Plies played.
    pub plies: usize,
    /// Games that differed.
    pub differences: usize,
    /// The first of them.
    pub named: Vec<Difference>,
    /// Games with moves in the file after their end.
    pub past_end_games: usize,
    /// The number of such moves.
    pub past_end_plies: usize,
    /// Games ended by resignation.
    pub resigned: usize,
    /// Games ended by agreement.
    pub agreed: usize,
    /// Games without a result in the file: they were resigned or aborted, and no result was
    /// compared.
    pub unfinished: usize,
    /// How long moves waited for their `ok`, in microseconds.
    ok_micros: Histogram<u64>,
    elapsed: Duration,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            games: 0,
            plies: 0,
            differences: 0,
            named: Vec::new(),
            past_end_games: 0,
            past_end_plies: 0,
            resigned: 0,
            agreed: 0,
            unfinished: 0,
            ok_micros: Histogram::new_with_bounds(1, 60_000_000, 3).expect("the bounds are in order"),
            elapsed: Duration::ZERO,
        }
    }
}

impl Report {
    /// Counts a game; one that differed counts with the plies played until then.
    pub(super) fn add(&mut self, script: &Script, result: Result<Played, Fault>) {
        self.games += 1;
        match result {
            Ok(played) => self.add_played(script, &played),
            Err(fault) => {
                self.plies += fault.ply;
                self.differences += 1;
                if self.named.len() < NAMED {
                    let name = format!("line {}, {}", script.line, script.name);
                    self.named.push(Difference { game: script.number, name, fault });
                }
            }
        }
    }

    fn add_played(&mut self, script: &Script, played: &Played) {
        self.plies += script.plies.len();
        self.past_end_games += usize::from(script.past_end > 0);
        self.past_end_plies += script.past_end;
        match script.ending {
            Ending::Automatic { .. } => {}
            Ending::Resignation { .. } => self.resigned += 1,
            Ending::Agreement => self.agreed += 1,
            Ending::Unfinished => self.unfinished += 1,
        }
        for &micros in &played.ok_micros {
            self.ok_micros.saturating_record(micros);
        }
    }

    pub(super) fn finish(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
        self.named.sort_by_key(|difference| difference.game);
    }

    /// Whether no game differed from the file.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.differences == 0
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.plies as f64 / self.elapsed.as_secs_f64().max(1e-9);
        let quantile = |q| self.ok_micros.value_at_quantile(q) as f64 / 1000.0;
        write!(
            f,
            "games {}, plies {}, differences {}, past-end {} games {} plies, resigned {}, agreed {}, moves/s {rate:.0}, \
             ok p50 {:.2} ms p99 {:.2} ms max {:.2} ms",
            self.games,
            self.plies,
            self.differences,
            self.past_end_games,
            self.past_end_plies,
            self.resigned,
            self.agreed,
            quantile(0.5),
            quantile(0.99),
            quantile(1.0),
        )
    }
}
