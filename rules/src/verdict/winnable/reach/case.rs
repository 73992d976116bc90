//! What no series of moves of a certain kind contains.
//!
//! Sound for the same reason as the rest: take the first move of such a series that leaves the sets. If it is one of
//! [`Reach::dead_end_moves`], the answers that would save the series leave them too or are no moves of its kind, so it does
//! not end with the winner's checkmate. The squares of such moves count as squares where something may stand.

use super::{Reach, Unit, setwise_attacks};
use crate::board::{Bitboard, Color, Role};

/// What is taken for granted about a series of moves.
#[derive(Clone, Copy, Debug)]
pub(in crate::verdict::winnable) struct Case {
    /// Who checkmates at its end.
    pub(in crate::verdict::winnable) winner: Color,
    /// The pieces on these squares are not captured before they have moved.
    pub(in crate::verdict::winnable) spared: Bitboard,
    /// The pieces on these squares never move and are captured where they stand.
    pub(in crate::verdict::winnable) taken: Bitboard,
}

impl Reach {
    /// The squares of the pieces of `color` that are spared and cannot move yet.
    pub(super) fn spared(&self, color: Color) -> Bitboard {
        let Some(case) = self.case else { return Bitboard::EMPTY };
        let unmoved = self.units.iter().filter(|unit| unit.color == color && unit.arrives.is_empty());
        unmoved.fold(Bitboard::EMPTY, |all, unit| all | unit.home) & case.spared
    }

    /// Where a piece never goes, because the series could not end with the winner's checkmate any more.
    ///
    /// A piece of the loser's would checkmate a king that never moves: nothing can stand between, and no piece can ever
    /// take it. Or the winner's last piece would give check from beside a king that never moves, and could be taken there,
    /// so it would have to be.
    pub(super) fn dead_end_moves(&self, unit: &Unit) -> Bitboard {
        let Some(Case { winner, .. }) = self.case else { return Bitboard::EMPTY };
        let king = self.king_of(!unit.color);
        if matches!(unit.role, Role::King | Role::Pawn) || !king.is_fixed() {
            return Bitboard::EMPTY;
        }
        let empty = !(self.pieces[0] | self.pieces[1] | self.dead_ends | self.king_of(unit.color).stands);
        let checks = Unit { home: king.home, stands: king.home, ..*unit };
        if unit.color != winner {
            return checks.attacks(empty) & !self.capture_squares(winner);
        }
        if !self.spares_the_last(winner) {
            return Bitboard::EMPTY;
        }
        let is_immovable =
            |other: &&Unit| other.color != winner && (other.home & self.immovable & !king.home).any();
        let immovable = self.units.iter().filter(is_immovable);
        let answered = immovable.fold(Bitboard::EMPTY, |all, other| all | other.attacks(empty));
        let defended = setwise_attacks::kings(self.king_of(winner).stands);
        checks.attacks(Bitboard::EMPTY) & setwise_attacks::kings(king.home) & (answered | !defended)
    }

    fn king_of(&self, color: Color) -> &Unit {
        let mut kings = self.units.iter().filter(|unit| unit.role == Role::King && unit.color == color);
        kings.next().expect("each side has a king")
    }

    /// Whether `color` is the winner with one piece besides the king: without it, there is no checkmate.
    pub(super) fn spares_the_last(&self, color: Color) -> bool {
        self.case.is_some_and(|case| case.winner == color)
            && self.units.iter().filter(|unit| unit.color == color).count() == 2
    }
}
