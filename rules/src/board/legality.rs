//! Whether one move is legal, without generating the others.

use super::attacks::{king_attacks, line, pawn_attacks};
use super::movegen::reach;
use super::{CastlingSide, Move, Position, Role};

impl Position {
    /// Whether the side to move may play `mv` (articles 3.1 to 3.9). Castling is the king's move
    /// onto its own rook.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        if !self.by_color(self.side_to_move).contains(mv.from) {
            return false;
        }
        match self.role_on(mv.from) {
            Role::Pawn => self.promotion_fits(mv) && self.pawn_move_is_legal(mv),
            _ if mv.promotion.is_some() => false,
            Role::King => self.king_move_is_legal(mv),
            role => reach(role, mv.from, self.occupied()).contains(mv.to) && self.king_stays_safe(mv),
        }
    }

    /// A promotion is named exactly when the pawn reaches its last rank, and is to a piece of
    /// 3.7.3.3.
    fn promotion_fits(&self, mv: Move) -> bool {
        let on_last_rank = mv.to.rank() == (!self.side_to_move).back_rank();
        match mv.promotion {
            None => !on_last_rank,
            Some(role) => on_last_rank && Role::PROMOTIONS.contains(&role),
        }
    }

    fn pawn_move_is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        if self.en_passant == Some(mv.to) && pawn_attacks(us, mv.from).contains(mv.to) {
            return self.en_passant_is_safe(mv.from, mv.to);
        }
        self.pawn_reach(us, mv.from).contains(mv.to) && self.king_stays_safe(mv)
    }

    fn king_move_is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        if self.by_color(us).contains(mv.to) {
            return self.castling_is_legal(mv);
        }
        king_attacks(mv.from).contains(mv.to)
            && !self.is_attacked(mv.to, !us, self.occupied().without(mv.from))
    }

    /// Whether the king may castle with what stands on `mv.to`.
    fn castling_is_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        if self.in_check() || !self.castling.contains(mv.to) {
            return false;
        }
        let Some((rook, walk)) = self.castling_walk(us, CastlingSide::of(mv)) else { return false };
        rook == mv.to && walk.into_iter().all(|square| !self.is_attacked(square, !us, self.occupied()))
    }

    /// Whether a piece other than the king, which can reach `mv.to`, leaves its king safe and takes
    /// no own piece.
    fn king_stays_safe(&self, mv: Move) -> bool {
        !self.checkers.more_than_one()
            && self.targets().contains(mv.to)
            && (!self.pinned.contains(mv.from) || line(self.king(self.side_to_move), mv.from).contains(mv.to))
    }
}
