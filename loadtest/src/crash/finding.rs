//! A difference between what clients were told and what the server has: what a crash test looks
//! for.

use std::fmt;

use zeitnot_protocol::GameId;

/// The kind of difference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Something that was told is missing or has changed.
    Lost,
    /// Something appears twice.
    Doubled,
    /// A flag fell or a clock was charged although the player had time left.
    Flagged,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lost => "lost",
            Self::Doubled => "doubled",
            Self::Flagged => "flagged",
        })
    }
}

/// One difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its kind.
    pub kind: Kind,
    /// The game.
    pub game: GameId,
    /// The event.
    pub seq: u32,
    /// What was told about it.
    pub seen: String,
    /// What the server has.
    pub there: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, game, seq, seen, there } = self;
        write!(f, "{kind}: game {game}, seq {seq}: seen: {seen}; there: {there}")
    }
}
