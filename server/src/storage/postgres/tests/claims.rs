//! What two processes must not make of one game: a claim and an append, or two claims, at the same time.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use zeitnot_protocol::GameId;
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::{GameInstant, Micros};
use zeitnot_test_servers::{TestDatabase, until};

use super::open;
use crate::entropy::Entropy;
use crate::storage::postgres::beats::Beats;
use crate::storage::postgres::claims::{Batch, Claimer, claim};
use crate::storage::postgres::connection::{Database, Link, application_name};
use crate::storage::postgres::fatal::Halt;
use crate::storage::postgres::keeper::Keeper;
use crate::storage::postgres::nodes;
use crate::storage::tests::samples::{ended, game, moved, rest_mark, started};
use crate::storage::{AppendError, JournalOffset, RestMark, Store, StoreInstant, TurnTime};
use crate::tasks::Tasks;
use crate::time::ServiceInstant;

/// The node of the store whose games are claimed: the first of its database.
const OLD: i32 = 1;
/// Nodes that claim.
const FIRST: i32 = 101;
const SECOND: i32 = 102;

/// What waits for a lock in this database.
const BLOCKED: &str = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                       AND datname = current_database()";

/// How many open transactions have done this last.
fn done(what: &str) -> String {
    format!(
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE '{what}%' \
         AND datname = current_database()"
    )
}

/// A store with so many games.
async fn with_games(database: &TestDatabase, count: u128) -> Arc<dyn Store> {
    let (opened, _) = open(database);
    let appends: Vec<_> = (1..=count)
        .map(|number| opened.store.append(JournalOffset::NONE, Arc::new(started(game(number)))))
        .collect();
    for append in appends {
        assert_eq!(append.await, Ok(JournalOffset(1)));
    }
    opened.store
}

async fn link(database: &TestDatabase) -> Arc<Link> {
    let (url, boot) = (database.url().parse().unwrap(), Entropy::from_os().node_boot());
    let database = Database::new(&url, boot, Halt::with(|why| panic!("{why}")));
    let link = database.connect().await.unwrap();
    link.batch_execute("SET idle_in_transaction_session_timeout = 0").await.unwrap();
    Arc::new(link)
}

async fn claimer(link: &Link, node: i32) -> Claimer {
    let (at, beats) = (StoreInstant(9_000_000_000), Arc::new(Beats::all(link).await.unwrap()));
    Claimer { node, at, dead: Arc::from([OLD]), beats, waits: false }
}

