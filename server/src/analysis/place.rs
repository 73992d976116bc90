//! A position of a finished game, or of a line that leaves it: what is evaluated.
//!
//! Deliberately absent: whether the game is over, and who may ask (`http/analysis`).
//!
//! Invariant: a line that leaves a game has [`SIDE_LINE_MAX`] moves at most.

use zeitnot_bot::Line;
use zeitnot_protocol::{GameId, Uci};
use zeitnot_rules::game::Game;

use super::position::{NotPlayable, play_on};

/// The most moves of a line that leaves a game. Whoever tries more of them can put them on a free board.
pub(crate) const SIDE_LINE_MAX: usize = 100;

/// Which position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    /// The game.
    pub(crate) game: GameId,
    /// After how many of its plies,
    pub(crate) ply: u32,
    /// and after which moves from there on.
    pub(crate) moves: Vec<Uci>,
}

/// Why there is no such position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoSuchPlace {
    /// The game has fewer plies.
    Ply,
    /// A move of the line cannot be played.
    Moves(NotPlayable),
}

impl Place {
    /// The moves that lead there.
    ///
    /// # Errors
    /// [`NoSuchPlace`].
    pub(super) fn line(&self, game: &Game) -> Result<Line, NoSuchPlace> {
        if self.ply > game.ply_count() {
            return Err(NoSuchPlace::Ply);
        }
        let mut line = Line::new(game.setup().start.clone(), game.variant());
        for played in game.moves().take(self.ply as usize) {
            line.play(played.mv).map_err(|_| NoSuchPlace::Ply)?;
        }
        play_on(&mut line, self.moves.iter().map(Uci::as_str)).map_err(NoSuchPlace::Moves)?;
        Ok(line)
    }
}
