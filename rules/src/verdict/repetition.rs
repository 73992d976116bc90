//! How often a position has stood (9.2.3), exactly.
//!
//! A history keeps 32 bits for each ply and no positions. An equal hash is only a hint: an
//! occurrence counts if the position, replayed from the last pawn move or capture, is the
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

/// One half-move of a history.
pub trait Step {
    /// The move.
    fn mv(&self) -> Move;
    /// The fingerprint of the position after it.
    fn fingerprint(&self) -> Fingerprint;
}

/// How often `position` has stood, this time included, when it comes after `steps` and one more
/// half-move.
///
/// `steps` lead from `anchor` to the position before it. `anchor` is the position after the last
/// pawn move or capture, or the game's first position when there was none: no earlier position can
/// come again. When that one more half-move is itself a pawn move or a capture, the answer is 1.
#[must_use]
pub fn occurrences<S: Step>(anchor: &Position, steps: &[S], position: &Position) -> u16 {
    if position.halfmove_clock() == 0 {
        return 1;
    }
    // The position has number `steps.len() + 1` counted from the anchor, which has 0. Only every
    // second one has the same side to move, and the nearest that can be equal lies four plies back.
    let Some(nearest) = (steps.len() + 1).checked_sub(4) else { return 1 };
    let wanted = Fingerprint::of(position);
    let is_hit = |number: usize| match number {
        0 => Fingerprint::of(anchor) == wanted,
        number => steps[number - 1].fingerprint() == wanted,
    };
    match (0..=nearest).rev().step_by(2).find(|&number| is_hit(number)) {
        None => 1,
        Some(last) => 1 + count_exactly(anchor, &steps[..last], position),
    }
}

/// How many of the positions from the anchor to the end of `steps` are the same as `position`.
#[cold]
fn count_exactly<S: Step>(anchor: &Position, steps: &[S], position: &Position) -> u16 {
    let wanted = Fingerprint::of(position);
    let mut replayed = anchor.clone();
    let mut count = u16::from(replayed.same_position(position));
    for step in steps {
        replayed.play_unchecked(step.mv());
        count += u16::from(step.fingerprint() == wanted && replayed.same_position(position));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{File, Rank, Square};

    struct Forged(Move, Fingerprint);

    impl Step for Forged {
        fn mv(&self) -> Move {
            self.0
        }

        fn fingerprint(&self) -> Fingerprint {
            self.1
        }
    }

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
        let steps: Vec<Forged> = moves[..moves.len() - 1]
            .iter()
            .zip(&positions[1..])
            .map(|(mv, position)| Forged(*mv, forge(Fingerprint::of(position), wanted)))
            .collect();
        occurrences(&anchor, &steps, &last)
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
        assert_eq!(occurrences::<Forged>(&anchor, &[], &after), 1);
    }
}
