//! Games at rest: nothing carries them, a crash at every step finds them, and their turns go on while
//! a process serves, and only then.

use std::time::Duration;

use rusqlite::params;
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::Micros;

use super::harness::{Harness, ONE_SEGMENT, game, moved, rest_mark, started};
use crate::storage::sqlite::committer::SegmentSettings;
use crate::storage::sqlite::requests::Request;
use crate::storage::{AppendError, Record};

const SMALL: SegmentSettings = SegmentSettings { rows: 12, carried_per_commit: 1 };

/// Rows with which a game was carried forward.
fn carried_rows(harness: &Harness) -> usize {
    let state = &harness.loaded.committer.state;
    let mut carried = 0;
    for segment in &state.segments.0 {
        let sql = format!("SELECT record FROM journal_{}", segment.number);
        let mut statement = harness.loaded.committer.connection.prepare(&sql).unwrap();
        let rows = statement.query_map([], |row| row.get::<_, Vec<u8>>(0)).unwrap();
        carried += rows.filter(|row| row.as_ref().unwrap()[1] == 2).count();
    }
    carried
}

/// One step of a fixed script: games that begin, go on, come to rest and are woken while segments
/// change. Game 0 is never at rest.
fn step(harness: &mut Harness, number: u32) {
    let games: Vec<_> = (0..5_u128).map(game).collect();
    let seq = |harness: &Harness, place: usize| harness.acked.0.get(&games[place]).map_or(0, Vec::len) as u32;
    for (place, &game) in games.iter().enumerate() {
        let last = seq(harness, place);
        let is_live = harness.loaded.committer.state.games.contains_key(&game);
        match (number as usize + 3 * place) % 8 {
            5 if place > 0 && is_live => assert!(harness.rest(game, last)),
            1 if place > 0 && last > 0 && !is_live => {
                let woken = harness.wake(game).expect("it rests");
                let records: Vec<_> = woken.records.iter().map(|record| Record::clone(record)).collect();
                assert_eq!(records, harness.acked.0[&game]);
            }
            _ if last == 0 => drop(harness.commit(vec![started(game)])),
            0 | 2 | 3 | 4 if is_live => {
                harness.commit(vec![moved(game, last + 1)])[0].clone().map(drop).unwrap();
            }
            _ => {}
        }
    }
    harness.pass(Duration::from_millis(300));
}

#[test]
fn a_crash_at_any_step_finds_every_game_in_one_place() {
    for crash_at in 0..60 {
        let mut harness = Harness::new(SMALL);
        for number in 0..60 {
            step(&mut harness, number);
            if number == crash_at {
                let live: Vec<_> = harness.loaded.committer.state.games.keys().copied().collect();
                harness = harness.crash();
                assert_eq!(harness.loaded.found.set_aside, [], "after step {number}");
                let resting = harness.resting();
                assert_eq!(live.len() + resting.len(), harness.acked.0.len(), "after step {number}");
                for game in live {
                    assert_eq!(
                        harness.collected.0.get(&game),
                        harness.acked.0.get(&game),
                        "after step {number}"
                    );
                    assert!(!resting.contains(&game));
                }
                assert_eq!(harness.collected.0.len(), harness.loaded.found.live.len());
            }
        }
        assert!(harness.loaded.committer.state.segments.newest().number > 3);
    }
}

#[test]
fn a_start_lists_the_games_at_rest_with_their_players() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1)), started(game(2))]);
    assert!(harness.rest(game(1), 1));
    let harness = harness.crash();
    let [resting] = harness.loaded.found.resting[..] else { panic!("{:?}", harness.loaded.found) };
    assert_eq!(resting.game, game(1));
    assert_eq!(resting.players.white, AccountId::from_u128(1));
    assert_eq!(resting.players.black, AccountId::from_u128(2));
    assert_eq!(harness.collected.0.keys().copied().collect::<Vec<_>>(), [game(2)]);
}

/// As many rows as the carry would bring if it touched games at rest.
fn carries_only_what_is_live(resting: u128, live: u128, rows: u32, segment: u64) {
    let mut harness = Harness::new(SegmentSettings { rows: segment, carried_per_commit: 4 });
    for number in 0..resting {
        harness.commit(vec![started(game(number))]);
        assert!(harness.rest(game(number), 1));
    }
    harness.acked.0.clear();
    // Whatever was in the segments of before is gone.
    let mut seq = 1;
    let games: Vec<_> = (resting..resting + live).map(game).collect();
    harness.commit(games.iter().map(|game| started(*game)).collect());
    let begun = harness.loaded.committer.state.next_id;
    let (mut carried, mut last) = (0, harness.loaded.committer.state.segments.newest().number);
    while harness.loaded.committer.state.next_id < begun + u64::from(rows) {
        seq += 1;
        for part in games.chunks(256) {
            harness.commit(part.iter().map(|game| moved(*game, seq)).collect());
        }
        let newest = harness.loaded.committer.state.segments.newest().number;
        if harness.loaded.committer.state.segments.0.len() == 1 && newest > last {
            (carried, last) = (carried + carried_rows(&harness), newest);
            assert_eq!(carried_rows(&harness), games.len(), "in segment {newest}");
        }
    }
    assert!(carried > 0, "no segment was followed by another one");
    let at_rest: u128 = harness
        .loaded
        .committer
        .connection
        .query_row("SELECT count(*) FROM resting", [], |row| row.get::<_, i64>(0))
        .unwrap() as u128;
    assert_eq!(at_rest, resting);
    eprintln!("{resting} games at rest, {rows} rows of {live} games: {carried} rows carried");
}

