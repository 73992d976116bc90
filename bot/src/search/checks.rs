//! Which moves give check by the piece that moves.
//!
//! Deliberately absent: checks that another piece gives because a move opens its line, castling and en
//! passant. The answer keeps moves from being left out; no rule depends on it.

use zeitnot_rules::board::{Bitboard, Position, bishop_attacks, knight_attacks, pawn_attacks, rook_attacks};

use super::ordering::Ranked;

/// From where each role attacks the king of the side that is not to move.
pub(super) struct Checks([Bitboard; 6]);

impl Checks {
    pub(super) fn of(position: &Position) -> Self {
        let us = position.side_to_move();
        let (king, occupied) = (position.king(!us), position.occupied());
        let (bishop, rook) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        let none = Bitboard::EMPTY;
        Self([pawn_attacks(!us, king), knight_attacks(king), bishop, rook, bishop | rook, none])
    }

    /// Whether the piece gives check where it arrives.
    pub(super) fn are_given_by(&self, ranked: &Ranked) -> bool {
        let role = ranked.mv.promotion.unwrap_or(ranked.role);
        self.0[role.index()].contains(ranked.mv.to)
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::board::Color;
    use zeitnot_rules::notation::fen;

    use super::super::history::{History, Place};
    use super::super::ordering::sorted;
    use super::*;

    #[test]
    fn a_direct_check_is_seen_and_nothing_else_is_taken_for_one() {
        let text = "4k3/1P1R4/8/3N4/1B2p3/3P2Q1/8/4K3 w - - 0 1";
        let position = fen::parse(text).expect("a position");
        let checks = Checks::of(&position);
        let place = Place { side: Color::White, ply: 0, last: None, own: None };
        let mut seen = 0;
        for ranked in sorted(&position, &History::new(), &place) {
            let mut after = position.clone();
            after.play_unchecked(ranked.mv);
            assert_eq!(checks.are_given_by(&ranked), after.in_check(), "{:?}", ranked.mv);
            seen += usize::from(after.in_check());
        }
        assert!(seen > 5, "{seen}");
    }
}
