//! The servers of the database: a primary and its synchronous standby, which is promoted when the primary is lost. The old
//! primary may come back alone.
//!
//! A row is *written* when it is in the log of its server, *replicated* when the standby has it, and only then *visible* and
//! acked. A server that crashes shows what it has written, also what no standby has. One that was promoted has no standby, and
//! confirms alone.
//!
//! Deliberately absent: checkpoints, deadlocks (a statement takes all its locks at once), a standby that lags and is promoted
//! (the operator's error), two standbys.
//!
//! Invariants: the standby applies the log in its order; a transaction whose connection was ended is in the log, or never is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::statements::{Answer, Params, Statement};
use super::tables::Key;
use super::tables::{Changes, Tables, Transaction, Value, View, apply};
use super::wire::Cell;
use crate::sync::unpoisoned;

/// A connection as its server knows it.
#[derive(Debug)]
pub(super) struct Backend {
    pub(super) server: usize,
    pub(super) boot: Uuid,
    pub(super) transaction: Option<Transaction>,
    /// The server ends it.
    pub(super) ended: CancellationToken,
    /// The way to its client is cut.
    pub(super) cut: CancellationToken,
}

/// One server.
#[derive(Debug, Default)]
pub(super) struct Server {
    pub(super) is_up: bool,
    pub(super) timeline: u32,
    pub(super) tables: Tables,
    /// What was written, in order.
    pub(super) log: Vec<(Uuid, Arc<Changes>)>,
    /// How much of it counts as replicated.
    pub(super) replicated: usize,
    /// It waits for a standby.
    pub(super) has_standby: bool,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) servers: [Server; 2],
    /// What the standby has of the first server's log.
    pub(super) standby: Tables,
    pub(super) is_promoted: bool,
    pub(super) backends: BTreeMap<u64, Backend>,
    pub(super) last_backend: u64,
    pub(super) last_transaction: u64,
    /// The boots that cannot reach the database.
    pub(super) unreachable: BTreeSet<Uuid>,
}

/// Is told what has become durable.
type Tell = Box<dyn Fn(Uuid, &Changes) + Send + Sync>;

pub(super) struct Shared {
    state: Mutex<State>,
    pub(super) changed: Notify,
    tell: Tell,
}

/// The database. Clones are the same.
#[derive(Clone)]
pub(in crate::simulation::cluster) struct Postgres(pub(super) Arc<Shared>);

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Postgres")
    }
}

