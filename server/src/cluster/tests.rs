//! Nodes on a real database, each with its thread.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::{Notify, mpsc, watch};
use zeitnot_rules::game::Micros;
use zeitnot_test_servers::TestDatabase;

use super::{Bus, Node, Standing};
use crate::storage::postgres::tests::open_as;
use crate::storage::tests::samples::{game, moved, started};
use crate::storage::{
    Change, ClaimedGame, Hearing, JournalOffset, NodeAnswer, NodeBeat, NodeError, NodeNumber, NodeStore,
    Nodes, Polled, TakenLobby,
};
use crate::sync::unpoisoned;
use crate::time::ServiceClock;

/// A store with another node, that has died, and more games that nobody owns than anybody claims.
#[derive(Debug, Default)]
struct Endless {
    /// The other node has not died, nobody owns the games all the same, and this is what both say.
    hearing: Vec<Hearing>,
    polls: AtomicU64,
    claims: AtomicU64,
    reads: AtomicU64,
    declared_dead: AtomicU64,
}

impl NodeStore for Endless {
    fn own(&self) -> NodeNumber {
        NodeNumber(1)
    }

    fn poll(&self) -> NodeAnswer<'_, Polled> {
        let (beat, boot) = (self.polls.fetch_add(1, Ordering::Relaxed), uuid::Uuid::nil());
        if beat >= 20 {
            return std::future::ready(Err(NodeError::Ended)).boxed();
        }
        let living = vec![
            NodeBeat { node: NodeNumber(1), boot, beat },
            NodeBeat { node: NodeNumber(2), boot, beat: if self.hearing.is_empty() { 7 } else { beat } },
        ];
        let has_free_games = self.declared_dead.load(Ordering::Relaxed) > 0 || !self.hearing.is_empty();
        std::future::ready(Ok(Polled {
            living,
            hearing: self.hearing.clone(),
            has_free_games,
            has_free_lobby: false,
            is_reconnected: beat == 1,
        }))
        .boxed()
    }

    fn changes(&self) -> NodeAnswer<'_, Vec<Change>> {
        let read = self.reads.fetch_add(1, Ordering::Relaxed);
        let changes = if read.is_multiple_of(2) { vec![Change::Uncut(read.to_string())] } else { Vec::new() };
        std::future::ready(Ok(changes)).boxed()
    }

    fn set_hearing(&self, own: Hearing) {
        assert_eq!(Some(&own), self.hearing.first(), "its bus is not connected");
    }

    fn declare_dead(&self, node: NodeBeat) -> NodeAnswer<'_, bool> {
        assert_eq!((node.node, node.beat), (NodeNumber(2), 7));
        std::future::ready(Ok(self.declared_dead.fetch_add(1, Ordering::Relaxed) == 0)).boxed()
    }

    fn was_declared_dead(&self) {
        unreachable!("nobody says so");
    }

    fn take_lobby(&self) -> NodeAnswer<'_, Option<TakenLobby>> {
        unreachable!("somebody has it")
    }

    fn claim(&self) -> NodeAnswer<'_, Option<Vec<ClaimedGame>>> {
        self.claims.fetch_add(1, Ordering::Relaxed);
        let (game, offset) = (game(1), JournalOffset(2));
        let claimed = ClaimedGame { game, records: Vec::new(), offset, spent: Micros::ZERO };
        std::future::ready(Ok(Some(vec![claimed]))).boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_is_declared_dead_for_10_s_after_another_connection_was_made() {
    let (store, clock, free) = (Endless::default(), ServiceClock::of_runtime(), Notify::new());
    let declared = Mutex::new(Vec::new());
    let tell = |_: &Polled, dead: &[NodeBeat]| {
        *unpoisoned(declared.lock()) = dead.iter().map(|dead| dead.node).collect();
    };
    super::members::watch(&store, &clock, &free, &Notify::new(), &tell).await;
    // The second of 20 polls went over another connection: 10 s later is the seventeenth.
    assert_eq!(store.declared_dead.load(Ordering::Relaxed), 4);
    assert_eq!(*unpoisoned(declared.lock()), [NodeNumber(2)], "the others are told so once");
    assert!(free.notified().now_or_never().is_some());
}

