//! A position: what stands where, whose turn it is, and which castling and en passant rights are
//! left.
//!
//! This file holds the state and the questions about it. Other files set it up (`setup`), change it
//! (`play`), and work out what is legal in it (`movegen`, `legality`).
//!
//! Invariants: one king each; no pawn on rank 1 or 8; the side not to move is not in check; every
//! castling right has its king and rook in place; `en_passant` is present exactly when such a
//! capture is legal; `checkers`, `pinned` and `zobrist` follow from the rest of the state.

use super::attacks::{
    between, bishop_attacks, bishop_lines, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
    rook_lines,
};
use super::{Bitboard, CastlingRights, CastlingSide, Color, Move, Piece, Role, Square, pawns, zobrist};

/// A position of standard chess or Chess960 that the Laws allow to be played on from.
///
/// Small and cheap to clone. Equality compares everything, the counters too;
/// [`Position::same_position`] is the comparison of article 9.2.3.
///
/// ```
/// use zeitnot_rules::board::{Move, Position};
/// use zeitnot_rules::notation::{fen, san};
///
/// let mut position = Position::standard();
/// assert_eq!(position.legal_moves().len(), 20);
///
/// let e4 = Move::new("e2".parse()?, "e4".parse()?);
/// position.play(e4)?;
/// position.play(san::parse("e5", &position)?)?;
/// assert!(position.play(e4).is_err(), "the pawn has left e2");
///
/// let mate = fen::parse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")?;
/// assert!(mate.in_check() && !mate.has_legal_move());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    pub(super) by_role: [Bitboard; 6],
    pub(super) by_color: [Bitboard; 2],
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    /// The squares of the rooks that have a castling right.
    pub(super) castling: Bitboard,
    pub(super) zobrist: u64,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
    pub(super) side_to_move: Color,
    pub(super) en_passant: Option<Square>,
}

