//! What is left out of the tree, and how much less deep the rest is looked at: margins in centipawns,
//! and plies.
//!
//! Deliberately absent: the tree itself, which decides where these numbers count. Nothing is pruned while
//! every move so far is a checkmate against the side to move, while a checkmate has been found and a
//! shorter one is looked for, in check, nor where the side has only king and pawns: there zugzwang is usual.

/// Reductions are counted in parts of a ply.
pub(super) const PLY: i32 = 256;

/// At this depth and below, an estimate that is far above the window counts as a score.
pub(super) const ESTIMATE_COUNTS: i32 = 8;

/// From this depth on, a node whose best move nobody knows is searched a ply less deep.
pub(super) const UNKNOWN_MOVE: i32 = 4;

/// Down to this depth after reductions, quiet moves that cannot reach the window are left out.
pub(super) const FUTILE: i32 = 7;

/// Down to this depth, moves that lose material are left out.
pub(super) const LOSING: i32 = 7;

/// How far above the window an estimate counts as a score.
pub(super) const fn above(depth: i32, improving: bool) -> i32 {
    80 * depth - if improving { 60 } else { 0 }
}

/// How far below the window quiet moves are left out.
pub(super) const fn futility(depth: i32) -> i32 {
    100 + 90 * depth
}

/// How many moves of a node of this depth are tried before the other quiet ones are left out.
pub(super) const fn moves_tried(depth: i32, improving: bool) -> usize {
    let count = 3 + depth * depth;
    (if improving { count } else { count / 2 + 1 }) as usize
}

/// What a move may lose by captures on its square.
pub(super) const fn loss(depth: i32, quiet: bool) -> i32 {
    if quiet { 30 * depth * depth } else { 100 * depth }
}

/// How much less deep the `nth` move is looked at, in parts of a ply: it grows with the logarithms of
/// both numbers.
pub(super) const fn reduction(depth: i32, nth: usize) -> i32 {
    PLY * 3 / 4 + log(depth as usize) * log(nth) / 5
}

/// 16 times the binary logarithm, of 1 to 63.
const fn log(number: usize) -> i32 {
    let number = if number < 1 {
        1
    } else if number > 63 {
        63
    } else {
        number
    };
    (number as u128).pow(16).ilog2() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number_and_stay_below_the_depth() {
        for depth in 3..60 {
            for nth in 2..250 {
                assert!(reduction(depth, nth) <= reduction(depth + 1, nth));
                assert!(reduction(depth, nth) <= reduction(depth, nth + 1));
            }
        }
        assert_eq!(reduction(1, 1), PLY * 3 / 4);
        assert_eq!(log(32), 80);
        assert_eq!(log(0), 0);
        assert_eq!(log(1_000), log(63));
    }
}
