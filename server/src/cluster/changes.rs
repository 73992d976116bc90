//! When this node reads what was changed about people: after each of its polls. So every node knows within 1.5 s, whether the bus
//! is there or not.
//!
//! Deliberately absent: the reading itself (`storage`), and what follows from a change (`server`).
//!
//! Invariant: what was read is handed over in its order, and nothing more is read while too much waits.

use tokio::sync::{Notify, mpsc};

use crate::storage::{Change, NodeError, NodeStore};

/// Reads whenever a poll was answered, until this node serves no longer or nobody takes what is read.
pub(super) async fn run(nodes: &dyn NodeStore, polled: &Notify, read: &mpsc::Sender<Vec<Change>>) {
    loop {
        tokio::select! {
            biased;
            () = read.closed() => return,
            () = polled.notified() => {}
        }
        match nodes.changes().await {
            Ok(changes) if changes.is_empty() => {}
            Ok(changes) => {
                if read.send(changes).await.is_err() {
                    return;
                }
            }
            // They are read after the next poll.
            Err(NodeError::Failed(why)) => {
                tracing::warn!(why, "what was changed about people cannot be read now");
            }
            Err(NodeError::Ended) => return,
        }
    }
}
