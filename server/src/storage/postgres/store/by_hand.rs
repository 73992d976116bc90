//! A store of a database without threads: a simulation runs its tasks, and stands in for PostgreSQL.
//!
//! Deliberately absent: what a start checks, the steps of the schema, and the task for people.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::super::connection::{ClusterUrl, Database, Dial, Link};
use super::super::fatal::Halt;
use super::super::keeper::Keeper;
use super::super::nodes::{self, LobbyEpoch, Membership};
use super::super::open::{self, Loaded, OpenError};
use super::super::queue::Queue;
use super::super::readers::Reads;
use super::super::segments::{SegmentSettings, Segments};
use super::{JournalParts, PostgresStore, WAITING_MAX, WHERE_DAMAGE_IS, journal};
use crate::storage::damage_log::DamageLog;
use crate::storage::instant::TurnAxis;
use crate::storage::rating::NoRatings;
use crate::storage::writer_state::WriterState;
use crate::storage::{Found, NodeStore, Nodes, Restrictions, Store as _, StoreInstant};
use crate::tasks::Tasks;
use crate::time::ServiceClock;

/// Segments are never looked at.
const SETTINGS: SegmentSettings = SegmentSettings {
    rows: u64::MAX,
    age: Duration::from_secs(1 << 30),
    look_every: Duration::from_secs(1 << 20),
    kept: Duration::MAX,
};

/// What a process has of its store.
#[derive(Debug)]
pub(crate) struct ByHand {
    pub(crate) store: Arc<PostgresStore>,
    pub(crate) nodes: Arc<dyn NodeStore>,
}

/// The part of `open::load` that makes a node of this process.
async fn begin(database: &Database) -> Result<(Link, i32, (StoreInstant, TurnAxis)), OpenError> {
    let link = database.connect().await?;
    let node = nodes::join(database, &link, Nodes::Several).await?;
    database.barrier(&link).await?;
    let begun = open::begin(&link, node).await?;
    Ok((link, node, begun))
}

/// Opens a database whose servers are reached with `dial`, for one of several processes. `halt` is told why it may not serve
/// any longer.
///
/// # Errors
/// When it cannot be reached now.
pub(crate) async fn open_by_hand(
    url: &ClusterUrl,
    dial: Dial,
    boot: Uuid,
    clock: &ServiceClock,
    tasks: &Tasks,
    halt: impl Fn(&str) + Send + Sync + 'static,
) -> Result<ByHand, OpenError> {
    let mut database = Database::new(url, boot, Halt::with(halt));
    database.dial = Some(dial);
    let database = Arc::new(database);
    let (link, node, (start, turn_axis)) = nodes::answered(&database, begin(&database)).await?;
    let (writes, writer) = (Arc::new(Queue::new(WAITING_MAX)), Arc::new(WriterState::default()));
    let lobby = LobbyEpoch::default();
    let parts = JournalParts {
        database: Arc::clone(&database),
        queue: Arc::clone(&writes),
        writer: Arc::clone(&writer),
        lobby: lobby.clone(),
        clock: clock.clone(),
        rater: &NoRatings,
        settings: SETTINGS,
    };
    let loaded = Loaded {
        keeper: Keeper::new(Arc::clone(&database), Some(Arc::new(link))),
        node,
        start,
        turn_axis,
        games: std::collections::HashMap::new(),
        segments: Segments { newest: 1, made: start, rows: 0, looked: start },
        epoch: zeitnot_protocol::EpochId::from_random(1),
        found: Found { live: Vec::new(), resting: Vec::new(), set_aside: Vec::new() },
        challenges: Vec::new(),
        restrictions: Restrictions::default(),
        blocks: Vec::new(),
    };
    let (journal, _) = journal(parts, Nodes::Several, loaded);
    tasks.spawn(journal.run());
    tasks.spawn(nodes::look_for_the_primary(Arc::clone(&database)));
    let damage = Arc::new(DamageLog::new(clock.clone(), WHERE_DAMAGE_IS));
    let reads = Reads::new(&database, &Handle::current(), &damage);
    let leaves = CancellationToken::new();
    let queue = Arc::clone(&writes);
    let membership = Membership::new(&database, node, start, clock.clone(), queue, lobby, leaves.clone());
    let store = Arc::new(PostgresStore {
        writes,
        jobs: Arc::new(Queue::new(WAITING_MAX)),
        reads,
        writer,
        damage,
        node,
        nodes: Nodes::Several,
        start,
        turn_axis,
        rater: &NoRatings,
        leaves,
        gives_up: CancellationToken::new(),
        threads: Mutex::default(),
    });
    tasks.spawn(store.deliver(tasks.stopping().clone()));
    Ok(ByHand { store, nodes: Arc::new(membership) })
}
