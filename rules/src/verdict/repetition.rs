//! How often a position has stood (9.2.3), exactly.
//!
//! A history keeps 32 bits for each ply that may come again, and no positions. An equal hash is only
//! a hint: an occurrence counts if the position, replayed from the last pawn move or capture, is the
//! [`same_position`](Position::same_position) as the one in question. Positions before a pawn move
//! or capture cannot recur and are ignored.

use crate::board::{Move, Position};

/// 32 bits of a position's hash: if they differ, the positions differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(pub u32);

impl Fingerprint {
    /// The fingerprint of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        Self(position.zobrist() as u32)
    }
}

/// How often `position` has stood, this time included, when it comes one half-move after the last of
/// `stood`.
///
/// `stood` are the positions from the anchor on, which is the position after the last pawn move or
/// capture, or the game's first position when there was none: no earlier position can come again.
/// `replay` makes the anchor, and the moves that led from it to the last of `stood`; it is asked
/// only for a position that seems to have stood before. When the one half-move more is itself a pawn
/// move or a capture, the answer is 1.
#[must_use]
pub fn occurrences<M: Iterator<Item = Move>>(
    stood: &[Fingerprint],
    replay: impl FnOnce() -> (Position, M),
    position: &Position,
) -> u16 {
    if position.halfmove_clock() == 0 {
        return 1;
    }
    // Only every second position has the same side to move, and the nearest that can be equal lies
    // four plies back.
    let Some(nearest) = stood.len().checked_sub(4) else { return 1 };
    let wanted = Fingerprint::of(position);
    match (0..=nearest).rev().step_by(2).find(|&number| stood[number] == wanted) {
        None => 1,
        Some(last) => 1 + count_exactly(&stood[..=last], replay(), position),
    }
}

/// How many of the positions in `stood` are the same as `position`.
#[cold]
fn count_exactly(
    stood: &[Fingerprint],
    (mut replayed, mut moves): (Position, impl Iterator<Item = Move>),
    position: &Position,
) -> u16 {
    let wanted = Fingerprint::of(position);
    let mut count = 0;
    for fingerprint in stood {
        count += u16::from(*fingerprint == wanted && replayed.same_position(position));
        if let Some(mv) = moves.next() {
            replayed.play_unchecked(mv);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{File, Rank, Square};

    /// The white king's knight to f3, the black one to f6, and both home.
    fn dance() -> [Move; 4] {
        let square = |file, rank| Square::new(file, rank);
        let white = (square(File::G, Rank::First), square(File::F, Rank::Third));
        let black = (square(File::G, Rank::Eighth), square(File::F, Rank::Sixth));
        [
            Move::new(white.0, white.1),
            Move::new(black.0, black.1),
            Move::new(white.1, white.0),
            Move::new(black.1, black.0),
        ]
    }

    /// Plays `count` dances, and counts the last position with the fingerprints that `forge` makes
    /// of the true ones.
    fn count(count: usize, forge: impl Fn(Fingerprint, Fingerprint) -> Fingerprint) -> u16 {
        let anchor = Position::standard();
        let mut positions = vec![anchor.clone()];
        let moves: Vec<Move> = dance().into_iter().cycle().take(4 * count).collect();
        for mv in &moves {
            let mut next = positions.last().expect("there is a first").clone();
            next.play(*mv).expect("the dance is legal");
            positions.push(next);
        }
        let last = positions.last().expect("there is a last").clone();
        let wanted = Fingerprint::of(&last);
        let forged = |position| forge(Fingerprint::of(position), wanted);
        let stood: Vec<Fingerprint> = positions[..moves.len()].iter().map(forged).collect();
        occurrences(&stood, || (anchor, moves.into_iter()), &last)
    }

    #[test]
    fn every_occurrence_is_counted_with_the_first() {
        for dances in 1..6 {
            assert_eq!(count(dances, |fingerprint, _| fingerprint), dances as u16 + 1);
        }
    }

    #[test]
    fn an_equal_fingerprint_is_only_a_hint() {
        // Every position claims to be the wanted one.
        for dances in 1..6 {
            assert_eq!(count(dances, |_, wanted| wanted), dances as u16 + 1);
        }
    }

    #[test]
    fn a_pawn_move_or_capture_is_a_first_occurrence() {
        let anchor = Position::standard();
        let mut after = anchor.clone();
        let pawn = Move::new(Square::new(File::E, Rank::Second), Square::new(File::E, Rank::Fourth));
        after.play(pawn).expect("e4 is legal");
        let replay = || -> (Position, std::iter::Empty<Move>) { panic!("nothing stood before") };
        assert_eq!(occurrences(&[Fingerprint::of(&anchor)], replay, &after), 1);
    }
}
