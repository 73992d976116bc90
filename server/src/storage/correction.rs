//! Corrections of results: what a finished game counts as since an admin has said so.
//!
//! The records of a game say how it was played out, and stay as they are. A correction is kept beside them, and whoever
//! shows or counts a game asks for the one in force.
//!
//! Deliberately absent: what a correction does to ratings (`rating`), and who may correct (`admin`).

use zeitnot_rules::verdict::{Outcome, Reason, Score};

/// The most corrections of one game: nobody is wrong so often.
pub const CORRECTIONS_MAX: usize = 100;

/// A later result of a game that has ended. The last one of a game is the one that may be in force.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Correction {
    /// The score since then.
    pub score: Score,
    /// When it was corrected, in milliseconds of Unix time.
    pub at_unix_ms: u64,
}

/// A game ends by a correction as by the arbiter (12.9), whatever was played.
static OUTCOMES: [Outcome; 7] = [
    by_arbiter(Score::WhiteWins),
    by_arbiter(Score::BlackWins),
    by_arbiter(Score::Draw),
    by_arbiter(Score::BothLose),
    by_arbiter(Score::HalfToWhite),
    by_arbiter(Score::HalfToBlack),
    by_arbiter(Score::NoResult),
];

const fn by_arbiter(score: Score) -> Outcome {
    Outcome { score, reason: Reason::Arbiter, proof: None }
}

impl Correction {
    /// Itself, for a game that was played out like this; `None` when that has the same score: such a correction takes the
    /// earlier ones back.
    #[must_use]
    pub fn in_force(self, played: &Outcome) -> Option<Self> {
        (self.score != played.score).then_some(self)
    }

    /// How the game counts as ended.
    #[must_use]
    pub fn outcome(self) -> &'static Outcome {
        let index = match self.score {
            Score::WhiteWins => 0,
            Score::BlackWins => 1,
            Score::Draw => 2,
            Score::BothLose => 3,
            Score::HalfToWhite => 4,
            Score::HalfToBlack => 5,
            Score::NoResult => 6,
        };
        &OUTCOMES[index]
    }

    /// The outcomes of all corrections that there can be.
    pub(super) fn outcomes() -> impl Iterator<Item = &'static Outcome> {
        OUTCOMES.iter()
    }
}

/// What became of a correction that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Corrected {
    /// It is kept.
    From {
        /// What the game counted as before.
        score: Score,
        /// Whether it has changed the ratings of both players.
        is_rated: bool,
    },
    /// The game counts as that already. Nothing has changed; nor has it by one of the following.
    Same,
    /// No game with this id has ended.
    NotEnded,
    /// The game was played elsewhere, and imported.
    Imported,
    /// It was corrected [`CORRECTIONS_MAX`] times.
    TooMany,
    /// What is kept of the game, or of a rating that would change, is not as it was written.
    Damaged,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_is_the_arbiters_and_one_to_what_was_played_out_is_not_in_force() {
        for outcome in Correction::outcomes() {
            let correction = Correction { score: outcome.score, at_unix_ms: 1 };
            assert_eq!((correction.outcome(), outcome.reason), (outcome, Reason::Arbiter));
            let played = Outcome { score: Score::Draw, reason: Reason::Stalemate, proof: None };
            assert_eq!(correction.in_force(&played).is_some(), outcome.score != Score::Draw);
        }
    }
}
