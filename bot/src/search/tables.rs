//! What pieces are worth, and where they stand well.
//!
//! Values are centipawns, written by hand for this searcher and checked by playing its levels against
//! each other. Tables are drawn as a diagram is: White below, a8 first. Each value has two parts, for
//! the middlegame and for the endgame; the evaluation blends them.

use zeitnot_rules::board::{Color, Role, Square};

/// A value for the middlegame and one for the endgame.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Phased {
    pub(super) middle: i32,
    pub(super) end: i32,
}

impl Phased {
    pub(super) const fn new(middle: i32, end: i32) -> Self {
        Self { middle, end }
    }

    /// Adds `other` `times` over.
    pub(super) const fn add(&mut self, other: Self, times: i32) {
        self.middle += other.middle * times;
        self.end += other.end * times;
    }
}

/// Material, by [`Role::index`]. A king has no price.
pub(super) const MATERIAL: [Phased; 6] = [
    Phased::new(88, 112),
    Phased::new(328, 296),
    Phased::new(342, 314),
    Phased::new(478, 528),
    Phased::new(984, 956),
    Phased::new(0, 0),
];

/// How much of a middlegame each role keeps up; all of them together make [`FULL_PHASE`].
pub(super) const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The phase of the start position.
pub(super) const FULL_PHASE: i32 = 24;

type Table = [i8; 64];

