//! One engine for one game at a time: it is started again when it dies, hangs or plays an illegal move.
//!
//! Deliberately absent: pondering, and searches of more than one position at once. A program that plays
//! several games has an engine for each.
//!
//! Invariants: a move that is returned is legal. In a game the process is started again at most
//! [`MOST_FAILURES`] times.

use std::path::PathBuf;
use std::time::Duration;

use zeitnot_rules::board::{Color, Move, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::{fen, uci};

use super::EngineError;
use super::options::UciOption;
use super::process::Process;
use crate::line::Line;
use crate::matches::Budget;
use crate::search::{Level, Score};
use crate::stopwatch::Stopwatch;

/// An engine that fails more often in a game is not started again.
pub const MOST_FAILURES: u32 = 3;

/// The least time that an engine is given for a move.
const LEAST_TIME: Duration = Duration::from_millis(20);

/// How an engine is started and used.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// The program.
    pub path: PathBuf,
    /// Its arguments; few engines have any.
    pub arguments: Vec<String>,
    /// Options to set, all of which the engine must have.
    pub options: Vec<UciOption>,
    /// The level to play at, by what the engine offers for it.
    pub level: Option<Level>,
    /// What a move loses on its way, and the engine may not use.
    pub overhead: Duration,
    /// How long the engine may take to answer anything but `go`.
    pub answer_within: Duration,
    /// How long it may think where there is no clock.
    pub longest_thought: Duration,
}

impl EngineConfig {
    /// An engine without options, with usual times.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            arguments: Vec::new(),
            options: Vec::new(),
            level: None,
            overhead: Duration::from_millis(100),
            answer_within: Duration::from_secs(10),
            longest_thought: Duration::from_secs(60),
        }
    }
}

/// What an engine has chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move; legal.
    pub mv: Move,
    /// What the engine thinks of the position, if it has said so.
    pub score: Option<Score>,
}

/// An engine.
///
/// ```no_run
/// # async fn example() -> Result<(), zeitnot_bot::uci::EngineError> {
/// use zeitnot_bot::Line;
/// use zeitnot_bot::matches::Budget;
/// use zeitnot_bot::uci::{Engine, EngineConfig};
/// use zeitnot_rules::{board::Position, game::Variant};
///
/// let mut engine = Engine::start(EngineConfig::new("/usr/games/stockfish")).await?;
/// engine.begin(Variant::Standard).await?;
/// let line = Line::new(Position::standard(), Variant::Standard);
/// let answer = engine.choose(&line, Budget::Nodes(10_000)).await?;
/// assert!(line.position().is_legal(answer.mv));
/// engine.quit().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Engine {
    config: EngineConfig,
    process: Option<Process>,
    variant: Variant,
    /// How often it has failed in this game.
    failures: u32,
}

impl Engine {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    /// When it cannot be started, does not answer, or lacks an option.
    pub async fn start(config: EngineConfig) -> Result<Self, EngineError> {
        let mut engine = Self { config, process: None, variant: Variant::Standard, failures: 0 };
        engine.running().await?;
        Ok(engine)
    }

    /// Begins a game.
    ///
    /// # Errors
    /// [`EngineError::NoChess960`] when it cannot play the variant; others when it fails twice.
    pub async fn begin(&mut self, variant: Variant) -> Result<(), EngineError> {
        (self.variant, self.failures) = (variant, 0);
        match self.try_to_begin().await {
            Err(error) if error.is_worth_a_restart() => {
                self.process = None;
                self.try_to_begin().await
            }
            result => result,
        }
    }

    async fn try_to_begin(&mut self) -> Result<(), EngineError> {
        let variant = self.variant;
        let process = self.running().await?;
        process.abandon_search().await?;
        let chess960 = if variant == Variant::Chess960 { "true" } else { "false" };
        let option = UciOption { name: "UCI_Chess960".to_owned(), value: chess960.to_owned() };
        match process.set(&option).await {
            Err(EngineError::UnknownOption(_)) if variant == Variant::Chess960 => {
                return Err(EngineError::NoChess960);
            }
            Err(EngineError::UnknownOption(_)) | Ok(()) => {}
            Err(error) => return Err(error),
        }
        process.send("ucinewgame").await?;
        process.ready().await
    }

