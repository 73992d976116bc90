//! The PostgreSQL of a cluster: a primary, perhaps with a synchronous standby, and what its tables say
//! of nodes and games.
//!
//! Starting, stopping and asking take up to seconds. They run on threads for blocking work; what panics
//! there is an error here.
//!
//! A *slot* is the place of a server in the URL of the nodes. The primary has one of them; after a
//! fail-over it is the other.

use std::any::Any;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, ensure};
use tokio::task::spawn_blocking;
use zeitnot_protocol::GameId;
use zeitnot_test_servers::{OwnServer, find_programs, sql, until};

/// What the standby is called.
const STANDBY: &str = "second";

/// How many servers a URL names with a standby.
pub(super) const SLOTS: usize = 2;

/// A row of `nodes`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NodeRow {
    pub(super) number: u32,
    pub(super) is_dead: bool,
}

/// The servers.
#[derive(Debug)]
pub(super) struct Database {
    servers: [Option<Arc<OwnServer>>; SLOTS],
    /// The slot of the primary.
    primary: usize,
}

impl Database {
    /// Starts a primary, and a standby if there is to be one.
    pub(super) async fn start(has_standby: bool) -> Result<Self> {
        ensure!(find_programs().is_some(), "PostgreSQL is not there: apt-get install postgresql");
        let primary = blocking("PostgreSQL does not start", || OwnServer::new(&[])).await?;
        let mut database = Self { servers: [Some(Arc::new(primary)), None], primary: 0 };
        if has_standby {
            database.add_standby().await?;
        }
        Ok(database)
    }

    /// Where the server of a slot is.
    pub(super) fn address(&self, slot: usize) -> Result<SocketAddr> {
        let server = self.servers[slot].as_ref().context("there is no standby")?;
        Ok(SocketAddr::from(([127, 0, 0, 1], server.port())))
    }

    /// How many slots have a server.
    pub(super) fn slots(&self) -> usize {
        self.servers.iter().flatten().count()
    }

    /// The slot of the primary.
    pub(super) fn primary_slot(&self) -> usize {
        self.primary
    }

    fn primary(&self) -> Arc<OwnServer> {
        Arc::clone(self.servers[self.primary].as_ref().expect("there is always a primary"))
    }

    /// Gives the primary a new standby, in place of whatever is in the other slot, and has the primary
    /// wait for it from now on.
    pub(super) async fn add_standby(&mut self) -> Result<()> {
        let (primary, slot) = (self.primary(), 1 - self.primary);
        let before = self.servers[slot].take();
        let make = move || {
            drop(before);
            let standby = OwnServer::standby(&primary, STANDBY);
            // When it is promoted it has no standby itself.
            standby.configure("synchronous_standby_names = ''");
            standby.reload();
            primary.configure(&format!("synchronous_standby_names = '{STANDBY}'"));
            primary.reload();
            let follows = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
            until(&primary.url(), follows, "1");
            standby
        };
        self.servers[slot] = Some(Arc::new(blocking("no standby", make).await?));
        Ok(())
    }

    /// Stops the primary, in order or as by a crash.
    pub(super) async fn stop(&self, crashes: bool) -> Result<()> {
        let primary = self.primary();
        let how = if crashes { "immediate" } else { "fast" };
        blocking("PostgreSQL does not stop", move || primary.stop(how)).await
    }

    /// Starts the primary again.
    pub(super) async fn start_again(&self) -> Result<()> {
        let primary = self.primary();
        blocking("PostgreSQL does not start again", move || primary.start()).await
    }

    /// Leaves what is in the servers where it is when they end, with a link to each in this folder.
    pub(super) fn keep(&self, home: &Path) -> Result<()> {
        for (slot, server) in self.servers.iter().enumerate() {
            let Some(server) = server else { continue };
            let name = if slot == self.primary { "postgresql-primary" } else { "postgresql-other" };
            symlink(server.keep(), home.join(name)).with_context(|| format!("no link {name}"))?;
        }
        Ok(())
    }

    /// Makes the standby the primary.
    pub(super) async fn promote(&mut self) -> Result<()> {
        let standby = Arc::clone(self.servers[1 - self.primary].as_ref().context("there is no standby")?);
        blocking("the standby is not promoted", move || standby.promote()).await?;
        self.primary = 1 - self.primary;
        Ok(())
    }

    /// Asks the primary; the answer has a line for each row, with its columns apart by `|`.
    async fn ask(&self, what: &'static str) -> Result<String> {
        let url = self.primary().url();
        blocking("PostgreSQL does not answer", move || sql(&url, what)).await
    }

    /// All nodes that ever were.
    pub(super) async fn nodes(&self) -> Result<Vec<NodeRow>> {
        read_nodes(&self.ask("SELECT node, dead FROM nodes ORDER BY node").await?)
    }

    /// Who owns which live game, by the number of the node.
    pub(super) async fn owners(&self) -> Result<BTreeMap<GameId, u32>> {
        let rows = self.ask("SELECT game, owner FROM live WHERE NOT resting AND owner IS NOT NULL").await?;
        read_owners(&rows)
    }

    /// Games that the nodes could not read.
    pub(super) async fn set_aside(&self) -> Result<Vec<String>> {
        let rows = self.ask("SELECT game, aside FROM live WHERE aside IS NOT NULL").await?;
        Ok(rows.lines().map(str::to_owned).collect())
    }
}

fn read_nodes(rows: &str) -> Result<Vec<NodeRow>> {
    let row = |line: &str| {
        let (number, is_dead) = line.split_once('|')?;
        Some(NodeRow { number: number.parse().ok()?, is_dead: is_dead == "t" })
    };
    rows.lines().map(|line| row(line).with_context(|| format!("a row of nodes: {line}"))).collect()
}

fn read_owners(rows: &str) -> Result<BTreeMap<GameId, u32>> {
    let row = |line: &str| {
        let (game, owner) = line.split_once('|')?;
        Some((game.parse().ok()?, owner.parse().ok()?))
    };
    rows.lines().map(|line| row(line).with_context(|| format!("a row of live games: {line}"))).collect()
}

/// Does something that blocks, or panics when it fails.
pub(super) async fn blocking<T: Send + 'static>(
    what: &'static str,
    act: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let done = spawn_blocking(act).await;
    done.map_err(|error| match error.try_into_panic() {
        Ok(panic) => anyhow!("{what}: {}", words(&*panic)),
        Err(error) => anyhow!("{what}: {error}"),
    })
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("for an unknown reason")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_psql_writes_them() {
        let nodes = read_nodes("1|t\n2|f").unwrap();
        assert_eq!(nodes, [(1, true), (2, false)].map(|(number, is_dead)| NodeRow { number, is_dead }));
        assert!(read_nodes("").unwrap().is_empty() && read_nodes("x|t").is_err());
        let owners = read_owners("AbCdEfGh0123|4").unwrap();
        assert_eq!(owners, BTreeMap::from([("AbCdEfGh0123".parse().unwrap(), 4)]));
        assert!(read_owners("AbCdEfGh0123|").is_err());
    }

    #[tokio::test]
    async fn a_panic_is_an_error_with_its_words() {
        let error = blocking("it fails", || panic!("no {}", "disk")).await.map(|(): ()| ()).unwrap_err();
        assert_eq!(error.to_string(), "it fails: no disk");
        assert_eq!(blocking("it works", || 7).await.unwrap(), 7);
    }
}
