//! What is lost when a process, a connection or the server goes: nothing that was answered.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::AccountId;
use zeitnot_rules::game::Micros;
use zeitnot_test_servers::{OwnServer, TestDatabase, until};

use super::{open, try_to_open};
use crate::storage::postgres::OpenError;
use crate::storage::postgres::readers::WAITING_MAX;
use crate::storage::tests::samples::{ended, game, moved, started, started_rated};
use crate::storage::{AppendError, AuditEntry, JournalOffset, ReadError, Store, TurnTime};

/// Long enough for an append that nothing holds back.
const A_WHILE: Duration = Duration::from_millis(300);

async fn begin(store: &Arc<dyn Store>, number: u128) -> JournalOffset {
    store.append(JournalOffset::NONE, Arc::new(started(game(number)))).await.unwrap()
}

/// How many records a game has, by its tail.
async fn records(store: &Arc<dyn Store>, number: u128) -> usize {
    store.tail(game(number), 1).await.unwrap().records.len()
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn moves_wait_for_a_server_that_is_restarted_or_crashes() {
    let server = OwnServer::new(&[]);
    let (opened, ..) = try_to_open(&server.url()).unwrap();
    let store = opened.store;
    let mut after = begin(&store, 1).await;
    for (seq, how) in [(2, "fast"), (3, "immediate")] {
        server.stop(how);
        let mut append = store.append(after, Arc::new(moved(game(1), seq)));
        assert!(tokio::time::timeout(A_WHILE, &mut append).await.is_err(), "it waits");
        assert!(store.writing_since().is_some(), "whoever asks is told that games stand");
        server.start();
        after = append.await.unwrap();
        assert_eq!(records(&store, 1).await, seq as usize);
    }
    assert_eq!(server.sql("SELECT count(*) FROM journal"), "3");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn an_append_whose_connection_is_cut_before_its_commit_is_tried_again() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    let first = begin(&opened.store, 1).await;
    let held = database.hold("LOCK TABLE journal IN SHARE MODE");
    let append = opened.store.append(first, Arc::new(moved(game(1), 2)));
    let waiting = "FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    until(&database.url(), &format!("SELECT count(*) {waiting}"), "1");
    database.sql(&format!("SELECT pg_terminate_backend(pid) {waiting}"));
    held.release();
    assert_eq!(append.await, Ok(JournalOffset(2)));
    assert_eq!(records(&opened.store, 1).await, 2);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_second_process_is_rejected_while_the_first_lives_and_begins_after_it() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    let offset = begin(&opened.store, 1).await;
    let second = try_to_open(&database.url());
    assert!(matches!(second, Err(OpenError::InUse { .. })), "{:?}", second.err());
    let offset = opened.store.append(offset, Arc::new(moved(game(1), 2))).await.unwrap();
    opened.store.close();
    let (opened, collected) = open(&database);
    let claimed = JournalOffset(offset.0 + 1);
    assert_eq!(opened.found.live.first().map(|found| found.offset), Some(claimed));
    assert_eq!(collected.0[&game(1)].len(), 2);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_process_that_was_declared_dead_answers_nothing_and_ends() {
    let database = TestDatabase::new();
    let (opened, _, said) = try_to_open(&database.url()).unwrap();
    let first = begin(&opened.store, 1).await;
    database.sql("UPDATE nodes SET dead = true");
    database.sql(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'zeitnot-%' \
         AND datname = current_database()",
    );
    let append = opened.store.append(first, Arc::new(moved(game(1), 2))).await;
    // The poll may hear of it before the append does: then it is not tried.
    assert!(matches!(append, Err(AppendError::Unknown | AppendError::Failed(_))), "{append:?}");
    assert!(said.all().iter().any(|words| words.contains("has taken over the database")), "{:?}", said.all());
    assert_eq!(database.sql("SELECT count(*) FROM journal"), "1");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_process_that_was_declared_dead_does_not_confirm_that_its_games_are_its_own() {
    let database = TestDatabase::new();
    let (opened, _, said) = try_to_open(&database.url()).unwrap();
    opened.store.confirm().await.expect("it lives");
    database.sql("UPDATE nodes SET dead = true");
    opened.store.confirm().await.expect_err("it was declared dead");
    assert!(said.all().iter().any(|words| words.contains("has taken over the database")), "{:?}", said.all());
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn an_interrupted_turn_is_charged_by_the_heartbeats_in_it() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    begin(&opened.store, 1).await;
    begin(&opened.store, 2).await;
    opened.store.note_turn(game(2), TurnTime::Stands { spent: Micros::from_secs(5) });
    until(&database.url(), "SELECT count(*) >= 4 FROM beats", "t");
    opened.store.close();
    let span = database.sql("SELECT max(at_us) - min(at_us) FROM beats").parse::<u64>().unwrap();
    let (opened, _) = open(&database);
    let spent: Vec<_> = opened.found.live.iter().map(|found| (found.game, found.spent)).collect();
    let of =
        |number| spent.iter().find(|(found, _)| *found == game(number)).map(|(_, spent)| *spent).unwrap();
    assert!(of(1) > Micros::ZERO && of(1) <= Micros(span), "{:?} of {span}", of(1));
    assert_eq!(of(2), Micros::from_secs(5));
    opened.store.close();
    let (opened, _) = open(&database);
    let again: Vec<_> = opened.found.live.iter().map(|found| (found.game, found.spent)).collect();
    assert_eq!(again, spent, "a turn that has not gone on has taken no more");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_damaged_game_is_set_aside_and_no_other() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    for number in [1, 2] {
        begin(&opened.store, number).await;
    }
    opened.store.close();
    database.sql(&format!("UPDATE journal SET row = row || '\\x00' WHERE game = '{}'", game(1)));
    for _ in 0..2 {
        let (opened, _) = open(&database);
        let live: Vec<_> = opened.found.live.iter().map(|found| found.game).collect();
        let aside: Vec<_> = opened.found.set_aside.iter().map(|(game, _)| *game).collect();
        assert_eq!((live, aside), (vec![game(2)], vec![game(1)]));
        assert!(opened.store.tail(game(1), 1).await.is_err());
        let append = opened.store.append(JournalOffset(1), Arc::new(moved(game(1), 2))).await;
        assert_eq!(append, Err(AppendError::Conflict));
        opened.store.close();
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn games_that_end_together_change_the_ratings_of_one_player_in_turn() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    let store = &opened.store;
    let mut last = Vec::new();
    for number in 1..=3 {
        let id = game(number);
        let mut after = store.append(JournalOffset::NONE, Arc::new(started_rated(id))).await.unwrap();
        for seq in [2, 3] {
            after = store.append(after, Arc::new(moved(id, seq))).await.unwrap();
        }
        last.push((id, after));
    }
    let held = database.hold("LOCK TABLE journal IN SHARE MODE");
    let first = store.append(JournalOffset::NONE, Arc::new(started(game(9))));
    let ends: Vec<_> = last.iter().map(|(id, after)| store.append(*after, Arc::new(ended(*id, 4)))).collect();
    held.release();
    first.await.unwrap();
    for end in ends {
        end.await.unwrap();
    }
    assert_eq!(
        database.sql(
            "SELECT string_agg(number::text, ',' ORDER BY number) FROM rating_events \
                             WHERE color = 0"
        ),
        "1,2,3"
    );
    assert_eq!(database.sql("SELECT max(number), max(games) FROM ratings"), "3|3");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_segment_that_no_live_game_names_is_dropped() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    // A segment of a test has 20 rows.
    let mut after = begin(&opened.store, 1).await;
    for seq in 2..=25 {
        after = opened.store.append(after, Arc::new(moved(game(1), seq))).await.unwrap();
    }
    begin(&opened.store, 2).await;
    let segments = "SELECT string_agg(DISTINCT segment::text, ',') FROM live";
    assert_eq!(database.sql(segments), "1,2", "a game stays in its segment");
    opened.store.append(after, Arc::new(ended(game(1), 26))).await.unwrap();
    opened.store.close();
    let (opened, _) = open(&database);
    // A look is due some time after a start.
    until(&database.url(), "SELECT string_agg(segment::text, ',') FROM segments", "2");
    assert_eq!(records(&opened.store, 1).await, 26, "the archive has it");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn more_records_than_fit_into_one_statement_are_all_appended() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    let held = database.hold("LOCK TABLE journal IN SHARE MODE");
    let appends: Vec<_> = (1..=1_500)
        .map(|number| opened.store.append(JournalOffset::NONE, Arc::new(started(game(number)))))
        .collect();
    held.release();
    for append in appends {
        assert_eq!(append.await, Ok(JournalOffset(1)));
    }
    assert_eq!(database.sql("SELECT count(*) FROM journal"), "1500");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn more_writes_than_fit_into_one_transaction_are_all_kept() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    let entry = |at_unix_ms| AuditEntry { at_unix_ms, by: "console".to_owned(), act: "{}".to_owned() };
    let held = database.hold("LOCK TABLE audit IN SHARE MODE");
    let writes: Vec<_> = (1..=600).map(|at| opened.store.note_act(entry(at))).collect();
    held.release();
    for write in writes {
        assert_eq!(write.await, Ok(()));
    }
    assert_eq!(opened.store.acts(2).await, Ok(vec![entry(600), entry(599)]), "in their order");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn reads_beyond_the_bound_are_rejected() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    let account = AccountId::from_u128(1);
    // The connection is there before the table is locked.
    assert_eq!(opened.store.account(account).await, Ok(None));
    let held = database.hold("LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE");
    let reads: Vec<_> = (0..WAITING_MAX).map(|_| opened.store.account(account)).collect();
    let beyond = opened.store.account(account).await;
    assert!(matches!(beyond, Err(ReadError::Unavailable(_))), "{beyond:?}");
    held.release();
    for read in reads {
        // On a slow machine some have waited too long.
        assert!(matches!(read.await, Ok(None) | Err(ReadError::Unavailable(_))));
    }
    assert_eq!(opened.store.account(account).await, Ok(None), "there is room again");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_role_that_owns_its_database_may_do_all_that_is_needed() {
    let server = OwnServer::new(&[]);
    server.sql("CREATE ROLE zeitnot LOGIN");
    server.sql("CREATE DATABASE zeitnot OWNER zeitnot");
    let url = format!("postgres://zeitnot@{}/zeitnot", server.address());
    let (opened, ..) = try_to_open(&url).unwrap();
    let first = begin(&opened.store, 1).await;
    // What was lost is ended, before it is tried again.
    server.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'zeitnot'");
    let second = opened.store.append(first, Arc::new(moved(game(1), 2))).await.unwrap();
    opened.store.close();
    let (next, ..) = try_to_open(&url).unwrap();
    let claimed = JournalOffset(second.0 + 1);
    assert_eq!(next.store.append(claimed, Arc::new(ended(game(1), 3))).await, Ok(JournalOffset(4)));
}
