//! Which nodes are dead, as one node finds out: by what it reads of the others' beats in the database.
//!
//! A node polls every [`POLL_EVERY`]. One transaction says that it lives, which moves its beat, and reads the beats of all. A node
//! whose beat does not move over several polls is declared dead, for ever. Only polls that are answered fast count: while the
//! database is slow, the others cannot move their beats either. After a poll that failed nobody is declared dead for a while,
//! because whoever lost its connection at the same time may be slower to come back.
//!
//! Deliberately absent: polling itself, the mark in the database, and ending what a dead node still has under way (`storage`).
//!
//! Invariants: no clocks of two machines are compared, only instants of this one; a node is declared dead with the beat at
//! which it was seen to stand, so that a beat that comes in between saves it.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::sync::Notify;

use super::bus::DEAD_MAX;
use crate::storage::{NodeBeat, NodeError, NodeNumber, NodeStore, Polled};
use crate::time::{ServiceClock, ServiceInstant};

/// From one poll to the next.
pub(crate) const POLL_EVERY: Duration = Duration::from_millis(700);
/// A poll that was answered within this time says that the database is not slow.
const FAST: Duration = Duration::from_millis(300);
/// Fast polls in a row over which the beat of a dead node stands: 2.1 s.
const STANDS_OVER: u32 = 3;
/// For so long a beat stands of a node that is dead, however slow the polls are: a slow database does not keep the dead alive.
const STANDS_FOR: Duration = Duration::from_secs(10);
/// After a poll that failed nobody is declared dead for so long: as long as a node may take to reach the database again.
const SPARED_FOR: Duration = Duration::from_secs(10);

/// What this node knows of the others.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    own: NodeNumber,
    others: BTreeMap<NodeNumber, Seen>,
    /// Until when nobody is declared dead.
    spared_until: ServiceInstant,
}

/// Where the beat of another node stands.
#[derive(Clone, Copy, Debug)]
struct Seen {
    beat: u64,
    /// Since when, at least.
    since: ServiceInstant,
    /// Over how many fast polls in a row; `None` after a slow one.
    over: Option<u32>,
}

impl Members {
    /// Of this node, which has not polled yet.
    pub(crate) fn new(own: NodeNumber) -> Self {
        Self { own, others: BTreeMap::new(), spared_until: ServiceInstant::default() }
    }

    /// A poll that began at `asked` was answered at `answered`: these nodes live as far as anybody knows. The answer is which
    /// of them are to be declared dead.
    pub(crate) fn answered(
        &mut self,
        asked: ServiceInstant,
        answered: ServiceInstant,
        living: &[NodeBeat],
    ) -> Vec<NodeBeat> {
        let is_fast = answered.since(asked) < FAST;
        let others =
            living.iter().filter(|node| node.node != self.own).map(|&NodeBeat { node, beat, .. }| {
                let before = self.others.get(&node).filter(|seen| seen.beat == beat);
                let over = before.and_then(|seen| seen.over).map_or(0, |over| over + 1);
                let since = before.map_or(answered, |seen| seen.since);
                (node, Seen { beat, since, over: is_fast.then_some(over) })
            });
        self.others = others.collect();
        if asked < self.spared_until {
            return Vec::new();
        }
        let is_dead = |seen: &Seen| {
            seen.over.is_some_and(|over| over >= STANDS_OVER) || asked.since(seen.since) >= STANDS_FOR
        };
        living.iter().filter(|node| self.others.get(&node.node).is_some_and(is_dead)).copied().collect()
    }

    /// A poll has failed, or was answered over another connection than the one before, at this instant.
    pub(crate) fn failed(&mut self, at: ServiceInstant) {
        self.others.clear();
        self.spared_until = at + SPARED_FOR;
    }
}

/// Polls, and declares others dead, until this node serves no longer. `free` is notified when there are games to be claimed,
/// `free_lobby` when nobody has the lobby, `tell` is told what polls find, and which nodes this one has declared dead.
pub(super) async fn watch(
    nodes: &dyn NodeStore,
    clock: &ServiceClock,
    free: &Notify,
    free_lobby: &Notify,
    tell: &(dyn Fn(&Polled, &[NodeBeat]) + Sync),
) {
    let (mut members, mut declared) = (Members::new(nodes.own()), VecDeque::new());
    loop {
        let asked = clock.now();
        let mut polled = nodes.poll().await;
        let dead = match &mut polled {
            Ok(polled) if polled.is_reconnected => {
                members.failed(clock.now());
                Vec::new()
            }
            Ok(polled) => {
                let dead = members.answered(asked, clock.now(), &polled.living);
                // What they have said last counts no more.
                polled.hearing.retain(|said| dead.iter().all(|dead| dead.node != said.node));
                dead
            }
            Err(NodeError::Failed(why)) => {
                tracing::warn!(why, "a poll has failed");
                members.failed(clock.now());
                Vec::new()
            }
            Err(NodeError::Ended) => return,
        };
        if let Ok(polled) = &polled {
            tell(polled, declared.make_contiguous());
            if polled.has_free_lobby {
                free_lobby.notify_one();
            }
        }
        let mut has_free_games = polled.is_ok_and(|polled| polled.has_free_games);
        for node in dead {
            match nodes.declare_dead(node).await {
                Ok(true) => {
                    has_free_games = true;
                    // Older ones have had their time to find out.
                    if declared.len() == DEAD_MAX {
                        declared.pop_front();
                    }
                    declared.push_back(node);
                }
                Ok(false) => {}
                Err(error) => tracing::warn!(node = %node.node, %error, "a node could not be declared dead"),
            }
        }
        if has_free_games {
            free.notify_one();
        }
        clock.sleep_until(asked + POLL_EVERY).await;
    }
}
