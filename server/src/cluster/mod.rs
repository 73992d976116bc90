//! Several nodes as one service: which of them live, and what becomes of the games of those that do not.
//!
//! A node has a thread of its own for that, so that nothing else delays its polls: a node that is silent for 2 s is dead.
//!
//! | file | what it decides |
//! |---|---|
//! | `members` | who is dead |
//! | `claim` | when this node claims games of the dead |
//! | `cut_off` | whether it has reached nothing for so long that its sockets are better elsewhere |
//! | `groups` | which nodes go on when they do not all hear each other |
//! | `lease` | when this node takes the lobby of all nodes |
//! | `changes` | when it reads what was changed about people |
//! | `bus` | who hears whom, and which links a node keeps |
//! | `mirror` | what stands in for the actor of a game on a node that does not own the game |
//! | `link` | what two nodes say to each other arrives in order and once, or the link is closed |
//!
//! Deliberately absent: what a dead node still has under way, and the claim itself (`storage`); what becomes of the games that
//! were claimed (`games`); what follows from a change (`server`).

mod bus;
mod changes;
mod claim;
mod cut_off;
mod groups;
mod lease;
mod link;
mod members;
pub(crate) mod mirror;
mod node;
#[cfg(test)]
mod tests;
mod turn_starts;
pub(crate) mod wire;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::runtime::Builder;
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::storage::{Change, ClaimedGame, Hearing, NodeBeat, NodeStore, Polled, TakenLobby};
use crate::sync::unpoisoned;
use crate::time::ServiceClock;

use bus::Heard;
#[cfg(test)]
pub(crate) use bus::by_hand;
pub(crate) use bus::{Bus, BusEvent, BusOptions, BusUser, Router};
pub use bus::{BusRejection, BusUrl};
use groups::Groups;
pub(crate) use link::LinkEvent;
#[cfg(test)]
pub(crate) use link::{Datagram, LinkId, Packet, WhyClosed};
pub(crate) use node::Node;
pub(crate) use turn_starts::TurnStarts;
pub(crate) use wire::Hint;

/// Batches of claimed games that wait to be played on: while they do, no more are claimed.
pub(crate) const BATCHES_MAX: usize = 2;

/// Reads of changes that wait to be taken in, each of some 1,000 at most: while they do, no more are read.
const READS_MAX: usize = 4;

/// Whether a node serves those who are connected to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Standing {
    /// It reaches neither the database nor the bus.
    pub(crate) is_cut_off: bool,
    /// It does not hear the nodes that go on, or they do not hear it: its games are theirs.
    pub(crate) has_given_up: bool,
}

/// What a node is told while it serves.
#[derive(Debug)]
pub(crate) struct Joined {
    /// Games that it has claimed.
    pub(crate) claimed: mpsc::Receiver<Vec<ClaimedGame>>,
    /// The lobby of all nodes, once it has taken it.
    pub(crate) lobby: oneshot::Receiver<TakenLobby>,
    /// What was changed about people, over whichever node.
    pub(crate) changes: mpsc::Receiver<Vec<Change>>,
}

/// Takes part in the service of several nodes, until this one serves no longer. `bus` is told which nodes live, and `standing`
/// whether this one serves. While it `abstains`, or is outside the first group, it claims no games, and does not take the lobby.
///
/// # Errors
/// When the thread does not start.
pub(crate) fn start(
    nodes: Arc<dyn NodeStore>,
    clock: ServiceClock,
    bus: Option<Bus>,
    standing: watch::Sender<Standing>,
    abstains: Arc<AtomicBool>,
) -> io::Result<Joined> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (taking_part, joined) = take_part(nodes, clock, bus, standing, abstains);
    std::thread::Builder::new().name("cluster".to_owned()).spawn(move || runtime.block_on(taking_part))?;
    Ok(joined)
}

/// What the thread of [`start`] does, as a future.
pub(crate) fn take_part(
    nodes: Arc<dyn NodeStore>,
    clock: ServiceClock,
    bus: Option<Bus>,
    standing: watch::Sender<Standing>,
    abstains: Arc<AtomicBool>,
) -> (impl Future<Output = ()> + Send + 'static, Joined) {
    let (tell, claimed) = mpsc::channel(BATCHES_MAX);
    let (tell_of_lobby, lobby) = oneshot::channel();
    let (tell_changes, changes) = mpsc::channel(READS_MAX);
    let (own_bus, own_clock) = (bus.clone(), clock.clone());
    let standing = Arc::new(standing);
    let own_standing = Arc::clone(&standing);
    let look = async move {
        match &own_bus {
            Some(bus) => cut_off::watch(bus, &own_clock, &own_standing).await,
            None => std::future::pending().await,
        }
    };
    let run = async move {
        let (groups, look_for_changes) = (Mutex::new(Groups::new(nodes.own())), Notify::new());
        let tell_polled = |polled: &Polled, dead: &[NodeBeat]| {
            look_for_changes.notify_one();
            let Some(bus) = &bus else { return };
            let node = |beat: &NodeBeat| Node { number: beat.node, boot: beat.boot.into() };
            bus.database_answered(&dead.iter().map(|dead| dead.boot.into()).collect::<Vec<_>>());
            bus.set_nodes(&polled.living.iter().map(node).collect::<Vec<_>>());
            let Heard { reaches_bus, nodes: hears } = bus.heard();
            nodes.set_hearing(Hearing { node: nodes.own(), reaches_bus, hears });
            let (mut groups, now) = (unpoisoned(groups.lock()), clock.now());
            let said = groups.said(now, polled);
            let gives_up = groups.look(now, &said);
            drop(groups);
            let has_changed = standing
                .send_if_modified(|told| std::mem::replace(&mut told.has_given_up, gives_up) != gives_up);
            match (has_changed, gives_up) {
                (true, true) => {
                    tracing::warn!(
                        "the other nodes do not hear this one over the bus: it gives its games up"
                    );
                }
                (true, false) => tracing::info!("this node goes on"),
                (false, _) => {}
            }
        };
        let (free, free_lobby) = (Notify::new(), Notify::new());
        let named_dead = async {
            match &bus {
                Some(bus) => bus.named_dead().await,
                None => std::future::pending().await,
            }
        };
        let given_up = async {
            loop {
                match &bus {
                    Some(bus) => bus.released().await,
                    None => std::future::pending().await,
                }
                free.notify_one();
            }
        };
        let abstains = || abstains.load(Ordering::SeqCst) || unpoisoned(groups.lock()).is_outside();
        let taking = async {
            tokio::join!(
                claim::run(&*nodes, &free, &abstains, &tell),
                lease::run(&*nodes, &free_lobby, &abstains, tell_of_lobby),
                changes::run(&*nodes, &look_for_changes, &tell_changes)
            )
        };
        tokio::select! {
            biased;
            () = given_up => {}
            // It cannot reach the database, or not yet: nothing that it says counts any more.
            () = named_dead => nodes.was_declared_dead(),
            () = members::watch(&*nodes, &clock, &free, &free_lobby, &tell_polled) => {}
            ((), (), ()) = taking => {
                // The server stops. It lives until its store is closed.
                members::watch(&*nodes, &clock, &free, &free_lobby, &tell_polled).await;
            }
        }
    };
    let taking_part = async {
        tokio::select! {
            biased;
            () = run => {}
            () = look => {}
        }
    };
    (taking_part, Joined { claimed, lobby, changes })
}
