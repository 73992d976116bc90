//! Attacks of whole sets of pieces at once, by shifting sets of squares.
//!
//! Geometry alone. Nothing wraps around an edge of the board.

use crate::board::{Bitboard, Color};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// What sliders on `from` attack along one direction, when exactly `free` squares let them pass.
/// `shift` is the step in squares, `inside` the squares on which a step can end.
#[inline]
fn ray(from: u64, free: u64, shift: i32, inside: u64) -> u64 {
    let step = |set: u64| (if shift > 0 { set << shift } else { set >> -shift }) & inside;
    let free = free & inside;
    let mut reached = from;
    let mut frontier = from;
    for _ in 0..6 {
        frontier = step(frontier) & free;
        if frontier == 0 {
            break;
        }
        reached |= frontier;
    }
    step(reached)
}

/// What rooks on the squares of `from` attack when only `free` squares let them pass.
pub(super) fn rooks(from: Bitboard, free: Bitboard) -> Bitboard {
    let (from, free) = (from.0, free.0);
    Bitboard(
        ray(from, free, 8, !0)
            | ray(from, free, -8, !0)
            | ray(from, free, 1, NOT_A)
            | ray(from, free, -1, NOT_H),
    )
}

/// What bishops on the squares of `from` attack when only `free` squares let them pass.
pub(super) fn bishops(from: Bitboard, free: Bitboard) -> Bitboard {
    let (from, free) = (from.0, free.0);
    Bitboard(
        ray(from, free, 9, NOT_A)
            | ray(from, free, -9, NOT_H)
            | ray(from, free, 7, NOT_H)
            | ray(from, free, -7, NOT_A),
    )
}

/// What knights on the squares of `from` attack.
pub(super) fn knights(from: Bitboard) -> Bitboard {
    let from = from.0;
    Bitboard(
        ((from << 17) | (from >> 15)) & NOT_A
            | ((from << 15) | (from >> 17)) & NOT_H
            | ((from << 10) | (from >> 6)) & NOT_AB
            | ((from << 6) | (from >> 10)) & NOT_GH,
    )
}

/// What kings on the squares of `from` attack.
pub(super) fn kings(from: Bitboard) -> Bitboard {
    let from = from.0;
    let rows = from | (from << 1) & NOT_A | (from >> 1) & NOT_H;
    Bitboard((rows << 8) | (rows >> 8) | (from << 1) & NOT_A | (from >> 1) & NOT_H)
}

/// What pawns of `color` on the squares of `from` attack.
pub(super) fn pawns(color: Color, from: Bitboard) -> Bitboard {
    let ahead = push(color, from).0;
    Bitboard((ahead << 1) & NOT_A | (ahead >> 1) & NOT_H)
}

/// One square ahead.
pub(super) fn push(color: Color, from: Bitboard) -> Bitboard {
    Bitboard(match color {
        Color::White => from.0 << 8,
        Color::Black => from.0 >> 8,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Square, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks};

    #[test]
    fn sets_of_one_piece_attack_what_the_piece_attacks() {
        let mut blockers = 0x1234_5678_9abc_def0_u64;
        for square in (0..640).map(|nth| Square::from_index(nth % 64)) {
            blockers = blockers.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
            let (from, occupied) = (Bitboard::from_square(square), Bitboard(blockers));
            assert_eq!(rooks(from, !occupied), rook_attacks(square, occupied));
            assert_eq!(bishops(from, !occupied), bishop_attacks(square, occupied));
            assert_eq!(knights(from), knight_attacks(square));
            assert_eq!(kings(from), king_attacks(square));
            for color in Color::ALL {
                assert_eq!(pawns(color, from), pawn_attacks(color, square));
            }
        }
    }
}
