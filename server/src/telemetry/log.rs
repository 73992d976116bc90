//! The way of log lines to the standard error stream: a thread of its own writes them, so that no game waits for a reader
//! of the log, or for its disk.
//!
//! Deliberately absent: what is logged and how it is formatted, and the last words of a process that cannot go on
//! (`process::end`).
//!
//! Invariants: nobody waits to log; lines are written whole and in order; at most [`LINES_WAITING_MAX`] wait, and one more
//! is lost and counted.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// Lines that wait to be written: more than a start writes at once, and a few hundred KiB if nobody reads them.
const LINES_WAITING_MAX: usize = 1_024;

/// How long the end of the process waits for the lines that are on their way. Where somebody reads, it takes far less.
const LAST_LINES_WAIT: Duration = Duration::from_millis(200);

/// Lines that found no room since this was last asked for.
static LOST: AtomicU64 = AtomicU64::new(0);

/// How many lines were lost since the last call.
pub(super) fn take_lost() -> u64 {
    LOST.swap(0, Ordering::Relaxed)
}

enum ToWrite {
    Text(Vec<u8>),
    /// Everything before it is written when the sender is dropped.
    Mark {
        _written: SyncSender<()>,
    },
}

/// The way to the thread. Clones lead to the same one.
#[derive(Clone, Debug)]
pub(super) struct Lines(SyncSender<ToWrite>);

impl Lines {
    /// Starts the thread, which gives each line to `write`.
    pub(super) fn start(mut write: impl FnMut(&[u8]) + Send + 'static) -> io::Result<Self> {
        let (lines, waiting): (_, Receiver<ToWrite>) = sync_channel(LINES_WAITING_MAX);
        let work = move || {
            for next in waiting {
                match next {
                    ToWrite::Text(line) => write(&line),
                    ToWrite::Mark { .. } => {}
                }
            }
        };
        std::thread::Builder::new().name("log".to_owned()).spawn(work)?;
        Ok(Self(lines))
    }
}

/// Writes without the lock of [`io::Stderr`], which others would wait for, until all is written or an error says that it
/// cannot be.
pub(super) fn write_to_stderr(mut bytes: &[u8]) {
    while let Ok(written @ 1..) = rustix::io::retry_on_intr(|| rustix::io::write(io::stderr(), bytes)) {
        bytes = &bytes[written..];
    }
}

impl MakeWriter<'_> for Lines {
    type Writer = LogLine;

    fn make_writer(&self) -> LogLine {
        LogLine { bytes: Vec::new(), to: self.0.clone() }
    }
}

/// A line that is being formatted. Dropped, it is on its way.
#[derive(Debug)]
pub(super) struct LogLine {
    bytes: Vec<u8>,
    to: SyncSender<ToWrite>,
}

impl Write for LogLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for LogLine {
    fn drop(&mut self) {
        if self.to.try_send(ToWrite::Text(std::mem::take(&mut self.bytes))).is_err() {
            LOST.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Waits for the last lines when it is dropped: the process may end after that.
#[derive(Debug)]
#[must_use = "the last lines are written when it is dropped"]
pub struct LastLines(pub(super) Lines);

impl Drop for LastLines {
    fn drop(&mut self) {
        let Lines(lines) = &self.0;
        let (written, is_written) = sync_channel(0);
        // Without room nobody reads, and nobody would read the last lines either.
        if lines.try_send(ToWrite::Mark { _written: written }).is_ok() {
            is_written.recv_timeout(LAST_LINES_WAIT).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_nobody_reads_loses_lines_and_holds_nobody_up() {
        let ((read, reads), (is_read, was_read)) = (sync_channel::<()>(0), sync_channel(LINES_WAITING_MAX));
        let lines = Lines::start(move |line| {
            reads.recv().ok();
            is_read.send(String::from_utf8(line.to_vec()).unwrap()).unwrap();
        });
        let lines = lines.unwrap();
        for number in 0..LINES_WAITING_MAX + 100 {
            lines.make_writer().write_all(number.to_string().as_bytes()).unwrap();
        }
        // The thread may hold one that it has taken.
        assert!((99..=100).contains(&take_lost()));
        drop(read);
        for number in 0..LINES_WAITING_MAX {
            assert_eq!(was_read.recv().unwrap(), number.to_string());
        }
        lines.make_writer().write_all(b"the last one").unwrap();
        drop(LastLines(lines));
        assert!(was_read.try_iter().any(|line| line == "the last one"));
    }
}
