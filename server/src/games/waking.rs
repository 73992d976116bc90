//! Waking games at rest: whoever asks for one, and when it is due.
//!
//! Deliberately absent: which games are at rest (`resting`), and when a game comes to rest
//! (`machine::rest`).
//!
//! Invariants: a game at rest counts as live for its players; it is woken once, whoever asks; nobody
//! is answered for it before it has an actor again.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use zeitnot_protocol::GameId;

use super::machine::GameMachine;
use super::registry::Shared;
use super::replay::ReplayedGame;
use super::resting::WOKEN_AT_ONCE_MAX;
use crate::storage::{ReadError, RestingGame, Tail, WokenGame};

/// How often it is looked which games are due. They are woken so long before, at most.
const LOOK_EVERY: Duration = Duration::from_millis(400);
/// A woken game that nobody follows for so long comes to rest again: whoever only looks in keeps it no longer.
const REST_AGAIN_AFTER: Duration = Duration::from_secs(60);

/// The store cannot be asked now.
struct Unreadable;

/// What became of a game at rest.
enum Woken {
    /// It is to be played on here.
    Here(Box<GameMachine>),
    /// Another node has woken it.
    Elsewhere,
    /// There is no such game, or it is damaged.
    Lost,
}

impl Shared {
    /// A start finds a game at rest: it is live for its players.
    pub(crate) fn found_at_rest(&self, RestingGame { game, players }: &RestingGame) {
        self.list(*game, *players);
        self.resting.add(*game);
    }

    /// Ends when a game that rested has an actor, or cannot have one now.
    pub(crate) async fn wake(self: &Arc<Self>, game: GameId) {
        if self.begin_recovery(game) {
            self.tasks.spawn(Arc::clone(self).wake_once(game));
        }
        self.until_recovered(game).await;
    }

    /// Whatever happens, the recovery ends.
    async fn wake_once(self: Arc<Self>, game: GameId) {
        // The records may hold what an actor would die of.
        let waking = AssertUnwindSafe(self.try_to_wake(game)).catch_unwind();
        if !matches!(waking.await, Ok(true)) {
            tracing::error!(%game, "a game at rest cannot be woken: it cannot be played on before a restart");
            self.resting.remove(game);
            self.unlist_everywhere(game);
        }
        self.end_recovery(game);
    }

    /// Whether it was woken, or is to be asked for again.
    async fn try_to_wake(self: &Arc<Self>, game: GameId) -> bool {
        let Ok(_place) = self.resting.places.acquire().await else { return true };
        // Another one may have woken it in the meantime.
        if !self.resting.contains(game) || self.is_stopping() || self.releasing.is_on() {
            return true;
        }
        match self.take_from_rest(game).await {
            Ok(Woken::Here(machine)) => {
                self.resting.remove(game);
                self.take_up(*machine, REST_AGAIN_AFTER);
                true
            }
            Ok(Woken::Elsewhere) => {
                self.resting.remove(game);
                true
            }
            Ok(Woken::Lost) => false,
            Err(Unreadable) => true,
        }
    }

    /// A game that rests in the store, or that the store has woken unheard.
    async fn take_from_rest(&self, game: GameId) -> Result<Woken, Unreadable> {
        let at = self.clock.now();
        let woken = self.store.wake(game, at).await.map_err(|_| Unreadable)?;
        let (tail, rest) = match woken {
            Some(WokenGame { records, offset, mark, rested }) => {
                (Tail { records, last: offset, correction: None }, Some((mark, rested)))
            }
            None if self.is_elsewhere(game).await => return Ok(Woken::Elsewhere),
            None => match self.store.tail(game, 1).await {
                Ok(tail) => (tail, None),
                Err(ReadError::Damaged(_)) => return Ok(Woken::Lost),
                Err(ReadError::Unavailable(_)) => return Err(Unreadable),
            },
        };
        let stored = ReplayedGame::fold(&tail).filter(|stored| !stored.game.has_ended());
        Ok(match (stored, rest) {
            (None, _) => Woken::Lost,
            (Some(stored), Some((mark, rested))) => {
                Woken::Here(GameMachine::woken(stored, mark, rested, at).into())
            }
            (Some(stored), None) => Woken::Here(GameMachine::recovered(stored, at).into()),
        })
    }

    /// Wakes every game at rest when it is due, until the server stops.
    pub(super) async fn wake_due(self: Arc<Self>) {
        while !self.is_stopping() {
            if !self.wake_next().await {
                tokio::select! {
                    biased;
                    () = self.clock.sleep_until(self.clock.now() + LOOK_EVERY) => {}
                    () = self.tasks.stopping().cancelled() => return,
                }
            }
        }
    }

    /// Wakes those that are due first. Whether more may be due.
    async fn wake_next(self: &Arc<Self>) -> bool {
        let is_shared = self.store.is_shared();
        if self.resting.is_empty() && !is_shared {
            return false;
        }
        // A store that cannot be read has said so, and is asked again.
        let due = self.store.due_games(self.clock.now() + LOOK_EVERY, WOKEN_AT_ONCE_MAX).await;
        let due = due.unwrap_or_default();
        if is_shared {
            // Some have come to rest on other nodes.
            due.iter().for_each(|game| self.resting.add(*game));
        }
        join_all(due.iter().map(|game| self.wake(*game))).await;
        due.len() == WOKEN_AT_ONCE_MAX && due.iter().any(|game| !self.resting.contains(*game))
    }
}
