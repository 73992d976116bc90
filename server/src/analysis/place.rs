//! A position of a finished game, or of a line that leaves it: what is evaluated. The game is one of this server, or was
//! played elsewhere and is brought along by whoever asks.
//!
//! Deliberately absent: whether the game is over, and who may ask (`http/analysis`, `http/brought`).
//!
//! Invariant: a line that leaves a game has [`SIDE_LINE_MAX`] moves at most.

use sha2::{Digest as _, Sha256};
use zeitnot_bot::Line;
use zeitnot_protocol::{GameId, Uci};
use zeitnot_rules::board::{Move, Position, Role};
use zeitnot_rules::game::{Game, Variant};
use zeitnot_rules::notation::fen;

use super::position::{NotPlayable, play_on};

/// The most moves of a line that leaves a game. Whoever tries more of them can put them on a free board.
pub(crate) const SIDE_LINE_MAX: usize = 100;

/// Of which finished game a position is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Source {
    /// One of this server.
    Here(GameId),
    /// One that was brought along. Its name is made from its first position and its moves, so the same game has it again.
    Brought(GameId),
}

impl Source {
    /// What a game that was brought along is called.
    pub(crate) fn of_brought(WholeGame { start, variant, moves }: &WholeGame) -> Self {
        let mut digest = Sha256::new_with_prefix(fen::write(start));
        digest.update([u8::from(*variant == Variant::Chess960)]);
        for &mv in moves {
            // No pawn becomes a pawn, so that role's number stands for none.
            let parts = [mv.from.index(), mv.to.index(), mv.promotion.map_or(0, Role::index)];
            digest.update(parts.map(|part| part as u8));
        }
        let bytes = digest.finalize();
        let number = bytes.iter().take(16).fold(0, |number: u128, &byte| number << 8 | u128::from(byte));
        Self::Brought(GameId::from_random(number))
    }

    /// The id of the game, or what it is called.
    pub(crate) const fn name(self) -> GameId {
        match self {
            Self::Here(game) | Self::Brought(game) => game,
        }
    }
}

/// A finished game: its first position, and all of its moves, which were legal.
#[derive(Clone, Debug)]
pub(crate) struct WholeGame {
    start: Position,
    variant: Variant,
    moves: Vec<Move>,
}

impl From<&Game> for WholeGame {
    fn from(game: &Game) -> Self {
        let moves = game.moves().map(|played| played.mv).collect();
        Self { start: game.setup().start.clone(), variant: game.variant(), moves }
    }
}

impl From<&Line> for WholeGame {
    fn from(line: &Line) -> Self {
        Self { start: line.start().clone(), variant: line.variant(), moves: line.moves().to_vec() }
    }
}

impl WholeGame {
    /// How many plies it had.
    pub(crate) const fn ply_count(&self) -> usize {
        self.moves.len()
    }
}

/// Which position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    /// The game.
    pub(crate) of: Source,
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
    pub(super) fn line(&self, game: &WholeGame) -> Result<Line, NoSuchPlace> {
        let mut line = Line::new(game.start.clone(), game.variant);
        for &mv in game.moves.get(..self.ply as usize).ok_or(NoSuchPlace::Ply)? {
            line.play(mv).map_err(|_| NoSuchPlace::Ply)?;
        }
        play_on(&mut line, self.moves.iter().map(Uci::as_str)).map_err(NoSuchPlace::Moves)?;
        Ok(line)
    }
}