#[test]
fn nothing_carries_a_game_at_rest() {
    carries_only_what_is_live(300, 20, 3_000, 500);
}

/// Run with `cargo test --release -- --ignored --nocapture a_million_games_at_rest`.
#[test]
#[ignore = "it takes minutes"]
fn nothing_carries_a_million_games_at_rest() {
    carries_only_what_is_live(1_000_000, 1_000, 300_000, 100_000);
}

#[test]
fn a_turn_goes_on_at_rest_while_a_process_serves_and_only_then() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1))]);
    assert!(harness.rest(game(1), 1));
    for _ in 0..10 {
        harness.pass(Duration::from_secs(1));
        harness.run(&mut Vec::new());
    }
    // What comes after the last heartbeat is lost with the process, and so is its absence.
    harness.pass(Duration::from_millis(600));
    let mut harness = harness.crash().crash();
    harness.pass(Duration::from_secs(5));
    let woken = harness.wake(game(1)).unwrap();
    assert_eq!((woken.rested, woken.mark), (Micros::from_secs(15), rest_mark()));
}

#[test]
fn a_turn_that_is_woken_is_charged_after_a_crash_for_what_it_took_at_rest() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1))]);
    assert!(harness.rest(game(1), 1));
    harness.pass(Duration::from_secs(10));
    harness.wake(game(1)).unwrap();
    harness.pass(Duration::from_secs(3));
    harness.run(&mut Vec::new());
    let harness = harness.crash();
    let [found] = harness.loaded.found.live[..] else { panic!("{:?}", harness.loaded.found) };
    assert_eq!(found.spent, rest_mark().took + Micros::from_secs(13));
}

#[test]
fn nobody_is_charged_at_rest_while_the_server_stops() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1)), started(game(2))]);
    assert!(harness.rest(game(1), 1));
    harness.pass(Duration::from_secs(2));
    harness.run(&mut vec![Request::StopTurns]);
    harness.pass(Duration::from_secs(7));
    harness.commit(vec![moved(game(2), 2)]);
    assert_eq!(harness.wake(game(1)).unwrap().rested, Micros::from_secs(2));
    let mut harness = harness.crash();
    assert!(harness.rest(game(2), 2));
    assert_eq!(harness.wake(game(2)).unwrap().rested, Micros::ZERO);
}

#[test]
fn the_next_start_knows_the_last_heartbeat_when_its_segment_is_gone() {
    let mut harness = Harness::new(SMALL);
    harness.commit(vec![started(game(1)), started(game(2))]);
    assert!(harness.rest(game(1), 1));
    for seq in 2..=9 {
        harness.commit(vec![moved(game(2), seq)]);
        harness.pass(Duration::from_secs(1));
    }
    while harness.loaded.committer.state.segments.0.len() > 1
        || harness.loaded.committer.state.segments.newest().number == 1
    {
        // No time passes, so no heartbeat is due in the next segment.
        let seq = harness.acked.0[&game(2)].len() as u32 + 1;
        harness.commit(vec![moved(game(2), seq)]);
    }
    let mut harness = harness.crash();
    let rested = harness.wake(game(1)).unwrap().rested;
    assert!(rested >= Micros::from_secs(7), "only {rested}");
}

#[test]
fn a_damaged_game_at_rest_is_set_aside_and_the_others_are_woken() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1)), started(game(2)), started(game(3))]);
    for number in 1..=3 {
        assert!(harness.rest(game(number), 1));
    }
    let connection = &harness.loaded.committer.connection;
    let damage = |sql: &str, number| {
        assert_eq!(connection.execute(sql, params![game(number).as_bytes()]).unwrap(), 1);
    };
    damage("UPDATE resting SET record = substr(record, 1, length(record) - 1) WHERE game = ?1", 1);
    damage("UPDATE resting SET white = zeroblob(16) WHERE game = ?1", 2);
    let mut harness = harness.crash();
    assert_eq!(harness.resting(), [game(1), game(3)], "that one is not as it was written");
    assert_eq!(harness.loaded.found.set_aside.len(), 1);
    assert_eq!(harness.wake(game(1)), None);
    assert!(harness.wake(game(3)).is_some());
    let answers = harness.commit(vec![moved(game(1), 2)]);
    assert!(matches!(answers[..], [Err(AppendError::Failed(_))]), "{answers:?}");
}
