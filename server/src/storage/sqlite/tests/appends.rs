//! Appends: what is rejected, what is answered, and games that end.

use rusqlite::Connection;

use super::harness::{Harness, ONE_SEGMENT, ended, game, guest, moved, started};
use crate::storage::encoding::{Row, decode};
use crate::storage::sqlite::committer::Now;
use crate::storage::sqlite::requests::Request;
use crate::storage::sqlite::{accounts, archive, challenges, readers, tokens};
use crate::storage::{AppendError, EffectWatch, JournalOffset, NewToken, OpenChallenge, TokenDigest};

#[test]
fn a_conflict_in_a_batch_of_16_fails_alone() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit((0..16).map(|number| started(game(number))).collect());
    let answers = harness.commit_after(
        (0..16).map(|number| (if number == 7 { 3 } else { 1 }, moved(game(number), 2))).collect(),
    );
    for (number, answer) in answers.into_iter().enumerate() {
        let expected = if number == 7 { Err(AppendError::Conflict) } else { Ok(JournalOffset(2)) };
        assert_eq!(answer, expected, "game {number}");
    }
    // Two writers in one batch: one of them wins.
    let answers =
        harness.commit_after(vec![(2, moved(game(3), 3)), (2, moved(game(3), 3)), (3, moved(game(3), 4))]);
    assert_eq!(answers, [Ok(JournalOffset(3)), Err(AppendError::Conflict), Ok(JournalOffset(4))]);
    let harness = harness.crash();
    assert_eq!(harness.collected, harness.acked);
    assert_eq!(harness.collected.0[&game(7)].len(), 1);
}

#[test]
fn what_comes_before_a_games_first_record_or_leaves_a_gap_is_a_conflict() {
    let mut harness = Harness::new(ONE_SEGMENT);
    assert_eq!(harness.commit_after(vec![(4, moved(game(1), 5))]), [Err(AppendError::Conflict)]);
    assert_eq!(harness.commit_after(vec![(0, moved(game(1), 5))]), [Err(AppendError::Conflict)]);
    assert_eq!(harness.commit(vec![started(game(1))]), [Ok(JournalOffset(1))]);
    assert_eq!(harness.commit(vec![started(game(1))]), [Err(AppendError::Conflict)], "it is there already");
    assert_eq!(harness.commit_after(vec![(1, moved(game(1), 3))]), [Err(AppendError::Conflict)]);
}

#[test]
fn the_record_that_ends_a_game_archives_it_in_the_same_transaction() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1)), started(game(2))]);
    harness.commit(vec![moved(game(1), 2)]);
    let before = harness.acked.0[&game(1)].clone();
    harness.commit(vec![ended(game(1), 3), moved(game(2), 2)]);
    let harness = harness.crash();
    let connection = &harness.loaded.committer.connection;
    let records = archive::get(connection, game(1)).unwrap().unwrap().unwrap();
    let records: Vec<_> = records.iter().map(|record| (**record).clone()).collect();
    assert_eq!(records, [before, vec![ended(game(1), 3)]].concat());
    assert_eq!(harness.collected.0.keys().collect::<Vec<_>>(), [&game(2)]);
    let row: (Vec<u8>, Vec<u8>, i64, i64) = connection
        .query_row("SELECT white, black, score, reason FROM archive", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .unwrap();
    assert_eq!(row, (1_u128.to_be_bytes().to_vec(), 2_u128.to_be_bytes().to_vec(), 1, 14));
    // Read as a live game is, from any seq.
    let tail = readers::tail(connection, &harness.loaded.committer.state.shared, game(1), 2).unwrap();
    assert_eq!((tail.records.len(), tail.last), (2, JournalOffset(3)));
    let tail = readers::tail(connection, &harness.loaded.committer.state.shared, game(2), 3).unwrap();
    assert_eq!((tail.records.len(), tail.last), (0, JournalOffset(2)));
    let nobody = readers::tail(connection, &harness.loaded.committer.state.shared, game(9), 1).unwrap();
    assert_eq!((nobody.records.len(), nobody.last), (0, JournalOffset::NONE));
}

