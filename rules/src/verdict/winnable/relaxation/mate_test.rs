//! Which positions of the relaxed search may be illegal, and which may be checkmate.
//!
//! "Surely" and "may" are meant exactly: a legal position is never dropped, and a real checkmate is
//! never overlooked.

use super::search::Search;
use super::skeleton::Skeleton;
use crate::board::{Bitboard, Color, Role, Square, between, bishop_attacks, rook_attacks};
use crate::verdict::winnable::reach::Unit;
use crate::verdict::winnable::static_test::StaticTest;

/// The last half-move, which decides where a check can come from.
#[derive(Clone, Copy)]
pub(super) enum LastMove {
    /// By an abstracted piece.
    Abstracted,
    /// By a concrete piece that left `from`.
    Concrete { from: Square },
}

impl Search {
    /// Whether `by` attacks `square` along a line on which no abstracted piece can stand.
    pub(super) fn is_surely_attacked(&self, skeleton: &Skeleton, square: Square, by: Color) -> bool {
        let may_stand = self.stands[0] | self.stands[1];
        let mut attackers = skeleton.attackers(square, by).into_iter();
        attackers.any(|from| (between(from, square) & may_stand).is_empty())
    }

    /// Whether the loser may be checkmated.
    pub(super) fn may_be_mate(&self, skeleton: &Skeleton, last_move: LastMove) -> bool {
        let king = skeleton.king(!self.winner);
        let checkers = skeleton.attackers(king, self.winner);
        let by_abstracted = match last_move {
            LastMove::Abstracted => true,
            LastMove::Concrete { from } => self.may_uncover(skeleton, from, king),
        };
        if checkers.is_empty() && !by_abstracted {
            return false;
        }
        let mut units = self.abstracted.clone();
        for square in skeleton.occupied() {
            let color = if skeleton.by_color[0].contains(square) { Color::White } else { Color::Black };
            units.push(Unit::fixed(color, skeleton.role_on(square), square));
        }
        let test = StaticTest::of(units, skeleton.occupied().without(king), self.winner);
        test.allows_mate_on(king, |unit| by_abstracted || unit.is_fixed())
    }

    /// Whether one of the winner's abstracted pieces may attack `king` through `from`, the square
    /// that has just been left.
    fn may_uncover(&self, skeleton: &Skeleton, from: Square, king: Square) -> bool {
        let occupied = skeleton.occupied();
        if !between(king, from).is_empty() && (between(king, from) & occupied).any() {
            return false;
        }
        let straight = rook_attacks(king, occupied);
        let diagonal = bishop_attacks(king, occupied);
        self.abstracted.iter().filter(|unit| unit.color == self.winner).any(|unit| {
            let lines = [
                (straight, unit.role != Role::Bishop && unit.role != Role::Knight),
                (diagonal, unit.role != Role::Rook && unit.role != Role::Knight),
            ];
            lines.into_iter().any(|(line, slides)| {
                let origins: Bitboard = line & unit.squares();
                slides
                    && line.contains(from)
                    && origins.into_iter().any(|square| between(king, square).contains(from))
            })
        })
    }
}
