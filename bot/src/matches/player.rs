//! Who plays a match: a level of the searcher.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;
use zeitnot_rules::board::Move;

use super::game::{Budget, Thinker, ThinkerError};
use crate::line::Line;
use crate::search::{Level, Limits, Searcher, Stop};

/// The table of a searcher in a match, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// What is lost between a clock and a thinker in the same process.
const OVERHEAD: Duration = Duration::from_millis(10);

/// A player, as it is named on the command line.
///
/// ```
/// use zeitnot_bot::matches::PlayerName;
///
/// let level: PlayerName = "level:3".parse()?;
/// assert_eq!(level.to_string(), "level:3");
/// assert!("level:9".parse::<PlayerName>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerName {
    /// A level of the searcher.
    Level(Level),
}

/// Not a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a player is `level:1` to `level:8`")]
pub struct PlayerNameError;

impl FromStr for PlayerName {
    type Err = PlayerNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let level = text.strip_prefix("level:").ok_or(PlayerNameError)?;
        level.parse().map(Self::Level).map_err(|_| PlayerNameError)
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => write!(f, "level:{level}"),
        }
    }
}

impl PlayerName {
    /// The player itself.
    pub(super) fn open(&self) -> Box<dyn Thinker> {
        match *self {
            Self::Level(level) => {
                Box::new(LevelPlayer { level, searcher: Searcher::new(TABLE_BYTES), seed: 0 })
            }
        }
    }
}

/// A level at the board.
struct LevelPlayer {
    level: Level,
    searcher: Searcher,
    seed: u64,
}

impl Thinker for LevelPlayer {
    fn begin(&mut self, seed: u64) -> Result<(), ThinkerError> {
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, line: &Line, budget: Budget) -> Result<Move, ThinkerError> {
        let limits = match budget {
            Budget::Nodes(nodes) => Limits::nodes(nodes),
            Budget::Clocks { left, increment } => {
                Limits::clock(left[line.position().side_to_move()], increment, OVERHEAD)
            }
        };
        let found = self.level.choose(&mut self.searcher, line, &limits, self.seed, &Stop::default());
        found.map(|found| found.mv).ok_or_else(|| ThinkerError("no legal move".to_owned()))
    }
}
