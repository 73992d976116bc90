//! Which processes serve from the database: one at a time, unless all of them say that they are several.
//!
//! Each has a row, and while it lives, its `beat` grows. A process that starts takes the database over from one that is dead:
//! that has none of its connections left, or whose beat has stood still for [`SILENT_FOR`]. It marks it so, ends what is left of
//! its connections, and only then reads. A process that is marked dead finds that out with its next beat or its next
//! connection, and ends.
//!
//! Deliberately absent: what several processes do while they run (`membership`), which of them has the lobby of all
//! (`lease`), and what they have changed about people (`changes`).

pub(super) mod changes;
mod lease;
mod membership;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

pub(super) use lease::LobbyEpoch;
pub(super) use membership::Membership;

use super::connection::{Database, Failure, Link, application_name};
use super::keeper::Keeper;
use super::open::OpenError;
use crate::storage::encoding::FORMAT;
use crate::storage::{Nodes, StoreInstant};

/// How often a process says that it lives.
pub(super) const BEAT_EVERY: Duration = Duration::from_millis(700);
/// Beats from one look for another primary to the next: about a minute.
const BEATS_TO_A_LOOK: u32 = 86;
/// How long PostgreSQL may take to answer that, before it is looked for another primary.
const ANSWERED_WITHIN: Duration = Duration::from_secs(2);
/// The time between two looks at another process.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// For how long the beat of a dead process has stood still.
const SILENT_FOR: Duration = Duration::from_secs(3);
/// How long the row of a dead process is kept: whoever looks for what has happened finds it there.
const DEAD_KEPT: Duration = Duration::from_secs(86_400);
/// Looks in a row that find no connection of a dead process.
const LOOKS_WITHOUT_CONNECTION: u32 = 3;

/// Enters this process, and takes the database over from those before it that do not serve beside it.
///
/// # Errors
/// When another process serves from the database, or PostgreSQL fails.
pub(super) async fn join(database: &Database, link: &Link, nodes: Nodes) -> Result<i32, OpenError> {
    // What is changed from here on comes as a change. What was before is found by whoever reads it after this.
    let sql = "INSERT INTO nodes (boot, version, format, several, changes_read) \
               VALUES ($1, $2, $3, $4, pg_snapshot_xmin(pg_current_snapshot())::text::bigint) RETURNING node";
    let (format, several) = (i32::from(FORMAT), nodes == Nodes::Several);
    let version = env!("CARGO_PKG_VERSION");
    let node = link.query_one(sql, &[&database.boot, &version, &format, &several]).await?.try_get(0)?;
    let others =
        "SELECT node, boot FROM nodes WHERE node <> $1 AND NOT dead AND NOT (several AND $2) ORDER BY node";
    for row in link.query(others, &[&node, &several]).await? {
        let (other, boot): (i32, uuid::Uuid) = (row.try_get(0)?, row.try_get(1)?);
        if let Err(error) = take_over(link, other, boot).await {
            link.execute("UPDATE nodes SET dead = true WHERE node = $1", &[&node]).await?;
            return Err(error);
        }
    }
    Ok(node)
}

/// Whether a process that begins to serve does it beside another one.
pub(super) async fn is_beside_others(link: &Link, node: i32) -> Result<bool, Failure> {
    link.has("SELECT FROM nodes WHERE node <> $1 AND NOT dead AND at_us IS NOT NULL", &[&node]).await
}

