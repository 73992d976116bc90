//! The simulation of several nodes on one database: one seed is one whole run, in virtual time, on one thread.
//!
//! What runs is what runs in service: registries with actors, mirrors and remote sessions, links, members, groups, claims, the
//! encoding of the bus, sessions, and the store in PostgreSQL with its client and protocol. What is simulated is the world
//! around them: people and their network, NATS (`bus`), the servers of PostgreSQL (`postgres`), and a hand on the power switch
//! of each node.
//!
//! A run has two phases. First things go wrong, as `faults` were drawn. Then everything heals, and every game must come to its
//! end within a minute, every command to its answer, and every client to the last event. A `checker` looks on all the time.
//!
//! | file | what it is |
//! |---|---|
//! | `world`, `faults`, `lots` | nodes, people and time; what goes wrong when; the lots, and what they make late |
//! | `node`, `session` | a process as `server` puts it together; the task of a session |
//! | `store` | the store of a node, at which the checker looks what is decided |
//! | `bus` | NATS: loss, doubles, delay, partitions, reconnects |
//! | `postgres` | a primary and its standby: what is written, replicated and visible; connections that are lost |
//! | `client`, `acts` | people with tabs on several nodes; what they do |
//! | `checker` | what is durable, what tabs are told, and what nodes take on links |
//!
//! Tasks of a node stand behind a gate (`tasks`), which stops a node, ends it, and holds tasks up. Time has steps of a
//! millisecond.
//!
//! Deliberately absent: the lobby's machine (whoever has the lobby begins the games that are wanted, with the real lease and
//! epoch), chat, accounts, games at rest, a drain before a stop, nodes of several versions, what `server` does with real
//! sockets; of faults: several servers of the bus, a slow consumer, deadlocks and full disks of PostgreSQL, a standby that
//! lags and is promoted, a session that is held up between reading a frame and handing it over. That a turn is charged nothing
//! while its node was silent is looked at from above only: no turn is charged more than passed until its move was read.

mod acts;
mod bus;
mod checker;
mod client;
mod faults;
mod lots;
mod node;
mod postgres;
mod session;
mod store;
mod tests;
mod world;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::runtime::Builder;

use crate::seeded_bugs::{SeededBug, Seeding};
use checker::{Complaint, Fault};
use world::World;

/// What a run came to.
#[derive(Debug)]
struct Run {
    complaint: Option<Complaint>,
    coverage: BTreeMap<String, u64>,
    /// Of everything that happened, and how much that was.
    hash: u64,
    events: u64,
}

/// Runs a seed, with a bug seeded or none.
fn run(seed: u64, bug: Option<SeededBug>) -> Run {
    let _seeding = Seeding::with(bug);
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("it needs no driver but time");
    let world = {
        let _guard = runtime.enter();
        World::new(seed)
    };
    let panicked = catch_unwind(AssertUnwindSafe(|| runtime.block_on(world.run()))).err();
    drop(runtime);
    let mut complaint = world.checker().complaint().cloned();
    if let Some(panic) = panicked.filter(|_| complaint.is_none()) {
        let text = panic.downcast_ref::<String>().cloned();
        let detail = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        complaint = Some(Complaint { fault: Fault::Panicked, detail: detail.unwrap_or_default() });
    }
    let (hash, events) = world.traced();
    let coverage = std::mem::take(&mut world.checker().coverage);
    Run { complaint, coverage, hash, events }
}