impl Position {
    /// The side whose turn it is.
    #[must_use]
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The piece on a square.
    #[must_use]
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = if self.by_color[0].contains(square) {
            Color::White
        } else if self.by_color[1].contains(square) {
            Color::Black
        } else {
            return None;
        };
        Some(Piece { color, role: self.role_on(square) })
    }

    /// The role of the piece on a square that is known to be occupied.
    #[inline]
    pub(super) fn role_on(&self, square: Square) -> Role {
        debug_assert!(self.occupied().contains(square), "{square} is occupied");
        // Measured in games and in perft: branches are faster here than arithmetic on the bits.
        for role in Role::ALL {
            if self.by_role(role).contains(square) {
                return role;
            }
        }
        unreachable!("every occupied square is in the set of a role")
    }

    /// The pieces of one colour and role.
    #[must_use]
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.by_color(color) & self.by_role(role)
    }

    /// The pieces of one colour.
    #[must_use]
    #[inline]
    pub const fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The pieces of one role, of both colours.
    #[must_use]
    #[inline]
    pub const fn by_role(&self, role: Role) -> Bitboard {
        self.by_role[role.index()]
    }

    /// Every square with a piece on it.
    #[must_use]
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// Where the king of `color` stands.
    #[must_use]
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // Each side has one king, so this is below 64; the mask spares the check.
        Square::from_index((self.pieces(color, Role::King).0.trailing_zeros() & 63) as usize)
    }

    /// The castling rights, whether they can be used now or not.
    #[must_use]
    pub fn castling_rights(&self) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        if self.castling.any() {
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    rights.set(color, side, self.castling_rook(color, side).map(Square::file));
                }
            }
        }
        rights
    }

    /// The rook with which `color` has the right to castle to `side`.
    #[inline]
    pub(super) fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let rooks = self.castling & Bitboard::from_rank(color.back_rank());
        let king = Bitboard::from_square(self.king(color)).0;
        match side {
            CastlingSide::King => (rooks & Bitboard(!(king | (king - 1)))).first(),
            CastlingSide::Queen => (rooks & Bitboard(king - 1)).first(),
        }
    }

    /// The square behind a pawn that has just advanced two squares, where it may be captured en
    /// passant (3.7.3.1). Present exactly when at least one such capture is legal.
    #[must_use]
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last pawn move or capture; stays at 65,535 once there.
    #[must_use]
    #[inline]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, which grows by one after each move of Black's; stays at 65,535 once
    /// there.
    #[must_use]
    #[inline]
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// A hash of what [`Position::same_position`] compares: equal for the same position. Equal
    /// hashes are a hint only.
    #[must_use]
    #[inline]
    pub const fn zobrist(&self) -> u64 {
        self.zobrist
    }

    /// Whether both are the same position in the sense of article 9.2.3: the same side to move, the
    /// same pieces on the same squares, the same castling rights, and the same legal en passant
    /// captures. Counters do not matter.
    #[must_use]
    pub fn same_position(&self, other: &Self) -> bool {
        self.zobrist == other.zobrist
            && self.by_role == other.by_role
            && self.by_color == other.by_color
            && self.castling == other.castling
            && self.side_to_move == other.side_to_move
            && self.en_passant == other.en_passant
    }

    /// The pieces that give check to the side to move.
    #[must_use]
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check (3.9.1).
    #[must_use]
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that alone stand between their king and a slider: they may
    /// only move along that line (3.9.2).
    #[must_use]
    #[inline]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The pieces of colour `by` that attack `square`, pinned ones included (3.1.2).
    #[must_use]
    pub fn attackers(&self, square: Square, by: Color) -> Bitboard {
        self.attackers_through(square, by, self.occupied())
    }

    /// [`Position::attackers`] as if exactly the squares of `occupied` were occupied. The pieces
    /// that attack are those of the position.
    #[inline]
    pub(super) fn attackers_through(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let queens = self.by_role(Role::Queen);
        self.by_color(by)
            & (knight_attacks(square) & self.by_role(Role::Knight)
                | king_attacks(square) & self.by_role(Role::King)
                | pawn_attacks(!by, square) & self.by_role(Role::Pawn)
                | bishop_attacks(square, occupied) & (self.by_role(Role::Bishop) | queens)
                | rook_attacks(square, occupied) & (self.by_role(Role::Rook) | queens))
    }

    /// Whether any piece of `by` attacks `square`, as if exactly the squares of `occupied` were
    /// occupied.
    #[inline]
    pub(super) fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        self.attackers_through(square, by, occupied).any()
    }

    /// Whether the move is castling, and to which side. The answer counts for moves that are legal
    /// here.
    #[must_use]
    #[inline]
    pub fn castling_side(&self, mv: Move) -> Option<CastlingSide> {
        if !self.by_color(self.side_to_move).contains(mv.to) {
            return None;
        }
        Some(CastlingSide::of(mv))
    }

    /// The move with castling as the rules know it: where the king has the right to castle, its two
    /// steps from the e file onto its goal become the king onto its rook. Other moves stay as they
    /// are.
    #[must_use]
    #[inline]
    pub fn castling_onto_rook(&self, mv: Move) -> Move {
        let us = self.side_to_move;
        let side = if mv.from.index() + 2 == mv.to.index() {
            CastlingSide::King
        } else if mv.from.index() == mv.to.index() + 2 {
            CastlingSide::Queen
        } else {
            return mv;
        };
        let castles = mv.from == self.king(us) && mv.to == side.king_goal(us);
        let rook = if castles { self.castling_rook(us, side) } else { None };
        rook.map_or(mv, |to| Move { to, ..mv })
    }

    /// Whether the move captures, en passant included. The answer counts for moves that are legal
    /// here.
    #[must_use]
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.by_color(!self.side_to_move).contains(mv.to)
            || self.en_passant == Some(mv.to) && self.by_role(Role::Pawn).contains(mv.from)
    }

    /// Whether the pawn of the side to move on `from` may capture en passant on `target`: whether
    /// its king is safe once the pawn stands there and the enemy's pawn is gone. The caller makes
    /// sure that `from` attacks `target`.
    pub(super) fn en_passant_is_safe(&self, from: Square, target: Square) -> bool {
        let us = self.side_to_move;
        let captured = Bitboard::from_square(pawns::en_passant_pawn(us, target));
        let occupied = (self.occupied() ^ Bitboard::from_square(from) ^ captured).with(target);
        (self.attackers_through(self.king(us), !us, occupied) & !captured).is_empty()
    }

    /// The pawns of the side to move that may capture en passant on `target`.
    pub(super) fn en_passant_captors(&self, target: Square) -> impl Iterator<Item = Square> + '_ {
        let us = self.side_to_move;
        let beside = pawn_attacks(!us, target) & self.pieces(us, Role::Pawn);
        beside.into_iter().filter(move |&from| self.en_passant_is_safe(from, target))
    }

    /// Works out `checkers` and `pinned` from the board.
    #[inline]
    pub(super) fn find_checks(&mut self) {
        let us = self.side_to_move;
        let king = self.king(us);
        let enemies = self.by_color(!us);
        let (own, occupied) = (self.by_color(us), self.occupied());
        let mut checkers = enemies
            & (knight_attacks(king) & self.by_role(Role::Knight)
                | pawn_attacks(us, king) & self.by_role(Role::Pawn));
        let mut pinned = Bitboard::EMPTY;
        let queens = self.by_role(Role::Queen);
        let snipers = enemies
            & (bishop_lines(king) & (self.by_role(Role::Bishop) | queens)
                | rook_lines(king) & (self.by_role(Role::Rook) | queens));
        for sniper in snipers {
            let blockers = between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= Bitboard::from_square(sniper);
            } else if !blockers.more_than_one() {
                pinned |= blockers & own;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned;
    }

    /// Works out the hash from the board.
    pub(super) fn hash_from_scratch(&self) -> u64 {
        let mut hash = if self.side_to_move == Color::Black { zobrist::black_to_move() } else { 0 };
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                hash ^= zobrist::piece(piece.color, piece.role, square);
            }
        }
        for rook in self.castling {
            hash ^= zobrist::castling(rook);
        }
        if let Some(target) = self.en_passant {
            hash ^= zobrist::en_passant(target);
        }
        hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{File, Setup};

    #[test]
    fn equal_hashes_alone_do_not_make_the_same_position() {
        let piece = |color, role| Some(Piece { color, role });
        let mut pieces = [None; 64];
        pieces[4] = piece(Color::White, Role::King);
        pieces[7] = piece(Color::White, Role::Rook);
        pieces[35] = piece(Color::Black, Role::Pawn);
        pieces[36] = piece(Color::White, Role::Pawn);
        pieces[60] = piece(Color::Black, Role::King);
        let mut castling = CastlingRights::NONE;
        castling.set(Color::White, CastlingSide::King, Some(File::H));
        let mut full = Setup {
            pieces,
            side_to_move: Color::White,
            castling,
            en_passant: Some(Square::from_index(43)),
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        let mut knight = full.clone();
        knight.pieces[7] = piece(Color::White, Role::Knight);
        knight.castling = CastlingRights::NONE;
        let others = [
            Setup { castling: CastlingRights::NONE, ..full },
            Setup { side_to_move: Color::Black, en_passant: None, ..full },
            Setup { en_passant: None, ..full },
            knight,
        ];
        let position = Position::from_setup(&full).expect("every rule for positions is met");
        for other in others {
            let mut other = Position::from_setup(&other).expect("every rule for positions is met");
            other.zobrist = position.zobrist;
            assert!(!position.same_position(&other), "{other:?}");
        }
        full.halfmove_clock = 9;
        let later = Position::from_setup(&full);
        assert!(later.is_ok_and(|later| position.same_position(&later)));
    }
}
