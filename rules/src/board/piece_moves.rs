//! Legal moves in bunches, as move generation finds them.
//!
//! Counting a bunch costs no more than counting bits; its moves are taken apart only when they are
//! asked for.

use super::{Bitboard, Move, Role, Square};

/// Legal moves of one piece, or of several pawns that all make the same step. Never empty. A piece
/// may be in more than one bunch; no move is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceMoves {
    role: Role,
    to: Bitboard,
    origin: Origin,
}

/// Where the moves come from, so that both kinds cost the same: the index of a move's first square
/// is the masked index of its last plus `offset`. The mask keeps nothing for one piece, and
/// everything for pawns that step together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Origin {
    mask: u8,
    offset: i8,
}

const LAST_RANKS: Bitboard = Bitboard(0xff00_0000_0000_00ff);

impl PieceMoves {
    /// The moves of one piece. For castling, `to` has the square of the rook.
    #[inline]
    pub(super) const fn of_piece(role: Role, from: Square, to: Bitboard) -> Self {
        Self { role, to, origin: Origin { mask: 0, offset: from.index() as i8 } }
    }

    /// Pawns that reach the squares of `to` by adding `step` to the index of theirs.
    #[inline]
    pub(super) const fn of_pawns(step: i8, to: Bitboard) -> Self {
        Self { role: Role::Pawn, to, origin: Origin { mask: 63, offset: -step } }
    }

    /// The role of the pieces that move.
    #[must_use]
    #[inline]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// Where they go; for castling, the square of the rook. A pawn's arrival on its last rank
    /// stands for four moves.
    #[must_use]
    #[inline]
    pub const fn to(&self) -> Bitboard {
        self.to
    }

    /// How many moves these are.
    #[must_use]
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "never empty")]
    pub const fn len(&self) -> usize {
        let mut count = self.to.count();
        if matches!(self.role, Role::Pawn) {
            count += 3 * (self.to.0 & LAST_RANKS.0).count_ones();
        }
        count as usize
    }

    #[inline]
    const fn from(&self, to: Square) -> Square {
        let index = (to.index() as u8 & self.origin.mask).wrapping_add_signed(self.origin.offset);
        Square::from_index((index & 63) as usize)
    }
}

impl IntoIterator for PieceMoves {
    type Item = Move;
    type IntoIter = PieceMovesIter;

    #[inline]
    fn into_iter(self) -> PieceMovesIter {
        PieceMovesIter { moves: self, promotion: 0 }
    }
}

/// The moves of a [`PieceMoves`].
#[derive(Clone, Debug)]
pub struct PieceMovesIter {
    moves: PieceMoves,
    /// How many promotions on the first square of `moves.to` have been given.
    promotion: usize,
}

impl Iterator for PieceMovesIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let to = self.moves.to.first()?;
        let mut mv = Move::new(self.moves.from(to), to);
        if self.moves.role == Role::Pawn && LAST_RANKS.contains(to) {
            mv.promotion = Some(Role::PROMOTIONS[self.promotion]);
            self.promotion = (self.promotion + 1) % Role::PROMOTIONS.len();
        }
        if self.promotion == 0 {
            self.moves.to = self.moves.to.without(to);
        }
        Some(mv)
    }
}
