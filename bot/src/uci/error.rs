//! What can go wrong with an engine.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

/// Why an engine cannot be used, or has no move.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The program cannot be started.
    #[error("cannot start {path}: {error}")]
    Start {
        /// The program.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The process has ended, or closed its output or input.
    #[error("the engine has ended")]
    Died,
    /// It has not answered in time.
    #[error("the engine has not answered `{command}` within {waited:?}")]
    Silent {
        /// What it was sent.
        command: &'static str,
        /// How long it had.
        waited: Duration,
    },
    /// A line of its output is longer than a line may be.
    #[error("the engine has sent a line of more than {limit} bytes")]
    LongLine {
        /// The most bytes.
        limit: usize,
    },
    /// It has answered with something that is not a legal move.
    #[error("the engine has answered `{0}`, which is not a legal move")]
    Illegal(String),
    /// It has no option of this name.
    #[error("the engine has no option `{0}`")]
    UnknownOption(String),
    /// It does not know Chess960.
    #[error("the engine does not play Chess960")]
    NoChess960,
    /// It has failed so often in one game that it is not started again.
    #[error("the engine has failed {failures} times in this game, at last: {last}")]
    GivenUp {
        /// How often.
        failures: u32,
        /// The last failure.
        last: Box<Self>,
    },
}

impl EngineError {
    /// Whether a new process may do better.
    #[must_use]
    pub const fn is_worth_a_restart(&self) -> bool {
        matches!(self, Self::Died | Self::Silent { .. } | Self::LongLine { .. } | Self::Illegal(_))
    }
}
