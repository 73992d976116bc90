//! A pooler between a store and PostgreSQL.

use std::sync::Arc;

use zeitnot_test_servers::{OwnServer, Pooler};

use super::try_to_open;
use crate::storage::JournalOffset;
use crate::storage::postgres::OpenError;
use crate::storage::tests::samples::{game, moved, started};

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_pooler_that_shares_connections_between_transactions_is_rejected() {
    let server = OwnServer::new(&[]);
    for settings in
        ["transaction", "transaction\nserver_round_robin = 1", "transaction\ndefault_pool_size = 1"]
    {
        let pooler = Pooler::new(&server, settings);
        // The second time it has connections that are free.
        for _ in 0..2 {
            let rejected = try_to_open(&pooler.url()).err();
            assert!(matches!(rejected, Some(OpenError::Pooled)), "{settings}: {rejected:?}");
        }
    }
    assert_eq!(server.sql("SELECT to_regclass('nodes') IS NULL"), "t", "nothing was written");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_pooler_in_session_mode_may_be_between() {
    let server = OwnServer::new(&[]);
    let pooler = Pooler::new(&server, "session");
    let (opened, ..) = try_to_open(&pooler.url()).unwrap();
    let store = opened.store;
    let first = store.append(JournalOffset::NONE, Arc::new(started(game(1)))).await.unwrap();
    server.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'zeitnot-%'",
    );
    let second = store.append(first, Arc::new(moved(game(1), 2))).await;
    assert_eq!(second, Ok(JournalOffset(2)));
    assert_eq!(store.tail(game(1), 1).await.unwrap().records.len(), 2);
}
