//! A position in 32 bytes, exactly: what article 9.2.3 compares, without the counters.
//!
//! Two positions have equal packed forms exactly when they are
//! [`same_position`](Position::same_position); unlike a hash, this is no hint. Each square has a
//! code of four bits, and the four bits lie in four sets of squares. Sixteen codes are enough,
//! whatever and however many pieces stand there: nothing, six roles of two colours, a rook with a
//! castling right (its rank says whose), a pawn that may be captured en passant (whose it is
//! follows from the turn), and a second code for the black king that says that Black is to move.

use super::{Bitboard, Color, Position, Role, Square};

/// A position without its counters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Packed(pub(crate) [u64; 4]);

/// What a packed position holds.
#[derive(Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) by_role: [Bitboard; 6],
    pub(crate) by_color: [Bitboard; 2],
    pub(crate) turn: Color,
    /// The rooks with a castling right.
    pub(crate) castling: Bitboard,
    /// The pawn that may be captured en passant.
    pub(crate) en_passant_pawn: Bitboard,
}

impl Position {
    /// The position in 32 bytes.
    pub(crate) fn pack(&self) -> Packed {
        let en_passant_pawn = self.en_passant.map_or(Bitboard::EMPTY, |target| {
            Bitboard::from_square(super::pawns::en_passant_pawn(self.side_to_move, target))
        });
        Packed::of(self.by_role, self.by_color, self.side_to_move, self.castling, en_passant_pawn)
    }
}

impl Packed {
    /// Packs parts: `castling` are rooks, and `en_passant_pawn` is a pawn of the side that is not
    /// to move, or nothing.
    #[inline]
    pub(crate) fn of(
        by_role: [Bitboard; 6],
        by_color: [Bitboard; 2],
        turn: Color,
        castling: Bitboard,
        en_passant_pawn: Bitboard,
    ) -> Self {
        let role = |role: Role| by_role[role.index()].0;
        let black = by_color[Color::Black.index()].0;
        let mut planes = [
            (role(Role::Pawn) | role(Role::Bishop) | role(Role::Queen) | castling.0) & !en_passant_pawn.0,
            role(Role::Knight) | role(Role::Bishop) | role(Role::King) | castling.0,
            role(Role::Rook) | role(Role::Queen) | role(Role::King),
            black & !castling.0 | en_passant_pawn.0,
        ];
        if turn == Color::Black {
            planes[0] |= black & role(Role::King);
        }
        Self(planes)
    }

    /// What was packed.
    pub(crate) fn parts(self) -> Parts {
        let [a, b, c, d] = self.0;
        let castling = a & b & c & !d;
        let en_passant_pawn = d & !(a | b | c);
        let turn = if a & b & c & d == 0 { Color::White } else { Color::Black };
        let pawns = a & !b & !c | en_passant_pawn;
        let rooks = c & !a & !b | castling;
        let kings = b & c & !castling;
        let by_role = [pawns, b & !a & !c, a & b & !c, rooks, a & c & !b, kings].map(Bitboard);
        let mut black = d | castling & Bitboard::from_rank(super::Rank::Eighth).0;
        if turn == Color::Black {
            black &= !en_passant_pawn;
        }
        let white = (a | b | c | d) & !black;
        let by_color = [Bitboard(white), Bitboard(black)];
        Parts {
            by_role,
            by_color,
            turn,
            castling: Bitboard(castling),
            en_passant_pawn: Bitboard(en_passant_pawn),
        }
    }

    /// The position again, with counters and hash set to zero: good for playing on, not for
    /// [`zobrist`](Position::zobrist) and what depends on it.
    pub(crate) fn unpack(self) -> Position {
        let Parts { by_role, by_color, turn, castling, en_passant_pawn } = self.parts();
        let mut position = Position {
            by_role,
            by_color,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling,
            zobrist: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
            side_to_move: turn,
            en_passant: en_passant_pawn.first().map(|pawn| en_passant_target(turn, pawn)),
        };
        position.find_checks();
        position
    }

    /// A hash of 64 bits for tables of packed positions.
    #[inline]
    pub(crate) fn table_hash(self) -> u64 {
        let mut mixed = 0_u64;
        for plane in self.0 {
            mixed = (mixed.rotate_left(23) ^ plane).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^= mixed >> 32;
        }
        mixed
    }
}

/// The square that `pawn` has just passed over, when it is the turn of `us`.
fn en_passant_target(us: Color, pawn: Square) -> Square {
    let index = match us {
        Color::White => pawn.index() + 8,
        Color::Black => pawn.index() - 8,
    };
    Square::from_index(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks every line of play for some plies and compares each position with what comes out of
    /// its packed form.
    fn check(position: &Position, plies: u32) {
        let unpacked = position.pack().unpack();
        assert_eq!(unpacked.setup().pieces, position.setup().pieces);
        assert_eq!(unpacked.castling_rights(), position.castling_rights());
        assert_eq!(unpacked.en_passant(), position.en_passant());
        assert_eq!(unpacked.side_to_move(), position.side_to_move());
        assert_eq!((unpacked.checkers(), unpacked.pinned()), (position.checkers(), position.pinned()));
        assert_eq!(unpacked.pack(), position.pack());
        if plies == 0 {
            return;
        }
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            check(&next, plies - 1);
        }
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        for number in [0, 518, 959] {
            check(&Position::chess960(number), 2);
        }
        for text in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            check(&crate::notation::fen::parse(text).expect("the FEN is right"), 3);
        }
    }
}
