//! A position of a finished game, or of a line that leaves it: what is evaluated. The game is one of this server, or was
//! played elsewhere and is brought along by whoever asks.
//!
//! Deliberately absent: whether the game is over, and who may ask (`http/analysis`, `http/brought`).
//!
//! Invariant: a line that leaves a game has [`SIDE_LINE_MAX`] moves at most.

use sha2::{Digest as _, Sha256};
use zeitnot_bot::Line;
use zeitnot_protocol::{GameId, Uci};
use zeitnot_rules::game::{Game, Variant};
use zeitnot_rules::notation::{fen, uci};

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
    pub(crate) fn of_brought(whole: &Line) -> Self {
        let mut position = whole.start().clone();
        let variant = whole.variant();
        let mut digest = Sha256::new_with_prefix(fen::write(&position));
        digest.update([u8::from(variant == Variant::Chess960)]);
        for &mv in whole.moves() {
            digest.update(uci::write(mv, &position, variant).as_ref());
            digest.update(b",");
            position.play_unchecked(mv);
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
    /// The moves that lead there, in the whole game.
    ///
    /// # Errors
    /// [`NoSuchPlace`].
    pub(super) fn line(&self, whole: &Line) -> Result<Line, NoSuchPlace> {
        let moves = whole.moves().get(..self.ply as usize).ok_or(NoSuchPlace::Ply)?;
        let mut line = Line::new(whole.start().clone(), whole.variant());
        for &mv in moves {
            line.play(mv).map_err(|_| NoSuchPlace::Ply)?;
        }
        play_on(&mut line, self.moves.iter().map(Uci::as_str)).map_err(NoSuchPlace::Moves)?;
        Ok(line)
    }
}

/// The moves of a game of this server.
pub(crate) fn line_of(game: &Game) -> Line {
    let mut line = Line::new(game.setup().start.clone(), game.variant());
    for played in game.moves() {
        if line.play(played.mv).is_err() {
            break;
        }
    }
    line
}