#[test]
fn a_challenge_goes_with_the_first_record_of_its_game() {
    let mut harness = Harness::new(ONE_SEGMENT);
    let challenge = zeitnot_protocol::ChallengeId::from_random(1);
    let owner = guest(zeitnot_protocol::AccountId::from_u128(1));
    assert_eq!(zeitnot_protocol::GameId::from(challenge), game(1));
    let (terms, rematch_of) = ("{}".to_owned(), Some(game(3)));
    let open = OpenChallenge { challenge, owner, terms, rematch_of, accepted_by: None, until_unix_ms: 7 };
    let opened = open.clone();
    let (request, mut answered) = Request::other(move |connection| {
        accounts::create(connection, opened.owner.account, &NewToken::shown(TokenDigest([1; 32]), 5))?;
        challenges::open(connection, &opened)
    });
    harness.run(&mut vec![request]);
    answered.try_recv().unwrap();
    let mut harness = harness.crash();
    assert_eq!(harness.loaded.challenges, [open]);
    let (answer, mut answered) = tokio::sync::oneshot::channel();
    let record = std::sync::Arc::new(started(game(1)));
    let after = JournalOffset::NONE;
    harness.run(&mut vec![Request::Append { after, record, answer, effect: EffectWatch::default() }]);
    answered.try_recv().unwrap().unwrap();
    let harness = harness.crash();
    assert_eq!(harness.loaded.challenges, []);
    assert!(harness.collected.0.contains_key(&game(1)));
}

#[test]
fn accounts_are_found_by_their_token_only() {
    let mut harness = Harness::new(ONE_SEGMENT);
    let account = zeitnot_protocol::AccountId::from_u128(77);
    let token = NewToken::shown(TokenDigest([9; 32]), 5);
    let (request, mut answered) =
        Request::other(move |connection| accounts::create(connection, account, &token));
    harness.run(&mut vec![request]);
    answered.try_recv().unwrap();
    let harness = harness.crash();
    let connection = &harness.loaded.committer.connection;
    let found = Some(guest(account));
    let proved = tokens::by_token(connection, TokenDigest([9; 32])).unwrap();
    assert_eq!(proved.map(|proved| proved.person), found);
    assert_eq!(tokens::by_token(connection, TokenDigest([8; 32])).unwrap(), None);
    assert_eq!(accounts::get(connection, account).unwrap(), found);
    assert_eq!(accounts::get(connection, zeitnot_protocol::AccountId::from_u128(78)).unwrap(), None);
}

#[test]
fn a_failed_write_answers_nobody_and_keeps_nothing() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1))]);
    let pages: i64 =
        harness.loaded.committer.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    harness.loaded.committer.connection.pragma_update(None, "max_page_count", pages).unwrap();
    let now = Now { at: harness.now, unix_ms: 0 };
    let (mut seq, mut acked) = (2, 1);
    let error = loop {
        let (answer, mut answered) = tokio::sync::oneshot::channel();
        let record = std::sync::Arc::new(moved(game(1), seq));
        let after = JournalOffset(u64::from(seq) - 1);
        let done = harness.loaded.committer.commit(
            now,
            &mut vec![Request::Append { after, record, answer, effect: EffectWatch::default() }],
        );
        match done {
            Ok(()) => {
                answered.try_recv().unwrap().unwrap();
                acked = seq;
            }
            Err(error) => {
                assert!(answered.try_recv().is_err(), "nothing is said any more");
                break error;
            }
        }
        seq += 1;
    };
    assert_eq!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::DiskFull));
    let harness = harness.crash();
    assert_eq!(harness.collected.0[&game(1)].len() as u32, acked);
}

#[test]
fn rows_are_what_the_encoding_says() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1))]);
    harness.commit(vec![moved(game(1), 2)]);
    let connection = Connection::open(super::harness::database(harness.folder.path())).unwrap();
    let mut statement =
        connection.prepare("SELECT game, seq, record FROM journal_1 WHERE game != x'' ORDER BY id").unwrap();
    let rows = statement
        .query_map([], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get(1)?, row.get::<_, Vec<u8>>(2)?)));
    let rows: Vec<(Vec<u8>, u32, Vec<u8>)> = rows.unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.iter().map(|row| row.1).collect::<Vec<_>>(), [1, 2]);
    assert!(rows.iter().all(|row| row.0 == game(1).as_bytes()));
    match decode(&rows[1].2) {
        Ok(Row::Record { record, previous: 1.., .. }) => assert_eq!(*record, moved(game(1), 2)),
        other => panic!("{other:?}"),
    }
    assert!(rows[1].2.len() < 110, "a move takes {} bytes", rows[1].2.len());
}
