//! The games that an account has played.

use std::pin::Pin;
use std::sync::Arc;

use zeitnot_protocol::GameId;

use super::{ReadError, Record};

/// A game that has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// Its place in the order in which games ended, from 1. The journal alone knows more about it.
    pub place: u64,
    /// The game.
    pub game: GameId,
    /// When it ended, in milliseconds of Unix time.
    pub ended_unix_ms: u64,
    /// All of its records.
    pub records: Vec<Arc<Record>>,
}

/// The answer to [`Journal::played`](super::Journal::played).
pub type Played = Pin<Box<dyn Future<Output = Result<Vec<PlayedGame>, ReadError>> + Send>>;
