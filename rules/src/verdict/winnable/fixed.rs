//! The static test: no square on which a king can ever stand is one where it could be checkmated.
//!
//! No search. Sound because [`Reach`] is never too small: a checkmate needs a king on a square where it can stand, a piece
//! that gives check from a square where it can stand, and every flight square either attacked by a piece that can attack
//! it or held by a piece that can stand there. Where these fail for every square of the king, there is no checkmate.
//! Whether all of it can be had at the same time is not asked.

use super::floods;
use super::reach::Reach;
use crate::board::{Bitboard, Color, Position, Role, king_attacks};

/// Whether it is certain that `winner` can never checkmate.
pub(super) fn cannot_checkmate(position: &Position, winner: Color) -> bool {
    let reach = Reach::of(position);
    // A check goes on behind the king that it is given to, also when that king can never move.
    let free = !reach.solid | Bitboard::from_square(position.king(!winner));
    let (mut checked, mut near) = (Bitboard::EMPTY, Bitboard::EMPTY);
    let mut loser_king = Bitboard::EMPTY;
    for unit in &reach.units {
        match (unit.color == winner, unit.role) {
            (true, Role::King) => near = floods::kings(unit.stands),
            (true, _) => checked |= unit.attacks(free),
            (false, Role::King) => loser_king = unit.stands,
            (false, _) => {}
        }
    }
    let taken = checked | near | reach.pieces[(!winner).index()];
    !(loser_king & checked).into_iter().any(|king| (king_attacks(king) & !taken).is_empty())
}
