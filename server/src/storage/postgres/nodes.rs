//! Which process serves from the database: one at a time.
//!
//! Each has a row, and while it lives, its `beat` grows. A process that starts takes the database over from one that is dead:
//! that has none of its connections left, or whose beat has stood still for [`SILENT_FOR`]. It marks it so, ends what is left of
//! its connections, and only then reads. A process that is marked dead finds that out with its next beat or its next
//! connection, and ends.
//!
//! Deliberately absent: several processes at a time.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::connection::{Database, Failure, Link, application_name};
use super::keeper::Keeper;
use super::open::OpenError;
use crate::storage::encoding::FORMAT;

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
/// Looks in a row that find no connection of a dead process.
const LOOKS_WITHOUT_CONNECTION: u32 = 3;

/// Enters this process, and takes the database over from those before it.
///
/// # Errors
/// When another process serves from the database, or PostgreSQL fails.
pub(super) async fn join(database: &Database, link: &Link) -> Result<i32, OpenError> {
    let sql = "INSERT INTO nodes (boot, version, format) VALUES ($1, $2, $3) RETURNING node";
    let format = i32::from(FORMAT);
    let node =
        link.query_one(sql, &[&database.boot, &env!("CARGO_PKG_VERSION"), &format]).await?.try_get(0)?;
    let others = "SELECT node, boot FROM nodes WHERE node <> $1 AND NOT dead ORDER BY node";
    for row in link.query(others, &[&node]).await? {
        let (other, boot): (i32, uuid::Uuid) = (row.try_get(0)?, row.try_get(1)?);
        if let Err(error) = take_over(link, other, boot).await {
            link.execute("UPDATE nodes SET dead = true WHERE node = $1", &[&node]).await?;
            return Err(error);
        }
    }
    Ok(node)
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
    // What it was about to write is written now, or never.
    let end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = $1";
    while !link.query(end, &[&name]).await?.iter().all(|row| row.get(0)) {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    Ok(())
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
            let mut said = pin!(say(&database, &mut keeper));
            let lives = loop {
                match tokio::time::timeout(ANSWERED_WITHIN, &mut said).await {
                    Ok(lives) => break lives,
                    Err(_) => database.look_for_the_primary().await,
                }
            };
            if !lives {
                return;
            }
        }
    };
    tokio::select! {
        () = beating => {}
        () = ended.cancelled() => {}
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

/// This process serves no longer.
pub(super) async fn leave(database: &Database, link: &Link) -> Result<(), Failure> {
    link.run("UPDATE nodes SET dead = true WHERE boot = $1", &[&database.boot]).await?;
    Ok(())
}
