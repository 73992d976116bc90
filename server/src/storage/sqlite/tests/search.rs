//! What a search may read at most, and the tables that it reads in a folder of an older version.

use std::time::Duration;

use rusqlite::Connection;
use zeitnot_protocol::AccountId;
use zeitnot_rules::board::Color;

use super::harness::{Harness, ONE_SEGMENT, ended, game, moved, started};
use crate::storage::search::COUNTED_MAX;
use crate::storage::sqlite::{search, search_index};
use crate::storage::{PositionKey, Search, Who};

const BUSY: AccountId = AccountId::from_u128(1);

/// Fills in `?` for each number from 1 to `count`.
fn fill(connection: &Connection, count: u64, insert: &str) {
    let sql = format!(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count}) {insert}"
    );
    connection.execute_batch(&sql).unwrap();
}

/// A player who had Black once, long ago, and White in many games since.
fn busy_player(count: u64) -> Harness {
    let harness = Harness::new(ONE_SEGMENT);
    let connection = &harness.loaded.committer.connection;
    let who = search_index::key(&Who::Account(BUSY));
    connection.execute("INSERT INTO players VALUES (1, ?1, row_sum(1, ?1))", [who]).unwrap();
    let insert =
        "INSERT INTO games_by_player SELECT 1, n, CASE n WHEN 1 THEN 2 ELSE 1 END, 17, 0 FROM numbers";
    fill(connection, count, insert);
    harness
}

fn of_player(seat: Option<Color>) -> Search {
    Search { player: Some(Who::Account(BUSY)), seat, ..Search::default() }
}

#[test]
fn a_search_that_may_read_no_more_goes_on_from_its_cursor() {
    let harness = busy_player(120_000);
    let connection = &harness.loaded.committer.connection;
    let search = of_player(Some(Color::Black));
    let (mut pages, mut before) = (1, None);
    let found = loop {
        let page = search::page(connection, &search, before, 9).unwrap();
        let Some(next) = page.next else { break page.ids };
        assert!(page.ids.is_empty());
        (pages, before) = (pages + 1, Some(next.unsigned_abs()));
    };
    assert_eq!((pages, found), (3, vec![1]));
    let dense = search::page(connection, &of_player(None), None, 9).unwrap();
    assert_eq!(dense.ids, (119_992..=120_000).rev().collect::<Vec<_>>());
    assert_eq!(dense.next, Some(119_992));
}

#[test]
fn beyond_a_bound_games_are_not_counted() {
    let harness = busy_player(220_000);
    let connection = &harness.loaded.committer.connection;
    let rare = search::count(connection, &of_player(Some(Color::Black))).unwrap();
    assert_eq!((rare.total(), rare.are_more), (0, true), "it has not come to the first game");
    let key = PositionKey(-7);
    let of_key = Search { positions: vec![key], ..Search::default() };
    for (games, are_more) in [(COUNTED_MAX, false), (COUNTED_MAX + 1, true)] {
        connection.execute("DELETE FROM games_by_position", []).unwrap();
        fill(connection, games, "INSERT INTO games_by_position SELECT -7, n, 17 FROM numbers");
        let counts = search::count(connection, &of_key).unwrap();
        assert_eq!((counts.total(), counts.white, counts.are_more), (COUNTED_MAX, COUNTED_MAX, are_more));
    }
}

#[test]
fn games_of_an_older_version_are_indexed_a_few_at_a_time() {
    let mut harness = Harness::new(ONE_SEGMENT);
    for number in 1..=10 {
        harness.commit(vec![started(game(number))]);
        harness.commit(vec![moved(game(number), 2)]);
        harness.commit(vec![ended(game(number), 3)]);
    }
    let tables = ["players", "facets", "games_by_facet", "games_by_player", "games_by_position"];
    let content = |harness: &Harness| {
        let connection = &harness.loaded.committer.connection;
        let count = |table: &str| {
            connection
                .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, u64>(0))
                .unwrap()
        };
        tables.map(count)
    };
    let whole = content(&harness);
    assert_eq!(whole, [2, 1, 10, 20, 20]);
    for table in tables {
        harness.loaded.committer.connection.execute(&format!("DELETE FROM {table}"), []).unwrap();
    }
    search_index::forget(&harness.loaded.committer.connection).unwrap();
    let mut harness = harness.crash();
    let player = Search { player: Some(Who::Account(AccountId::from_u128(2))), ..Search::default() };
    let mut found = Vec::new();
    while harness.loaded.committer.has_work(harness.now) {
        // A game that ends meanwhile is indexed at once.
        let number = 11 + found.len() as u128;
        harness.pass(Duration::from_secs(1));
        harness.commit(vec![started(game(number))]);
        harness.commit(vec![ended(game(number), 2)]);
        let page = search::page(&harness.loaded.committer.connection, &player, None, 99).unwrap();
        found.push((page.ids.len(), page.is_indexing));
        // A crash loses nothing of it, and repeats nothing.
        harness = harness.crash();
    }
    assert_eq!(found, [(5, true), (10, true), (13, false)]);
    assert_eq!(content(&harness)[1..4], [1, 13, 26]);
}
