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

    /// Reads lines until `bestmove`; the move as it was written.
    pub(super) async fn best_move(&mut self, within: Duration) -> Result<String, EngineError> {
        let read = async {
            loop {
                let line = self.output.next().await?;
                let mut words = line.split_ascii_whitespace();
                if words.next() == Some("bestmove") {
                    return Ok(words.next().unwrap_or_default().to_owned());
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

/// Lowers the priority of the process. If the system does not allow it, it keeps the one that it has.
fn yield_to_others(child: &Child) {
    let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    let lowered = id.map(|id| rustix::process::setpriority_process(Some(id), NICE));
    if let Some(Err(error)) = lowered {
        tracing::warn!(%error, "an engine that should yield to others runs at full priority");
    }
}
