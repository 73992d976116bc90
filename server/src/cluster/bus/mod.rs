//! The bus: how a node reaches the others, over NATS.
//!
//! [`Bus`] is what the rest of the server holds. Nothing in it waits: what is sent is queued on the link
//! with that node, and what comes is handed to a [`BusUser`] by the one task that has the NATS client. That
//! task alone publishes, and only what the client has room for, so a server that is away or slow fills no
//! queue but the links' own.
//!
//! A node has two subscriptions: its own subject, and the one for all.
//!
//! Deliberately absent: what messages mean, and who is a member (`Machine::set_nodes` is told).
//!
//! Invariants: a lost connection closes every link; after that, what the client still holds is dropped
//! by the other nodes, since it names a link that is closed.

mod address;
#[cfg(test)]
pub(crate) mod by_hand;
mod machine;
mod router;
mod task;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use bytes::Bytes;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::cluster::link::NotSent;
use crate::cluster::node::{Boot, Node};
use crate::cluster::wire::Hint;
use crate::storage::NodeNumber;
use crate::sync::{WakeFlags, unpoisoned};
use crate::tasks::Tasks;
use crate::time::{ServiceClock, ServiceInstant};
pub(crate) use address::BusOptions;
pub use address::{BusRejection, BusUrl};
pub(crate) use machine::BusEvent;
pub(in crate::cluster) use machine::DEAD_MAX;
pub(in crate::cluster) use machine::Heard;
use machine::Machine;
pub(crate) use router::Router;
pub(crate) use task::ConnectError;

/// Who takes what comes over the bus. It is called by the task of the bus, and must not wait.
pub(crate) trait BusUser: fmt::Debug + Send + Sync {
    fn take(&self, event: BusEvent);
}

/// Something is queued, or has changed.
const CHANGED: u8 = 1;

#[derive(Debug)]
struct Shared {
    me: Node,
    clock: ServiceClock,
    machine: Mutex<Machine>,
    flags: WakeFlags,
    /// Another node has seen this one declared dead.
    named_dead: CancellationToken,
    /// Another node has given games up.
    released: Notify,
}

/// A node's place on the bus. Clones are the same place.
#[derive(Clone, Debug)]
pub(crate) struct Bus(Arc<Shared>);

impl Bus {
    /// The place of `me`, before it is connected.
    pub(crate) fn new(me: Node, clock: ServiceClock) -> Self {
        let machine = Mutex::new(Machine::new(me));
        let (flags, named_dead) = (WakeFlags::default(), CancellationToken::new());
        Self(Arc::new(Shared { me, clock, machine, flags, named_dead, released: Notify::new() }))
    }

    /// Subscribes in the cluster of that name, and begins to connect: a bus that is away is tried again and again. To be called
    /// once.
    ///
    /// # Errors
    /// When the cluster's name or the options are not such that one could connect.
    pub(crate) async fn connect(
        &self,
        options: &BusOptions,
        cluster: &str,
        user: Arc<dyn BusUser>,
        tasks: &Tasks,
    ) -> Result<(), ConnectError> {
        let task = task::Task::connect(options, cluster, Arc::clone(&self.0), user).await?;
        tasks.spawn(task.run(tasks.stopping().clone()));
        Ok(())
    }

    /// These nodes live. A link with each is kept from now on, and with no other one.
    pub(crate) fn set_nodes(&self, nodes: &[Node]) {
        let now = self.0.clock.now();
        self.0.machine().set_nodes(nodes, now);
        self.0.flags.raise(CHANGED);
    }

    /// The database has answered: heartbeats say so, and name these as dead.
    pub(crate) fn database_answered(&self, dead: &[Boot]) {
        let now = self.0.clock.now();
        self.0.machine().database_answered(now, dead);
    }

    /// When this node reached the database or the bus last.
    pub(crate) fn last_contact(&self) -> ServiceInstant {
        self.0.machine().last_contact()
    }

    /// Ends when another node says that this one was declared dead.
    pub(crate) async fn named_dead(&self) {
        self.0.named_dead.cancelled().await;
    }

    /// Ends when another node has given games up since this ended last.
    pub(crate) async fn released(&self) {
        self.0.released.notified().await;
    }

    /// Queues a message for a node.
    ///
    /// # Errors
    /// When there is no link, or it was closed because too much waits, or the message is too long: it
    /// will not arrive.
    pub(crate) fn send(&self, to: NodeNumber, message: Bytes) -> Result<(), NotSent> {
        let now = self.0.clock.now();
        let sent = self.0.machine().send(to, message, now);
        self.0.flags.raise(CHANGED);
        sent
    }

    /// Tells all nodes, if it gets there.
    pub(crate) fn announce(&self, hint: Hint) {
        self.0.machine().announce(hint);
        self.0.flags.raise(CHANGED);
    }

    /// Whom this node hears.
    pub(crate) fn heard(&self) -> Heard {
        let now = self.0.clock.now();
        self.0.machine().heard(now)
    }
}

impl Shared {
    /// Hands on what has come, and what the time alone brings about.
    fn hand_on(&self, now: ServiceInstant, user: &dyn BusUser) {
        let events = {
            let mut machine = self.machine();
            machine.tick(now);
            machine.take_events()
        };
        for event in events {
            match event {
                BusEvent::NamedDead => self.named_dead.cancel(),
                BusEvent::Hint(_, Hint::Released(_)) => self.released.notify_one(),
                event => user.take(event),
            }
        }
    }

    fn machine(&self) -> MutexGuard<'_, Machine> {
        unpoisoned(self.machine.lock())
    }
}
