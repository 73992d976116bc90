//! Positions in Forsyth-Edwards notation, standard chess and Chess960.
//!
//! [`parse`] reads 4 fields or 6 (without the counters they are 0 and 1), separated by any ASCII
//! white space. Castling rights may be X-FEN (`KQkq` for the outermost rook of each side, a file
//! letter for an inner one) or Shredder-FEN (`HAha`), in any order. An en passant square may be
//! given whether or not the capture is legal.
//!
//! [`write()`] gives 6 fields, X-FEN castling letters, and an en passant square only when the
//! capture is legal.
//!
//! Which positions are possible is decided by [`Position::from_setup`], not here.
//!
//! ```
//! use zeitnot_rules::notation::fen;
//!
//! let position = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R b HAha - 3 7")?;
//! assert_eq!(fen::write(&position), "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 7");
//! # Ok::<(), fen::FenError>(())
//! ```
//!
//! [`Position::from_setup`]: crate::board::Position::from_setup

mod reader;
mod writer;

use thiserror::Error;

use crate::board::{Color, PositionError, Rank};

pub use reader::parse;
pub use writer::{write, write_into};

/// Why a text is not the FEN of a possible position. Characters are counted from 1 within their
/// field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum FenError {
    /// Neither 4 fields nor 6.
    #[error("a FEN has 4 or 6 fields, this has {}", Count(*found))]
    FieldCount {
        /// How many there are, 7 for any number above 6.
        found: u8,
    },
    /// The board holds something else than pieces, numbers of empty squares, and slashes.
    #[error("board, character {at}: expected a piece, a digit 1 to 8 or a slash, not {found:?}")]
    BoardCharacter {
        /// Which character of the board.
        at: usize,
        /// What stands there.
        found: char,
    },
    /// A rank has more or fewer than 8 files.
    #[error("board, rank {}: has not 8 files", rank.digit())]
    RankLength {
        /// Which rank.
        rank: Rank,
    },
    /// The board has more or fewer than 8 ranks.
    #[error("board: has not 8 ranks")]
    RankCount,
    /// The side to move is neither `w` nor `b`.
    #[error("side to move: expected w or b")]
    SideToMove,
    /// The castling rights hold something else than `K`, `Q`, `A` to `H` in either case, or are not
    /// a lone `-`.
    #[error("castling, character {at}: expected K, Q, a file letter or a lone -, not {found:?}")]
    CastlingCharacter {
        /// Which character of the castling rights.
        at: usize,
        /// What stands there.
        found: char,
    },
    /// A castling letter names no rook: there is none there, or the king is not on its back rank.
    #[error("castling, character {at}: {color} has no king and rook on the back rank for this letter")]
    CastlingRook {
        /// Which character of the castling rights.
        at: usize,
        /// Whose right it would be.
        color: Color,
    },
    /// Two castling letters name the same side of the same king.
    #[error("castling, character {at}: {color} has a right to this side already")]
    CastlingTwice {
        /// Which character of the castling rights.
        at: usize,
        /// Whose right it would be.
        color: Color,
    },
    /// The en passant field is neither a square nor `-`.
    #[error("en passant: expected a square or -")]
    EnPassant,
    /// The half-move clock is not a number, or too large.
    #[error("half-move clock: expected a number from 0 to 65535")]
    HalfmoveClock,
    /// The move number is not a number, or too large.
    #[error("move number: expected a number from 0 to 65535")]
    FullmoveNumber,
    /// Readable, but not a possible position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

struct Count(u8);

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 > 6 { f.write_str("more") } else { write!(f, "{}", self.0) }
    }
}
