//! Steps of whole sets of pawns (3.7).
//!
//! Geometry only: the caller knows what stands in the way and whether a step is legal. A step that
//! would leave the board on the left or right is dropped, so no step wraps around an edge.

use super::{Bitboard, Color, File, Rank, Square};

/// One square ahead.
#[inline]
pub(super) const fn ahead(color: Color, pawns: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard(pawns.0 << 8),
        Color::Black => Bitboard(pawns.0 >> 8),
    }
}

/// One square ahead and towards the a file.
#[inline]
pub(super) const fn ahead_to_a(color: Color, pawns: Bitboard) -> Bitboard {
    let pawns = pawns.0 & !Bitboard::from_file(File::A).0;
    match color {
        Color::White => Bitboard(pawns << 7),
        Color::Black => Bitboard(pawns >> 9),
    }
}

/// One square ahead and towards the h file.
#[inline]
pub(super) const fn ahead_to_h(color: Color, pawns: Bitboard) -> Bitboard {
    let pawns = pawns.0 & !Bitboard::from_file(File::H).0;
    match color {
        Color::White => Bitboard(pawns << 9),
        Color::Black => Bitboard(pawns >> 7),
    }
}

/// How much one square ahead adds to a square's index.
#[inline]
pub(super) const fn step(color: Color) -> i8 {
    match color {
        Color::White => 8,
        Color::Black => -8,
    }
}

/// Where a pawn arrives with the first half of a double advance (3.7.2).
#[inline]
pub(super) const fn first_step_rank(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard::from_rank(Rank::Third),
        Color::Black => Bitboard::from_rank(Rank::Sixth),
    }
}

/// Where the pawn stands that a pawn of `color` captures en passant on `target`.
#[inline]
pub(super) const fn en_passant_pawn(color: Color, target: Square) -> Square {
    match color {
        Color::White => Square::from_index(target.index() - 8),
        Color::Black => Square::from_index(target.index() + 8),
    }
}
