//! A move as a value.
//!
//! A [`Position`](super::Position) says whether it is legal; how it is written is a matter of
//! [`notation`](crate::notation).

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

/// A list of moves.
pub type MoveList = Vec<Move>;
