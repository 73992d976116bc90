//! What came of the faults: of one, of one run of this program, and of many runs together.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::crash::pauses::Hit;
use crate::report::figure;

/// One fault.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FaultRecord {
    /// What was done.
    pub what: String,
    /// How long after it began everything was there again that games need, in ms.
    pub mended_ms: f64,
    /// How long each game stood, in ms, by how it was hit.
    pub pauses_ms: BTreeMap<Hit, Vec<f64>>,
    /// For each game with which a node was behind when it was read after the fault: how long until it had caught up, in
    /// ms.
    #[serde(default)]
    pub behind_ms: Vec<f64>,
}

/// The faults of one run of this program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Batch {
    /// The seed of all random choices.
    pub seed: u64,
    /// When it began.
    pub began: String,
    /// How many clients there were.
    pub players: usize,
    /// Those that only watched.
    pub spectators: usize,
    /// Moves that were acknowledged or told to any client.
    pub moves: u64,
    /// Commands that were sent again after reconnecting.
    pub sent_again: u64,
    /// Events that were told and are missing or changed.
    pub lost: u64,
    /// Events that appear twice.
    pub doubled: u64,
    /// Flags that fell, and clocks that were charged, although the player had time left.
    pub flagged: u64,
    /// Flags and closed sockets that are not counted, because this program was late itself.
    pub excused: u64,
    /// Sockets that were closed on nodes that no fault had hit.
    pub closed: u64,
    /// Nodes that were declared dead although no fault had hit them.
    pub dead: u64,
    /// What else is wrong.
    pub complaints: u64,
    /// The faults, in their order.
    pub faults: Vec<FaultRecord>,
    /// All that is wrong, in words.
    pub findings: Vec<String>,
}

/// What came of all batches of one kind.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Totals {
    /// How many faults there were.
    pub faults: u64,
    /// As in [`Batch`].
    pub moves: u64,
    /// As in [`Batch`].
    pub lost: u64,
    /// As in [`Batch`].
    pub doubled: u64,
    /// As in [`Batch`].
    pub flagged: u64,
    /// As in [`Batch`].
    pub closed: u64,
    /// As in [`Batch`].
    pub dead: u64,
    /// As in [`Batch`].
    pub complaints: u64,
    /// How long games stood, by how they were hit.
    pub pauses: BTreeMap<Hit, Spread>,
    /// Of all games of which the fault hit what decides about them, and of all others.
    pub hit: Option<Spread>,
    /// See `hit`.
    pub others: Option<Spread>,
    /// How long those games stood that needed what was away, from when it was there again.
    pub after_mended: Option<Spread>,
    /// How long nodes were behind with games after they had gone on.
    pub behind: Option<Spread>,
}

/// How long games stood, or nodes were behind.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spread {
    /// How many.
    pub count: u64,
    /// The median, in ms.
    pub p50_ms: f64,
    /// What one in a hundred exceeds.
    pub p99_ms: f64,
    /// The longest.
    pub max_ms: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        // The nearest rank.
        let at = |share: f64| values[((values.len() as f64 * share).ceil() as usize).max(1) - 1];
        (!values.is_empty()).then(|| Self {
            count: values.len() as u64,
            p50_ms: at(0.5),
            p99_ms: at(0.99),
            max_ms: at(1.0),
        })
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p50 {} ms p99 {} ms", figure(self.p50_ms), figure(self.p99_ms))
    }
}

impl Totals {
    /// Those of these batches.
    #[must_use]
    pub fn of(batches: &[Batch]) -> Self {
        let sum = |of: fn(&Batch) -> u64| batches.iter().map(of).sum();
        let (mut pauses, mut after_mended) = (BTreeMap::<Hit, Vec<f64>>::new(), Vec::new());
        let faults = || batches.iter().flat_map(|batch| &batch.faults);
        for fault in faults() {
            for (hit, took) in &fault.pauses_ms {
                pauses.entry(*hit).or_default().extend(took);
                if matches!(hit, Hit::Everybody | Hit::Apart) {
                    after_mended.extend(took.iter().map(|ms| (ms - fault.mended_ms).max(0.0)));
                }
            }
        }
        let all = |of_owner: bool| {
            let those = pauses.iter().filter(|(hit, _)| hit.is_of_owner() == of_owner);
            Spread::of(those.flat_map(|(_, took)| took).copied().collect())
        };
        let (hit, others) = (all(true), all(false));
        Self {
            faults: sum(|batch| batch.faults.len() as u64),
            moves: sum(|batch| batch.moves),
            lost: sum(|batch| batch.lost),
            doubled: sum(|batch| batch.doubled),
            flagged: sum(|batch| batch.flagged),
            closed: sum(|batch| batch.closed),
            dead: sum(|batch| batch.dead),
            complaints: sum(|batch| batch.complaints),
            pauses: pauses.into_iter().filter_map(|(hit, took)| Some((hit, Spread::of(took)?))).collect(),
            hit,
            others,
            after_mended: Spread::of(after_mended),
            behind: Spread::of(faults().flat_map(|fault| &fault.behind_ms).copied().collect()),
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let Self { lost, doubled, flagged, closed, dead, complaints, .. } = self;
        [lost, doubled, flagged, closed, dead, complaints].into_iter().all(|count| *count == 0)
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { faults, moves, lost, doubled, flagged, closed, dead, complaints, .. } = self;
        write!(
            f,
            "faults {faults}, acked moves {moves}, lost {lost}, doubled {doubled}, flagged {flagged}, "
        )?;
        write!(f, "sockets closed {closed}, nodes declared dead {dead}, complaints {complaints}")?;
        for (name, spread) in [("hit games", self.hit), ("other games", self.others)] {
            if let Some(spread) = spread {
                write!(f, ", fault-to-move of {name} {spread}")?;
            }
        }
        if let Some(spread) = self.after_mended {
            write!(f, ", mended-to-move {spread}")?;
        }
        if let Some(spread) = self.behind {
            write!(f, ", nodes behind {} times {spread}", spread.count)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_wait_for_the_bus_or_the_database_are_also_timed_from_its_return() {
        let pauses_ms = BTreeMap::from([(Hit::Apart, vec![650.0, 1_000.0]), (Hit::Nothing, vec![900.0])]);
        let fault = FaultRecord {
            what: "NATS killed".to_owned(),
            mended_ms: 700.0,
            pauses_ms,
            behind_ms: vec![250.0],
        };
        let totals = Totals::of(&[Batch { faults: vec![fault], ..Batch::default() }]);
        let spread = totals.after_mended.unwrap();
        assert_eq!((spread.count, spread.p50_ms, spread.max_ms), (2, 0.0, 300.0));
        let said = "mended-to-move p50 0.000 ms p99 300.0 ms, nodes behind 1 times p50 250.0 ms p99 250.0 ms";
        assert!(totals.to_string().ends_with(said), "{totals}");
    }

    #[test]
    fn a_spread_is_of_the_nearest_ranks() {
        let spread = Spread::of((1..=200).rev().map(f64::from).collect()).unwrap();
        assert_eq!((spread.p50_ms, spread.p99_ms, spread.max_ms), (100.0, 198.0, 200.0));
        assert_eq!(Spread::of(vec![7.0]).unwrap().p99_ms, 7.0);
        assert_eq!(Spread::of(Vec::new()), None);
    }
}
