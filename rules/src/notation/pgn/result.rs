//! The four results of PGN.

use crate::verdict::{Outcome, Score};

/// How a game ended, as far as PGN can say it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PgnResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `*`: in progress, aborted, not known, or a score that PGN has no token for.
    #[default]
    Unknown,
}

impl PgnResult {
    /// The token that ends the moves and is the Result tag.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }

    /// The result of a token; `½-½` and `1/2` are read as draws too.
    #[must_use]
    pub fn from_token(token: &str) -> Option<Self> {
        Some(match token {
            "1-0" => Self::WhiteWins,
            "0-1" => Self::BlackWins,
            "1/2-1/2" | "1/2" | "½-½" => Self::Draw,
            "*" => Self::Unknown,
            _ => return None,
        })
    }

    /// The result of an outcome; `None` for a game in progress. The arbiter's 0-0, 1/2-0 and 0-1/2
    /// (12.9) are [`PgnResult::Unknown`]; [`ending_tags`](super::ending_tags) says them.
    #[must_use]
    pub const fn of(outcome: Option<&Outcome>) -> Self {
        match outcome {
            None => Self::Unknown,
            Some(outcome) => match outcome.score {
                Score::WhiteWins => Self::WhiteWins,
                Score::BlackWins => Self::BlackWins,
                Score::Draw => Self::Draw,
                Score::BothLose | Score::HalfToWhite | Score::HalfToBlack | Score::NoResult => Self::Unknown,
            },
        }
    }
}
