//! The games that ended a short while ago, with their players: a chat about them can still begin.
//!
//! Kept apart from the games, because an actor ends soon after its game. Deliberately absent: how
//! the games ended.
//!
//! Invariant: at most [`ENDED_MAX`] games, each for at most [`KEPT_FOR`]; when there are more, the
//! oldest goes.

use std::collections::{HashMap, VecDeque};

use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::ByColor;

use super::KEPT_FOR;
use crate::time::ServiceInstant;

/// The most games: about 5 MB.
pub(super) const ENDED_MAX: usize = 50_000;

/// The players of games that ended a short while ago.
#[derive(Debug, Default)]
pub(in crate::games) struct Ended {
    players: HashMap<GameId, ByColor<AccountId>>,
    /// In the order of their ends.
    order: VecDeque<(ServiceInstant, GameId)>,
}

impl Ended {
    /// The players of a game that has ended a short while ago.
    pub(in crate::games) fn players(&self, game: GameId) -> Option<ByColor<AccountId>> {
        self.players.get(&game).copied()
    }

    /// A game has ended.
    pub(super) fn add(&mut self, game: GameId, players: ByColor<AccountId>, at: ServiceInstant) {
        if self.players.insert(game, players).is_some() {
            return;
        }
        self.order.push_back((at, game));
        if self.order.len() > ENDED_MAX {
            self.forget_oldest();
        }
    }

    /// Forgets the games that ended long before `at`.
    pub(super) fn forget_before(&mut self, at: ServiceInstant) {
        while self.order.front().is_some_and(|(ended, _)| at.since(*ended) >= KEPT_FOR) {
            self.forget_oldest();
        }
        // A rush is over: its memory goes too.
        if self.order.capacity() > 64 && self.order.len() < self.order.capacity() / 4 {
            self.order.shrink_to_fit();
            self.players.shrink_to_fit();
        }
    }

    fn forget_oldest(&mut self) {
        if let Some((_, game)) = self.order.pop_front() {
            self.players.remove(&game);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYERS: ByColor<AccountId> =
        ByColor { white: AccountId::from_u128(1), black: AccountId::from_u128(2) };

    fn game(number: usize) -> GameId {
        GameId::from_random(number as u128)
    }

    fn at(seconds: u64) -> ServiceInstant {
        ServiceInstant(seconds * 1_000_000)
    }

    #[test]
    fn a_game_is_known_for_a_while() {
        let mut ended = Ended::default();
        ended.add(game(1), PLAYERS, at(10));
        ended.add(game(2), PLAYERS, at(20));
        ended.add(game(1), PLAYERS, at(500));
        assert_eq!(ended.players(game(1)), Some(PLAYERS));
        ended.forget_before(at(9) + KEPT_FOR);
        assert!(ended.players(game(1)).is_some());
        ended.forget_before(at(10) + KEPT_FOR);
        assert_eq!(ended.players(game(1)), None, "its end counts, not when it was told again");
        assert!(ended.players(game(2)).is_some());
    }

    #[test]
    fn of_too_many_the_oldest_goes() {
        let mut ended = Ended::default();
        for number in 0..=ENDED_MAX {
            ended.add(game(number), PLAYERS, at(1));
        }
        assert_eq!((ended.players.len(), ended.order.len()), (ENDED_MAX, ENDED_MAX));
        assert_eq!(ended.players(game(0)), None);
        assert!(ended.players(game(1)).is_some());
        ended.forget_before(at(1) + KEPT_FOR);
        assert_eq!((ended.players.len(), ended.order.capacity()), (0, 0));
    }
}
