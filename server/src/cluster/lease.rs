//! When this node takes the lobby of all nodes: as soon as a poll says that nobody has it who lives.
//!
//! All nodes try at once, and the database lets one of them.
//!
//! Deliberately absent: the taking itself (`storage`), and what a lobby does (`lobby`).

use tokio::sync::{Notify, oneshot};

use crate::storage::{NodeError, NodeStore, TakenLobby};

/// Tries whenever the lobby is free, until this node has it, serves no longer, or nobody waits for it. It is taken once: who has
/// it keeps it until it is dead. While this node `abstains` it leaves it to others.
pub(super) async fn run(
    nodes: &dyn NodeStore,
    free: &Notify,
    abstains: &(dyn Fn() -> bool + Sync),
    mut taken: oneshot::Sender<TakenLobby>,
) {
    loop {
        tokio::select! {
            biased;
            () = free.notified() => {}
            () = taken.closed() => return,
        }
        if abstains() {
            continue;
        }
        match nodes.take_lobby().await {
            Ok(Some(lobby)) => {
                tracing::info!(epoch = lobby.epoch, "this node has the lobby of all nodes");
                // Nobody waits for it when the server stops.
                drop(taken.send(lobby));
                return;
            }
            Ok(None) => {}
            // The next poll says that it still is free.
            Err(NodeError::Failed(why)) => tracing::warn!(why, "the lobby cannot be taken now"),
            Err(NodeError::Ended) => return,
        }
    }
}
