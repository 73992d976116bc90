//! Which node has the lobby of all nodes.
//!
//! A node takes it when nobody has it who lives, and keeps it until it is dead itself: there is no time after which it would
//! have to be renewed. Each taking counts the epoch up, and a game that its lobby begins names that epoch in the transaction that
//! creates it (`appends`). So of a node that has slept through its own death, no game begins any more.
//!
//! Deliberately absent: when it is taken (`cluster`).
//!
//! Invariants: what the one before had under way is written before the lobby is taken, or never; what is read with it is all
//! that is kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::super::challenges;
use super::super::connection::{Failure, Link};
use crate::storage::TakenLobby;

/// Whether nobody has the lobby who lives, as part of a query.
pub(super) const IS_FREE: &str = "EXISTS (SELECT FROM leases WHERE name = 'lobby' AND NOT EXISTS \
     (SELECT FROM nodes AS theirs WHERE theirs.node = leases.owner AND NOT theirs.dead))";

/// The epoch of the lobby that this process has taken, for whoever begins games.
#[derive(Clone, Debug, Default)]
pub(in crate::storage::postgres) struct LobbyEpoch(Arc<AtomicI64>);

impl LobbyEpoch {
    /// `None` when this process has never had the lobby: then nobody here begins games of one.
    pub(in crate::storage::postgres) fn get(&self) -> Option<i64> {
        Some(self.0.load(Ordering::Acquire)).filter(|epoch| *epoch > 0)
    }

    pub(super) fn set(&self, epoch: u64) {
        self.0.store(i64::try_from(epoch).unwrap_or(i64::MAX), Ordering::Release);
    }
}

/// Takes the lobby in a transaction of its own, if nobody has it who lives, with all that is kept of it.
pub(super) async fn take(link: &Link, node: i32) -> Result<Option<TakenLobby>, Failure> {
    // It waits for a transaction that begins a game, which has the row locked.
    let sql = "UPDATE leases SET owner = $1, epoch = epoch + 1 WHERE name = 'lobby' \
               AND NOT EXISTS (SELECT FROM nodes AS theirs WHERE theirs.node = leases.owner AND NOT theirs.dead) \
               AND EXISTS (SELECT FROM nodes WHERE node = $1 AND NOT dead) RETURNING epoch";
    let Some(row) = link.row(sql, &[&node]).await? else { return Ok(None) };
    let epoch = row.try_get::<_, i64>(0)?.unsigned_abs();
    Ok(Some(TakenLobby { epoch, challenges: challenges::all(link).await? }))
}
