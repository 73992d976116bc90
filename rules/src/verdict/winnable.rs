//! Whether a side can still checkmate by any series of legal moves (articles 5.1.2, 5.2.2, 6.9).
//!
//! Such a series obeys articles 3.1 to 3.9 only: repetition, counters and clocks are ignored. The answer is sound: it
//! says "cannot" only when that is certain. What is not certain counts as "can". For now the material that is left is all
//! that is looked at.

use super::{Proof, material};
use crate::board::{Color, Position};

/// The proof that `color` cannot checkmate by any series of legal moves, or `None` when there is none.
///
/// The one function on which dead positions, flag falls, resignations and absence claims rest.
#[must_use]
#[inline]
pub fn cannot_checkmate(position: &Position, color: Color) -> Option<Proof> {
    material::cannot_checkmate(position, color).then_some(Proof::Material)
}

/// The proof that neither side can checkmate: the position is dead (5.2.2). `None` when either side is undecided.
#[must_use]
#[inline]
pub fn is_dead(position: &Position) -> Option<Proof> {
    cannot_checkmate(position, Color::White)?;
    cannot_checkmate(position, Color::Black)
}