    /// The engine's move. It may be dropped: then the engine is told to stop before the next move.
    ///
    /// # Errors
    /// [`EngineError::GivenUp`] after too many failures in this game.
    pub async fn choose(&mut self, line: &Line, budget: Budget) -> Result<Answer, EngineError> {
        let watch = Stopwatch::start();
        let mut left = budget;
        loop {
            let error = match self.ask(line, left).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            if !error.is_worth_a_restart() && !matches!(error, EngineError::Start { .. }) {
                return Err(error);
            }
            tracing::warn!(%error, "an engine has failed");
            self.failures += 1;
            self.process = None;
            if self.failures > MOST_FAILURES {
                return Err(EngineError::GivenUp { failures: self.failures, last: Box::new(error) });
            }
            left = less(budget, line.position().side_to_move(), watch.elapsed());
        }
    }

    async fn ask(&mut self, line: &Line, budget: Budget) -> Result<Answer, EngineError> {
        if self.process.is_none() {
            self.variant = line.variant();
            self.try_to_begin().await?;
        }
        let patience = self.patience(line.position().side_to_move(), budget);
        let overhead = self.config.overhead;
        let process = self.running().await?;
        process.abandon_search().await?;
        let keeps_overhead = process.options.has(OVERHEAD);
        process.send(&position(line)).await?;
        (process.searching, process.score) = (true, None);
        process.send(&go(budget, if keeps_overhead { Duration::ZERO } else { overhead })).await?;
        let (text, score) = match process.best_move(patience.thought).await {
            Err(EngineError::Silent { .. }) => {
                process.send("stop").await?;
                process.best_move(patience.after_stop).await?
            }
            answer => answer?,
        };
        match uci::parse(&text, line.position(), line.variant()) {
            Ok(mv) => Ok(Answer { mv, score }),
            Err(_) => Err(EngineError::Illegal(shortened(text))),
        }
    }

    /// How long the engine may think, and how long it may take to stop. An engine that hangs is noticed
    /// while there is time left to start another one.
    fn patience(&self, us: Color, budget: Budget) -> Patience {
        match budget {
            Budget::Nodes(_) => {
                Patience { thought: self.config.longest_thought, after_stop: self.config.answer_within }
            }
            Budget::Time(time) => {
                Patience { thought: time.saturating_mul(2), after_stop: self.config.answer_within }
            }
            Budget::Clocks { left, increment } => Patience {
                thought: (left[us] / 2 + increment).min(left[us].mul_f32(0.8)).max(LEAST_TIME),
                after_stop: (left[us] / 16).clamp(LEAST_TIME, self.config.answer_within),
            },
        }
    }

    /// The process, started if there is none.
    async fn running(&mut self) -> Result<&mut Process, EngineError> {
        if self.process.is_none() {
            let mut process = Process::start(&self.config).await?;
            let mut options = process.options.of_level(self.config.level);
            options.extend(self.defaults(&process));
            options.extend(self.config.options.iter().cloned());
            for option in &options {
                process.set(option).await?;
            }
            process.ready().await?;
            self.process = Some(process);
        }
        self.process.as_mut().ok_or(EngineError::Died)
    }

    /// What is set unless the configuration says otherwise.
    fn defaults(&self, process: &Process) -> Vec<UciOption> {
        let millis = self.config.overhead.as_millis().to_string();
        let defaults = [("Ponder", "false".to_owned()), (OVERHEAD, millis)];
        defaults
            .into_iter()
            .filter(|(name, _)| process.options.has(name))
            .map(|(name, value)| UciOption { name: name.to_owned(), value })
            .collect()
    }

