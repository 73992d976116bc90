//! From one segment to the next, with a crash at every step.

use super::harness::{Harness, ended, game, moved, started};
use crate::storage::sqlite::committer::SegmentSettings;

const SMALL: SegmentSettings = SegmentSettings { rows: 12, carried_per_commit: 1 };

/// Plays one step of a fixed script: games that begin, go on and end while segments change.
fn step(harness: &mut Harness, number: u32) {
    let live: Vec<_> = (0..6_u128).map(game).collect();
    let mut records = Vec::new();
    for (place, &game) in live.iter().enumerate() {
        let seen = harness.acked.0.get(&game).map_or(0, Vec::len) as u32;
        if !(number as usize + place).is_multiple_of(3) {
            continue;
        }
        records.push(match seen {
            0 => started(game),
            // Game 5 ends after a while, game 4 soon.
            9 if place == 5 => ended(game, 10),
            3 if place == 4 => ended(game, 4),
            10 if place == 5 => continue,
            4 if place == 4 => continue,
            _ => moved(game, seen + 1),
        });
    }
    for answer in harness.commit(records) {
        answer.unwrap();
    }
}

/// What is live of what was acked.
fn live(harness: &Harness) -> super::harness::Collected {
    let is_live = |records: &Vec<crate::storage::Record>| {
        !matches!(records.last().unwrap().events[0], zeitnot_rules::game::Event::Ended { .. })
    };
    let live = harness.acked.0.iter().filter(|(_, records)| is_live(records));
    super::harness::Collected(live.map(|(game, records)| (*game, records.clone())).collect())
}

#[test]
fn a_crash_at_any_step_loses_and_doubles_nothing() {
    const STEPS: u32 = 60;
    let mut segments_seen = std::collections::BTreeSet::new();
    for crash_at in 0..STEPS {
        let mut harness = Harness::new(SMALL);
        for number in 0..STEPS {
            step(&mut harness, number);
            segments_seen.insert(harness.loaded.committer.state.segments.0.clone().len());
            if number == crash_at {
                harness = harness.crash();
                assert_eq!(harness.loaded.found.set_aside, []);
                assert_eq!(harness.collected, live(&harness), "after a crash behind step {number}");
            }
        }
        let newest = harness.loaded.committer.state.segments.newest().number;
        assert!(newest > 3, "only {newest} segments");
        for (game, records) in &live(&harness).0 {
            assert_eq!(harness.read(*game).as_ref(), Some(records));
        }
        let harness = harness.crash();
        assert_eq!(harness.collected, live(&harness));
    }
    assert!(segments_seen.contains(&1) && segments_seen.contains(&2), "{segments_seen:?}");
}

#[test]
fn a_crash_behind_every_step_loses_nothing_either() {
    let mut harness = Harness::new(SMALL);
    for number in 0..80 {
        step(&mut harness, number);
        harness = harness.crash();
        assert_eq!(harness.collected, live(&harness), "after step {number}");
    }
    assert!(harness.loaded.committer.state.segments.newest().number > 3);
}

#[test]
fn an_old_segment_is_dropped_when_its_last_live_game_is_carried() {
    let mut harness = Harness::new(SMALL);
    harness.commit((0..3).map(|number| started(game(number))).collect());
    for seq in 2..=5 {
        harness.commit((0..3).map(|number| moved(game(number), seq)).collect());
    }
    let tables = |harness: &Harness| -> Vec<String> {
        let sql = "SELECT name FROM sqlite_schema WHERE name LIKE 'journal_%' ORDER BY name";
        let mut statement = harness.loaded.committer.connection.prepare(sql).unwrap();
        let names = statement.query_map([], |row| row.get(0)).unwrap();
        names.map(Result::unwrap).collect()
    };
    assert_eq!(tables(&harness), ["journal_1", "journal_2"]);
    // Three games, one a commit, and one commit to drop it.
    for _ in 0..4 {
        harness.run(&mut Vec::new());
    }
    assert_eq!(tables(&harness), ["journal_2"]);
    let harness = harness.crash();
    assert_eq!(harness.collected, harness.acked);
}

/// What the longest commits take while a full segment is opened, carried and dropped. Run with
/// `cargo test --release -- --ignored --nocapture longest_commit`.
#[test]
#[ignore = "a measurement, and only with optimisation"]
fn the_longest_commit_of_a_rollover_is_short() {
    const GAMES: u128 = 10_000;
    let mut harness = Harness::new(SegmentSettings { rows: 250_000, carried_per_commit: 4 });
    let clock = crate::time::ServiceClock::start().unwrap();
    let mut longest: Vec<(usize, std::time::Duration)> = Vec::new();
    harness.commit((0..GAMES).map(|number| started(game(number))).collect());
    for seq in 2..=34_u32 {
        for batch in 0..GAMES / 20 {
            let records = (20 * batch..20 * batch + 20).map(|number| moved(game(number), seq)).collect();
            let segments = harness.loaded.committer.state.segments.0.len()
                + harness.loaded.committer.state.to_carry.len().min(1);
            let began = clock.now();
            harness.commit(records);
            longest.push((segments, clock.now().since(began)));
        }
    }
    for phase in 1..=3 {
        let mut times: Vec<_> =
            longest.iter().filter(|(in_phase, _)| *in_phase == phase).map(|(_, time)| *time).collect();
        times.sort_unstable();
        let at = |share: f64| times.get((times.len().saturating_sub(1) as f64 * share) as usize);
        eprintln!(
            "phase {phase}: {} commits, p50 {:?}, p99 {:?}, max {:?}",
            times.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
}
