//! The games at rest: live games without an actor, of which the store has a table.
//!
//! Deliberately absent: when a game comes to rest (`machine::rest`), and who wakes it when (`waking`).

use dashmap::DashSet;
use tokio::sync::Semaphore;
use zeitnot_protocol::GameId;

use crate::telemetry::metrics;

/// The most games at rest: what a start can list in seconds. Beyond it a game stays in memory.
const RESTING_GAMES_MAX: usize = 1_000_000;
/// The most games that are woken at once: each takes a place in a transaction of the store.
pub(super) const WOKEN_AT_ONCE_MAX: usize = 256;

/// The most games that an address wakes in a minute without playing in them: each stays in memory for a minute.
pub(super) const WAKES_PER_MINUTE_MAX: u32 = 600;

/// The games at rest.
#[derive(Debug)]
pub(super) struct RestingGames {
    games: DashSet<GameId>,
    /// For those that are being woken.
    pub(super) places: Semaphore,
    max: usize,
}

impl Default for RestingGames {
    fn default() -> Self {
        Self { games: DashSet::new(), places: Semaphore::new(WOKEN_AT_ONCE_MAX), max: RESTING_GAMES_MAX }
    }
}

impl RestingGames {
    pub(super) fn has_room(&self) -> bool {
        self.games.len() < self.max
    }

    pub(super) fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    pub(super) fn contains(&self, game: GameId) -> bool {
        self.games.contains(&game)
    }

    pub(super) fn add(&self, game: GameId) {
        if self.games.insert(game) {
            metrics().games_resting.increment(1);
        }
    }

    pub(super) fn remove(&self, game: GameId) {
        if self.games.remove(&game).is_some() {
            metrics().games_resting.decrement(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_so_many() {
        let resting = RestingGames { max: 2, ..RestingGames::default() };
        let [first, second] = [1, 2].map(GameId::from_random);
        resting.add(first);
        resting.add(first);
        assert!(resting.has_room(), "each once");
        resting.add(second);
        assert!(!resting.has_room());
        resting.remove(first);
        assert!(resting.has_room() && resting.contains(second) && !resting.contains(first));
    }
}
