//! Which positions can follow one another in the relaxed search.

use super::mate_test::LastMove;
use super::search::Search;
use super::skeleton::{Skeleton, piece_attacks, second_rank};
use crate::board::{Bitboard, Color, Role, Square, pawn_attacks};
use crate::verdict::winnable::setwise_attacks;
use crate::verdict::winnable::visited::Origin;

impl Search {
    /// Adds what can follow. Returns whether it may be a checkmate that ends the search.
    pub(super) fn expand(&mut self, skeleton: &Skeleton) -> bool {
        let us = skeleton.turn;
        for from in skeleton.by_color[us.index()] {
            let role = skeleton.role_on(from);
            for to in self.targets(skeleton, from, role) {
                if self.move_piece(skeleton, from, to, role) {
                    return true;
                }
            }
        }
        !self.stands[us.index()].is_empty() && self.move_abstracted(skeleton)
    }

    /// Adds what can follow after a move by an abstracted piece: a pass, or a capture.
    fn move_abstracted(&mut self, skeleton: &Skeleton) -> bool {
        let us = skeleton.turn;
        let targets = skeleton.by_color[(!us).index()] & !skeleton.by_role[Role::King.index()];
        let mut taken = targets & self.captures[us.index()];
        if self.has_pawns[us.index()] {
            taken |= skeleton.en_passant_pawn;
        }
        let mut next = *skeleton;
        next.pass();
        if self.add(&next, LastMove::Abstracted) {
            return true;
        }
        taken.into_iter().any(|square| {
            let mut next = *skeleton;
            next.remove(square);
            next.pass();
            self.add(&next, LastMove::Abstracted)
        })
    }

    /// Where a concrete piece can go, checks aside.
    fn targets(&self, skeleton: &Skeleton, from: Square, role: Role) -> Bitboard {
        let us = skeleton.turn;
        let occupied = skeleton.occupied();
        let kings = skeleton.by_role[Role::King.index()];
        let to = match role {
            Role::Pawn => {
                let pawn = Bitboard::from_square(from);
                let once = setwise_attacks::push(us, pawn) & !occupied;
                let start = Square::new(from.file(), second_rank(us));
                let twice =
                    if from == start { setwise_attacks::push(us, once) & !occupied } else { Bitboard::EMPTY };
                let theirs = skeleton.by_color[(!us).index()] | self.stands[(!us).index()] & !occupied;
                let en_passant = setwise_attacks::push(us, skeleton.en_passant_pawn);
                once | twice | pawn_attacks(us, from) & (theirs | en_passant)
            }
            role => piece_attacks(role, from, occupied),
        };
        to & !skeleton.by_color[us.index()] & !kings
    }

    fn move_piece(&mut self, skeleton: &Skeleton, from: Square, to: Square, role: Role) -> bool {
        let us = skeleton.turn;
        let mut next = *skeleton;
        next.pass();
        next.remove(to);
        next.remove(from);
        let is_pawn = role == Role::Pawn;
        let en_passant = setwise_attacks::push(us, skeleton.en_passant_pawn).contains(to);
        if is_pawn && en_passant && from.file() != to.file() {
            if self.capture_en_passant(skeleton, &next, from, to) {
                return true;
            }
            // Instead of the pawn, an abstracted piece on the target square may have been captured.
            if !self.stands[(!us).index()].contains(to) {
                return false;
            }
        }
        if is_pawn && to.rank() == (!us).back_rank() {
            return self.promote(&next, us, from, to);
        }
        next.put(us, role, to);
        if is_pawn && from.index().abs_diff(to.index()) == 16 {
            let beside = pawn_attacks(us, Square::from_index((from.index() + to.index()) / 2));
            let theirs = next.by_color[(!us).index()] & next.by_role[Role::Pawn.index()];
            if self.has_pawns[(!us).index()] || (beside & theirs).any() {
                next.en_passant_pawn = Bitboard::from_square(to);
            }
        }
        self.add(&next, LastMove::Concrete { from })
    }

    /// Adds what follows a capture en passant. `next` is the position without the capturing pawn.
    fn capture_en_passant(&mut self, skeleton: &Skeleton, next: &Skeleton, from: Square, to: Square) -> bool {
        let mut taken = *next;
        skeleton.en_passant_pawn.into_iter().for_each(|pawn| taken.remove(pawn));
        taken.put(skeleton.turn, Role::Pawn, to);
        self.add(&taken, LastMove::Concrete { from }) || self.add(&taken, LastMove::Abstracted)
    }

    /// Adds what follows a promotion. `next` is the position without the promoted pawn.
    fn promote(&mut self, next: &Skeleton, us: Color, from: Square, to: Square) -> bool {
        if let Some(graph) = self.graph.as_mut().filter(|_| us == self.winner) {
            graph.goals.push(self.current);
            return false;
        }
        Role::PROMOTIONS.into_iter().any(|role| {
            let mut next = *next;
            next.put(us, role, to);
            self.add(&next, LastMove::Concrete { from })
        })
    }

    /// Adds a position if it may be legal and is new. Returns whether it may be a checkmate that
    /// ends the search.
    fn add(&mut self, next: &Skeleton, last_move: LastMove) -> bool {
        if self.is_surely_attacked(next, next.king(!next.turn), next.turn) {
            return false;
        }
        if next.turn != self.winner && self.may_be_mate(next, last_move) {
            let Some(graph) = &mut self.graph else { return true };
            graph.goals.push(self.current);
        }
        let winner = self.winner.index();
        if self.stands[winner].is_empty() && !next.by_color[winner].more_than_one() {
            return false;
        }
        let packed = next.pack();
        self.open.extend(self.visited.insert(packed, Origin::FIRST));
        if let Some(graph) = &mut self.graph {
            graph.predecessors.extend(self.visited.find(packed).map(|number| (number, self.current)));
        }
        false
    }
}
