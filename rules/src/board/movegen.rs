//! All legal moves of a position, found without making and testing them.
//!
//! In check, a move of another piece than the king must capture the one checker or block it; a
//! pinned piece stays on its line; in double check only the king moves. En passant captures are
//! tried one by one, since two pawns leave a rank at once.
//!
//! `us` is an argument of every function so that the compiler specialises the code for each colour.

use super::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, queen_attacks, rook_attacks,
};
use super::{Bitboard, CastlingSide, Color, MoveList, PieceMoves, Position, Role, Square, pawns};

impl Position {
    /// Every legal move, in no particular order.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        // Enough capacity for nearly every position.
        let mut moves = MoveList::with_capacity(64);
        self.for_each_piece_moves(|bunch| {
            moves.extend(bunch);
            false
        });
        moves
    }

    /// Whether there is any legal move: if not, it is checkmate or stalemate (5.1.1, 5.2.1).
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.for_each_piece_moves(|_| true)
    }

    /// Gives every legal move to `visit`, in bunches, until it returns `true`. Returns whether it
    /// did.
    #[inline]
    pub fn for_each_piece_moves(&self, mut visit: impl FnMut(PieceMoves) -> bool) -> bool {
        match self.side_to_move {
            Color::White => self.generate(Color::White, &mut visit),
            Color::Black => self.generate(Color::Black, &mut visit),
        }
    }

    #[inline(always)]
    fn generate(&self, us: Color, visit: &mut impl FnMut(PieceMoves) -> bool) -> bool {
        if !self.checkers.more_than_one() {
            let targets = self.targets();
            if self.generate_pawns(us, targets, visit)
                || self.generate_pieces(us, Role::Knight, targets, visit)
                || self.generate_pieces(us, Role::Bishop, targets, visit)
                || self.generate_pieces(us, Role::Rook, targets, visit)
                || self.generate_pieces(us, Role::Queen, targets, visit)
            {
                return true;
            }
        }
        self.generate_king(us, visit)
    }

    /// Where pieces other than the king may go, as far as check and own pieces are concerned. Not
    /// for double check.
    #[inline]
    pub(super) fn targets(&self) -> Bitboard {
        let us = self.side_to_move;
        match self.checkers.first() {
            None => !self.by_color(us),
            Some(checker) => between(self.king(us), checker).with(checker),
        }
    }

    #[inline(always)]
    fn generate_pieces(
        &self,
        us: Color,
        role: Role,
        targets: Bitboard,
        visit: &mut impl FnMut(PieceMoves) -> bool,
    ) -> bool {
        let (king, occupied) = (self.king(us), self.occupied());
        for from in self.pieces(us, role) {
            let mut to = reach(role, from, occupied) & targets;
            if self.pinned.contains(from) {
                to &= line(king, from);
            }
            if to.any() && visit(PieceMoves::of_piece(role, from, to)) {
                return true;
            }
        }
        false
    }

    #[inline(always)]
    fn generate_pawns(
        &self,
        us: Color,
        targets: Bitboard,
        visit: &mut impl FnMut(PieceMoves) -> bool,
    ) -> bool {
        let all = self.pieces(us, Role::Pawn);
        let unpinned = all & !self.pinned;
        let free = !self.occupied();
        let captures = self.by_color(!us) & targets;
        let once = pawns::ahead(us, unpinned) & free;
        let twice = pawns::ahead(us, once & pawns::first_step_rank(us)) & free;
        let step = pawns::step(us);
        let bunches = [
            (step, once & targets),
            (2 * step, twice & targets),
            (step - 1, pawns::ahead_to_a(us, unpinned) & captures),
            (step + 1, pawns::ahead_to_h(us, unpinned) & captures),
        ];
        for (step, to) in bunches {
            if to.any() && visit(PieceMoves::of_pawns(step, to)) {
                return true;
            }
        }
        for from in all & self.pinned {
            let to = self.pawn_reach(us, from) & targets & line(self.king(us), from);
            if to.any() && visit(PieceMoves::of_piece(Role::Pawn, from, to)) {
                return true;
            }
        }
        let Some(target) = self.en_passant else { return false };
        for from in self.en_passant_captors(target) {
            if visit(PieceMoves::of_piece(Role::Pawn, from, target.into())) {
                return true;
            }
        }
        false
    }

    /// Where a pawn can go, check and pins aside: advances and captures, without en passant.
    #[inline]
    pub(super) fn pawn_reach(&self, us: Color, from: Square) -> Bitboard {
        let pawn = Bitboard::from_square(from);
        let free = !self.occupied();
        let once = pawns::ahead(us, pawn) & free;
        let twice = pawns::ahead(us, once & pawns::first_step_rank(us)) & free;
        once | twice | super::pawn_attacks(us, from) & self.by_color(!us)
    }

    #[inline(always)]
    fn generate_king(&self, us: Color, visit: &mut impl FnMut(PieceMoves) -> bool) -> bool {
        let king = self.king(us);
        let steps = king_attacks(king) & !self.by_color(us);
        let castling = if (self.castling & Bitboard::from_rank(us.back_rank())).any() && !self.in_check() {
            CastlingSide::ALL.map(|side| self.castling_walk(us, side))
        } else {
            [None; 2]
        };
        if steps.is_empty() && castling == [None; 2] {
            return false;
        }
        // A checker also attacks the squares behind the king, where the king cannot go.
        let attacked = self.attacked_by(!us, self.occupied().without(king));
        let mut to = steps & !attacked;
        for (rook, walk) in castling.into_iter().flatten() {
            if (walk & attacked).is_empty() {
                to = to.with(rook);
            }
        }
        to.any() && visit(PieceMoves::of_piece(Role::King, king, to))
    }

    /// The rook with which `us` has the right to castle to `side`, and the squares that must not be
    /// attacked for it, when nothing else is in the way (3.8.2.2, and its form in Chess960). Not
    /// for a king in check.
    ///
    /// A rook that leaves can expose the king's goal only along the back rank, and only when it is
    /// pinned: between king and goal there is nothing else.
    #[inline]
    pub(super) fn castling_walk(&self, us: Color, side: CastlingSide) -> Option<(Square, Bitboard)> {
        let rook = self.castling_rook(us, side)?;
        let king = self.king(us);
        let (king_goal, rook_goal) = (side.king_goal(us), side.rook_goal(us));
        let walk = between(king, king_goal).with(king_goal);
        let others = self.occupied().without(king).without(rook);
        let way = walk | between(rook, rook_goal).with(rook_goal);
        ((way & others).is_empty() && !self.pinned.contains(rook)).then_some((rook, walk))
    }

    /// Every square that `them` attack, as if exactly the squares of `occupied` were occupied.
    #[inline]
    pub(crate) fn attacked_by(&self, them: Color, occupied: Bitboard) -> Bitboard {
        let pawns = self.pieces(them, Role::Pawn);
        let mut attacked = pawns::ahead_to_a(them, pawns) | pawns::ahead_to_h(them, pawns);
        attacked |= king_attacks(self.king(them));
        for from in self.pieces(them, Role::Knight) {
            attacked |= knight_attacks(from);
        }
        let queens = self.by_role(Role::Queen);
        for from in self.by_color(them) & (self.by_role(Role::Bishop) | queens) {
            attacked |= bishop_attacks(from, occupied);
        }
        for from in self.by_color(them) & (self.by_role(Role::Rook) | queens) {
            attacked |= rook_attacks(from, occupied);
        }
        attacked
    }
}

/// What a knight, bishop, rook or queen attacks.
#[inline]
pub(super) fn reach(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => knight_attacks(from),
        Role::Bishop => bishop_attacks(from, occupied),
        Role::Rook => rook_attacks(from, occupied),
        Role::Queen => queen_attacks(from, occupied),
        Role::Pawn | Role::King => unreachable!("pawns and kings move in ways of their own"),
    }
}
