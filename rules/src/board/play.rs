//! Playing a move: the one place where a position changes.

use thiserror::Error;

use super::attacks::pawn_attacks;
use super::{Bitboard, CastlingSide, Color, Move, Position, Role, Square, pawns, zobrist};

/// The move is not legal in the position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove;

impl Position {
    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`] when it is not legal; the position is as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove);
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    ///
    /// # Panics
    /// When the move is not legal: always with debug assertions. Without them it may leave a wrong
    /// position instead.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} is legal in {self:?}");
        match self.side_to_move {
            Color::White => self.play_as(Color::White, mv),
            Color::Black => self.play_as(Color::Black, mv),
        }
    }

    #[inline(always)]
    fn play_as(&mut self, us: Color, mv: Move) {
        let role = self.role_on(mv.from);
        let passed = self.en_passant.take();
        if let Some(target) = passed {
            self.zobrist ^= zobrist::en_passant(target);
        }
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if us == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        if self.by_color(us).contains(mv.to) {
            self.castle(us, mv);
        } else {
            if self.by_color(!us).contains(mv.to) {
                let captured = self.role_on(mv.to);
                self.toggle(!us, captured, mv.to);
                self.halfmove_clock = 0;
            }
            self.toggle(us, role, mv.from);
            self.toggle(us, mv.promotion.unwrap_or(role), mv.to);
            self.end_rights(us, role, mv);
            if role == Role::Pawn {
                self.halfmove_clock = 0;
                if passed == Some(mv.to) {
                    self.toggle(!us, Role::Pawn, pawns::en_passant_pawn(us, mv.to));
                }
            }
        }
        self.side_to_move = !us;
        self.zobrist ^= zobrist::black_to_move();
        self.find_checks();
        if role == Role::Pawn && mv.from.index().abs_diff(mv.to.index()) == 16 {
            self.open_en_passant(us, mv);
        }
    }

    /// Puts a piece on an empty square, or takes it off.
    #[inline]
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        self.by_role[role.index()] ^= Bitboard::from_square(square);
        self.by_color[color.index()] ^= Bitboard::from_square(square);
        self.zobrist ^= zobrist::piece(color, role, square);
    }

    /// Moves king and rook to their goals. King or rook may stay put or swap: both leave before
    /// both arrive.
    fn castle(&mut self, us: Color, mv: Move) {
        let side = CastlingSide::of(mv);
        self.toggle(us, Role::King, mv.from);
        self.toggle(us, Role::Rook, mv.to);
        self.toggle(us, Role::King, side.king_goal(us));
        self.toggle(us, Role::Rook, side.rook_goal(us));
        self.drop_rights(Bitboard::from_rank(us.back_rank()));
    }

    /// A right ends when the king or its rook moves, or that rook is captured (3.8.2.1).
    #[inline]
    fn end_rights(&mut self, us: Color, role: Role, mv: Move) {
        let mut ended = Bitboard::from_square(mv.from).with(mv.to);
        if role == Role::King {
            ended |= Bitboard::from_rank(us.back_rank());
        }
        if (self.castling & ended).any() {
            self.drop_rights(ended);
        }
    }

    #[cold]
    fn drop_rights(&mut self, ended: Bitboard) {
        for rook in self.castling & ended {
            self.zobrist ^= zobrist::castling(rook);
        }
        self.castling &= !ended;
    }

    /// After a double advance: notes the en passant square if a capture there is legal.
    #[inline]
    fn open_en_passant(&mut self, us: Color, mv: Move) {
        let target = Square::from_index((mv.from.index() + mv.to.index()) / 2);
        if (pawn_attacks(us, target) & self.pieces(!us, Role::Pawn)).any()
            && self.en_passant_captors(target).next().is_some()
        {
            self.en_passant = Some(target);
            self.zobrist ^= zobrist::en_passant(target);
        }
    }
}
