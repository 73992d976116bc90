//! Which squares a piece attacks from a square: the geometry of articles 3.2 to 3.8.
//!
//! Nothing here knows whose turn it is, and no function looks at more of the board than the set of
//! occupied squares. Attack sets include squares that are held by pieces of either colour.

use super::sliders;
use super::{Bitboard, Color, Square};

type Table = [Bitboard; 64];

const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

static KNIGHT: Table = steps(&KNIGHT_STEPS);
static KING: Table = steps(&KING_STEPS);
static PAWN: [Table; 2] = [steps(&[(-1, 1), (1, 1)]), steps(&[(-1, -1), (1, -1)])];
static ROOK_LINES: Table = lines_from(false);
static BISHOP_LINES: Table = lines_from(true);
static BETWEEN: [Table; 64] = between_all();
static LINE: [Table; 64] = line_all();

const fn steps(steps: &[(i8, i8)]) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut step = 0;
        while step < steps.len() {
            let (files, ranks) = steps[step];
            if let Some(to) = Square::from_index(from).offset(files, ranks) {
                table[from] = table[from].with(to);
            }
            step += 1;
        }
        from += 1;
    }
    table
}

const fn lines_from(diagonal: bool) -> Table {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        table[from] =
            Bitboard(if diagonal { sliders::bishop_rays(from, 0) } else { sliders::rook_rays(from, 0) });
        from += 1;
    }
    table
}

/// For every two squares, what lies between them. Filled by walking from every square in every
/// direction.
const fn between_all() -> [Table; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = KING_STEPS[direction];
            let mut passed = Bitboard::EMPTY;
            let mut square = Square::from_index(from);
            while let Some(next) = square.offset(files, ranks) {
                table[from][next.index()] = passed;
                passed = passed.with(next);
                square = next;
            }
            direction += 1;
        }
        from += 1;
    }
    table
}

/// For every two squares, the whole line through them.
const fn line_all() -> [Table; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let lines = [
            sliders::file_of(from),
            sliders::rank_of(from),
            sliders::diagonal_of(from),
            sliders::antidiagonal_of(from),
        ];
        let mut nth = 0;
        while nth < 4 {
            let mut others = lines[nth] & !(1 << from);
            while others != 0 {
                table[from][others.trailing_zeros() as usize] = Bitboard(lines[nth]);
                others &= others - 1;
            }
            nth += 1;
        }
        from += 1;
    }
    table
}

/// What a knight on `from` attacks (3.6).
#[must_use]
#[inline]
pub fn knight_attacks(from: Square) -> Bitboard {
    KNIGHT[from.index()]
}

/// What a king on `from` attacks (3.8.1).
#[must_use]
#[inline]
pub fn king_attacks(from: Square) -> Bitboard {
    KING[from.index()]
}

/// What a pawn of `color` on `from` attacks (3.7.3): its two diagonal squares ahead, without its
/// pushes.
#[must_use]
#[inline]
pub fn pawn_attacks(color: Color, from: Square) -> Bitboard {
    PAWN[color.index()][from.index()]
}

/// What a bishop on `from` attacks (3.2) when `occupied` squares stop it. `from` itself may be in
/// the set.
#[must_use]
#[inline]
pub fn bishop_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(sliders::bishop(from.index(), occupied.0))
}

/// What a rook on `from` attacks (3.3) when `occupied` squares stop it. `from` itself may be in the
/// set.
#[must_use]
#[inline]
pub fn rook_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(sliders::rook(from.index(), occupied.0))
}

/// What a queen on `from` attacks (3.4) when `occupied` squares stop it. `from` itself may be in
/// the set.
#[must_use]
#[inline]
pub fn queen_attacks(from: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(from, occupied) | rook_attacks(from, occupied)
}

/// What a bishop on `from` would attack on an empty board.
#[must_use]
#[inline]
pub(super) fn bishop_lines(from: Square) -> Bitboard {
    BISHOP_LINES[from.index()]
}

/// What a rook on `from` would attack on an empty board.
#[must_use]
#[inline]
pub(super) fn rook_lines(from: Square) -> Bitboard {
    ROOK_LINES[from.index()]
}

/// The squares strictly between `a` and `b`; empty unless both are on one rank, file or diagonal.
#[must_use]
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through `a` and `b`, edge to edge; empty when there is none, or
/// `a` is `b`.
#[must_use]
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}