#[tokio::test(start_paused = true)]
async fn no_more_games_are_claimed_than_somebody_plays_on() {
    let (store, free) = (Endless::default(), Notify::new());
    let (tell, mut claimed) = mpsc::channel(super::BATCHES_MAX);
    free.notify_one();
    let claiming = super::claim::run(&store, &free, &|| false, &tell);
    let playing = async {
        tokio::time::sleep(Duration::from_secs(60)).await;
        let waiting = super::BATCHES_MAX as u64 + 1;
        assert_eq!(store.claims.load(Ordering::Relaxed), waiting);
        claimed.recv().await.unwrap();
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(store.claims.load(Ordering::Relaxed), waiting + 1);
        drop(claimed);
    };
    tokio::join!(claiming, playing);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_gives_its_games_up_claims_none() {
    let (store, free) = (Endless::default(), Notify::new());
    let (tell, mut claimed) = mpsc::channel(super::BATCHES_MAX);
    let gives_up = AtomicBool::new(true);
    let abstains = || gives_up.load(Ordering::SeqCst);
    let claiming = super::claim::run(&store, &free, &abstains, &tell);
    let other = async {
        free.notify_one();
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(store.claims.load(Ordering::Relaxed), 0);
        gives_up.store(false, Ordering::SeqCst);
        free.notify_one();
        claimed.recv().await.unwrap();
        drop(claimed);
    };
    tokio::join!(claiming, other);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_not_heard_while_others_reach_the_bus_claims_no_games() {
    for other_reaches_bus in [true, false] {
        let says = |node, reaches_bus| Hearing { node: NodeNumber(node), reaches_bus, hears: Vec::new() };
        let hearing = vec![says(1, false), says(2, other_reaches_bus)];
        let (store, clock) =
            (Arc::new(Endless { hearing, ..Endless::default() }), ServiceClock::of_runtime());
        let bus = Bus::new(Node { number: NodeNumber(1), boot: uuid::Uuid::nil().into() }, clock.clone());
        let standing = watch::channel(Standing::default()).0;
        let (serving, _joined) = super::take_part(store.clone(), clock, Some(bus), standing, Arc::default());
        serving.await;
        assert_eq!(store.claims.load(Ordering::Relaxed) > 0, !other_reaches_bus);
    }
}

#[tokio::test(start_paused = true)]
async fn no_more_changes_are_read_than_somebody_takes_in_and_none_is_lost() {
    let (store, polled) = (Endless::default(), Notify::new());
    let (tell, mut read) = mpsc::channel(super::READS_MAX);
    let reading = super::changes::run(&store, &polled, &tell);
    let taking_in = async {
        for _ in 0..60 {
            polled.notify_one();
            tokio::time::sleep(super::members::POLL_EVERY).await;
        }
        let read_before = store.reads.load(Ordering::Relaxed);
        assert_eq!(read_before, 2 * super::READS_MAX as u64 + 1, "every other read finds something");
        for number in 0..=super::READS_MAX {
            assert_eq!(read.recv().await.unwrap(), [Change::Uncut((2 * number).to_string())]);
        }
        drop(read);
    };
    tokio::join!(reading, taking_in);
}

#[tokio::test]
#[ignore = "needs PostgreSQL: scripts/test cluster"]
async fn a_node_finds_another_one_dead_and_plays_its_games_on_in_postgresql() {
    let (database, clock) = (TestDatabase::new(), ServiceClock::start().unwrap());
    let (silent, ..) = open_as(&database.url(), Nodes::Several).unwrap();
    silent.store.append(JournalOffset::NONE, Arc::new(started(game(1)))).await.unwrap();
    let (survivor, ..) = open_as(&database.url(), Nodes::Several).unwrap();
    let super::Joined { mut claimed, lobby, changes: _changes } = super::start(
        survivor.nodes.unwrap(),
        clock.clone(),
        None,
        watch::channel(Standing::default()).0,
        Arc::default(),
    )
    .unwrap();
    assert_eq!(lobby.await.unwrap().epoch, 1, "nobody had it");
    // It says once that it lives, and never again.
    silent.nodes.unwrap().poll().await.unwrap();
    let batch = claimed.recv().await.unwrap();
    assert_eq!(batch.iter().map(|claimed| claimed.game).collect::<Vec<_>>(), [game(1)]);
    let append = survivor.store.append(batch[0].offset, Arc::new(moved(game(1), 2))).await;
    assert_eq!(append, Ok(JournalOffset(3)));
    assert_eq!(database.sql("SELECT string_agg(dead::text, ',' ORDER BY node) FROM nodes"), "true,false");
    survivor.store.close();
    assert!(claimed.recv().await.is_none(), "its thread has ended");
}
