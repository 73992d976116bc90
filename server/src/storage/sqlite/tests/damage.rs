//! Files that are not as they were left: rows torn and flipped, and the log cut off anywhere.

use std::collections::HashSet;
use std::path::Path;

use rusqlite::{Connection, params};

use super::harness::{Collected, Harness, ONE_SEGMENT, database, ended, epoch, game, load, moved, started};
use crate::storage::sqlite::committer::SegmentSettings;
use crate::storage::sqlite::open::Loaded;

fn restart(folder: &Path) -> (Loaded, Collected) {
    let mut collected = Collected::default();
    let loaded = load(&database(folder), ONE_SEGMENT, epoch(1), &mut collected).unwrap();
    (loaded, collected)
}

/// A database in one file, with three games; the last rows are those of game 1, 2 and 3.
fn three_games() -> Harness {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit((1..=3).map(|number| started(game(number))).collect());
    for number in 1..=3 {
        harness.commit(vec![moved(game(number), 2)]);
    }
    harness
}

#[test]
fn every_cut_and_every_flipped_bit_of_the_last_rows_sets_their_game_aside_and_no_other() {
    let harness = three_games();
    let connection = Connection::open(database(harness.folder.path())).unwrap();
    let sql = "SELECT id, game, record FROM journal_1 WHERE game != x'' ORDER BY id DESC LIMIT 3";
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?, row.get(2)?)));
    let rows: Vec<(i64, Vec<u8>, Vec<u8>)> = rows.unwrap().map(Result::unwrap).collect();
    drop(statement);
    let mut write = connection.prepare("UPDATE journal_1 SET record = ?2 WHERE id = ?1").unwrap();
    connection.execute_batch("PRAGMA synchronous = OFF").unwrap();
    let mut scan = |id: i64, damaged: &[u8]| {
        write.execute(params![id, damaged]).unwrap();
        scan(&connection)
    };
    for (id, column, record) in &rows {
        let cuts = (0..record.len()).map(|cut| record[..cut].to_vec());
        let flips = (0..8 * record.len()).map(|bit| {
            let mut flipped = record.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            flipped
        });
        for damaged in cuts.chain(flips) {
            let (set_aside, collected) = scan(*id, &damaged);
            assert_eq!(set_aside.len(), 1, "{set_aside:?}");
            assert_eq!(set_aside[0].0.as_bytes()[..], column[..]);
            let others: Vec<_> =
                harness.acked.0.iter().filter(|(game, _)| **game != set_aside[0].0).collect();
            assert_eq!(collected.0.iter().collect::<Vec<_>>(), others, "the others are whole");
        }
        let (set_aside, collected) = scan(*id, record);
        assert_eq!((set_aside, collected), (vec![], harness.acked.clone()));
    }
}

/// What a start would find.
fn scan(connection: &Connection) -> (Vec<(zeitnot_protocol::GameId, String)>, Collected) {
    use crate::storage::heartbeat::Heartbeats;
    use crate::storage::sqlite::game_rows::Segments;
    use crate::storage::sqlite::scan::Scan;
    let mut collected = Collected::default();
    let mut scan = Scan::new(Heartbeats::default(), HashSet::new(), &mut collected);
    scan.read(connection, &Segments::load(connection).unwrap()).unwrap();
    let set_aside = scan.finish(connection).unwrap().set_aside;
    (set_aside, collected)
}

#[test]
fn a_game_that_is_set_aside_stays_so_and_keeps_its_rows() {
    let small = SegmentSettings { rows: 14, carried_per_commit: 4 };
    let mut harness = Harness::new(small);
    harness.commit((1..=3).map(|number| started(game(number))).collect());
    harness.commit((1..=3).map(|number| moved(game(number), 2)).collect());
    let connection = Connection::open(database(harness.folder.path())).unwrap();
    let game_2 = game(2);
    let spoil = "UPDATE journal_1 SET record = substr(record, 2) WHERE game = ?1 AND seq = 2";
    assert_eq!(connection.execute(spoil, [game_2.as_bytes()]).unwrap(), 1);
    let mut harness = harness.crash();
    assert_eq!(harness.loaded.found.set_aside.len(), 1);
    assert!(harness.loaded.found.set_aside[0].1.contains("bad"), "{:?}", harness.loaded.found.set_aside);
    assert!(matches!(
        harness.commit(vec![moved(game_2, 3)])[..],
        [Err(crate::storage::AppendError::Failed(_))]
    ));
    for seq in 3..40 {
        harness.commit(vec![moved(game(1), seq), moved(game(3), seq)]);
    }
    assert!(harness.loaded.committer.state.segments.0[0].number > 1, "the segment with its rows is gone");
    let kept: i64 = connection
        .query_row("SELECT count(*) FROM set_aside WHERE game = ?1", [game_2.as_bytes()], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, 2);
    let harness = harness.crash();
    assert_eq!(harness.collected.0.keys().collect::<Vec<_>>().len(), 2);
}

