//! The lobby of several processes: one has it at a time, and of one that has it no more no game begins.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, ChallengeId};
use zeitnot_test_servers::{TestDatabase, until};

use super::{open_as, until_not_busy};
use crate::storage::tests::samples::{game, started};
use crate::storage::{
    AppendError, JournalOffset, NewToken, NodeStore, Nodes, OpenChallenge, Person, Store, TakenLobby,
    TokenDigest,
};
use crate::tasks::Tasks;

type Process = (Arc<dyn Store>, Arc<dyn NodeStore>);

async fn begin(database: &TestDatabase) -> Process {
    let (opened, ..) = open_as(&database.url(), Nodes::Several).unwrap();
    let nodes = opened.nodes.unwrap();
    nodes.poll().await.unwrap();
    (opened.store, nodes)
}

async fn create(store: &Arc<dyn Store>, number: u128) -> Result<JournalOffset, AppendError> {
    store.append(JournalOffset::NONE, Arc::new(started(game(number)))).await
}

async fn has_free_lobby(nodes: &Arc<dyn NodeStore>) -> bool {
    nodes.poll().await.unwrap().has_free_lobby
}

async fn take(nodes: &Arc<dyn NodeStore>) -> TakenLobby {
    until_not_busy(async || nodes.take_lobby().await).await.expect("it is free")
}

/// An open challenge of an account that is made for it.
async fn open_challenge(store: &Arc<dyn Store>, number: u128) -> ChallengeId {
    let account = AccountId::from_u128(number);
    store.create_account(account, NewToken::shown(TokenDigest([number as u8; 32]), 1)).await.unwrap();
    let challenge = game(number).as_str().parse().unwrap();
    let open = OpenChallenge {
        challenge,
        owner: Person::guest(account),
        terms: "{}".to_owned(),
        rematch_of: None,
        accepted_by: None,
        until_unix_ms: u64::MAX >> 1,
    };
    store.open_challenge(open).await.unwrap();
    challenge
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn one_process_has_the_lobby_until_it_is_dead_and_the_next_one_gets_what_is_kept() {
    let database = TestDatabase::new();
    let ((store, one), (_other_store, other)) = (begin(&database).await, begin(&database).await);
    assert!(has_free_lobby(&one).await && has_free_lobby(&other).await);
    let nothing = TakenLobby { epoch: 1, challenges: Vec::new() };
    assert_eq!(one.take_lobby().await, Ok(Some(nothing)));
    assert!(!has_free_lobby(&one).await && !has_free_lobby(&other).await);
    assert_eq!(other.take_lobby().await, Ok(None), "somebody has it who lives");
    assert_eq!(one.take_lobby().await, Ok(None), "so it does itself");
    let (kept, played) = (open_challenge(&store, 9).await, open_challenge(&store, 1).await);
    assert_eq!(create(&store, 1).await, Ok(JournalOffset(1)));
    assert_ne!(kept, played);
    store.close();
    assert!(has_free_lobby(&other).await);
    let taken = take(&other).await;
    assert_eq!(taken.epoch, 2);
    let open: Vec<_> = taken.challenges.iter().map(|open| open.challenge).collect();
    assert_eq!(open, [kept], "the other one was accepted");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn no_game_begins_in_a_lobby_that_another_process_has_taken() {
    let database = TestDatabase::new();
    let (store, nodes) = begin(&database).await;
    take(&nodes).await;
    assert_eq!(create(&store, 1).await, Ok(JournalOffset(1)));
    // As if it had slept, and the other one had not ended its connections.
    database.sql("UPDATE leases SET epoch = epoch + 1, owner = 99");
    assert_eq!(create(&store, 2).await, Err(AppendError::Conflict));
    assert_eq!(database.sql("SELECT count(*) FROM live"), "1");
    assert_eq!(database.sql("SELECT count(*) FROM journal"), "1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_game_that_is_being_created_while_the_lobby_is_taken_is_created_before_or_never() {
    let database = TestDatabase::new();
    let (store, nodes) = begin(&database).await;
    take(&nodes).await;
    let mut taking = database.hold("UPDATE leases SET epoch = epoch + 1, owner = 99");
    let creating = Tasks::default().spawn(async move { create(&store, 1).await });
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                 AND datname = current_database()";
    until(&database.url(), waits, "1");
    taking.also("COMMIT");
    taking.release();
    assert_eq!(creating.await.unwrap(), Err(AppendError::Conflict));
    assert_eq!(database.sql("SELECT count(*) FROM live"), "0");
}
