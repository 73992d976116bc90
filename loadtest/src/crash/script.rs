//! What is played: long games that never end by themselves, and after how many moves a player
//! resigns so that a new game starts.

use std::collections::HashMap;

use zeitnot_protocol::{GameId, Uci};

use crate::long_game;
use crate::rng::Rng;

/// How many different games there are.
const LINES: usize = 12;

/// The plies of each: more than are played in any game.
const PLIES: usize = 420;

/// After how many plies a game is resigned: at least and at most.
const LENGTH: (u64, u64) = (40, 400);

/// The same of a short game: long enough to count for ratings.
const SHORT_LENGTH: (u64, u64) = (2, 20);

/// The script of one game.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    line: usize,
    plies: u32,
}

/// An action of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// Plays a move.
    Move(Uci),
    /// Resigns.
    Resign,
}

/// The scripts of all games.
#[derive(Debug)]
pub(super) struct Scripts {
    lines: Vec<Vec<Uci>>,
    chosen: HashMap<GameId, Chosen>,
    length: (u64, u64),
    rng: Rng,
}

impl Scripts {
    /// Scripts from a seeded generator, of short games or of long ones.
    pub(super) fn new(rng: Rng, are_short: bool) -> Self {
        let length = if are_short { SHORT_LENGTH } else { LENGTH };
        let mut seeds = rng.branch(1);
        let line = |_| {
            let moves = long_game::moves(seeds.between(1, 1 << 32), PLIES);
            moves.iter().map(|uci| uci.parse().expect("the rules write UCI")).collect()
        };
        Self { lines: (0..LINES).map(line).collect(), chosen: HashMap::new(), length, rng }
    }

    /// The action of the player to move in the position after event `on`. Events are the start and
    /// the moves, so it is half-move number `on`.
    pub(super) fn action(&mut self, game: GameId, on: u32) -> Action {
        let (rng, lines, length) = (&mut self.rng, &self.lines, self.length);
        let chosen = self.chosen.entry(game).or_insert_with(|| {
            let line = usize::try_from(rng.below(LINES as u64)).expect("a small number");
            let plies = rng.between(length.0, length.1.min(lines[line].len() as u64));
            Chosen { line, plies: u32::try_from(plies).expect("a small number") }
        });
        if on > chosen.plies {
            return Action::Resign;
        }
        self.lines[chosen.line].get(on as usize - 1).map_or(Action::Resign, |uci| Action::Move(*uci))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_played_and_then_resigned() {
        let mut scripts = Scripts::new(Rng::new(5), false);
        let game = "AbCdEfGh0123".parse().unwrap();
        let end = (1..).find(|on| scripts.action(game, *on) == Action::Resign).unwrap();
        assert!((41..=401).contains(&end), "{end}");
        let mut short = Scripts::new(Rng::new(5), true);
        let end = (1..).find(|on| short.action(game, *on) == Action::Resign).unwrap();
        assert!((3..=21).contains(&end), "{end}");
        assert_eq!(scripts.action(game, 1), scripts.action(game, 1));
        assert!(scripts.lines.iter().all(|line| line.len() > 300));
    }
}
