//! Ratings change with the record that ends a game, once, whatever happens around it.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use rusqlite::Connection;
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Event, Seq};
use zeitnot_rules::verdict::{Outcome, Reason, Score};

use super::harness::{Harness, ONE_SEGMENT, ended, game, moved, started};
use crate::ratings::Glicko;
use crate::storage::damage_log::DamageLog;
use crate::storage::sqlite::{Request, SegmentSettings, archive};
use crate::storage::{AppendError, CORRECTIONS_MAX, Corrected, Correction, Record, Search};
use crate::time::ServiceClock;
use crate::upkeep::{Exported, Verified, export, verify_ratings};

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

/// A correction, in a transaction of its own.
fn correct(harness: &mut Harness, number: u128, score: Score, at_unix_ms: u64) -> Corrected {
    let to = Correction { score, at_unix_ms };
    let (request, mut answered) =
        Request::other(move |connection| archive::correct(connection, &Glicko, game(number), to));
    harness.run(&mut vec![request]);
    answered.try_recv().unwrap()
}

#[test]
fn a_correction_is_there_once_whenever_the_process_dies_around_it() {
    let scores = [Score::WhiteWins, Score::BlackWins, Score::Draw, Score::BothLose, Score::NoResult];
    for seed in 0..20 {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut harness = Harness::new(SegmentSettings { rows: 12, carried_per_commit: 1 });
        let (mut ends, mut rated) = (0, 0);
        for step in 1..=30 {
            if ends < 3 || rng.random_ratio(1, 2) {
                ends += 1;
                let white = rng.random_range(1..PLAYERS);
                play(&mut harness, ends, white, white + 1, scores[rng.random_range(0..3)]);
                continue;
            }
            let number = rng.random_range(1..=ends);
            let (score, at) = (scores[rng.random_range(0..5)], 1_763_000_000_000 + step * 86_400_000);
            let corrected = correct(&mut harness, number, score, at);
            if rng.random_ratio(1, 2) {
                // Nobody was told of the commit, so it is tried again.
                harness = harness.crash();
                assert_eq!(correct(&mut harness, number, score, at), Corrected::Same);
            }
            rated += usize::from(matches!(corrected, Corrected::From { is_rated: true, .. }));
        }
        assert!(rated > 3, "seed {seed}: {rated} corrections");
        assert_eq!(count(&harness, "rating_events"), 2 * (ends as usize + rated), "seed {seed}");
        let verified = verified(&harness);
        assert!(verified.is_in_order(), "seed {seed}: {verified}");
    }
}

#[test]
fn a_correction_with_a_wrong_number_is_named_and_so_is_one_that_is_damaged_or_missing() {
    let event_sum = "UPDATE rating_events SET sum = row_sum(account, category, number, cause, game, color, opponent, \
         opponent_points, opponent_deviation, opponent_volatility, score, before_points, before_deviation, \
         before_volatility, after_points, after_deviation, after_volatility, games, at_unix_ms)";
    let correction_sum = "UPDATE corrections SET sum = row_sum(game, score, after, at_unix_ms)";
    for (damage, sum, said) in [
        (
            "UPDATE rating_events SET after_points = after_points + 1 WHERE cause = 2 AND color = 1",
            event_sum,
            "differs",
        ),
        ("UPDATE rating_events SET score = 3 WHERE cause = 2 AND color = 0", event_sum, "differs"),
        ("DELETE FROM rating_events WHERE cause = 2", event_sum, "is missing"),
        ("UPDATE corrections SET after = 1", correction_sum, "is kept, and it comes to"),
        ("UPDATE corrections SET score = 3", correction_sum, "is kept, and it comes to"),
        ("DELETE FROM corrections", correction_sum, "not two each"),
        ("UPDATE corrections SET score = 9", "", "a correction is not as it was written"),
    ] {
        let mut harness = Harness::new(ONE_SEGMENT);
        play(&mut harness, 1, 1, 2, Score::WhiteWins);
        play(&mut harness, 2, 2, 1, Score::Draw);
        correct(&mut harness, 1, Score::BlackWins, 1_763_086_400_000);
        play(&mut harness, 3, 1, 2, Score::Draw);
        assert!(verified(&harness).is_in_order());
        connection(&harness).execute_batch(damage).unwrap();
        connection(&harness).execute_batch(sum).unwrap();
        let report = verified(&harness).to_string();
        assert!(report.contains(said), "{damage}: {report}");
    }
}

#[test]
fn a_result_is_corrected_only_so_often() {
    let mut harness = Harness::new(ONE_SEGMENT);
    for number in [1, 2] {
        play(&mut harness, number, 1, 2, Score::WhiteWins);
    }
    for number in 0..CORRECTIONS_MAX as u64 {
        let score = if number % 2 == 0 { Score::Draw } else { Score::BlackWins };
        assert!(matches!(correct(&mut harness, 1, score, number), Corrected::From { .. }));
    }
    assert_eq!(correct(&mut harness, 1, Score::Draw, 5), Corrected::TooMany);
    assert!(matches!(correct(&mut harness, 2, Score::Draw, 5), Corrected::From { .. }), "of another game");
    assert_eq!(count(&harness, "corrections"), CORRECTIONS_MAX + 1);
    assert!(verified(&harness).is_in_order());
}

#[test]
fn a_result_is_not_corrected_when_it_is_not_known_where_its_players_stand() {
    for damage in [
        "UPDATE ratings SET points = 0; UPDATE rating_events SET after_points = 0",
        "UPDATE rating_events SET color = 1",
        "UPDATE archive SET records = x'00'",
    ] {
        let mut harness = Harness::new(ONE_SEGMENT);
        play(&mut harness, 1, 1, 2, Score::WhiteWins);
        connection(&harness).execute_batch(damage).unwrap();
        assert_eq!(correct(&mut harness, 1, Score::Draw, 5), Corrected::Damaged, "{damage}");
        assert_eq!((count(&harness, "rating_events"), count(&harness, "corrections")), (2, 0));
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
fn a_game_is_listed_and_exported_with_what_it_did_to_ratings_or_without_that_when_it_is_damaged() {
    let mut harness = Harness::new(ONE_SEGMENT);
    for number in [1, 2] {
        play(&mut harness, number, 1, 2, Score::WhiteWins);
    }
    let damage = DamageLog::new(ServiceClock::start().unwrap(), ("a test", ""));
    let listed = || {
        let listed = archive::games(connection(&harness), &damage, &Search::default(), &[1, 2]).unwrap();
        listed.iter().map(|found| found.ratings).collect::<Vec<_>>()
    };
    let exported = || {
        let mut exported = Vec::new();
        let done = export(harness.folder.path(), None, &mut |found| {
            exported.push(found.ratings);
            Ok(())
        });
        assert_eq!(done.unwrap(), Exported { games: 2, damaged: 0 });
        exported
    };
    let whole = listed();
    assert!(whole.iter().all(Option::is_some), "{whole:?}");
    assert_eq!(exported(), whole);
    let first = "game = (SELECT game FROM archive WHERE id = 1)";
    for damage in [
        format!("UPDATE rating_events SET games = 9 WHERE {first}"),
        format!("DELETE FROM rating_events WHERE {first} AND color = 1"),
    ] {
        connection(&harness).execute_batch(&damage).unwrap();
        assert_eq!(listed(), [None, whole[1]], "{damage}");
        assert_eq!(exported(), [None, whole[1]], "{damage}");
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