    /// Ends the process.
    pub async fn quit(mut self) {
        if let Some(process) = self.process.take() {
            process.quit().await;
        }
    }
}

const OVERHEAD: &str = "Move Overhead";

/// How long is waited for a move.
struct Patience {
    thought: Duration,
    after_stop: Duration,
}

/// The budget after some of the mover's time has passed.
fn less(budget: Budget, us: Color, passed: Duration) -> Budget {
    match budget {
        Budget::Nodes(_) | Budget::Time(_) => budget,
        Budget::Clocks { mut left, increment } => {
            left[us] = left[us].saturating_sub(passed).max(LEAST_TIME);
            Budget::Clocks { left, increment }
        }
    }
}

/// `position …` with all moves of the game.
fn position(line: &Line) -> String {
    let start = line.start();
    let mut text = match line.variant() {
        Variant::Standard if *start == Position::standard() => "position startpos".to_owned(),
        _ => format!("position fen {}", fen::write(start)),
    };
    let mut position = start.clone();
    for (nth, &mv) in line.moves().iter().enumerate() {
        text.push_str(if nth == 0 { " moves " } else { " " });
        text.push_str(uci::write(mv, &position, line.variant()).as_str());
        position.play_unchecked(mv);
    }
    text
}

/// `go …`; `overhead` is taken off the clocks.
fn go(budget: Budget, overhead: Duration) -> String {
    match budget {
        Budget::Nodes(nodes) => format!("go nodes {nodes}"),
        Budget::Time(time) => format!("go movetime {}", time.as_millis()),
        Budget::Clocks { left, increment } => {
            let millis = |left: Duration| left.saturating_sub(overhead).max(LEAST_TIME).as_millis();
            let (white, black, increment) = (millis(left.white), millis(left.black), increment.as_millis());
            format!("go wtime {white} btime {black} winc {increment} binc {increment}")
        }
    }
}

/// An answer of an engine, short enough for a message.
fn shortened(answer: String) -> String {
    if answer.len() <= 16 { answer } else { answer.chars().take(16).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeitnot_rules::board::ByColor;

    fn clocks(white: u64, black: u64, increment: u64) -> Budget {
        let left = ByColor { white: Duration::from_millis(white), black: Duration::from_millis(black) };
        Budget::Clocks { left, increment: Duration::from_millis(increment) }
    }

    #[test]
    fn positions_are_written_as_the_protocol_has_them() {
        let mut line = Line::new(Position::standard(), Variant::Standard);
        assert_eq!(position(&line), "position startpos");
        for text in ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1g1"] {
            line.play_uci(text).expect("legal");
        }
        assert_eq!(position(&line), "position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1");
    }

    #[test]
    fn chess960_has_a_position_and_castling_onto_the_rook() {
        let mut line = Line::new(Position::standard(), Variant::Chess960);
        for text in ["e2e4", "e7e5", "g1f3", "g8f6", "f1c4", "f8c5", "e1h1"] {
            line.play_uci(text).expect("legal");
        }
        let text = position(&line);
        assert!(text.starts_with("position fen rnbqkbnr/") && text.ends_with(" e1h1"), "{text}");
    }

    #[test]
    fn clocks_are_sent_without_what_the_way_takes() {
        let budget = clocks(60_000, 30, 2_000);
        assert_eq!(go(budget, Duration::ZERO), "go wtime 60000 btime 30 winc 2000 binc 2000");
        assert_eq!(go(budget, Duration::from_millis(100)), "go wtime 59900 btime 20 winc 2000 binc 2000");
        assert_eq!(go(Budget::Nodes(5), Duration::ZERO), "go nodes 5");
    }

    #[test]
    fn a_restart_costs_only_the_side_that_thinks() {
        let budget = less(clocks(1_000, 1_000, 0), Color::White, Duration::from_millis(300));
        assert_eq!(budget, clocks(700, 1_000, 0));
    }
}
