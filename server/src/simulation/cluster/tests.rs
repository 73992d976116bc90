//! Every seed is a test. The normal run takes some, and each seeded bug with the seed that finds it; a search takes as many as
//! are wanted.

use std::collections::BTreeMap;

use super::checker::{Complaint, Fault};
use super::{Run, run};
use crate::seeded_bugs::SeededBug;

/// The seeds of the normal run.
const SEEDS: u64 = 60;
/// What they must have come to, among them.
const EXPECTED: &[&str] = &[
    "claimed",
    "ended by itself",
    "event: MovePlayed",
    "event: Ended",
    "fault: Kill",
    "fault: Stop",
    "heard: ok",
];

/// What a range of seeds came to.
#[derive(Debug, Default)]
struct Found {
    coverage: BTreeMap<String, u64>,
    events: u64,
    complaints: Vec<(u64, Complaint)>,
}

/// Runs seeds; ends with the first complaint when `ends`.
fn run_some(from: u64, count: u64, bug: Option<SeededBug>, ends: bool) -> Found {
    let mut found = Found::default();
    for seed in from..from + count {
        let Run { complaint, coverage, events, .. } = run(seed, bug);
        found.events += events;
        coverage.into_iter().for_each(|(what, count)| *found.coverage.entry(what).or_default() += count);
        if let Some(complaint) = complaint {
            println!("seed {seed}: {:?}: {}", complaint.fault, complaint.detail);
            found.complaints.push((seed, complaint));
            if ends {
                break;
            }
        }
    }
    found
}

#[test]
fn nothing_is_wrong_on_several_nodes() {
    let found = run_some(0, SEEDS, None, true);
    assert_eq!(found.complaints, []);
    for what in EXPECTED {
        assert!(found.coverage.contains_key(*what), "{what} has not happened");
    }
}

#[test]
fn a_run_can_be_repeated() {
    for seed in [1, 2, 3] {
        let (one, other) = (run(seed, None), run(seed, None));
        assert_eq!((one.hash, one.events), (other.hash, other.events), "seed {seed}");
    }
}

#[test]
#[ignore = "a search: FROM, SEEDS and BUG say what for"]
fn cluster_simulation_search() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("FROM and SEEDS are numbers"))
    };
    let bug = std::env::var("BUG").ok();
    let bug = bug.map(|name| SeededBug::named(&name).expect("BUG names a seeded bug"));
    let (from, count) = (number("FROM", 0), number("SEEDS", 1_000));
    let found = run_some(from, count, bug, bug.is_some());
    println!("{count} seeds from {from}: {} events, {} complaints", found.events, found.complaints.len());
    found.coverage.iter().for_each(|(what, count)| println!("{count:>8} {what}"));
    assert_eq!(found.complaints.is_empty(), bug.is_none(), "with the bug {bug:?}");
}