#[rustfmt::skip]
const PAWN_MIDDLE: Table = [
      0,   0,   0,   0,   0,   0,   0,   0,
     62,  70,  58,  66,  66,  54,  50,  46,
     14,  20,  28,  34,  36,  34,  22,  12,
      2,   8,  10,  24,  26,  12,   8,   0,
     -8,  -2,   8,  20,  22,   8,  -4, -10,
     -8,  -4,   2,   4,   6,  -2,   8,  -4,
    -10,   0,  -6, -12, -12,  10,  14,  -8,
      0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
const PAWN_END: Table = [
      0,   0,   0,   0,   0,   0,   0,   0,
     96,  92,  86,  80,  80,  86,  92,  96,
     54,  52,  46,  40,  40,  46,  52,  54,
     26,  22,  16,  12,  12,  16,  22,  26,
     10,   8,   2,   0,   0,   2,   8,  10,
      2,   2,  -2,   0,   0,  -2,   2,   2,
      6,   4,   4,   6,   6,   4,   4,   6,
      0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
const KNIGHT: Table = [
    -70, -34, -22, -16, -16, -22, -34, -70,
    -32, -14,   8,  12,  12,   8, -14, -32,
    -16,  10,  22,  28,  28,  22,  10, -16,
    -10,   8,  22,  32,  32,  22,   8, -10,
    -12,   4,  18,  24,  24,  18,   4, -12,
    -18,   2,  12,  16,  16,  14,   2, -18,
    -30, -16,  -2,   4,   4,  -2, -16, -30,
    -58, -24, -20, -14, -14, -20, -24, -58,
];

#[rustfmt::skip]
const BISHOP: Table = [
    -20, -10, -14, -10, -10, -14, -10, -20,
    -10,   6,   2,   2,   2,   2,   6, -10,
     -4,   8,  12,  10,  10,  12,   8,  -4,
     -2,   8,  12,  20,  20,  12,   8,  -2,
     -2,  10,  14,  18,  18,  14,  10,  -2,
      0,  12,  12,  12,  12,  12,  12,   0,
     -2,  14,   6,   4,   4,   6,  16,  -2,
    -16,  -6, -12, -10, -10, -12,  -6, -16,
];

#[rustfmt::skip]
const ROOK: Table = [
     10,  10,  12,  14,  14,  12,  10,  10,
     16,  18,  20,  22,  22,  20,  18,  16,
      0,   4,   6,   8,   8,   6,   4,   0,
     -4,   0,   2,   4,   4,   2,   0,  -4,
     -6,  -2,   0,   2,   2,   0,  -2,  -6,
     -8,  -2,   0,   2,   2,   0,  -2,  -8,
    -10,  -4,   0,   4,   4,   0,  -4, -12,
     -4,   0,   6,  12,  12,   8,   0,  -4,
];

#[rustfmt::skip]
const QUEEN: Table = [
    -10,  -4,   0,   4,   4,   0,  -4, -10,
     -8, -12,   2,   2,   4,   4,  -8,  -4,
     -4,   0,   6,  10,  10,   8,   2,  -2,
     -4,   0,   8,  12,  12,   8,   0,  -4,
     -4,   0,   6,  10,  10,   6,   0,  -4,
     -6,   4,   4,   4,   4,   4,   2,  -6,
    -10,  -4,   4,   4,   4,   2,  -6, -12,
    -14, -12,  -8,   2,  -4, -12, -14, -18,
];

#[rustfmt::skip]
const KING_MIDDLE: Table = [
    -50, -50, -56, -62, -62, -56, -50, -50,
    -44, -46, -52, -58, -58, -52, -46, -44,
    -40, -42, -48, -54, -54, -48, -42, -40,
    -34, -38, -44, -50, -50, -44, -38, -34,
    -26, -30, -36, -42, -42, -36, -30, -26,
    -12, -16, -24, -30, -30, -24, -14, -10,
     12,  10, -10, -22, -22, -12,  14,  16,
     22,  34,  14, -12,   0, -10,  36,  26,
];

#[rustfmt::skip]
const KING_END: Table = [
    -52, -30, -22, -16, -16, -22, -30, -52,
    -26,  -6,   4,  10,  10,   4,  -6, -26,
    -16,   8,  20,  24,  24,  20,   8, -16,
    -12,   8,  24,  32,  32,  24,   8, -12,
    -14,   4,  20,  30,  30,  20,   4, -14,
    -20,  -2,  12,  20,  20,  12,  -2, -20,
    -28, -12,   0,   6,   6,   0, -12, -28,
    -54, -36, -24, -18, -20, -24, -36, -54,
];

/// What a piece on its square is worth, material included.
const fn placed(role: Role, seen: usize) -> Phased {
    let (middle, end) = match role {
        Role::Pawn => (PAWN_MIDDLE[seen], PAWN_END[seen]),
        Role::Knight => (KNIGHT[seen], KNIGHT[seen]),
        Role::Bishop => (BISHOP[seen], BISHOP[seen]),
        Role::Rook => (ROOK[seen], ROOK[seen]),
        Role::Queen => (QUEEN[seen], QUEEN[seen]),
        Role::King => (KING_MIDDLE[seen], KING_END[seen]),
    };
    let material = MATERIAL[role.index()];
    Phased::new(material.middle + middle as i32, material.end + end as i32)
}

static PLACED: [[Phased; 64]; 6] = {
    let mut all = [[Phased::new(0, 0); 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut seen = 0;
        while seen < 64 {
            all[role][seen] = placed(Role::ALL[role], seen);
            seen += 1;
        }
        role += 1;
    }
    all
};

/// What a piece of `color` on `square` is worth to its side.
#[inline]
pub(super) fn value(color: Color, role: Role, square: Square) -> Phased {
    let seen = match color {
        Color::White => square.index() ^ 56,
        Color::Black => square.index(),
    };
    PLACED[role.index()][seen]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_worth_the_same_to_both_sides_from_their_own_end_of_the_board() {
        for role in Role::ALL {
            for square in Square::all() {
                let mirrored = Square::from_index(square.index() ^ 56);
                let (white, black) = (value(Color::White, role, square), value(Color::Black, role, mirrored));
                assert_eq!((white.middle, white.end), (black.middle, black.end));
            }
        }
    }

    #[test]
    fn the_start_position_is_a_full_middlegame() {
        let count = [16, 4, 4, 4, 2, 2];
        let phase: i32 = PHASE.iter().zip(count).map(|(phase, count)| phase * count).sum();
        assert_eq!(phase, FULL_PHASE);
    }
}