#[test]
fn a_game_that_has_ended_is_whole_whatever_became_of_its_rows() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1)), started(game(2))]);
    harness.commit(vec![ended(game(1), 2)]);
    let connection = Connection::open(database(harness.folder.path())).unwrap();
    connection.execute("UPDATE journal_1 SET record = x'00' WHERE game = ?1", [game(1).as_bytes()]).unwrap();
    let harness = harness.crash();
    assert_eq!(harness.loaded.found.set_aside, []);
    assert!(crate::storage::sqlite::archive::has(&harness.loaded.committer.connection, game(1)).unwrap());
}

#[test]
fn a_missing_row_and_a_row_of_another_game_are_found() {
    for (damage, aside) in [
        ("DELETE FROM journal_1 WHERE seq = 2 AND game = ?1", vec![game(1)]),
        ("DELETE FROM journal_1 WHERE seq = 1 AND game = ?1", vec![game(1)]),
        (
            "UPDATE journal_1 SET game = (SELECT game FROM journal_1 WHERE id = 2) WHERE seq = 3 AND game = ?1",
            vec![game(1), game(2)],
        ),
    ] {
        let mut harness = Harness::new(ONE_SEGMENT);
        harness.commit(vec![started(game(2))]);
        harness.commit(vec![started(game(1))]);
        for seq in 2..=3 {
            harness.commit(vec![moved(game(1), seq), moved(game(2), seq)]);
        }
        let connection = Connection::open(database(harness.folder.path())).unwrap();
        let other: String = "UPDATE".to_owned();
        let sql = if damage.starts_with(&other) {
            damage.replace("(SELECT game FROM journal_1 WHERE id = 2)", "?2")
        } else {
            damage.to_owned()
        };
        let changed = if damage.starts_with(&other) {
            connection.execute(&sql, [game(1).as_bytes(), game(2).as_bytes()]).unwrap()
        } else {
            connection.execute(&sql, [game(1).as_bytes()]).unwrap()
        };
        assert_eq!(changed, 1);
        let harness = harness.crash();
        let mut found: Vec<_> = harness.loaded.found.set_aside.iter().map(|(game, _)| *game).collect();
        let mut aside = aside;
        found.sort();
        aside.sort();
        assert_eq!(found, aside, "{damage}");
    }
}

#[test]
fn a_log_cut_at_every_byte_of_its_last_three_commits_gives_the_state_after_an_earlier_commit() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit((1..=3).map(|number| started(game(number))).collect());
    let folder = harness.folder.path().to_owned();
    let log = folder.join("zeitnot.db-wal");
    let mut states = vec![(std::fs::metadata(&log).unwrap().len(), harness.acked.clone())];
    for seq in 2..=4 {
        harness.commit((1..=3).map(|number| moved(game(number), seq)).collect());
        states.push((std::fs::metadata(&log).unwrap().len(), harness.acked.clone()));
    }
    let (first, last) = (states[0].0, states[3].0);
    assert!(last > first);
    let (base, tail) = (std::fs::read(database(&folder)).unwrap(), std::fs::read(&log).unwrap());
    let elsewhere = tempfile::tempdir().unwrap();
    for cut in first..=last {
        let at = database(elsewhere.path());
        std::fs::write(&at, &base).unwrap();
        std::fs::write(elsewhere.path().join("zeitnot.db-wal"), &tail[..cut as usize]).unwrap();
        let connection = Connection::open(&at).unwrap();
        connection.execute_batch("PRAGMA synchronous = OFF").unwrap();
        let (set_aside, collected) = scan(&connection);
        connection.close().unwrap();
        assert_eq!(set_aside, []);
        let expected = states.iter().rev().find(|(length, _)| *length <= cut).unwrap();
        assert!(collected == expected.1, "cut at {cut}");
    }
    let (_, collected) = restart(&folder);
    assert_eq!(collected, harness.acked);
}
