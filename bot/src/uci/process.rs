//! The process of an engine, from its start to `uciok`, and what it is sent and answers.
//!
//! Deliberately absent: starting again, which `engine` does. Invariant: the process ends with this value,
//! and no wait is without a bound.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::lines::Lines;
use super::options::{DeclaredOptions, UciOption};
use super::{EngineConfig, EngineError};
use crate::search::Score;

/// How nice an engine is: its process comes after those that others wait for.
const NICE: i32 = 10;

/// A running engine that has said `uciok`.
#[derive(Debug)]
pub(super) struct Process {
    /// Killed when it is dropped.
    child: Child,
    input: ChildStdin,
    output: Lines<ChildStdout>,
    answer_within: Duration,
    pub(super) options: DeclaredOptions,
    /// Whether a search was begun whose `bestmove` has not been read.
    pub(super) searching: bool,
    /// The last score of the search.
    pub(super) score: Option<Score>,
}

impl Process {
    /// Starts the program and waits for `uciok`.
    pub(super) async fn start(config: &EngineConfig) -> Result<Self, EngineError> {
        let failed = |error| EngineError::Start { path: config.path.clone(), error };
        let mut child = Command::new(&config.path)
            .args(&config.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(failed)?;
        yield_to_others(&child);
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(EngineError::Died);
        };
        let mut process = Self {
            child,
            input,
            output: Lines::new(output),
            answer_within: config.answer_within,
            options: DeclaredOptions::default(),
            searching: false,
            score: None,
        };
        process.send("uci").await?;
        process.wait_for("uci", "uciok").await?;
        Ok(process)
    }

    /// Sends a line.
    pub(super) async fn send(&mut self, line: &str) -> Result<(), EngineError> {
        let text = format!("{line}\n");
        let write = async {
            self.input.write_all(text.as_bytes()).await?;
            self.input.flush().await
        };
        match timeout(self.answer_within, write).await {
            Ok(written) => written.map_err(|_| EngineError::Died),
            Err(_) => Err(EngineError::Silent { command: "a line", waited: self.answer_within }),
        }
    }

    /// Sets an option that the engine has.
    pub(super) async fn set(&mut self, option: &UciOption) -> Result<(), EngineError> {
        let UciOption { name, value } = option;
        if !self.options.has(name) {
            return Err(EngineError::UnknownOption(name.clone()));
        }
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        self.send(&format!("setoption name {name}{value}")).await
    }

    /// Waits until the engine has done all it was sent.
    pub(super) async fn ready(&mut self) -> Result<(), EngineError> {
        self.send("isready").await?;
        self.wait_for("isready", "readyok").await
    }

    /// Reads lines until one is `answer`, and notes options on the way.
    async fn wait_for(&mut self, command: &'static str, answer: &str) -> Result<(), EngineError> {
        let waited = self.answer_within;
        let read = async {
            loop {
                let line = self.output.next().await?;
                self.options.note(&line);
                if line.trim() == answer {
                    return Ok(());
                }
            }
        };
        timeout(waited, read).await.unwrap_or(Err(EngineError::Silent { command, waited }))
    }

    /// Reads lines until `bestmove`; the move as it was written, and the last score before it.
    pub(super) async fn best_move(
        &mut self,
        within: Duration,
    ) -> Result<(String, Option<Score>), EngineError> {
        let read = async {
            loop {
                let line = self.output.next().await?;
                let mut words = line.split_ascii_whitespace();
                match words.next() {
                    Some("bestmove") => {
                        return Ok((words.next().unwrap_or_default().to_owned(), self.score));
                    }
                    Some("info") => self.score = score(words).or(self.score),
                    _ => {}
                }
            }
        };
        let answer =
            timeout(within, read).await.unwrap_or(Err(EngineError::Silent { command: "go", waited: within }));
        self.searching &= answer.is_err();
        answer
    }

    /// Ends a search that nobody waits for any more.
    pub(super) async fn abandon_search(&mut self) -> Result<(), EngineError> {
        if self.searching {
            self.send("stop").await?;
            self.best_move(self.answer_within).await?;
        }
        Ok(())
    }

    /// Asks the engine to end, and ends it if it does not.
    pub(super) async fn quit(mut self) {
        if self.send("quit").await.is_err() || timeout(self.answer_within, self.child.wait()).await.is_err() {
            tracing::debug!("an engine had to be killed");
        }
    }
}

/// The score in an `info` line.
fn score<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Score> {
    words.find(|word| *word == "score")?;
    let (kind, number) = (words.next()?, words.next()?.parse().ok()?);
    match kind {
        "cp" => Some(Score::from_centipawns(number)),
        "mate" => Some(Score::from_mate_in(number)),
        _ => None,
    }
}

/// Lowers the priority of the process. If the system does not allow it, it keeps the one that it has.
fn yield_to_others(child: &Child) {
    let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    let lowered = id.map(|id| rustix::process::setpriority_process(Some(id), NICE));
    if let Some(Err(error)) = lowered {
        tracing::warn!(%error, "an engine that should yield to others runs at full priority");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_where_there_are_some() {
        let read = |text: &str| score(text.split_ascii_whitespace());
        assert_eq!(read("depth 3 score cp -25 nodes 7"), Some(Score::from_centipawns(-25)));
        assert_eq!(read("score mate 2 pv a1a8").and_then(Score::mate_in), Some(2));
        assert_eq!(read("score mate -3").and_then(Score::mate_in), Some(-3));
        assert_eq!(read("string score of the match"), None);
        assert_eq!(read("score cp"), None);
    }
}
