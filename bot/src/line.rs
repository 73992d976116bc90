//! A game as a thinker gets it: the first position, the moves so far, and the position they led to.
//!
//! Deliberately absent: clocks, offers and results. Those belong to the server, or to the match that
//! is being played.
//!
//! Invariant: every move is legal where it stands, so that `position` always follows from the rest.

use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::uci::{self, UciError};
use zeitnot_rules::verdict::{AutomaticDraws, Fingerprint, Outcome, after_move, occurrences};

/// The moves of a game from its first position on.
///
/// ```
/// use zeitnot_bot::Line;
/// use zeitnot_rules::board::Position;
/// use zeitnot_rules::game::Variant;
///
/// let mut line = Line::new(Position::standard(), Variant::Standard);
/// for text in ["e2e4", "e7e5", "g1f3"] {
///     line.play_uci(text)?;
/// }
/// assert_eq!(line.moves().len(), 3);
/// assert!(line.play_uci("e2e4").is_err());
/// # Ok::<(), zeitnot_rules::notation::uci::UciError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Line {
    variant: Variant,
    start: Position,
    moves: Vec<Move>,
    position: Position,
    /// The hashes of the positions before `position` that can come again, the oldest first.
    stood: Vec<u64>,
}

impl Line {
    /// A game without moves.
    #[must_use]
    pub fn new(start: Position, variant: Variant) -> Self {
        Self { variant, position: start.clone(), start, moves: Vec::new(), stood: Vec::new() }
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// [`UciError::Illegal`] when it is not legal; the line is as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), UciError> {
        let before = self.position.zobrist();
        self.position.play(mv).map_err(|_| UciError::Illegal)?;
        if self.position.halfmove_clock() == 0 {
            self.stood.clear();
        } else {
            self.stood.push(before);
        }
        self.moves.push(mv);
        Ok(())
    }

    /// Plays a move in UCI notation.
    ///
    /// # Errors
    /// [`UciError`] when the text is not a legal move; the line is as it was.
    pub fn play_uci(&mut self, text: &str) -> Result<Move, UciError> {
        let mv = uci::parse(text, &self.position, self.variant)?;
        self.play(mv)?;
        Ok(mv)
    }

    /// Standard chess or Chess960.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The first position.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves from the first position on.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after the last move.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The hashes of the earlier positions that can come again, the oldest first.
    #[must_use]
    pub fn stood(&self) -> &[u64] {
        &self.stood
    }

    /// How often the position has stood, this time included (9.2.3).
    #[must_use]
    pub fn occurrences(&self) -> u16 {
        let fingerprint = |&hash: &u64| Fingerprint(hash as u32);
        let stood: Vec<_> = self.stood.iter().map(fingerprint).collect();
        occurrences(&stood, || self.anchor(), &self.position)
    }

    /// How the game has ended by the rules alone, or `None` while it goes on.
    #[must_use]
    pub fn outcome(&self, automatic: AutomaticDraws) -> Option<Outcome> {
        after_move(&self.position, || self.occurrences(), automatic)
    }

    /// The oldest position that can come again, and the moves from there on.
    fn anchor(&self) -> (Position, impl Iterator<Item = Move>) {
        let first = self.moves.len() - self.stood.len();
        let mut position = self.start.clone();
        for &mv in &self.moves[..first] {
            position.play_unchecked(mv);
        }
        (position, self.moves[first..].iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeitnot_rules::verdict::Reason;

    const CLAIMABLE: AutomaticDraws = AutomaticDraws { repetitions: 3, quiet_plies: 100 };

    fn line(moves: &str) -> Line {
        let mut line = Line::new(Position::standard(), Variant::Standard);
        for text in moves.split_whitespace() {
            line.play_uci(text).expect("a legal move");
        }
        line
    }

    #[test]
    fn a_position_that_stands_for_the_third_time_is_counted() {
        let dance = "g1f3 g8f6 f3g1 f6g8 ";
        let twice = line(&format!("e2e4 e7e5 {dance}"));
        assert_eq!(twice.occurrences(), 2);
        assert_eq!(twice.outcome(CLAIMABLE), None);
        let thrice = line(&format!("e2e4 e7e5 {dance}{dance}"));
        assert_eq!(thrice.occurrences(), 3);
        assert_eq!(thrice.outcome(CLAIMABLE).map(|end| end.reason), Some(Reason::ThreefoldRepetition));
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut line = line("e2e4");
        let before = line.position().clone();
        assert_eq!(line.play_uci("e2e4"), Err(UciError::Illegal));
        assert_eq!(line.play_uci("nonsense"), Err(UciError::Malformed));
        assert_eq!((line.position(), line.moves().len()), (&before, 1));
    }
}
