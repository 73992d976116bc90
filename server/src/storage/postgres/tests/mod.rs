//! Tests of the store in a database that need one: PostgreSQL's own behaviour, which the store relies on, and what it does when
//! a connection, a process or the server dies.
//!
//! They are ignored unless `scripts/test cluster` runs them, which starts a PostgreSQL of its own.

mod changes;
mod claims;
mod lease;
mod losses;
mod membership;
mod pooled;
mod primaries;
mod traps;
mod versions;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use zeitnot_test_servers::TestDatabase;

use super::{PostgresStore, SegmentSettings, fatal::Halt};
use crate::entropy::Entropy;
use crate::ratings::Glicko;
use crate::storage::tests::samples::{Collected, epoch};
use crate::storage::{NodeError, Nodes, Opened};
use crate::time::ServiceClock;

/// What a store has said before its process would have ended.
#[derive(Clone, Default)]
pub(crate) struct Said(Arc<Mutex<Vec<String>>>);

impl Said {
    pub(crate) fn all(&self) -> Vec<String> {
        crate::sync::unpoisoned(self.0.lock()).clone()
    }
}

/// Opens the store as a new process would.
pub(in crate::storage) fn open(database: &TestDatabase) -> (Opened, Collected) {
    let (opened, collected, _) = try_to_open(&database.url()).unwrap();
    (opened, collected)
}

/// Opens the store at this URL as a new process would, with what hears its last words.
pub(in crate::storage) fn try_to_open(url: &str) -> Result<(Opened, Collected, Said), super::OpenError> {
    open_as(url, Nodes::One)
}

/// The same, of a process that serves alone or beside others.
pub(crate) fn open_as(url: &str, nodes: Nodes) -> Result<(Opened, Collected, Said), super::OpenError> {
    let (clock, mut collected, said) =
        (ServiceClock::start().unwrap(), Collected::default(), Said::default());
    let hearing = Arc::clone(&said.0);
    let halt = Halt::with(move |words| crate::sync::unpoisoned(hearing.lock()).push(words.to_owned()));
    let url = url.parse().unwrap();
    let boot = Entropy::from_os().node_boot();
    let settings = SegmentSettings {
        rows: 20,
        look_every: Duration::from_millis(200),
        kept: Duration::ZERO,
        ..SegmentSettings::SERVICE
    };
    let opened =
        PostgresStore::open(&url, boot, nodes, settings, &Glicko, halt, &clock, epoch(1), &mut collected)?;
    Ok((opened, collected, said))
}

/// What a node is told that asks until the database is not busy, as the tasks of a node do.
///
/// # Panics
/// When the database is busy for too long, or the node serves no longer.
async fn until_not_busy<T>(mut asks: impl AsyncFnMut() -> Result<T, NodeError>) -> T {
    for _ in 0..20 {
        match asks().await {
            Err(NodeError::Failed(why)) => eprintln!("asked again: {why}"),
            told => return told.unwrap(),
        }
    }
    panic!("the database is busy for too long");
}
