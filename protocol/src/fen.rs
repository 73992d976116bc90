//! Why a FEN is rejected, for programs: the kind, and the place and the pieces that it is about.
//!
//! Deliberately absent: words. The `message` beside it has them in English; a client in another
//! language makes its own from this.
//!
//! Invariant: each error of the rules has a kind of its own. Kinds are added, and none changes its
//! meaning.

use serde::{Deserialize, Serialize};
use zeitnot_rules::board::PositionError;
use zeitnot_rules::notation::fen::FenError;

use crate::{WireColor, WireSquare};

/// Why a FEN is rejected. Characters are counted from 1 within their field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FenReason {
    /// Neither 4 fields nor 6.
    FieldCount {
        /// How many there are, 7 for any number above 6.
        found: u32,
    },
    /// The board holds something else than pieces, numbers of empty squares, and slashes.
    BoardCharacter {
        /// Which character of the board.
        at: u32,
        /// What stands there.
        found: char,
    },
    /// A rank has more or fewer than 8 files.
    RankLength {
        /// Which rank, 1 to 8.
        rank: u32,
    },
    /// The board has more or fewer than 8 ranks.
    RankCount,
    /// The side to move is neither `w` nor `b`.
    SideToMove,
    /// The castling rights hold something else than `K`, `Q`, `A` to `H` in either case, or are not
    /// a lone `-`.
    CastlingCharacter {
        /// Which character of the castling rights.
        at: u32,
        /// What stands there.
        found: char,
    },
    /// A castling letter names no rook: there is none there, or the king is not on its back rank.
    CastlingRook {
        /// Which character of the castling rights.
        at: u32,
        /// Whose right it would be.
        color: WireColor,
    },
    /// Two castling letters name the same side of the same king.
    CastlingTwice {
        /// Which character of the castling rights.
        at: u32,
        /// Whose right it would be.
        color: WireColor,
    },
    /// The en passant field is neither a square nor `-`.
    EnPassant,
    /// The half-move clock is not a number from 0 to 65535.
    HalfmoveClock,
    /// The move number is not a number from 0 to 65535.
    FullmoveNumber,
    /// A side has no king, or more than one.
    Kings {
        /// Which side.
        color: WireColor,
        /// How many kings it has.
        count: u32,
    },
    /// A pawn on rank 1 or 8.
    PawnOnLastRank {
        /// Where.
        square: WireSquare,
    },
    /// The side not to move is in check.
    OpponentInCheck {
        /// The side in check.
        color: WireColor,
    },
    /// A castling right without its king on the back rank, or without its rook there on the proper
    /// side of the king.
    CastlingRight {
        /// Whose right.
        color: WireColor,
        /// Where the rook would have to be.
        rook: WireSquare,
    },
    /// An en passant square that no double advance with the last move explains.
    EnPassantSquare {
        /// The square.
        square: WireSquare,
    },
}

impl From<FenError> for FenReason {
    fn from(error: FenError) -> Self {
        match error {
            FenError::FieldCount { found } => Self::FieldCount { found: found.into() },
            FenError::BoardCharacter { at, found } => Self::BoardCharacter { at: place(at), found },
            FenError::RankLength { rank } => Self::RankLength { rank: rank as u32 + 1 },
            FenError::RankCount => Self::RankCount,
            FenError::SideToMove => Self::SideToMove,
            FenError::CastlingCharacter { at, found } => Self::CastlingCharacter { at: place(at), found },
            FenError::CastlingRook { at, color } => Self::CastlingRook { at: place(at), color: color.into() },
            FenError::CastlingTwice { at, color } => {
                Self::CastlingTwice { at: place(at), color: color.into() }
            }
            FenError::EnPassant => Self::EnPassant,
            FenError::HalfmoveClock => Self::HalfmoveClock,
            FenError::FullmoveNumber => Self::FullmoveNumber,
            FenError::Position(error) => error.into(),
        }
    }
}

impl From<PositionError> for FenReason {
    fn from(error: PositionError) -> Self {
        match error {
            PositionError::Kings { color, count } => Self::Kings { color: color.into(), count },
            PositionError::PawnOnLastRank { square } => Self::PawnOnLastRank { square: square.into() },
            PositionError::OpponentInCheck { color } => Self::OpponentInCheck { color: color.into() },
            PositionError::CastlingRight { color, rook } => {
                Self::CastlingRight { color: color.into(), rook: rook.into() }
            }
            PositionError::EnPassant { square } => Self::EnPassantSquare { square: square.into() },
        }
    }
}

/// The place of a character. No text that a server reads is longer than a `u32` can count.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
