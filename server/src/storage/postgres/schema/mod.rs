//! The tables, the steps from an older database to the present one, and the facts about a database as a whole.
//!
//! The version is the fact `schema`. Each step of [`STEPS`] leads from one version to the next; all steps of a start are one
//! transaction, for which a second start waits. A database of a version beyond the last step was written by a newer server and
//! is rejected.

use zeitnot_protocol::EpochId;

use super::connection::{Failure, Link};
use super::open::OpenError;

/// From each version to the next. Never changed once shipped; only ever longer.
const STEPS: &[&str] = &[
    include_str!("1.sql"),
    include_str!("2.sql"),
    include_str!("3.sql"),
    include_str!("4.sql"),
    include_str!("5.sql"),
    include_str!("6.sql"),
];

/// A number that nobody else should lock: "Znot".
const LOCK: i64 = 0x5a6e_6f74;

/// The keys of facts.
const SCHEMA: &str = "schema";
const EPOCH: &str = "epoch";
const DATABASE: &str = "database";

/// Takes the database to the version of the last step.
///
/// # Errors
/// When it is of a later version, or cannot be written.
pub(super) async fn migrate(link: &Link) -> Result<(), OpenError> {
    link.batch_execute("BEGIN").await?;
    lock(link).await?;
    let is_new: bool = link.query_one("SELECT to_regclass('facts') IS NULL", &[]).await?.try_get(0)?;
    let version = if is_new { 0 } else { version(link).await? };
    let Some(steps) = STEPS.get(version..) else {
        return Err(OpenError::Newer { found: version, known: STEPS.len() });
    };
    for step in steps {
        link.batch_execute(step).await?;
    }
    if !steps.is_empty() {
        set_fact(link, SCHEMA, &STEPS.len().to_string()).await?;
    }
    link.batch_execute("COMMIT").await?;
    Ok(())
}

/// Waits until nobody else makes tables or fills the database, and keeps others from it for this transaction.
pub(super) async fn lock(link: &Link) -> Result<(), Failure> {
    link.run("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await?;
    Ok(())
}

async fn version(link: &Link) -> Result<usize, OpenError> {
    let version = fact(link, SCHEMA).await?.and_then(|text| text.parse().ok());
    version.ok_or(OpenError::NotOurs)
}

async fn fact(link: &Link, name: &str) -> Result<Option<String>, Failure> {
    Ok(link.row("SELECT value FROM facts WHERE name = $1", &[&name]).await?.map(|row| row.get(0)))
}

async fn set_fact(link: &Link, name: &str, value: &str) -> Result<(), Failure> {
    let sql = "INSERT INTO facts VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    link.run(sql, &[&name, &value]).await?;
    Ok(())
}

/// The epoch that is stored, unless this is another database than the one that it was stored in: a dump that was read in
/// elsewhere, or a server that came back from an archive. Then, and without one, `new` is stored.
pub(super) async fn epoch(link: &Link, new: EpochId) -> Result<EpochId, Failure> {
    let sql = "SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || \
               (SELECT timeline_id FROM pg_control_checkpoint()) || '/' || \
               (SELECT oid FROM pg_database WHERE datname = current_database())";
    // A managed database may not say.
    let own: String = match link.query_one(sql, &[]).await {
        Ok(row) => row.try_get(0)?,
        Err(error) if error.is_closed() => return Err(Failure::Lost),
        Err(_) => "unknown".to_owned(),
    };
    let stored = fact(link, EPOCH).await?.and_then(|text| text.parse().ok());
    let is_same = fact(link, DATABASE).await?.is_some_and(|database| database == own);
    match stored {
        Some(epoch) if is_same => Ok(epoch),
        Some(_) | None => {
            set_fact(link, EPOCH, new.as_str()).await?;
            set_fact(link, DATABASE, &own).await?;
            Ok(new)
        }
    }
}
