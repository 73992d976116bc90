//! Random numbers from a seed, and random games made with them.

use zeitnot_rules::board::{Move, Position};

/// SplitMix64: the same numbers for the same seed, on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// One of them, if there are any.
    pub(crate) fn choose<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(self.pick(from)) }
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Plays random legal moves for at most `plies`, and shows each position with the move that is
/// about to be played in it. The last position comes without a move.
pub(crate) fn playout(
    start: Position,
    plies: usize,
    random: &mut Random,
    mut look: impl FnMut(&Position, Option<Move>),
) {
    let mut position = start;
    for _ in 0..plies {
        let Some(mv) = random.choose(&position.legal_moves()) else { break };
        look(&position, Some(mv));
        position.play(mv).expect("a generated move is legal");
    }
    look(&position, None);
}
