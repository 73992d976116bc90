//! Why a game in PGN cannot be read.

use thiserror::Error;

use super::super::fen::FenError;
use super::super::san::SanError;

/// What is wrong with a game, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct PgnError {
    /// The line of the text, counted from 1.
    pub line: u32,
    /// What is wrong there.
    pub problem: PgnProblem,
}

/// What can be wrong with a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PgnProblem {
    /// A move cannot be read or played.
    #[error("{text:?} as half-move {ply}: {reason}")]
    Move {
        /// Which half-move of the game, counted from 1.
        ply: u32,
        /// What stands there, at most 24 characters of it.
        text: String,
        /// Why it is no move.
        reason: SanError,
    },
    /// Something between square brackets that is no tag.
    #[error("expected a tag such as [White \"name\"] on one line")]
    Tag,
    /// The start position of the FEN tag cannot be read.
    #[error("the FEN tag: {0}")]
    Fen(#[from] FenError),
    /// The Variant tag names neither standard chess nor Chess960.
    #[error("the variant {0:?} is neither standard chess nor Chess960")]
    Variant(String),
    /// A comment that begins here is not closed in its game.
    #[error("the comment that begins here is not closed")]
    UnclosedComment,
    /// A variation that begins here is not closed in its game.
    #[error("the variation that begins here is not closed")]
    UnclosedVariation,
    /// A character that has no meaning here.
    #[error("unexpected {0:?}")]
    Unexpected(char),
}

/// The beginning of a text of any length, for an error.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(24).collect()
}
