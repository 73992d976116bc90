//! The server in its production configuration: all workers, the journal on disk. And how long the
//! journal's log becomes.
//!
//! The log's length is read from `/metrics`, by a thread of its own so that no move waits for it,
//! and from the size of the log's file, which shows what happens between two checkpoints. Only
//! limits that would stop a measurement are raised.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use tempfile::TempDir;

use crate::server_process::{ServerProcess, free_port};

/// How often the log's length is read.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How long `/metrics` may take.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);

const LOG_BYTES: &str = "zeitnot_journal_log_bytes";

/// A folder that is removed at the end, in `parent` or in the system's temporary folder.
pub(super) fn folder(parent: Option<&Path>) -> Result<TempDir> {
    match parent {
        Some(parent) => tempfile::tempdir_in(parent),
        None => tempfile::tempdir(),
    }
    .context("cannot create a folder for the server's data")
}

/// What the files of a folder take.
pub(super) fn folder_bytes(folder: &Path) -> Result<f64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).context("cannot list the data folder")? {
        bytes += entry?.metadata().context("cannot look at the data folder")?.len();
    }
    Ok(bytes as f64)
}

/// Starts `zeitnot` on this data folder; returns also where its metrics are. With `core` it is pinned there and has one
/// worker.
pub(super) fn start(binary: &Path, data: &Path, core: Option<usize>) -> Result<(ServerProcess, SocketAddr)> {
    let metrics = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port().context("no free port")?));
    let mut command = Command::new(binary);
    command.args(["--listen", "127.0.0.1:0", "--log", "warn", "--data"]).arg(data);
    command.args(["--metrics-listen", &metrics.to_string()]);
    let mut flags = vec![ServerProcess::ADDRESS_LIMITS, ServerProcess::CONNECTION_LIMITS];
    if core.is_some() {
        flags.push(ServerProcess::ONE_WORKER);
    }
    command.args(flags.into_iter().flatten().flat_map(|(flag, value)| [flag, value]));
    Ok((ServerProcess::zeitnot_by(command, core)?, metrics))
}

/// The longest the log was, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LogLength {
    /// As `/metrics` reports it, at checkpoints.
    pub(super) reported: f64,
    /// The size of its file.
    pub(super) file: f64,
}

/// Reads the log's length repeatedly on a thread of its own.
#[derive(Debug)]
pub(super) struct LogWatch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<LogLength>>,
}

impl LogWatch {
    pub(super) fn start(metrics_at: SocketAddr, data: PathBuf) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let watch = move || {
            let mut most = LogLength::default();
            loop {
                let is_last = stopped.load(Ordering::Relaxed);
                most.reported = most.reported.max(gauge(&metrics(metrics_at)?, LOG_BYTES)?);
                most.file = most.file.max(file_bytes(&data)?);
                if is_last {
                    return Ok(most);
                }
                thread::sleep(LOOK_EVERY);
            }
        };
        let thread = thread::Builder::new().name("log-watch".to_owned()).spawn(watch);
        Ok(Self { stop, thread: thread.context("cannot start a thread")? })
    }

    /// Reads it once more; returns the longest.
    pub(super) fn end(self) -> Result<LogLength> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| anyhow!("the thread that reads the log's length panicked"))?
    }
}

/// The current text of `/metrics` at this address.
pub(super) fn metrics(address: SocketAddr) -> Result<String> {
    let ask = || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(ANSWERS_WITHIN))?;
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: zeitnot\r\nConnection: close\r\n\r\n")?;
        let mut text = String::new();
        stream.read_to_string(&mut text).map(|_| text)
    };
    let text = ask().context("/metrics does not answer")?;
    ensure!(text.starts_with("HTTP/1.1 200"), "/metrics: {}", text.lines().next().unwrap_or_default());
    Ok(text)
}

/// The value of a gauge without labels; 0 if it is not there.
pub(super) fn gauge(metrics: &str, name: &str) -> Result<f64> {
    let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.map_or(Ok(0.0), |value| value.trim().parse().with_context(|| format!("{name} is {value}")))
}

/// The size of the log's file; 0 when there is none.
fn file_bytes(data: &Path) -> Result<f64> {
    let mut bytes = 0;
    for entry in fs::read_dir(data).context("cannot list the data folder")? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().ends_with("-wal") {
            // The file may have been removed meanwhile.
            bytes += entry.metadata().map_or(0, |metadata| metadata.len());
        }
    }
    Ok(bytes as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_is_found_by_its_whole_name() {
        let text = "# TYPE zeitnot_a gauge\nzeitnot_ab 3\nzeitnot_a 16480\n";
        assert!((gauge(text, "zeitnot_a").unwrap() - 16_480.0).abs() < 1e-9);
        assert!(gauge(text, "zeitnot_c").unwrap().abs() < 1e-9);
        assert!(gauge("zeitnot_a many", "zeitnot_a").is_err());
    }
}
