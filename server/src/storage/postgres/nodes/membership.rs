//! One of several processes that serve from a database: it polls, declares others dead, and claims their games.
//!
//! Deliberately absent: who is dead (`cluster`), and a process that serves alone (`nodes`).

use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::GameId;

use super::super::beats::Beats;
use super::super::claims::{self, Batch, Claimer, OWNERS};
use super::super::connection::{Backend, Database, Failure, Link};
use super::super::keeper::Keeper;
use super::super::queue::Queue;
use super::super::requests::{Beside, Request};
use super::changes::Position;
use super::lease::{self, IS_FREE, LobbyEpoch};
use crate::storage::{
    Change, ClaimedGame, Hearing, JournalOffset, NodeAnswer, NodeBeat, NodeError, NodeNumber, NodeStore,
    Polled, StoreInstant, TakenLobby,
};
use crate::sync::unpoisoned;
use crate::time::ServiceClock;

/// Says that a process lives, and reads who else does, and whether live games have an owner that does not. A process that has
/// not said so yet is about to start.
static POLL: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH RECURSIVE {OWNERS}, \
         own AS (UPDATE nodes SET beat = beat + 1, at_us = $2, bus = $3, hears = $4, changes_read = greatest(changes_read, $5) \
          WHERE boot = $1 AND NOT dead RETURNING node) \
         SELECT node, boot, beat, EXISTS (SELECT FROM own), \
          EXISTS (SELECT FROM live WHERE owner IS NULL AND NOT resting AND aside IS NULL) \
          OR EXISTS (SELECT FROM owners JOIN nodes AS theirs ON theirs.node = owners.owner WHERE theirs.dead), \
          bus, hears, {IS_FREE} \
         FROM nodes WHERE NOT dead AND (at_us IS NOT NULL OR boot = $1) ORDER BY node"
    )
});

/// A process among others.
pub(in crate::storage::postgres) struct Membership {
    database: Arc<Database>,
    node: i32,
    /// Where its axis begins.
    start: StoreInstant,
    clock: ServiceClock,
    /// Where the journal's task is told which games are its own from here on.
    journal: Arc<Queue<Request>>,
    /// What it says of the bus.
    hearing: std::sync::Mutex<(bool, Vec<i32>)>,
    polls: Mutex<Polls>,
    claims: Mutex<Claims>,
    lease: Mutex<Keeper>,
    lobby: LobbyEpoch,
    /// This process leaves.
    leaves: CancellationToken,
}

struct Polls {
    keeper: Keeper,
    /// That of the last poll.
    backend: Option<Backend>,
    /// How far the changes are read.
    changes: Position,
}

struct Claims {
    keeper: Keeper,
    /// The look at all games that is under way.
    pass: Option<Pass>,
}

/// One look at all games.
struct Pass {
    claimer: Claimer,
    /// Those up to this one were looked at.
    after: Option<GameId>,
}

impl fmt::Debug for Membership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Membership").field("node", &self.node).finish_non_exhaustive()
    }
}

impl Membership {
    pub(in crate::storage::postgres) fn new(
        database: &Arc<Database>,
        node: i32,
        start: StoreInstant,
        clock: ServiceClock,
        journal: Arc<Queue<Request>>,
        lobby: LobbyEpoch,
        leaves: CancellationToken,
    ) -> Self {
        let keeper = || Keeper::new(Arc::clone(database), None);
        Self {
            database: Arc::clone(database),
            node,
            start,
            clock,
            journal,
            hearing: std::sync::Mutex::default(),
            polls: Mutex::new(Polls { keeper: keeper(), backend: None, changes: Position::default() }),
            claims: Mutex::new(Claims { keeper: keeper(), pass: None }),
            lease: Mutex::new(keeper()),
            lobby,
            leaves,
        }
    }

    fn now(&self) -> StoreInstant {
        self.start.after(Duration::from_micros(self.clock.now().0))
    }

