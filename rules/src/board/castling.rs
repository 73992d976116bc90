//! Castling rights, and where king and rook go (article 3.8.2, and its form in Chess960).
//!
//! A right belongs to one rook. Deliberately absent: whether it can be used now.

use super::{Color, File, Move, Square};

/// Towards which side of the board a king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum CastlingSide {
    /// Towards the h file: the king goes to the g file and the rook to the f file. `O-O`.
    King = 0,
    /// Towards the a file: the king goes to the c file and the rook to the d file. `O-O-O`.
    Queen = 1,
}

impl CastlingSide {
    /// Both sides, the king's first.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of a castling move.
    #[must_use]
    #[inline]
    pub fn of(castling: Move) -> Self {
        if castling.to > castling.from { Self::King } else { Self::Queen }
    }

    /// Where the king of `color` stands after castling.
    #[must_use]
    pub const fn king_goal(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, color.back_rank())
    }

    /// Where the rook of `color` stands after castling.
    #[must_use]
    pub const fn rook_goal(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, color.back_rank())
    }
}

/// The castling rights of both sides. Each right names the file of the rook it belongs to; that
/// rook stands on its side's back rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    files: [[Option<File>; 2]; 2],
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: Self = Self { files: [[None; 2]; 2] };

    /// All four rights of the standard start position.
    pub const STANDARD: Self = Self { files: [[Some(File::H), Some(File::A)]; 2] };

    /// The file of the rook with which `color` may castle to `side`.
    #[must_use]
    pub const fn rook_file(&self, color: Color, side: CastlingSide) -> Option<File> {
        self.files[color.index()][side as usize]
    }

    /// The square of the rook with which `color` may castle to `side`.
    #[must_use]
    pub const fn rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        match self.rook_file(color, side) {
            Some(file) => Some(Square::new(file, color.back_rank())),
            None => None,
        }
    }

    /// Gives `color` the right to castle to `side` with the rook of `file`, or takes that right
    /// away.
    pub const fn set(&mut self, color: Color, side: CastlingSide, file: Option<File>) {
        self.files[color.index()][side as usize] = file;
    }

    /// Whether nobody may castle.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }
}
