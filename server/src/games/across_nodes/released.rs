//! What is known of the games that this node gives up.
//!
//! Deliberately absent: giving them up (`games::releasing`).

use std::sync::atomic::{AtomicBool, Ordering};

use dashmap::DashSet;
use tokio::sync::Notify;
use zeitnot_protocol::GameId;

/// Whether this node gives its games up, and those that it has given up.
#[derive(Debug, Default)]
pub(in crate::games) struct Releasing {
    is_on: AtomicBool,
    /// Games without an actor that this node still owns.
    games: DashSet<GameId>,
    ended: Notify,
}

impl Releasing {
    /// From here on no game begins here, and none is woken or played on; or that is over.
    pub(in crate::games) fn set(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::SeqCst);
    }

    pub(in crate::games) fn is_on(&self) -> bool {
        self.is_on.load(Ordering::SeqCst)
    }

    /// The actor of a game has given it up.
    pub(in crate::games) fn add(&self, game: GameId) {
        self.games.insert(game);
    }

    /// Whether there is one that is still to be given up in the store.
    pub(in crate::games) fn has_some(&self) -> bool {
        !self.games.is_empty()
    }

    /// All that were given up. They are known here no longer.
    pub(in crate::games) fn take_all(&self) -> Vec<GameId> {
        let mut all: Vec<GameId> = self.games.iter().map(|game| *game).collect();
        all.sort_unstable();
        all.into_iter().filter(|game| self.games.remove(game).is_some()).collect()
    }

    /// An actor has ended, for whatever reason.
    pub(in crate::games) fn actor_ended(&self) {
        self.ended.notify_waiters();
    }

    /// Ends when this holds, which is looked at whenever an actor has ended.
    pub(in crate::games) async fn until(&self, holds: impl Fn() -> bool) {
        loop {
            let ended = self.ended.notified();
            if holds() {
                return;
            }
            ended.await;
        }
    }
}