/// Takes the database over from another process, if that is dead.
async fn take_over(link: &Link, node: i32, boot: uuid::Uuid) -> Result<(), OpenError> {
    let name = application_name(boot);
    let sql = "SELECT beat, dead, (SELECT count(*) FROM pg_stat_activity WHERE application_name = $2) \
               FROM nodes WHERE node = $1";
    let (mut first, mut silent, mut without) = (None, Duration::ZERO, 0);
    loop {
        let row = link.query_one(sql, &[&node, &name]).await?;
        let (beat, is_dead, connections): (i64, bool, i64) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if is_dead {
            break;
        }
        if *first.get_or_insert(beat) != beat {
            return Err(OpenError::InUse { node });
        }
        without = if connections == 0 { without + 1 } else { 0 };
        if without >= LOOKS_WITHOUT_CONNECTION || silent >= SILENT_FOR {
            let mark = "UPDATE nodes SET dead = true WHERE node = $1 AND beat = $2 AND NOT dead";
            if link.execute(mark, &[&node, &beat]).await? == 0 {
                continue;
            }
            tracing::info!(node, "the process before this one is dead");
            break;
        }
        tokio::time::sleep(LOOK_EVERY).await;
        silent += LOOK_EVERY;
    }
    while !end_connections(link, boot).await? {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(())
}

/// Ends all connections of a process that is dead, so that what it was about to write is written now, or never. Whether all
/// have ended.
pub(super) async fn end_connections(link: &Link, boot: uuid::Uuid) -> Result<bool, Failure> {
    let sql = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = $1";
    let ended = link.rows(sql, &[&application_name(boot)]).await?;
    Ok(ended.iter().all(|row| row.get(0)))
}

/// Ends all connections of processes that are dead.
pub(super) async fn end_connections_of_dead(link: &Link) -> Result<(), Failure> {
    let sql = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity JOIN nodes \
               ON application_name = 'zeitnot-' || boot WHERE dead";
    let ended = link.rows(sql, &[]).await?;
    if ended.iter().all(|row| row.get(0)) { Ok(()) } else { Err(Failure::Again) }
}

/// Says that this process lives, until `ended`. While PostgreSQL does not answer, looks whether another server was promoted: the
/// one before it may wait for its standby for ever.
pub(super) async fn beat(database: Arc<Database>, ended: CancellationToken) {
    let mut keeper = Keeper::new(Arc::clone(&database), None);
    let beating = async {
        for beats in 1_u32.. {
            tokio::time::sleep(BEAT_EVERY).await;
            if beats.is_multiple_of(BEATS_TO_A_LOOK) {
                database.look_for_the_primary().await;
            }
            if !answered(&database, say(&database, &mut keeper)).await {
                return;
            }
        }
    };
    tokio::select! {
        biased;
        () = ended.cancelled() => {}
        () = beating => {}
    }
}

/// What somebody is answered. While PostgreSQL does not answer, looks whether another server was promoted.
pub(super) async fn answered<T>(database: &Database, asking: impl Future<Output = T>) -> T {
    let mut asking = pin!(asking);
    loop {
        if let Ok(answer) = tokio::time::timeout(ANSWERED_WITHIN, &mut asking).await {
            return answer;
        }
        tokio::select! {
            biased;
            answer = &mut asking => return answer,
            () = database.look_for_the_primary() => {}
        }
    }
}

/// Looks every minute whether another server was promoted.
pub(super) async fn look_for_the_primary(database: Arc<Database>) {
    loop {
        tokio::time::sleep(BEAT_EVERY * BEATS_TO_A_LOOK).await;
        database.look_for_the_primary().await;
    }
}

/// Says once that this process lives; whether it may go on.
async fn say(database: &Database, keeper: &mut Keeper) -> bool {
    let Ok(link) = keeper.link().await else { return false };
    let sql = "UPDATE nodes SET beat = beat + 1 WHERE boot = $1 AND NOT dead";
    match link.run(sql, &[&database.boot]).await {
        Ok(0) => {
            database.halt.dead();
            return false;
        }
        Ok(_) => {}
        Err(Failure::Lost) => keeper.lose(),
        Err(failure) => tracing::warn!(%failure, "this process could not say that it lives"),
    }
    true
}

/// Forgets the processes that have long been dead and own nothing, as this one sees it at `at`; how many. One of them that wakes
/// up yet finds no row of its own, which says the same. The time for which nobody is charged stays the same.
pub(super) async fn forget_dead(link: &Link, node: i32, at: StoreInstant) -> Result<u64, Failure> {
    let sql = "WITH gone AS (DELETE FROM nodes WHERE dead AND node <> $1 AND made < now() - make_interval(secs => $3) \
                AND coalesce(at_us, start_us, 0) < $2 \
                AND NOT EXISTS (SELECT FROM live WHERE owner = nodes.node AND NOT resting AND aside IS NULL) \
                AND NOT EXISTS (SELECT FROM leases WHERE owner = nodes.node) \
                RETURNING idle_us) \
               UPDATE nodes SET idle_us = coalesce(idle_us, 0) + (SELECT coalesce(sum(idle_us), 0)::bigint FROM gone) \
               WHERE node = $1 AND EXISTS (SELECT FROM gone) RETURNING (SELECT count(*) FROM gone)";
    let kept = i64::try_from(DEAD_KEPT.as_micros()).unwrap_or(i64::MAX);
    let before = i64::try_from(at.0).unwrap_or(i64::MAX).saturating_sub(kept);
    let row = link.row(sql, &[&node, &before, &DEAD_KEPT.as_secs_f64()]).await?;
    Ok(row.map_or(0, |row| row.get::<_, i64>(0).unsigned_abs()))
}

/// This process serves no longer.
pub(super) async fn leave(database: &Database, link: &Link) -> Result<(), Failure> {
    link.run("UPDATE nodes SET dead = true WHERE boot = $1", &[&database.boot]).await?;
    Ok(())
}
