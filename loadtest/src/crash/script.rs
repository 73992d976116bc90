//! What is played: long games that end nowhere, and when a player resigns so that a new game begins.

use std::collections::HashMap;

use zeitnot_protocol::{GameId, Uci};

use crate::long_game;
use crate::rng::Rng;

/// Different games.
const LINES: usize = 12;

/// The plies of each: more than any game gets.
const PLIES: usize = 420;

/// After so many plies a game is resigned, at least and at most.
const LENGTH: (u64, u64) = (40, 400);

/// One game's script.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    line: usize,
    plies: u32,
}

/// What the player to move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Act {
    /// Plays.
    Move(Uci),
    /// Gives up.
    Resign,
}

/// The scripts of all games.
#[derive(Debug)]
pub(super) struct Scripts {
    lines: Vec<Vec<Uci>>,
    chosen: HashMap<GameId, Chosen>,
    rng: Rng,
}

impl Scripts {
    /// The scripts of a seed.
    pub(super) fn new(rng: Rng) -> Self {
        let mut seeds = rng.branch(1);
        let line = |_| {
            let moves = long_game::moves(seeds.between(1, 1 << 32), PLIES);
            moves.iter().map(|uci| uci.parse().expect("the rules write UCI")).collect()
        };
        Self { lines: (0..LINES).map(line).collect(), chosen: HashMap::new(), rng }
    }

    /// What the player to move does in the position that event `on` made. The events of a game are its start and its
    /// moves, so it is the `on`th half-move.
    pub(super) fn act(&mut self, game: GameId, on: u32) -> Act {
        let (rng, lines) = (&mut self.rng, &self.lines);
        let chosen = self.chosen.entry(game).or_insert_with(|| {
            let line = usize::try_from(rng.below(LINES as u64)).expect("a small number");
            let plies = rng.between(LENGTH.0, LENGTH.1.min(lines[line].len() as u64));
            Chosen { line, plies: u32::try_from(plies).expect("a small number") }
        });
        if on > chosen.plies {
            return Act::Resign;
        }
        self.lines[chosen.line].get(on as usize - 1).map_or(Act::Resign, |uci| Act::Move(*uci))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_played_and_then_resigned() {
        let mut scripts = Scripts::new(Rng::new(5));
        let game = "AbCdEfGh0123".parse().unwrap();
        let end = (1..).find(|on| scripts.act(game, *on) == Act::Resign).unwrap();
        assert!((41..=401).contains(&end), "{end}");
        assert_eq!(scripts.act(game, 1), scripts.act(game, 1));
        assert!(scripts.lines.iter().all(|line| line.len() > 300));
    }
}
