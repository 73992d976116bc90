//! What is wrong, where: the differences a crash test exists for.

use std::fmt;

use zeitnot_protocol::GameId;

/// What kind of wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Something that was told is gone, or is not what it was.
    Lost,
    /// Something is there twice.
    Doubled,
    /// A flag fell, or a clock was charged, though its player had the time.
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
    /// What was seen of it.
    pub seen: String,
    /// What is there.
    pub there: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, game, seq, seen, there } = self;
        write!(f, "{kind}: game {game}, seq {seq}: seen: {seen}; there: {there}")
    }
}
