//! The square on which a search wants to checkmate, and distances to squares.
//!
//! Guidance only: nothing here decides an answer.

use crate::board::{Bitboard, Square, king_attacks};

/// The distance of a square from which a king does not come to the goal within 20 moves.
const FAR: u8 = 20;

/// A square for checkmate, with the distance of the loser's king from it.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) square: Square,
    /// By square: how many moves the king needs, at most [`FAR`].
    pub(super) distances: [u8; 64],
}

impl Goal {
    /// The goal on `square` for a king that can only ever stand on the squares of `reachable`.
    pub(super) fn new(square: Square, reachable: Bitboard) -> Self {
        let distances = distances(Bitboard::from_square(square), !reachable, king_attacks);
        Self { square, distances: distances.map(|distance| distance.min(FAR)) }
    }
}

/// How many moves every square is away from the nearest of `goals`, for a piece that attacks as
/// `attacks` says and never stands on `closed` squares. `u8::MAX` where there is no way.
pub(super) fn distances(goals: Bitboard, closed: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> [u8; 64] {
    let mut distances = [u8::MAX; 64];
    let (mut frontier, mut seen) = (goals, goals);
    for distance in 0..u8::MAX {
        if frontier.is_empty() {
            break;
        }
        frontier.into_iter().for_each(|square| distances[square.index()] = distance);
        let next = frontier.into_iter().fold(Bitboard::EMPTY, |next, square| next | attacks(square));
        frontier = next & !closed & !seen;
        seen |= frontier;
    }
    distances
}