impl Postgres {
    /// An empty one.
    pub(in crate::simulation::cluster) fn new(tell: Tell) -> Self {
        let primary = Server { is_up: true, timeline: 1, has_standby: true, ..Server::default() };
        let state = State {
            servers: [primary, Server { timeline: 2, ..Server::default() }],
            standby: Tables::new(),
            is_promoted: false,
            backends: BTreeMap::new(),
            last_backend: 0,
            last_transaction: 0,
            unreachable: BTreeSet::new(),
        };
        Self(Arc::new(Shared { state: Mutex::new(state), changed: Notify::new(), tell }))
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.0.state.lock())
    }

    pub(super) fn notify(&self) {
        self.0.changed.notify_waiters();
    }

    /// The server of this name, if it takes connections of this boot now.
    pub(super) fn takes(&self, server: usize) -> bool {
        self.state().servers[server].is_up
    }

    /// Runs a statement in a backend's transaction; `None` when another one must end first.
    pub(super) fn run(&self, backend: u64, statement: &Statement, cells: &[Cell]) -> Option<Answer> {
        let mut state = self.state();
        let State { servers, backends, last_transaction, .. } = &mut *state;
        let server = backends.get(&backend)?.server;
        let entry = backends.get_mut(&backend)?;
        if entry.transaction.is_none() {
            *last_transaction += 1;
            entry.transaction = Some(Transaction { id: *last_transaction, ..Transaction::default() });
        }
        let own = backends[&backend].transaction.as_ref()?;
        let others = backends.iter().filter(|(number, other)| **number != backend && other.server == server);
        let mut view = View {
            tables: &servers[server].tables,
            own,
            others: others.filter_map(|(_, other)| other.transaction.as_ref()).collect(),
            changes: Changes::new(),
            locks: BTreeSet::new(),
        };
        let params = Params { types: statement.params, cells };
        let answer = (statement.act)(&mut view, &params).ok()?;
        let (changes, locks) = (view.changes, view.locks);
        let own = backends.get_mut(&backend)?.transaction.as_mut()?;
        own.changes.extend(changes);
        own.locks.extend(locks);
        Some(answer)
    }

    /// Writes a backend's transaction to the log: the place up to which it must be replicated, or `None` when there is nothing
    /// to write.
    pub(super) fn write(&self, backend: u64) -> Option<usize> {
        let mut state = self.state();
        let State { servers, backends, .. } = &mut *state;
        let entry = backends.get_mut(&backend)?;
        let server = &mut servers[entry.server];
        let transaction = entry.transaction.as_mut()?;
        if transaction.changes.is_empty() {
            return None;
        }
        transaction.changes.insert(Key::Committed(transaction.id), Some(Value::Nothing));
        transaction.is_written = true;
        server.log.push((entry.boot, Arc::new(transaction.changes.clone())));
        let place = server.log.len();
        if !server.has_standby {
            server.replicated = place;
            (self.0.tell)(entry.boot, &transaction.changes);
        }
        drop(state);
        self.notify();
        Some(place)
    }

    /// Whether what was written up to this place counts.
    pub(super) fn is_replicated(&self, server: usize, place: usize) -> bool {
        self.state().servers[server].replicated >= place
    }

    /// Ends a backend's transaction: what was written is visible from here on, what was not is undone.
    pub(super) fn end_transaction(&self, backend: u64) {
        let mut state = self.state();
        let State { servers, backends, .. } = &mut *state;
        if let Some(entry) = backends.get_mut(&backend)
            && let Some(transaction) = entry.transaction.take().filter(|transaction| transaction.is_written)
        {
            apply(&mut servers[entry.server].tables, &transaction.changes);
        }
        drop(state);
        self.notify();
    }

    /// The standby takes the next part of the log. Whether there was one.
    pub(in crate::simulation::cluster) fn replicate(&self) -> bool {
        let mut state = self.state();
        let State { servers: [primary, _], standby, is_promoted, .. } = &mut *state;
        let next = primary.log.get(primary.replicated).filter(|_| primary.is_up && !*is_promoted).cloned();
        let Some((boot, next)) = next else { return false };
        apply(standby, &next);
        primary.replicated += 1;
        (self.0.tell)(boot, &next);
        drop(state);
        self.notify();
        true
    }

    /// Ends when the database has changed.
    pub(in crate::simulation::cluster) async fn changed(&self) {
        self.0.changed.notified().await;
    }

    /// Ends backends, as `pg_terminate_backend` does: what is not written never will be.
    pub(super) fn terminate(&self, which: impl Fn(u64, &Backend) -> bool) {
        let state = self.state();
        let ended: Vec<u64> = state
            .backends
            .iter()
            .filter(|(number, backend)| which(**number, backend))
            .map(|(n, _)| *n)
            .collect();
        drop(state);
        for backend in ended {
            self.end_transaction(backend);
            if let Some(entry) = self.state().backends.remove(&backend) {
                entry.ended.cancel();
            }
        }
        self.notify();
    }

    /// Ends the backends of nodes that are dead, as this server knows it.
    pub(super) fn terminate_dead(&self, server: usize) {
        let state = self.state();
        let nodes = state.servers[server].tables.values();
        let dead: BTreeSet<Uuid> = nodes
            .filter_map(|value| if let Value::Node(node) = value { Some(node) } else { None })
            .filter(|node| node.dead)
            .map(|node| node.boot)
            .collect();
        drop(state);
        self.terminate(|_, backend| backend.server == server && dead.contains(&backend.boot));
    }

    /// A server stops, or crashes. What it has written is there when it is back, replicated or not.
    pub(in crate::simulation::cluster) fn goes_away(&self, server: usize) {
        self.terminate(|_, backend| backend.server == server);
        self.state().servers[server].is_up = false;
        self.notify();
    }

    /// A server is there again.
    pub(in crate::simulation::cluster) fn comes_back(&self, server: usize) {
        self.state().servers[server].is_up = true;
        self.notify();
    }

    /// The standby takes the place of the primary, which is lost.
    pub(in crate::simulation::cluster) fn is_promoted(&self) {
        self.goes_away(0);
        let mut state = self.state();
        if std::mem::replace(&mut state.is_promoted, true) {
            return;
        }
        let tables = state.standby.clone();
        (state.servers[1].tables, state.servers[1].is_up) = (tables, true);
        drop(state);
        self.notify();
    }

    /// Whether the standby was promoted.
    pub(in crate::simulation::cluster) fn was_promoted(&self) -> bool {
        self.state().is_promoted
    }

    /// The way between a node and the database is cut, or is there again.
    pub(in crate::simulation::cluster) fn set_reachable(&self, boot: Uuid, is_reachable: bool) {
        let mut state = self.state();
        if is_reachable {
            state.unreachable.remove(&boot);
        } else {
            state.unreachable.insert(boot);
        }
        drop(state);
        self.notify();
    }

    /// Cuts connections of a node: what they were about to do is done, or not.
    pub(in crate::simulation::cluster) fn cut(&self, boot: Uuid, mut which: impl FnMut() -> bool) {
        let state = self.state();
        for backend in state.backends.values().filter(|backend| backend.boot == boot) {
            if which() {
                backend.cut.cancel();
            }
        }
    }
}
