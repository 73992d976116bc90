//! A move as a value.
//!
//! A [`Position`](super::Position) says whether it is legal; how it is written is a matter of
//! [`notation`](crate::notation).

use std::num::NonZeroU16;

use super::{Role, Square};

/// A move: where from, where to, and what a pawn becomes.
///
/// Castling is encoded in standard chess and Chess960 alike as the king moving onto its own rook's
/// square. That is the only encoding the board knows; `e1g1` exists in notation alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The square the piece leaves.
    pub from: Square,
    /// The square it goes to; for castling, the square of the rook.
    pub to: Square,
    /// What the pawn becomes: present exactly when a pawn reaches its last rank (article 3.7.3.3).
    pub promotion: Option<Role>,
}

impl Move {
    /// A move without promotion.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to, promotion: None }
    }
}

/// A move in two bytes, for those that are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedMove(NonZeroU16);

impl PackedMove {
    /// Always there, so that no move is 0.
    const MARK: NonZeroU16 = NonZeroU16::new(1 << 15).unwrap();

    /// The move.
    #[must_use]
    pub fn unpack(self) -> Move {
        let bits = usize::from(self.0.get());
        let promotion = match bits >> 12 & 7 {
            0 => None,
            index => Some(Role::ALL[index]),
        };
        Move { from: Square::from_index(bits & 63), to: Square::from_index(bits >> 6 & 63), promotion }
    }
}

impl From<Move> for PackedMove {
    fn from(mv: Move) -> Self {
        // No pawn becomes a pawn, so that role's number stands for none.
        let promotion = mv.promotion.map_or(0, Role::index);
        Self(Self::MARK | (mv.from.index() | mv.to.index() << 6 | promotion << 12) as u16)
    }
}

/// A list of moves.
pub type MoveList = Vec<Move>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_comes_out_as_it_went_in() {
        let promotions = Role::PROMOTIONS.map(Some).into_iter().chain([None]);
        for promotion in promotions {
            for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
                let mv = Move { from, to, promotion };
                assert_eq!(PackedMove::from(mv).unpack(), mv);
            }
        }
    }
}
