//! Every seed is a test. The normal run takes 2,000, and each seeded bug with the seed that finds
//! it; a search takes as many as are wanted.

use std::num::NonZero;

use super::checker::{Complaint, Fault};
use super::coverage::{Coverage, EXPECTED};
use super::run;
use crate::seeded_bugs::SeededBug;

/// The seeds of the normal run.
const SEEDS: u64 = 2_000;
/// A search shows so many complaints.
const SHOWN_MAX: usize = 10;

/// Each seeded bug with a seed that finds it, and what the checker says.
const FOUND: &[(SeededBug, u64, Fault)] = &[
    (SeededBug::EvolveBeforeCommit, 0, Fault::NotDurable),
    (SeededBug::FlagWithoutFence, 363, Fault::FlagAgainstMove),
    (SeededBug::DeadlineWithoutAllowance, 3, Fault::WrongCredit),
    (SeededBug::ReplayAfterTakeback, 1, Fault::ForeignMove),
    (SeededBug::FenceBeforeHandOver, 363, Fault::FlagAgainstMove),
    (SeededBug::OkBeforeDurable, 0, Fault::NotDurable),
    (SeededBug::SnapshotSkipsAnEvent, 0, Fault::TooEarly),
    (SeededBug::RingOffByOne, 0, Fault::Gap),
    (SeededBug::AnswersOnlyInMemory, 1, Fault::RejectedAfterOk),
    (SeededBug::AppendedAgainAfterUnknown, 18, Fault::BrokenLog),
    (SeededBug::ConflictIgnored, 10, Fault::NotDurable),
    (SeededBug::TurnStandsAtRest, 22, Fault::WrongTime),
    (SeededBug::TurnRunsWithoutActor, 17_584, Fault::WrongTime),
    (SeededBug::TurnStartsBeforeCommit, 0, Fault::WrongTime),
    (SeededBug::ClockRunsInAStop, 4, Fault::WrongTime),
    (SeededBug::IncrementOnTheLastMove, 6, Fault::WrongClock),
    (SeededBug::OfferAnsweredTwice, 4, Fault::OfferAnsweredTwice),
    (SeededBug::SecondTabNotTold, 4_174, Fault::Stuck),
    (SeededBug::DowntimeCharged, 2, Fault::WrongTime),
    (SeededBug::DeadlineAfterTheEnd, 2, Fault::SecondResult),
    (SeededBug::StampsIgnored, 101, Fault::FlagAgainstMove),
];

/// What a range of seeds came to.
#[derive(Debug, Default)]
struct Found {
    coverage: Coverage,
    events: u64,
    complaints: Vec<(u64, Complaint)>,
}

impl Found {
    fn add(&mut self, other: Self) {
        self.coverage.add(&other.coverage);
        self.events += other.events;
        self.complaints.extend(other.complaints);
    }
}

/// Runs every `step`th seed; ends with the first complaint when `ends`.
fn run_some(from: u64, count: u64, step: u64, bug: Option<SeededBug>, ends: bool) -> Found {
    let mut found = Found::default();
    for seed in (from..from + count).step_by(step as usize) {
        let run = run(seed, bug);
        found.events += run.events;
        found.coverage.add(&run.coverage);
        found.complaints.extend(run.complaint.map(|complaint| (seed, complaint)));
        if ends && !found.complaints.is_empty() || found.complaints.len() >= SHOWN_MAX {
            break;
        }
    }
    found
}

/// Runs seeds on all cores: each run is on one thread from its begin to its end.
fn run_all(from: u64, count: u64, bug: Option<SeededBug>, ends: bool) -> Found {
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let mut found = Found::default();
    std::thread::scope(|scope| {
        let parts = (0..cores.min(count))
            .map(|part| scope.spawn(move || run_some(from + part, count - part, cores, bug, ends)));
        for part in parts.collect::<Vec<_>>() {
            found.add(part.join().expect("a run catches its panics"));
        }
    });
    found.complaints.sort_by_key(|(seed, _)| *seed);
    found
}

/// The command that runs a seed again.
fn again(seed: u64) -> String {
    format!(
        "FROM={seed} SEEDS=1 TRACE=1 cargo test -p zeitnot-server simulation_search -- --ignored --nocapture"
    )
}

#[test]
fn two_thousand_seeds_find_nothing_and_come_to_everything() {
    let found = run_all(0, SEEDS, None, false);
    if let Some((seed, complaint)) = found.complaints.first() {
        panic!("seed {seed}: {:?}: {}\n{}", complaint.fault, complaint.detail, again(*seed));
    }
    // A simulation that never comes to something tests nothing of it.
    for what in EXPECTED {
        assert!(found.coverage.count(what) > 0, "no seed came to `{what}`: {:#?}", found.coverage);
    }
}

#[test]
fn one_seed_is_always_the_same_run() {
    for seed in 0..20 {
        let (first, second) = (run(seed, None), run(seed, None));
        assert_eq!((first.hash, first.events), (second.hash, second.events), "seed {seed}");
        assert_eq!(first.coverage, second.coverage);
    }
}

#[test]
fn each_seeded_bug_is_found_by_its_seed() {
    for bug in SeededBug::IN_GAMES {
        let recorded = FOUND.iter().find(|(found, ..)| found == bug);
        let (_, seed, fault) = recorded.unwrap_or_else(|| panic!("no seed is recorded for {bug:?}"));
        let complaint = run(*seed, Some(*bug)).complaint;
        let said = complaint.as_ref().map(|complaint| complaint.fault);
        assert_eq!(said, Some(*fault), "{bug:?} with seed {seed}: {complaint:?}");
        assert_eq!(run(*seed, None).complaint, None, "without {bug:?} nothing is wrong with seed {seed}");
    }
}

#[test]
#[ignore = "a search: FROM, SEEDS and BUG say what for"]
fn simulation_search() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("FROM and SEEDS are numbers"))
    };
    let (from, count) = (number("FROM", 0), number("SEEDS", 10_000));
    let bug = std::env::var("BUG").ok();
    let bug = bug.map(|name| SeededBug::named(&name).expect("BUG names a seeded bug"));
    let found = run_all(from, count, bug, bug.is_some());
    println!("{count} seeds from {from}: {} events, {} complaints", found.events, found.complaints.len());
    for (seed, complaint) in &found.complaints {
        println!("seed {seed}: {:?}: {}", complaint.fault, complaint.detail);
    }
    for what in EXPECTED.iter().filter(|what| found.coverage.count(what) < 5) {
        println!("seldom: {what}, {} times", found.coverage.count(what));
    }
    let is_as_expected = found.complaints.is_empty() == bug.is_none();
    assert!(
        is_as_expected,
        "{}",
        found.complaints.first().map_or_else(String::new, |(seed, _)| again(*seed))
    );
}