    /// What came of something, unless this process leaves meanwhile.
    async fn unless_it_leaves<T>(
        &self,
        doing: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, NodeError> {
        let done = tokio::select! {
            biased;
            () = self.leaves.cancelled() => return Err(NodeError::Ended),
            done = doing => done,
        };
        done.map_err(|failure| match failure {
            Failure::Dead => NodeError::Ended,
            failure => NodeError::Failed(failure.to_string()),
        })
    }

    async fn try_to_poll(&self) -> Result<Polled, Failure> {
        let Polls { keeper, backend, changes } = &mut *self.polls.lock().await;
        let link = super::answered(&self.database, keeper.link()).await?;
        let before = backend.replace(link.backend.clone());
        let is_reconnected = before.is_some_and(|before| before != link.backend);
        match super::answered(&self.database, self.ask(&link, changes.since())).await {
            Ok(polled) => Ok(Polled { is_reconnected, ..polled }),
            Err(failure) => {
                if failure == Failure::Lost {
                    keeper.lose();
                }
                Err(failure)
            }
        }
    }

    async fn try_to_read_changes(&self) -> Result<Vec<Change>, Failure> {
        let Polls { keeper, changes, .. } = &mut *self.polls.lock().await;
        let link = super::answered(&self.database, keeper.link()).await?;
        let read = super::answered(&self.database, changes.read_on(&link, self.database.boot)).await;
        if read == Err(Failure::Lost) {
            keeper.lose();
        }
        read
    }

    async fn ask(&self, link: &Link, changes_read: i64) -> Result<Polled, Failure> {
        let (heard, at) = (link.warnings(), i64::try_from(self.now().0).unwrap_or(i64::MAX));
        let (bus, hears) = unpoisoned(self.hearing.lock()).clone();
        let rows = link.rows(&POLL, &[&self.database.boot, &at, &bus, &hears, &changes_read]).await?;
        if link.warnings() != heard {
            return Err(Failure::Lost);
        }
        let Some(first) = rows.first().filter(|row| row.get(3)) else {
            self.database.halt.dead();
            return Err(Failure::Dead);
        };
        let beat = |row: &tokio_postgres::Row| {
            let (node, beat): (i32, i64) = (row.get(0), row.get(2));
            NodeBeat { node: NodeNumber(node.unsigned_abs()), boot: row.get(1), beat: beat.unsigned_abs() }
        };
        let hearing = |row: &tokio_postgres::Row| {
            let (node, hears): (i32, Vec<i32>) = (row.get(0), row.get(6));
            let hears = hears.into_iter().map(|node| NodeNumber(node.unsigned_abs())).collect();
            Hearing { node: NodeNumber(node.unsigned_abs()), reaches_bus: row.get(5), hears }
        };
        let (living, hearing) = (rows.iter().map(beat).collect(), rows.iter().map(hearing).collect());
        let (has_free_games, has_free_lobby) = (first.get(4), first.get(7));
        Ok(Polled { living, hearing, has_free_games, has_free_lobby, is_reconnected: false })
    }

    async fn try_to_declare_dead(&self, found: NodeBeat) -> Result<bool, Failure> {
        let sql = "UPDATE nodes SET dead = true WHERE node = $1 AND beat = $2 AND NOT dead \
                   AND EXISTS (SELECT FROM nodes WHERE node = $3 AND NOT dead)";
        let keeper = &mut self.polls.lock().await.keeper;
        let (own, beat) = (self.node, i64::try_from(found.beat).unwrap_or(i64::MAX));
        let node = i32::try_from(found.node.0).unwrap_or(i32::MAX);
        let marking = |link: Arc<Link>| async move { link.run(sql, &[&node, &beat, &own]).await };
        let is_dead = keeper.transact(marking).await? > 0;
        if is_dead {
            tracing::warn!(node, "a node is dead: its beat has stood still");
        }
        Ok(is_dead)
    }

    /// Begins to look at all games: the connections of the dead are ended, and what they have left does not change any more.
    async fn begin_pass(&self, link: &Link) -> Result<Pass, Failure> {
        super::end_connections_of_dead(link).await?;
        let dead = claims::dead_owners(link).await?.into();
        let beats = Arc::new(Beats::all(link).await?);
        Ok(Pass {
            claimer: Claimer { node: self.node, at: self.now(), dead, beats, waits: false },
            after: None,
        })
    }

    async fn try_to_claim(&self) -> Result<Option<Vec<ClaimedGame>>, Failure> {
        let Claims { keeper, pass } = &mut *self.claims.lock().await;
        let Pass { claimer, after } = match pass.take() {
            Some(pass) => pass,
            None => {
                let link = keeper.link().await?;
                self.begin_pass(&link).await?
            }
        };
        let by = &claimer;
        let claiming = |link: Arc<Link>| async move { claims::claim(&link, by, after).await };
        let Batch { games, set_aside, last } = keeper.transact(claiming).await?;
        set_aside.iter().for_each(|(game, why)| super::super::open::log_set_aside(*game, why));
        if last.is_none() {
            return Ok(None);
        }
        *pass = Some(Pass { claimer, after: last });
        // Before anybody can append to one of them.
        let own = games.iter().map(|claimed| (claimed.game, claimed.live)).collect();
        if !self.journal.push_beyond(Request::Other(Beside::Owns(own))) {
            return Err(Failure::Dead);
        }
        let games = games.into_iter().map(|claimed| {
            let offset = JournalOffset(claimed.live.n.unsigned_abs().into());
            ClaimedGame { game: claimed.game, records: claimed.records, offset, spent: claimed.live.spent() }
        });
        Ok(Some(games.collect()))
    }

    async fn try_to_take_the_lobby(&self) -> Result<Option<TakenLobby>, Failure> {
        let keeper = &mut *self.lease.lock().await;
        let link = keeper.link().await?;
        // What the one before has under way is written now, or never.
        super::end_connections_of_dead(&link).await?;
        let taking = |link: Arc<Link>| async move { lease::take(&link, self.node).await };
        let taken = keeper.transact(taking).await?;
        if let Some(taken) = &taken {
            self.lobby.set(taken.epoch);
        }
        Ok(taken)
    }
}

impl NodeStore for Membership {
    fn own(&self) -> NodeNumber {
        NodeNumber(self.node.unsigned_abs())
    }

    fn poll(&self) -> NodeAnswer<'_, Polled> {
        self.unless_it_leaves(self.try_to_poll()).boxed()
    }

    fn changes(&self) -> NodeAnswer<'_, Vec<Change>> {
        self.unless_it_leaves(self.try_to_read_changes()).boxed()
    }

    fn set_hearing(&self, Hearing { reaches_bus, hears, .. }: Hearing) {
        let hears = hears.iter().map(|node| i32::try_from(node.0).unwrap_or(i32::MAX)).collect();
        *unpoisoned(self.hearing.lock()) = (reaches_bus, hears);
    }

    fn declare_dead(&self, node: NodeBeat) -> NodeAnswer<'_, bool> {
        self.unless_it_leaves(self.try_to_declare_dead(node)).boxed()
    }

    fn was_declared_dead(&self) {
        self.database.halt.dead();
    }

    fn claim(&self) -> NodeAnswer<'_, Option<Vec<ClaimedGame>>> {
        self.unless_it_leaves(self.try_to_claim()).boxed()
    }

    fn take_lobby(&self) -> NodeAnswer<'_, Option<TakenLobby>> {
        self.unless_it_leaves(self.try_to_take_the_lobby()).boxed()
    }
}
