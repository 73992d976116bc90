//! Ratings change with the record that ends a game, once, whatever happens around it.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use rusqlite::Connection;
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Event, Seq};
use zeitnot_rules::verdict::{Outcome, Reason, Score};

use super::harness::{Harness, ONE_SEGMENT, ended, game, moved, started};
use crate::ratings::Glicko;
use crate::storage::sqlite::{SegmentSettings, archive};
use crate::storage::{AppendError, Record};
use crate::upkeep::{Verified, verify_ratings};

/// The number of players.
const PLAYERS: u128 = 5;

/// The start of the game with this number, between two of the players.
fn begun(number: u128, white: u128, black: u128) -> Record {
    let mut record = started(game(number));
    if let Some(Event::Started(setup)) = record.events.first_mut() {
        (setup.rated, setup.players) = (true, ByColor { white, black });
    }
    record
}

fn over(number: u128, seq: Seq, score: Score) -> Record {
    let outcome = match score {
        Score::WhiteWins => Outcome::win(Color::White, Reason::Resignation),
        Score::BlackWins => Outcome::win(Color::Black, Reason::Resignation),
        _ => Outcome::draw(Reason::Agreement),
    };
    Record { events: vec![Event::Ended { outcome, charge: None }], ..ended(game(number), seq) }
}

fn verified(harness: &Harness) -> Verified {
    verify_ratings(harness.folder.path(), &Glicko).unwrap()
}

fn connection(harness: &Harness) -> &Connection {
    &harness.loaded.committer.connection
}

fn count(harness: &Harness, table: &str) -> usize {
    connection(harness).query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

/// A whole game.
fn play(harness: &mut Harness, number: u128, white: u128, black: u128, score: Score) {
    for record in
        [begun(number, white, black), moved(game(number), 2), moved(game(number), 3), over(number, 4, score)]
    {
        assert!(harness.commit(vec![record])[0].is_ok());
    }
}

#[test]
fn each_change_is_there_once_whenever_the_process_dies_around_the_end() {
    for seed in 0..20 {
        let mut rng = StdRng::seed_from_u64(seed);
        // Small segments, so that games are carried forward and read back.
        let mut harness = Harness::new(SegmentSettings { rows: 12, carried_per_commit: 1 });
        let mut ends = 0;
        for number in 1..=12 {
            let white = rng.random_range(1..=PLAYERS);
            let black = (white + rng.random_range(1..PLAYERS)) % PLAYERS + 1;
            let black = if black == white { white % PLAYERS + 1 } else { black };
            let score = [Score::WhiteWins, Score::BlackWins, Score::Draw][rng.random_range(0..3)];
            let plies = rng.random_range(0..4_u32);
            let mut records = vec![begun(number, white, black)];
            records.extend((0..plies).map(|ply| moved(game(number), ply + 2)));
            records.push(over(number, plies + 2, score));
            for record in records {
                assert!(harness.commit(vec![record.clone()])[0].is_ok());
                if rng.random_ratio(1, 3) {
                    // Nobody was told of the commit, so it is tried again.
                    harness = harness.crash();
                    assert_eq!(harness.commit(vec![record]), [Err(AppendError::Conflict)]);
                }
            }
            ends += usize::from(plies >= 2);
        }
        assert_eq!(count(&harness, "archive"), 12);
        assert_eq!(count(&harness, "rating_events"), 2 * ends, "seed {seed}");
        let verified = verified(&harness);
        assert!(verified.is_in_order(), "seed {seed}: {verified}");
    }
}

#[test]
fn games_that_end_in_one_transaction_are_rated_one_after_the_other() {
    let mut harness = Harness::new(ONE_SEGMENT);
    for number in 1..=8 {
        harness.commit(vec![begun(number, 1, 2)]);
        harness.commit(vec![moved(game(number), 2)]);
        harness.commit(vec![moved(game(number), 3)]);
    }
    let answers = harness.commit((1..=8).map(|number| over(number, 4, Score::WhiteWins)).collect());
    assert!(answers.iter().all(Result::is_ok));
    assert!(verified(&harness).is_in_order());
    let games: Vec<(u32, u32)> = [1_u128, 2]
        .map(|account| {
            let sql = "SELECT games, points FROM ratings WHERE account = ?1";
            let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            connection(&harness).query_row(sql, [account.to_be_bytes()], row).unwrap()
        })
        .to_vec();
    assert_eq!((games[0].0, games[1].0), (8, 8));
    assert!(games[0].1 > 1_700_000 && games[1].1 < 1_300_000, "{games:?}");
}

#[test]
fn a_damaged_standing_is_found_again_in_the_last_change() {
    for damage in ["UPDATE ratings SET points = points + 1", "DELETE FROM ratings"] {
        let mut harness = Harness::new(ONE_SEGMENT);
        play(&mut harness, 1, 1, 2, Score::WhiteWins);
        connection(&harness).execute(damage, []).unwrap();
        assert!(!verified(&harness).is_in_order(), "{damage}");
        play(&mut harness, 2, 1, 2, Score::Draw);
        let verified = verified(&harness);
        assert!(verified.is_in_order(), "{damage}: {verified}");
    }
}

#[test]
fn a_game_ends_also_when_it_is_not_known_where_its_players_stand() {
    let mut harness = Harness::new(ONE_SEGMENT);
    play(&mut harness, 1, 1, 2, Score::WhiteWins);
    let damage = "UPDATE ratings SET points = 0; UPDATE rating_events SET after_points = 0";
    connection(&harness).execute_batch(damage).unwrap();
    play(&mut harness, 2, 1, 2, Score::Draw);
    assert!(archive::has(connection(&harness), game(2)).unwrap());
    assert_eq!(count(&harness, "rating_events"), 2, "the second game has changed nothing");
    let said = verified(&harness).to_string();
    assert!(said.contains("is not as it was written") && said.contains("is missing"), "{said}");
}

#[test]
fn a_number_that_was_changed_with_its_checksum_is_named() {
    let mut harness = Harness::new(ONE_SEGMENT);
    play(&mut harness, 1, 1, 2, Score::WhiteWins);
    assert!(verified(&harness).is_in_order());
    let change = "UPDATE ratings SET points = points + 1; UPDATE ratings SET sum = \
                  row_sum(account, category, points, deviation, volatility, games, number, at_unix_ms)";
    connection(&harness).execute_batch(change).unwrap();
    let said = verified(&harness).to_string();
    assert!(said.contains("is kept, and it comes to") && said.contains("2 differences"), "{said}");
}
