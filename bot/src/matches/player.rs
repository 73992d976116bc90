//! Who plays a match: a level of the searcher, or an engine.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;
use tokio::runtime::{Builder, Runtime};
use zeitnot_rules::board::Move;
use zeitnot_rules::game::Variant;

use super::game::{Budget, Thinker, ThinkerError};
use crate::line::Line;
use crate::search::{Level, Limits, Searcher, Stop};
use crate::uci::{Engine, EngineConfig, UciOption};

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
    /// A UCI engine: the path of its program.
    Engine(PathBuf),
}

/// Not a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a player is `level:1` to `level:8`, or the path of a UCI engine with a slash in it")]
pub struct PlayerNameError;

impl FromStr for PlayerName {
    type Err = PlayerNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix("level:") {
            Some(level) => level.parse().map(Self::Level).map_err(|_| PlayerNameError),
            None if text.contains('/') => Ok(Self::Engine(text.into())),
            None => Err(PlayerNameError),
        }
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => write!(f, "level:{level}"),
            Self::Engine(path) => write!(f, "{}", path.display()),
        }
    }
}

/// A player with all that it is set to.
#[derive(Clone, Debug)]
pub struct Player {
    /// Who plays.
    pub name: PlayerName,
    /// Options of an engine.
    pub options: Vec<UciOption>,
}

impl From<Level> for Player {
    fn from(level: Level) -> Self {
        Self { name: PlayerName::Level(level), options: Vec::new() }
    }
}

impl Player {
    /// The player itself.
    pub(super) fn open(&self) -> Result<Box<dyn Thinker>, ThinkerError> {
        match &self.name {
            PlayerName::Level(level) => {
                Ok(Box::new(LevelPlayer { level: *level, searcher: Searcher::new(TABLE_BYTES), seed: 0 }))
            }
            PlayerName::Engine(path) => {
                let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
                let config = EngineConfig {
                    options: self.options.clone(),
                    overhead: OVERHEAD,
                    ..EngineConfig::new(path)
                };
                let engine = runtime.block_on(Engine::start(config)).map_err(failed)?;
                Ok(Box::new(EnginePlayer { runtime, engine }))
            }
        }
    }
}

fn failed(error: impl fmt::Display) -> ThinkerError {
    ThinkerError(error.to_string())
}

/// An engine at the board.
struct EnginePlayer {
    runtime: Runtime,
    engine: Engine,
}

impl Thinker for EnginePlayer {
    fn begin(&mut self, _: u64) -> Result<(), ThinkerError> {
        self.runtime.block_on(self.engine.begin(Variant::Standard)).map_err(failed)
    }

    fn choose(&mut self, line: &Line, budget: Budget) -> Result<Move, ThinkerError> {
        self.runtime.block_on(self.engine.choose(line, budget)).map(|answer| answer.mv).map_err(failed)
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
            Budget::Time(time) => Limits { hard: Some(time), ..Limits::NONE },
            Budget::Clocks { left, increment } => {
                Limits::clock(left[line.position().side_to_move()], increment, OVERHEAD)
            }
        };
        let found = self.level.choose(&mut self.searcher, line, &limits, self.seed, &Stop::default());
        found.map(|found| found.mv).ok_or_else(|| ThinkerError("no legal move".to_owned()))
    }
}
