//! How long each game stood after a fault: until the next move that its player sent after the fault
//! was accepted. Times are in µs since the test began.
//!
//! A move that was on its way when the fault came does not count: its answer may have been written
//! before.
//!
//! Where games stand for a moment only, somewhere in a while, each game that is hit is *probed*: its players move at
//! short intervals, and what counts is the longest that one of its moves took.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use zeitnot_protocol::GameId;

/// How a fault has hit a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hit {
    /// The node that owns it; both players are connected to others.
    Owner,
    /// The node that owns it, and that is a player's node.
    OwnerAndPlayer,
    /// What all games need: the database.
    Everybody,
    /// What it needs because a player is on another node than the owner: the bus.
    Apart,
    /// The node of a player; another owns it.
    Player,
    /// Nothing that it needs.
    Nothing,
}

impl Hit {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Owner, Self::OwnerAndPlayer, Self::Everybody, Self::Apart, Self::Player, Self::Nothing];

    /// What a report calls such games.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner hit, players elsewhere",
            Self::OwnerAndPlayer => "owner hit, with a player",
            Self::Everybody => "all games",
            Self::Apart => "player and owner on different nodes",
            Self::Player => "only a player's node hit",
            Self::Nothing => "not hit",
        }
    }

    /// Whether it is what decides about the game that was hit.
    #[must_use]
    pub const fn is_of_owner(self) -> bool {
        matches!(self, Self::Owner | Self::OwnerAndPlayer | Self::Everybody | Self::Apart)
    }
}

/// The games that stand, and how long the others stood.
#[derive(Debug, Default)]
pub(crate) struct Pauses {
    since: u64,
    waits: BTreeMap<GameId, Hit>,
    took: Vec<(Hit, u64)>,
    /// When the last game of those that were hit went on.
    last: u64,
    /// The longest that a move of each game took that is probed.
    longest: BTreeMap<GameId, (Hit, u64)>,
    probe: Probe,
}

/// Games that are played fast and steadily, so that a short pause of them is seen, and for how long their players think.
#[derive(Debug, Default)]
pub(crate) struct Probe {
    pub(crate) games: BTreeSet<GameId>,
    pub(crate) thinks: u64,
}

impl Pauses {
    /// A fault has hit these games now. Those of the fault before it are forgotten.
    pub(crate) fn begin(&mut self, now: u64, games: BTreeMap<GameId, Hit>) {
        let probe = std::mem::take(&mut self.probe);
        let longest = games.iter().map(|(game, hit)| (*game, (*hit, 0)));
        let longest = longest.filter(|(game, _)| probe.games.contains(game)).collect();
        *self = Self { since: now, waits: games, took: Vec::new(), last: now, longest, probe };
    }

    /// From now on these games are probed, and no others.
    pub(crate) fn probe(&mut self, probe: Probe) {
        self.probe = probe;
    }

    /// For how long a player of this game thinks, if it is probed.
    pub(crate) fn thinks(&self, game: GameId) -> Option<u64> {
        self.probe.games.contains(&game).then_some(self.probe.thinks)
    }

    /// Whether a player of this game is to move without thinking, so that it is known how long it stands. While games are
    /// probed nobody is: a thousand moves at once would be what is measured.
    pub(crate) fn is_urgent(&self, game: GameId) -> bool {
        self.probe.games.is_empty() && self.waits.contains_key(&game)
    }

    /// When the fault came.
    pub(crate) fn since(&self) -> u64 {
        self.since
    }

    /// A move that was first sent at `sent` was accepted.
    pub(crate) fn accepted(&mut self, game: GameId, sent: u64, now: u64) {
        if sent < self.since {
            return;
        }
        if let Some((_, longest)) = self.longest.get_mut(&game) {
            *longest = (*longest).max(now.saturating_sub(sent));
        }
        let Some(hit) = self.waits.remove(&game) else { return };
        self.took.push((hit, now - self.since));
        if hit != Hit::Nothing {
            self.last = now;
        }
    }

    /// Games that are over have no next move.
    pub(crate) fn forget(&mut self, is_over: impl Fn(GameId) -> bool) {
        self.waits.retain(|game, _| !is_over(*game));
    }

    /// The games that stand.
    pub(crate) fn left(&self) -> Vec<(GameId, Hit)> {
        self.waits.iter().map(|(game, hit)| (*game, *hit)).collect()
    }

    /// How long each game stood, in µs.
    pub(crate) fn took(&self) -> &[(Hit, u64)] {
        &self.took
    }

    /// The longest that a move of each game took that is probed, in µs.
    pub(crate) fn longest(&self) -> impl Iterator<Item = (Hit, u64)> {
        self.longest.values().copied().filter(|(_, longest)| *longest > 0)
    }

    /// When the last game of those that were hit went on.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u8) -> GameId {
        format!("AbCdEfGh000{number}").parse().unwrap()
    }

    #[test]
    fn a_game_stands_until_a_move_that_was_sent_after_the_fault_is_accepted() {
        let mut pauses = Pauses::default();
        pauses.begin(1_000, [(game(1), Hit::Owner), (game(2), Hit::Nothing), (game(3), Hit::Player)].into());
        pauses.accepted(game(1), 990, 1_010);
        assert!(pauses.is_urgent(game(1)), "it was on its way when the fault came");
        pauses.accepted(game(1), 2_000, 5_000);
        pauses.accepted(game(1), 5_001, 5_002);
        pauses.accepted(game(2), 6_000, 7_000);
        pauses.accepted(game(9), 6_000, 7_000);
        assert_eq!(pauses.took(), [(Hit::Owner, 4_000), (Hit::Nothing, 6_000)]);
        assert_eq!((pauses.left(), pauses.last()), (vec![(game(3), Hit::Player)], 5_000));
        pauses.forget(|over| over == game(3));
        assert!(pauses.left().is_empty());
        pauses.begin(9_000, [(game(2), Hit::Apart)].into());
        assert!(pauses.took().is_empty() && pauses.is_urgent(game(2)));
    }

    #[test]
    fn a_game_that_is_probed_has_a_longest_move() {
        let mut pauses = Pauses::default();
        pauses.probe(Probe { games: [game(1)].into(), thinks: 15_000 });
        pauses.begin(1_000, [(game(1), Hit::Owner), (game(2), Hit::Owner)].into());
        assert_eq!((pauses.thinks(game(1)), pauses.thinks(game(2))), (Some(15_000), None));
        assert!(!pauses.is_urgent(game(1)) && !pauses.is_urgent(game(2)));
        pauses.accepted(game(2), 2_000, 90_000);
        for (sent, now) in [(990, 90_000), (2_000, 2_300), (17_000, 67_000), (82_000, 82_400)] {
            pauses.accepted(game(1), sent, now);
        }
        assert!(
            pauses.longest().eq([(Hit::Owner, 50_000)]),
            "one was on its way, and one game is not probed"
        );
    }
}