fn names(batch: &Batch) -> BTreeSet<GameId> {
    batch.games.iter().map(|claimed| claimed.game).collect()
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn two_claimers_share_the_games() {
    let database = TestDatabase::new();
    let _store = with_games(&database, 450).await;
    let (one, other) = (link(&database).await, link(&database).await);
    let (first, second) = (claimer(&one, FIRST).await, claimer(&other, SECOND).await);
    let mut claimed = HashMap::new();
    let (mut after_one, mut after_other) = (None, None);
    for _ in 0..2 {
        one.batch_execute("BEGIN").await.unwrap();
        other.batch_execute("BEGIN").await.unwrap();
        let of_one = claim(&one, &first, after_one).await.unwrap();
        let of_other = claim(&other, &second, after_other).await.unwrap();
        assert!(names(&of_one).is_disjoint(&names(&of_other)));
        for (node, batch) in [(FIRST, &of_one), (SECOND, &of_other)] {
            assert!(
                names(batch).into_iter().all(|game| claimed.insert(game, node).is_none()),
                "claimed once"
            );
        }
        (after_one, after_other) = (of_one.last, of_other.last);
        one.batch_execute("COMMIT").await.unwrap();
        other.batch_execute("COMMIT").await.unwrap();
    }
    assert_eq!(claimed.len(), 450);
    for node in [FIRST, SECOND] {
        let owned = database.sql(&format!("SELECT count(*) FROM live WHERE owner = {node}"));
        assert_eq!(owned, claimed.values().filter(|owner| **owner == node).count().to_string());
    }
    assert_eq!(
        database.sql("SELECT count(*) FROM journal WHERE n = 2"),
        "450",
        "a claim is a row of the game"
    );
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_game_to_which_its_old_owner_wrote_meanwhile_is_not_claimed() {
    let database = TestDatabase::new();
    let _store = with_games(&database, 2).await;
    // The old owner's record is not committed when the rows are read, and is when the claims are written.
    let mut old = database.hold(&format!("INSERT INTO journal VALUES (1, '{}', 2, '\\x00')", game(1)));
    let link = link(&database).await;
    let claimer = claimer(&link, FIRST).await;
    link.batch_execute("BEGIN").await.unwrap();
    let claiming = async { claim(&link, &claimer, None).await.unwrap() };
    let committing = async {
        let url = database.url();
        tokio::task::spawn_blocking(move || until(&url, BLOCKED, "1")).await.unwrap();
        old.also("COMMIT");
    };
    let (batch, ()) = tokio::join!(claiming, committing);
    link.batch_execute("COMMIT").await.unwrap();
    assert_eq!(names(&batch), BTreeSet::from([game(2)]));
    let owner = |id| database.sql(&format!("SELECT owner FROM live WHERE game = '{id}'"));
    assert_eq!((owner(game(1)), owner(game(2))), (OLD.to_string(), FIRST.to_string()));
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn an_open_transaction_of_the_dead_blocks_a_claim_until_its_connections_are_ended() {
    let database = TestDatabase::new();
    let _store = with_games(&database, 1).await;
    let boot = Entropy::from_os().node_boot();
    let name = application_name(boot);
    let _stopped = database.hold(&format!(
        "SET application_name = '{name}'; INSERT INTO journal VALUES (1, '{}', 2, '\\x00')",
        game(1)
    ));
    let (link, other) = (link(&database).await, link(&database).await);
    let claimer = claimer(&link, FIRST).await;
    link.batch_execute("BEGIN").await.unwrap();
    let claiming = async { claim(&link, &claimer, None).await.unwrap() };
    let ending = async {
        let url = database.url();
        tokio::task::spawn_blocking(move || until(&url, BLOCKED, "1")).await.unwrap();
        while !nodes::end_connections(&other, boot).await.unwrap() {}
    };
    let (batch, ()) = tokio::join!(claiming, ending);
    link.batch_execute("COMMIT").await.unwrap();
    assert_eq!(names(&batch), BTreeSet::from([game(1)]));
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn an_owner_before_a_claim_can_write_nothing_more() {
    let database = TestDatabase::new();
    let store = with_games(&database, 3).await;
    let link = link(&database).await;
    let claimer = claimer(&link, FIRST).await;
    link.batch_execute("BEGIN").await.unwrap();
    let batch = claim(&link, &claimer, None).await.unwrap();
    link.batch_execute("COMMIT").await.unwrap();
    assert_eq!(batch.games.len(), 3);
    let kept =
        "SELECT string_agg(concat_ws(' ', game, owner, resting, mark, aside), ',' ORDER BY game) FROM live";
    let before = database.sql(kept);

    // It does not know yet that it is dead.
    store.note_turn(game(1), TurnTime::Stands { spent: Micros::from_secs(7) });
    let mark = RestMark { at: GameInstant(1), away_since: ByColor::both(GameInstant(0)), ..rest_mark() };
    let rests = store.rest(game(2), JournalOffset(1), mark, ServiceInstant(1)).await;
    assert_eq!(rests, Ok(false));
    let appended = store.append(JournalOffset(1), Arc::new(moved(game(3), 2))).await;
    assert_eq!(appended, Err(AppendError::Conflict), "its actor ends by that");
    let ends = store.append(JournalOffset(1), Arc::new(ended(game(1), 2))).await;
    assert_eq!(ends, Err(AppendError::Conflict));
    assert_eq!(database.sql(kept), before);
    assert_eq!(database.sql("SELECT count(*) FROM journal"), "6");
    assert_eq!(database.sql("SELECT count(*) FROM archive"), "0");
    assert_eq!(store.tail(game(1), 1).await.unwrap().records.len(), 1, "a claim is no record");
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn the_end_of_a_game_and_a_claim_that_wait_for_each_other_are_tried_again() {
    let database = TestDatabase::new();
    let store = with_games(&database, 2).await;
    // A claimer has locked the game, and writes its row only after the end of the game is written and waits for the lock.
    let ending = game(1);
    let mut claiming = database
        .hold(&format!("SET deadlock_timeout = '4s'; SELECT 1 FROM live WHERE game = '{ending}' FOR UPDATE"));
    let end = store.append(JournalOffset(1), Arc::new(ended(ending, 2)));
    until(&database.url(), BLOCKED, "1");
    claiming.also(&format!("INSERT INTO journal VALUES (1, '{ending}', 2, '\\x00')"));
    // The store finds the deadlock, and tries again until the other one is gone.
    until(&database.url(), &done("INSERT INTO journal VALUES"), "1");
    claiming.release();
    assert_eq!(end.await, Ok(JournalOffset(2)));

    // The same with the claim as the one that finds it.
    let ending = game(2);
    let mut end = database.hold(&format!(
        "SET deadlock_timeout = '4s'; INSERT INTO journal VALUES (1, '{ending}', 2, '\\x00')"
    ));
    let (url, boot) = (database.url().parse().unwrap(), Entropy::from_os().node_boot());
    let claiming = Arc::new(Database::new(&url, boot, Halt::with(|why| panic!("{why}"))));
    let link = link(&database).await;
    let claimer = Claimer { waits: true, ..claimer(&link, FIRST).await };
    let mut keeper = Keeper::new(claiming, Some(link));
    let task = Tasks::default().spawn(async move {
        keeper
            .transact(|link| {
                let claimer = claimer.clone();
                async move { claim(&link, &claimer, None).await }
            })
            .await
    });
    let url = database.url();
    tokio::task::spawn_blocking(move || until(&url, BLOCKED, "1")).await.unwrap();
    end.also(&format!("DELETE FROM live WHERE game = '{ending}'"));
    // It gives way: then the end of the game has its lock, and waits for nobody.
    let url = database.url();
    tokio::task::spawn_blocking(move || until(&url, &done("DELETE FROM live"), "1")).await.unwrap();
    end.release();
    assert_eq!(names(&task.await.unwrap().unwrap()), BTreeSet::from([game(2)]));
}
