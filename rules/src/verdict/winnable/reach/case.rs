//! What a series of moves of a [`Case`] never contains.
//!
//! Sound for the same reason as the other rules: take the first move of such a series that leaves
//! the sets. If it is one of [`Reach::dead_end_moves`], every answer that would save the series
//! leaves the sets too or does not belong to the case, so the series does not end with the winner's
//! checkmate. The target squares of such moves count as squares where something may stand.

use super::{Case, Reach, Unit, setwise_attacks};
use crate::board::{Bitboard, Color, Role};

impl Reach {
    /// The squares of the spared pieces of `color` that cannot move yet.
    pub(super) fn spared(&self, color: Color) -> Bitboard {
        let Some(case) = self.case else { return Bitboard::EMPTY };
        let unmoved = self.units.iter().filter(|unit| unit.color == color && unit.arrives.is_empty());
        unmoved.fold(Bitboard::EMPTY, |all, unit| all | unit.home) & case.spared
    }

    /// Where a piece never goes, because the series could then no longer end with the winner's
    /// checkmate. There are two such moves:
    /// - A piece of the loser's checkmates a king that never moves: nothing can stand between them,
    ///   and no piece can ever capture it.
    /// - The winner's last piece gives check from beside a king that never moves. If it can be
    ///   captured there, it has to be.
    pub(super) fn dead_end_moves(&self, unit: &Unit) -> Bitboard {
        let Some(Case { winner, .. }) = self.case else { return Bitboard::EMPTY };
        let king = self.king_of(!unit.color);
        if matches!(unit.role, Role::King | Role::Pawn) || !king.is_fixed() {
            return Bitboard::EMPTY;
        }
        let may_stand = self.pieces[0] | self.pieces[1] | self.dead_ends;
        let empty = !(may_stand | self.king_of(unit.color).stands);
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

    /// Whether `color` is the winner and has one piece besides the king: without that piece there
    /// is no checkmate.
    pub(super) fn spares_the_last(&self, color: Color) -> bool {
        self.case.is_some_and(|case| case.winner == color)
            && self.units.iter().filter(|unit| unit.color == color).count() == 2
    }

    fn king_of(&self, color: Color) -> &Unit {
        let mut kings = self.units.iter().filter(|unit| unit.role == Role::King && unit.color == color);
        kings.next().expect("each side has a king")
    }
}
