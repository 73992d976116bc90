//! Several processes that serve from one database: each owns its games, until it is dead.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_protocol::AccountId;
use zeitnot_rules::game::Micros;
use zeitnot_test_servers::{TestDatabase, until};

use super::{Said, open_as, try_to_open, until_not_busy};
use crate::storage::postgres::OpenError;
use crate::storage::tests::samples::{ended, game, moved, rest_mark, started};
use crate::storage::{
    AppendError, ClaimedGame, JournalOffset, NodeBeat, NodeNumber, NodeStore, Nodes, Owner, Store, TurnTime,
};
use crate::tasks::Tasks;
use crate::time::ServiceInstant;

/// A process beside others.
struct Process {
    store: Arc<dyn Store>,
    nodes: Arc<dyn NodeStore>,
    said: Said,
}

impl Process {
    /// One that has said that it lives.
    async fn begin(database: &TestDatabase) -> Self {
        let (opened, _, said) = open_as(&database.url(), Nodes::Several).unwrap();
        let (store, nodes) = (opened.store, opened.nodes.unwrap());
        nodes.poll().await.unwrap();
        Self { store, nodes, said }
    }

    async fn create(&self, number: u128) -> JournalOffset {
        self.store.append(JournalOffset::NONE, Arc::new(started(game(number)))).await.unwrap()
    }

    async fn append(&self, number: u128, after: JournalOffset) -> Result<JournalOffset, AppendError> {
        let seq = u32::try_from(after.0).unwrap() + 1;
        self.store.append(after, Arc::new(moved(game(number), seq))).await
    }

    /// Another one, as this one sees it.
    async fn sees(&self, other: &Self) -> Option<NodeBeat> {
        let living = self.nodes.poll().await.unwrap().living;
        living.into_iter().find(|node| node.node == other.nodes.own())
    }

    /// All games that it can claim now.
    async fn claim(&self) -> Vec<ClaimedGame> {
        let mut claimed = Vec::new();
        while let Some(games) = until_not_busy(async || self.nodes.claim().await).await {
            claimed.extend(games);
        }
        claimed
    }

