//! Who thinks for a bot in a game: a level of the searcher, or an engine of its own.
//!
//! Invariant: a game has its own engine process; the threads that search are shared.

use std::time::Duration;

use thiserror::Error;
use zeitnot_rules::board::Move;
use zeitnot_rules::game::Variant;

use crate::line::Line;
use crate::matches::Budget;
use crate::pool::Pool;
use crate::search::{Level, Score};
use crate::uci::{Engine, EngineConfig, EngineError};

/// What a bot thinks with.
#[derive(Clone, Debug)]
pub enum Brain {
    /// A level of the searcher.
    Level {
        /// The level.
        level: Level,
        /// The threads.
        pool: Pool,
        /// What a move loses on its way.
        overhead: Duration,
    },
    /// An engine; each game starts one.
    Engine(EngineConfig),
}

/// What was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    pub(crate) mv: Move,
    pub(crate) score: Option<Score>,
}

/// Why nothing was chosen.
#[derive(Debug, Error)]
pub(crate) enum ThinkError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("no move was found")]
    NoMove,
}

/// Who thinks in one game.
#[derive(Debug)]
pub(crate) enum Thinker {
    Level { level: Level, pool: Pool, overhead: Duration, seed: u64 },
    Engine(Box<Engine>),
}

impl Brain {
    /// Gets ready for a game.
    pub(crate) async fn open(&self, variant: Variant, seed: u64) -> Result<Thinker, ThinkError> {
        match self {
            Self::Level { level, pool, overhead } => {
                Ok(Thinker::Level { level: *level, pool: pool.clone(), overhead: *overhead, seed })
            }
            Self::Engine(config) => {
                let mut engine = Engine::start(config.clone()).await?;
                engine.begin(variant).await?;
                Ok(Thinker::Engine(Box::new(engine)))
            }
        }
    }
}

impl Thinker {
    /// The move to play. To drop the future stops the thinking.
    pub(crate) async fn choose(&mut self, line: &Line, budget: Budget) -> Result<Choice, ThinkError> {
        match self {
            Self::Level { level, pool, overhead, seed } => {
                let found = pool.choose(*level, line, budget, *overhead, *seed).await;
                let found = found.ok_or(ThinkError::NoMove)?;
                Ok(Choice { mv: found.mv, score: Some(found.score) })
            }
            Self::Engine(engine) => {
                let answer = engine.choose(line, budget).await?;
                Ok(Choice { mv: answer.mv, score: answer.score })
            }
        }
    }

    /// Ends what was started for the game.
    pub(crate) async fn close(self) {
        if let Self::Engine(engine) = self {
            engine.quit().await;
        }
    }
}
