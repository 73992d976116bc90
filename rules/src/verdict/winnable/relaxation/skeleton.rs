//! A position without the abstracted pieces, and how pieces move in it.
//!
//! Deliberately absent: the abstracted pieces themselves, and whether a king is left in check.

use crate::board::{
    Bitboard, Color, Packed, Position, Rank, Role, Square, bishop_attacks, king_attacks, knight_attacks,
    pawn_attacks, rook_attacks,
};

/// A position without the abstracted pieces.
#[derive(Clone, Copy)]
pub(super) struct Skeleton {
    pub(super) by_role: [Bitboard; 6],
    pub(super) by_color: [Bitboard; 2],
    pub(super) turn: Color,
    /// A pawn that has just advanced two squares and may be captured en passant.
    pub(super) en_passant_pawn: Bitboard,
}

impl Skeleton {
    /// The pieces of `position` on the squares of `kept`.
    pub(super) fn of(position: &Position, kept: Bitboard) -> Self {
        Self {
            by_role: Role::ALL.map(|role| position.by_role(role) & kept),
            by_color: Color::ALL.map(|color| position.by_color(color) & kept),
            turn: position.side_to_move(),
            en_passant_pawn: Bitboard::EMPTY,
        }
    }

    pub(super) fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    pub(super) fn king(&self, color: Color) -> Square {
        let king = self.by_color[color.index()] & self.by_role[Role::King.index()];
        king.first().expect("a king is never left out or captured")
    }

    pub(super) fn role_on(&self, square: Square) -> Role {
        let on = |role: &Role| self.by_role[role.index()].contains(square);
        Role::ALL.into_iter().find(on).expect("the square is occupied")
    }

    pub(super) fn remove(&mut self, square: Square) {
        let keep = !Bitboard::from_square(square);
        self.by_role.iter_mut().chain(&mut self.by_color).for_each(|set| *set &= keep);
    }

    pub(super) fn put(&mut self, color: Color, role: Role, square: Square) {
        self.by_role[role.index()] |= Bitboard::from_square(square);
        self.by_color[color.index()] |= Bitboard::from_square(square);
    }

    /// Gives the turn to the other side.
    pub(super) fn pass(&mut self) {
        self.turn = !self.turn;
        self.en_passant_pawn = Bitboard::EMPTY;
    }

    pub(super) fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let occupied = self.occupied();
        let role = |role: Role| self.by_role[role.index()];
        let queens = role(Role::Queen);
        self.by_color[by.index()]
            & (pawn_attacks(!by, square) & role(Role::Pawn)
                | knight_attacks(square) & role(Role::Knight)
                | king_attacks(square) & role(Role::King)
                | bishop_attacks(square, occupied) & (role(Role::Bishop) | queens)
                | rook_attacks(square, occupied) & (role(Role::Rook) | queens))
    }

    pub(super) fn pack(&self) -> Packed {
        Packed::of(self.by_role, self.by_color, self.turn, Bitboard::EMPTY, self.en_passant_pawn)
    }

    pub(super) fn unpack(packed: Packed) -> Self {
        let parts = packed.parts();
        Self {
            by_role: parts.by_role,
            by_color: parts.by_color,
            turn: parts.turn,
            en_passant_pawn: parts.en_passant_pawn,
        }
    }
}

/// The rank on which the pawns of `color` start.
pub(super) fn second_rank(color: Color) -> Rank {
    match color {
        Color::White => Rank::Second,
        Color::Black => Rank::Seventh,
    }
}

/// What a piece other than a pawn attacks.
pub(super) fn piece_attacks(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => knight_attacks(from),
        Role::Bishop => bishop_attacks(from, occupied),
        Role::Rook => rook_attacks(from, occupied),
        Role::Queen => rook_attacks(from, occupied) | bishop_attacks(from, occupied),
        Role::King => king_attacks(from),
    }
}