    async fn owner(&self, number: u128) -> Option<Owner> {
        self.store.owner(game(number)).await.unwrap()
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn two_processes_serve_side_by_side_and_each_plays_its_games() {
    let database = TestDatabase::new();
    let (one, other) = (Process::begin(&database).await, Process::begin(&database).await);
    let (first, second) = (one.create(1).await, other.create(2).await);
    assert_eq!(one.append(1, first).await, Ok(JournalOffset(2)));
    assert_eq!(other.append(2, second).await, Ok(JournalOffset(2)));
    assert_eq!((one.nodes.own(), other.nodes.own()), (NodeNumber(1), NodeNumber(2)));
    assert_eq!(
        (one.owner(1).await, one.owner(2).await),
        (Some(Owner::Own), Some(Owner::Other(NodeNumber(2))))
    );
    assert_eq!(other.append(1, JournalOffset(2)).await, Err(AppendError::Conflict), "it is not its own");
    let mut games = other.store.live_of(AccountId::from_u128(1)).await.unwrap();
    games.sort_unstable_by_key(|found| *found != game(1));
    assert_eq!(games, [game(1), game(2)], "whoever plays them");
    let seen = one.nodes.poll().await.unwrap();
    assert_eq!((seen.living.len(), seen.has_free_games, seen.is_reconnected), (2, false, false));
    assert_eq!(other.claim().await, [], "nobody is dead");
    for process in [&one, &other] {
        assert_eq!(process.said.all(), [""; 0]);
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn the_games_of_a_process_that_is_declared_dead_go_on_with_another_one() {
    let database = TestDatabase::new();
    let (old, next) = (Process::begin(&database).await, Process::begin(&database).await);
    let first = old.create(1).await;
    let second = old.append(1, first).await.unwrap();
    let seen = next.sees(&old).await.unwrap();

    old.nodes.poll().await.unwrap();
    assert_eq!(next.nodes.declare_dead(seen).await, Ok(false), "its beat has moved");
    let seen = next.sees(&old).await.unwrap();
    assert_eq!(next.nodes.declare_dead(seen).await, Ok(true));
    assert_eq!(next.owner(1).await, Some(Owner::Nobody));
    assert!(next.nodes.poll().await.unwrap().has_free_games);

    let claimed = next.claim().await;
    let [ClaimedGame { game: id, records, offset, .. }] = &claimed[..] else { panic!("{claimed:?}") };
    assert_eq!((*id, records.len(), *offset), (game(1), 2, JournalOffset(3)));
    assert_eq!(next.owner(1).await, Some(Owner::Own));
    let third = next.store.append(*offset, Arc::new(moved(game(1), 3))).await;
    assert_eq!(third, Ok(JournalOffset(4)));

    // Its connections were ended, and the next one finds out.
    // It may have found out by itself.
    let late = old.append(1, second).await;
    assert!(matches!(late, Err(AppendError::Unknown | AppendError::Failed(_))), "{late:?}");
    assert!(old.said.all().iter().any(|words| words.contains("has taken over")), "{:?}", old.said.all());
    let end = next.store.append(JournalOffset(4), Arc::new(ended(game(1), 4))).await;
    assert_eq!(end, Ok(JournalOffset(5)));
    assert_eq!(next.store.tail(game(1), 1).await.unwrap().records.len(), 4);
    assert_eq!(next.said.all(), [""; 0]);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_process_that_was_declared_dead_hears_it_from_its_poll() {
    let database = TestDatabase::new();
    let (old, next) = (Process::begin(&database).await, Process::begin(&database).await);
    let seen = next.sees(&old).await.unwrap();
    assert_eq!(next.nodes.declare_dead(seen).await, Ok(true));
    assert!(old.nodes.poll().await.is_err());
    assert!(old.said.all().iter().any(|words| words.contains("has taken over")), "{:?}", old.said.all());
    assert_eq!(
        old.nodes.declare_dead(next.sees(&next).await.unwrap()).await,
        Ok(false),
        "the dead declare nobody dead"
    );
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn the_games_of_a_process_that_stops_are_free_at_once_and_survivors_share_them() {
    let database = TestDatabase::new();
    let old = Process::begin(&database).await;
    for number in 1..=300 {
        old.create(number).await;
    }
    let (one, other) = (Process::begin(&database).await, Process::begin(&database).await);
    old.store.close();
    assert!(one.nodes.poll().await.unwrap().has_free_games);
    let (of_one, of_other) = tokio::join!(one.claim(), other.claim());
    assert_eq!(of_one.len() + of_other.len(), 300);
    for (process, claimed) in [(&one, of_one), (&other, of_other)] {
        let owned = format!("SELECT count(*) FROM live WHERE owner = {}", process.nodes.own());
        assert_eq!(database.sql(&owned), claimed.len().to_string());
        for claimed in claimed {
            let append = process.store.append(claimed.offset, Arc::new(moved(claimed.game, 2))).await;
            assert_eq!(append, Ok(JournalOffset(3)));
        }
    }
    assert!(!one.nodes.poll().await.unwrap().has_free_games);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_game_that_is_given_up_is_claimed_with_what_its_turn_has_taken() {
    let database = TestDatabase::new();
    let (old, next) = (Process::begin(&database).await, Process::begin(&database).await);
    let first = old.create(1).await;
    let kept = old.create(2).await;
    let under_way = old.append(1, first);
    let spent = Micros(1_234_567);
    let (appended, released) = tokio::join!(under_way, async {
        old.store.note_turn(game(1), TurnTime::Stands { spent });
        old.store.release(vec![game(1)]).await
    });
    assert_eq!((appended, released), (Ok(JournalOffset(2)), Ok(())));
    assert_eq!(
        (old.owner(1).await, next.owner(2).await),
        (Some(Owner::Nobody), Some(Owner::Other(NodeNumber(1))))
    );
    assert!(next.nodes.poll().await.unwrap().has_free_games);
    let claimed = next.claim().await;
    let [ClaimedGame { records, offset, spent: taken, .. }] = &claimed[..] else { panic!("{claimed:?}") };
    assert_eq!((records.len(), *offset, *taken), (2, JournalOffset(3), spent));
    assert_eq!(old.append(1, JournalOffset(2)).await, Err(AppendError::Conflict));
    assert_eq!(old.append(2, kept).await, Ok(JournalOffset(2)), "it has only given up the other one");
    assert_eq!(next.store.append(*offset, Arc::new(moved(game(1), 3))).await, Ok(JournalOffset(4)));
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_game_that_is_set_aside_is_nobodys_and_is_not_claimed_again() {
    let database = TestDatabase::new();
    let (one, other) = (Process::begin(&database).await, Process::begin(&database).await);
    let first = one.create(1).await;
    let second = one.create(2).await;
    assert_eq!(one.store.set_aside(game(1), "a test says so".to_owned()).await, Ok(()));
    assert_eq!(
        database.sql("SELECT owner IS NULL, aside FROM live WHERE aside IS NOT NULL"),
        "t|a test says so"
    );
    assert_eq!((one.owner(1).await, other.owner(1).await), (None, None));
    assert_eq!(one.append(1, first).await, Err(AppendError::Conflict));
    assert!(!other.nodes.poll().await.unwrap().has_free_games);
    assert_eq!(other.claim().await, []);
    assert_eq!(one.append(2, second).await, Ok(JournalOffset(2)));
    // Whoever has repaired its rows puts it back.
    database.sql("UPDATE live SET aside = NULL");
    assert!(other.nodes.poll().await.unwrap().has_free_games);
    assert_eq!(other.claim().await.len(), 1);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn processes_that_have_long_been_dead_are_forgotten_unless_they_own_something() {
    let database = TestDatabase::new();
    let [first, owner, holder, lately] =
        [(); 4].map(|()| open_as(&database.url(), Nodes::Several).unwrap().0);
    for opened in [&first, &owner, &holder, &lately] {
        opened.nodes.as_ref().unwrap().poll().await.unwrap();
    }
    owner.store.append(JournalOffset::NONE, Arc::new(started(game(1)))).await.unwrap();
    holder.nodes.as_ref().unwrap().take_lobby().await.unwrap().unwrap();
    for opened in [first, owner, holder, lately] {
        opened.store.close();
    }
    let idle = "SELECT sum(idle_us) FROM nodes";
    database.sql("UPDATE nodes SET idle_us = 5000000");
    let long_ago = "UPDATE nodes SET made = now() - interval '2 days', at_us = at_us - 172800000000, \
                    start_us = start_us - 172800000000 WHERE node <> 4";
    database.sql(long_ago);
    let one = Process::begin(&database).await;
    let before = database.sql(idle);
    let nodes = "SELECT string_agg(node::text, ',' ORDER BY node) FROM nodes";
    until(&database.url(), nodes, "2,3,4,5");
    assert_eq!(database.sql(idle), before, "nobody is charged for what nobody was charged for");
    assert_eq!(one.claim().await.len(), 1);
    until(&database.url(), nodes, "3,4,5");
    assert_eq!(one.nodes.take_lobby().await.unwrap().unwrap().epoch, 2);
    until(&database.url(), nodes, "4,5");
    assert_eq!(one.said.all(), [""; 0]);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_game_at_rest_is_nobodys_and_goes_on_with_whoever_wakes_it() {
    let database = TestDatabase::new();
    let (old, next) = (Process::begin(&database).await, Process::begin(&database).await);
    let first = old.create(1).await;
    assert_eq!(old.store.rest(game(1), first, rest_mark(), ServiceInstant(1)).await, Ok(true));
    assert_eq!(next.owner(1).await, Some(Owner::Rests));
    old.store.close();
    assert!(!next.nodes.poll().await.unwrap().has_free_games);
    assert_eq!(next.claim().await, []);
    let woken = next.store.wake(game(1), ServiceInstant(2)).await.unwrap().unwrap();
    assert_eq!(next.owner(1).await, Some(Owner::Own));
    assert_eq!(next.append(1, woken.offset).await, Ok(JournalOffset(2)));
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_turn_at_rest_is_never_charged_what_two_processes_axes_are_apart() {
    let database = TestDatabase::new();
    let (ahead, behind) = (Process::begin(&database).await, Process::begin(&database).await);
    for (number, woken_at, charged) in [(1, 5, 0..=0), (2, 60, 45..=50)] {
        let first = behind.create(number).await;
        assert_eq!(behind.store.rest(game(number), first, rest_mark(), ServiceInstant(1)).await, Ok(true));
        let at = ServiceInstant(woken_at * 1_000_000);
        let woken = ahead.store.wake(game(number), at).await.unwrap().unwrap();
        assert!(charged.contains(&(woken.rested.0 / 1_000_000)), "{:?}", woken.rested);
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn processes_beside_each_other_go_on_to_one_new_segment() {
    let database = TestDatabase::new();
    let (one, other) = (Process::begin(&database).await, Process::begin(&database).await);
    // A segment of a test has 20 rows.
    for number in 1..=25 {
        one.create(number).await;
        other.create(100 + number).await;
    }
    until(&database.url(), "SELECT max(segment) >= 2 FROM segments", "t");
    for number in 26..=50 {
        one.create(number).await;
        other.create(100 + number).await;
    }
    assert_eq!(database.sql("SELECT count(*) FROM live"), "100");
    for process in [&one, &other] {
        assert_eq!(process.said.all(), [""; 0]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_process_that_serves_alone_and_several_reject_each_other() {
    let database = TestDatabase::new();
    let (alone, ..) = try_to_open(&database.url()).unwrap();
    let rejected = open_as(&database.url(), Nodes::Several).err();
    assert!(matches!(rejected, Some(OpenError::InUse { .. })), "{rejected:?}");
    alone.store.close();

    let beside = Process::begin(&database).await;
    let nodes = Arc::clone(&beside.nodes);
    let lives = Tasks::default().spawn(async move {
        while nodes.poll().await.is_ok() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
    let url = database.url();
    let rejected = tokio::task::spawn_blocking(move || try_to_open(&url).err()).await.unwrap();
    assert!(matches!(rejected, Some(OpenError::InUse { .. })), "{rejected:?}");
    beside.store.close();
    lives.await.unwrap();
    assert_eq!(beside.said.all(), [""; 0], "it has left, and was not declared dead");
}
