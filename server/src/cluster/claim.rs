//! When a node claims live games that nobody owns who lives: as soon as a poll says that there are any, or another node that it
//! has given some up.
//!
//! All nodes do so at once, and share the games by the locks of the database.
//!
//! Deliberately absent: the claim itself (`storage`).

use tokio::sync::{Notify, mpsc};

use crate::storage::{ClaimedGame, NodeError, NodeStore};

/// Claims games whenever there may be some, until this node serves no longer or nobody takes them. While it `abstains` it leaves
/// them to others.
pub(super) async fn run(
    nodes: &dyn NodeStore,
    free: &Notify,
    abstains: &(dyn Fn() -> bool + Sync),
    claimed: &mpsc::Sender<Vec<ClaimedGame>>,
) {
    loop {
        tokio::select! {
            biased;
            () = free.notified() => {}
            () = claimed.closed() => return,
        }
        while !abstains() {
            match nodes.claim().await {
                Ok(Some(games)) if games.is_empty() => {}
                Ok(Some(games)) => {
                    tracing::info!(games = games.len(), "games of dead nodes go on here");
                    if claimed.send(games).await.is_err() {
                        return;
                    }
                }
                Ok(None) => break,
                // The next poll says that there still are some.
                Err(NodeError::Failed(why)) => {
                    tracing::warn!(why, "games of dead nodes cannot be claimed now");
                    break;
                }
                Err(NodeError::Ended) => return,
            }
        }
    }
}
