//! What PostgreSQL does that a store must not fall for. Each was seen to happen.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_test_servers::{OwnServer, TestDatabase, until};

use super::{open, try_to_open};
use crate::storage::postgres::OpenError;
use crate::storage::tests::samples::{game, moved, started};
use crate::storage::{Append, AppendError, JournalOffset, Store};

const A_WHILE: Duration = Duration::from_millis(500);

/// What waits for a standby.
const WAITS: &str = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep' \
                     AND query LIKE 'INSERT INTO journal%'";

async fn begin(store: &Arc<dyn Store>, number: u128) -> JournalOffset {
    store.append(JournalOffset::NONE, Arc::new(started(game(number)))).await.unwrap()
}

async fn waits(append: &mut Append) -> bool {
    tokio::time::timeout(A_WHILE, append).await.is_err()
}

/// A server of which a store waits for a standby that is not there, with a game and an append that waits.
async fn waiting_for_a_standby() -> (OwnServer, Arc<dyn Store>, Append) {
    let server = OwnServer::new(&[]);
    let (opened, ..) = try_to_open(&server.url()).unwrap();
    let first = begin(&opened.store, 1).await;
    server.configure("synchronous_standby_names = 'nobody'");
    server.reload();
    until(&server.url(), "SHOW synchronous_standby_names", "nobody");
    let mut append = opened.store.append(first, Arc::new(moved(game(1), 2)));
    until(&server.url(), WAITS, "1");
    assert!(waits(&mut append).await);
    (server, opened.store, append)
}

/// Has this function of PostgreSQL called for each backend that waits for a standby.
fn signal_waiting(server: &OwnServer, function: &str) {
    server.sql(&WAITS.replace("count(*)", &format!("{function}(pid)")));
}

fn wait_for_nobody(server: &OwnServer) {
    server.configure("synchronous_standby_names = ''");
    server.reload();
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn what_is_seen_after_a_crash_is_not_answered_before_the_standby_has_it() {
    let (server, store, mut append) = waiting_for_a_standby().await;
    server.stop("immediate");
    server.start();
    assert_eq!(server.sql("SELECT count(*) FROM journal"), "2", "it is seen, and no standby has it");
    assert!(waits(&mut append).await, "an append that inserts nothing would wait for nobody");
    wait_for_nobody(&server);
    assert_eq!(append.await, Ok(JournalOffset(2)));
    assert_eq!(store.tail(game(1), 1).await.unwrap().records.len(), 2);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_cancelled_wait_is_a_success_with_a_warning_and_is_not_answered() {
    let (server, _store, mut append) = waiting_for_a_standby().await;
    signal_waiting(&server, "pg_cancel_backend");
    until(&server.url(), "SELECT count(*) FROM journal", "2");
    assert!(waits(&mut append).await);
    wait_for_nobody(&server);
    assert_eq!(append.await, Ok(JournalOffset(2)));
    assert_eq!(server.sql("SELECT count(*) FROM journal"), "2");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_backend_that_is_ended_in_its_wait_has_written_and_the_record_counts_once() {
    let (server, _store, mut append) = waiting_for_a_standby().await;
    signal_waiting(&server, "pg_terminate_backend");
    assert!(waits(&mut append).await);
    wait_for_nobody(&server);
    assert_eq!(append.await, Ok(JournalOffset(2)));
    assert_eq!(server.sql("SELECT count(*) FROM journal"), "2");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_deadlock_is_tried_again() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    let mut games = [game(1), game(2)];
    games.sort_unstable();
    let [first, second] = games;
    for id in games {
        opened.store.append(JournalOffset::NONE, Arc::new(started(id))).await.unwrap();
    }
    // Somebody else has the second key, and then wants the first, in the other order than the store.
    let insert = |id| format!("INSERT INTO journal VALUES (1, '{id}', 2, '\\x00')");
    let mut other = database.hold(&format!("SET deadlock_timeout = '3s'; {}", insert(second)));
    // What comes while this one waits is one statement, or the rest of its own.
    let gate = database.hold("LOCK TABLE live IN SHARE MODE");
    let begun = opened.store.append(JournalOffset::NONE, Arc::new(started(game(3))));
    let appends = games.map(|id| opened.store.append(JournalOffset(1), Arc::new(moved(id, 2))));
    gate.release();
    let blocked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'transactionid' \
                   AND datname = current_database()";
    until(&database.url(), blocked, "1");
    other.also(&insert(first));
    // Mostly the store is who finds the deadlock, loses what it has inserted, and tries again until the other one is gone.
    let resolved = format!(
        "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'psql' AND pid <> pg_backend_pid() \
         AND datname = current_database() AND NOT (state = 'idle in transaction' AND query LIKE '%{first}%'))"
    );
    until(&database.url(), &resolved, "t");
    other.release();
    assert_eq!(begun.await, Ok(JournalOffset(1)));
    for append in appends {
        assert_eq!(append.await, Ok(JournalOffset(2)));
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_record_for_a_segment_that_is_gone_fails_alone() {
    let database = TestDatabase::new();
    let (opened, _) = open(&database);
    // A segment of a test has 20 rows.
    for number in 1..=25 {
        begin(&opened.store, number).await;
    }
    assert_eq!(database.sql("SELECT max(segment) FROM live"), "2");
    let of_second = database.sql("SELECT min(game) FROM live WHERE segment = 2");
    database.sql("DROP TABLE journal_1");
    let gate = database.hold("LOCK TABLE live IN SHARE MODE");
    let begun = opened.store.append(JournalOffset::NONE, Arc::new(started(game(99))));
    let gone = opened.store.append(JournalOffset(1), Arc::new(moved(game(1), 2)));
    let there = opened.store.append(JournalOffset(1), Arc::new(moved(of_second.parse().unwrap(), 2)));
    gate.release();
    begun.await.unwrap();
    assert_eq!((gone.await, there.await), (Err(AppendError::Conflict), Ok(JournalOffset(2))));
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_server_that_may_lose_what_it_has_answered_is_rejected() {
    for setting in ["fsync", "full_page_writes"] {
        let server = OwnServer::new(&[&format!("{setting} = off")]);
        let rejected = try_to_open(&server.url()).err();
        assert!(
            matches!(&rejected, Some(OpenError::Unsafe { setting: found }) if *found == setting),
            "{rejected:?}"
        );
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_fail_over_to_the_standby_loses_nothing() {
    let primary = OwnServer::new(&["synchronous_standby_names = 'second'", "synchronous_commit = local"]);
    let standby = OwnServer::standby(&primary, "second");
    until(&primary.url(), "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'", "1");
    let url = format!("postgres://postgres@{},{}/postgres", primary.address(), standby.address());
    let (opened, ..) = try_to_open(&url).unwrap();
    let store = opened.store;
    let mut after = begin(&store, 1).await;
    for seq in 2..=20 {
        after = store.append(after, Arc::new(moved(game(1), seq))).await.unwrap();
    }
    primary.stop("immediate");
    let append = store.append(after, Arc::new(moved(game(1), 21)));
    standby.configure("synchronous_standby_names = ''");
    standby.reload();
    standby.promote();
    after = append.await.unwrap();
    assert_eq!(after, JournalOffset(21));
    assert_eq!(standby.sql("SELECT count(*) FROM journal"), "21");
    assert_eq!(store.tail(game(1), 1).await.unwrap().records.len(), 21);
}
