//! The openings that games of a match begin with.
//!
//! Invariant: every opening is legal and its game goes on; a test reads the list.

use zeitnot_rules::board::Position;
use zeitnot_rules::game::Variant;

use crate::line::Line;

/// Usual openings, one a line.
const LIST: &str = include_str!("../../data/openings.txt");

/// A named opening.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub(super) name: &'static str,
    pub(super) line: Line,
}

/// All openings, in the order of the list. A line that is not legal is left out; the test below fails
/// then.
pub(super) fn all() -> Vec<Opening> {
    lines().filter_map(read).collect()
}

fn lines() -> impl Iterator<Item = &'static str> {
    LIST.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty())
}

fn read(text: &'static str) -> Option<Opening> {
    let (name, moves) = text.split_once(':')?;
    let mut line = Line::new(Position::standard(), Variant::Standard);
    for mv in moves.split_ascii_whitespace() {
        line.play_uci(mv).ok()?;
    }
    Some(Opening { name, line })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_opening_is_legal_and_another_one() {
        let openings = all();
        assert_eq!(openings.len(), lines().count());
        let positions: HashSet<u64> =
            openings.iter().map(|opening| opening.line.position().zobrist()).collect();
        assert_eq!(positions.len(), openings.len());
        assert!(openings.len() >= 20, "a match of 40 games has 20 openings");
    }
}
