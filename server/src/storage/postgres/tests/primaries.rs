//! Two servers that both take writes, because a standby was promoted while the primary lived, or because that came back.

use std::sync::Arc;

use zeitnot_test_servers::{OwnServer, until};

use super::super::OpenError;
use super::try_to_open;
use crate::storage::tests::samples::{game, moved, started};
use crate::storage::{JournalOffset, Store};

/// A primary and its synchronous standby, and a URL that names the primary first.
fn pair() -> (OwnServer, OwnServer, String) {
    let primary = OwnServer::new(&["synchronous_standby_names = 'second'"]);
    let standby = OwnServer::standby(&primary, "second");
    standby.configure("synchronous_standby_names = ''");
    standby.reload();
    let url = format!("postgres://postgres@{},{}/postgres", primary.address(), standby.address());
    (primary, standby, url)
}

async fn follows(primary: &OwnServer) {
    let sql = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    until(&primary.url(), sql, "1");
}

/// Begins a game and plays it to its third record.
async fn play(store: &Arc<dyn Store>) -> JournalOffset {
    let mut after = store.append(JournalOffset::NONE, Arc::new(started(game(1)))).await.unwrap();
    for seq in 2..=3 {
        after = store.append(after, Arc::new(moved(game(1), seq))).await.unwrap();
    }
    after
}

const ROWS: &str = "SELECT count(*) FROM journal";

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn an_append_that_waits_for_a_standby_goes_to_that_once_it_is_promoted() {
    let (primary, standby, url) = pair();
    follows(&primary).await;
    let (opened, ..) = try_to_open(&url).unwrap();
    let third = play(&opened.store).await;
    standby.promote();
    // The old primary takes it, and would wait for its standby for ever.
    let fourth = opened.store.append(third, Arc::new(moved(game(1), 4))).await;
    assert_eq!(fourth, Ok(JournalOffset(4)));
    assert_eq!(standby.sql(ROWS), "4");
    assert_eq!(opened.store.tail(game(1), 1).await.unwrap().records.len(), 4);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn an_old_primary_that_comes_back_is_not_written_to() {
    let (primary, standby, url) = pair();
    follows(&primary).await;
    let (opened, ..) = try_to_open(&url).unwrap();
    let mut after = play(&opened.store).await;
    primary.stop("immediate");
    standby.promote();
    after = opened.store.append(after, Arc::new(moved(game(1), 4))).await.unwrap();
    // It would confirm what it is given, and it is the first one of the URL.
    primary.configure("synchronous_standby_names = ''");
    primary.start();
    let cut = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'zeitnot-%'";
    standby.sql(cut);
    after = opened.store.append(after, Arc::new(moved(game(1), 5))).await.unwrap();
    assert_eq!(opened.store.tail(game(1), 1).await.unwrap().records.len(), 5);
    opened.store.close();
    // Nor by a process that knows nothing of it yet.
    let (opened, collected, _) = try_to_open(&url).unwrap();
    assert_eq!(collected.0[&game(1)].len(), 5);
    let claimed = JournalOffset(after.0 + 1);
    opened.store.append(claimed, Arc::new(moved(game(1), 6))).await.unwrap();
    assert_eq!((primary.sql(ROWS), standby.sql(ROWS)), ("3".to_owned(), "7".to_owned()));
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_start_on_an_old_primary_fails_once_another_one_is_promoted() {
    let (primary, standby, url) = pair();
    follows(&primary).await;
    let (opened, ..) = try_to_open(&url).unwrap();
    opened.store.close();
    // It waits for a standby that never comes.
    primary.configure("synchronous_standby_names = 'third'");
    primary.reload();
    standby.stop("immediate");
    let starting = {
        let url = url.clone();
        std::thread::spawn(move || try_to_open(&url).map(drop))
    };
    until(&primary.url(), "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'", "1");
    standby.start();
    standby.promote();
    assert!(matches!(starting.join().unwrap(), Err(OpenError::Failed(_))));
    let (opened, ..) = try_to_open(&url).unwrap();
    play(&opened.store).await;
    assert_eq!((primary.sql(ROWS), standby.sql(ROWS)), ("0".to_owned(), "3".to_owned()));
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_server_that_does_not_answer_holds_nothing_up() {
    let server = OwnServer::new(&[]);
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://postgres@{},{}/postgres", silent.local_addr().unwrap(), server.address());
    let (opened, ..) = try_to_open(&url).unwrap();
    let third = play(&opened.store).await;
    server.sql("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'zeitnot-%'");
    // A read waits for a connection, but not for as long as a server may take to be ready.
    assert_eq!(opened.store.tail(game(1), 1).await.unwrap().records.len(), 3);
    assert_eq!(opened.store.append(third, Arc::new(moved(game(1), 4))).await, Ok(JournalOffset(4)));
}
