//! The way of log lines to the standard error stream: a thread of its own writes them, so that no game waits for a reader
//! of the log, or for its disk.
//!
//! Deliberately absent: what is logged and how it is formatted, and the last words of a process that cannot go on
//! (`process::end`).
//!
//! Invariants: nobody waits to log, nor to say why it panics; lines are written whole and in order; at most
//! [`LINES_WAITING_MAX`] wait, and one more is lost and counted, as is one that cannot be written.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tracing_subscriber::fmt::MakeWriter;

/// Lines that wait to be written: more than a start writes at once, and a few hundred KiB if nobody reads them.
const LINES_WAITING_MAX: usize = 1_024;

/// How long the end of the process waits for the lines that are on their way. Where somebody reads, it takes far less.
const LAST_LINES_WAIT: Duration = Duration::from_millis(200);

/// Between two looks whether there is room for the last mark.
const LAST_LINES_LOOK: Duration = Duration::from_millis(5);

/// Lines to the standard error stream that found no room or were not written, since this was last asked for.
pub(super) static LOST: AtomicU64 = AtomicU64::new(0);

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
pub(super) struct Lines {
    to: SyncSender<ToWrite>,
    lost: &'static AtomicU64,
}

impl Lines {
    /// Starts the thread, which gives each line to `write`. What is lost is counted in `lost`.
    pub(super) fn start(
        lost: &'static AtomicU64,
        mut write: impl FnMut(&[u8]) -> io::Result<()> + Send + 'static,
    ) -> io::Result<Self> {
        let (to, waiting): (_, Receiver<ToWrite>) = sync_channel(LINES_WAITING_MAX);
        let work = move || {
            for next in waiting {
                match next {
                    ToWrite::Text(line) => {
                        if write(&line).is_err() {
                            lost.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                    ToWrite::Mark { .. } => {}
                }
            }
        };
        std::thread::Builder::new().name("log".to_owned()).spawn(work)?;
        Ok(Self { to, lost })
    }

    /// From now on the text of a panic goes this way, too: a thread that panics waits for no reader.
    pub(super) fn take_panics(&self) {
        let lines = self.clone();
        std::panic::set_hook(Box::new(move |panic| {
            let thread = std::thread::current();
            let name = thread.name().unwrap_or("without a name");
            let backtrace = Backtrace::capture();
            let trace = match backtrace.status() {
                BacktraceStatus::Captured => format!("{backtrace}\n"),
                _ => String::new(),
            };
            let text = format!("thread '{name}' {panic}\n{trace}");
            drop(LogLine { bytes: text.into_bytes(), to: lines.clone() });
        }));
    }
}

/// Writes without the lock of [`io::Stderr`], which others would wait for, until all is written or an error says that it
/// cannot be.
pub(super) fn write_to_stderr(bytes: &[u8]) -> io::Result<()> {
    write_all(io::stderr(), bytes)
}

/// Waits for room also where the other end has made writes return at once.
fn write_all(to: impl AsFd, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match rustix::io::write(&to, bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => {
                let mut room = [PollFd::new(&to, PollFlags::OUT)];
                rustix::io::retry_on_intr(|| poll(&mut room, None))?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

impl MakeWriter<'_> for Lines {
    type Writer = LogLine;

    fn make_writer(&self) -> LogLine {
        LogLine { bytes: Vec::new(), to: self.clone() }
    }
}

/// A line that is being formatted. Dropped, it is on its way.
#[derive(Debug)]
pub(super) struct LogLine {
    bytes: Vec<u8>,
    to: Lines,
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
        let Lines { to, lost } = &self.to;
        if to.try_send(ToWrite::Text(std::mem::take(&mut self.bytes))).is_err() {
            lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Waits for the last lines when it is dropped: the process may end after that.
#[derive(Debug)]
#[must_use = "the last lines are written when it is dropped"]
pub struct LastLines(pub(super) Lines);

impl Drop for LastLines {
    fn drop(&mut self) {
        let (written, is_written) = sync_channel(0);
        let (mut mark, mut left) = (ToWrite::Mark { _written: written }, LAST_LINES_WAIT);
        // Without room as many wait as may: a reader makes room, and where there is none, the wait ends.
        while let Err(TrySendError::Full(unsent)) = self.0.to.try_send(mark) {
            if left.is_zero() {
                return;
            }
            std::thread::sleep(LAST_LINES_LOOK);
            (mark, left) = (unsent, left.saturating_sub(LAST_LINES_LOOK));
        }
        is_written.recv_timeout(left).ok();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_log_that_nobody_reads_loses_lines_and_holds_nobody_up() {
        let ((read, reads), (is_read, was_read)) = (sync_channel::<()>(0), sync_channel(LINES_WAITING_MAX));
        static LOST: AtomicU64 = AtomicU64::new(0);
        let lines = Lines::start(&LOST, move |line| {
            reads.recv().ok();
            is_read.send(String::from_utf8(line.to_vec()).unwrap()).unwrap();
            Ok(())
        });
        let lines = lines.unwrap();
        for number in 0..LINES_WAITING_MAX + 100 {
            lines.make_writer().write_all(number.to_string().as_bytes()).unwrap();
        }
        // The thread may hold one that it has taken.
        assert!((99..=100).contains(&LOST.load(Ordering::Relaxed)));
        drop(read);
        for number in 0..LINES_WAITING_MAX {
            assert_eq!(was_read.recv().unwrap(), number.to_string());
        }
        lines.make_writer().write_all(b"the last one").unwrap();
        drop(LastLines(lines));
        assert!(was_read.try_iter().any(|line| line == "the last one"));
    }

    #[test]
    fn the_last_lines_are_written_also_when_as_many_wait_as_may() {
        static LOST: AtomicU64 = AtomicU64::new(0);
        let (begin, begins) = sync_channel::<()>(0);
        let written = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&written);
        let lines = Lines::start(&LOST, move |_| {
            begins.recv().ok();
            count.fetch_add(1, Ordering::Relaxed);
            Ok(())
        });
        let lines = lines.unwrap();
        lines.make_writer().write_all(b"taken").unwrap();
        // The thread waits with the first one.
        let mut made = 1;
        while LOST.load(Ordering::Relaxed) == 0 {
            lines.make_writer().write_all(b"waits").unwrap();
            made += 1;
        }
        let last_lines = LastLines(lines);
        drop(begin);
        drop(last_lines);
        assert_eq!(written.load(Ordering::Relaxed), made - 1);
    }

    #[test]
    fn a_panic_is_logged_and_waits_for_nobody() {
        static LOST: AtomicU64 = AtomicU64::new(0);
        let ((read, reads), (is_read, was_read)) = (sync_channel::<()>(0), sync_channel(LINES_WAITING_MAX));
        let lines = Lines::start(&LOST, move |line| {
            reads.recv().ok();
            is_read.send(String::from_utf8(line.to_vec()).unwrap()).unwrap();
            Ok(())
        });
        let lines = lines.unwrap();
        lines.take_panics();
        let dying = std::thread::Builder::new().name("dying".to_owned()).spawn(|| panic!("a bug"));
        assert!(dying.unwrap().join().is_err(), "while nobody reads");
        drop(std::panic::take_hook());
        drop(read);
        drop(LastLines(lines));
        let said = was_read.try_iter().find(|text| text.contains("a bug")).unwrap();
        assert!(said.starts_with("thread 'dying' panicked at ") && said.contains("log.rs"), "{said}");
    }

    #[test]
    fn a_line_that_cannot_be_written_is_counted() {
        static LOST: AtomicU64 = AtomicU64::new(0);
        let lines = Lines::start(&LOST, |_| Err(io::ErrorKind::StorageFull.into())).unwrap();
        lines.make_writer().write_all(b"a line").unwrap();
        drop(LastLines(lines));
        assert_eq!(LOST.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_line_is_written_whole_also_where_writes_return_at_once() {
        let (mut read, write) = std::os::unix::net::UnixStream::pair().unwrap();
        write.set_nonblocking(true).unwrap();
        let line = vec![b'x'; 1 << 20];
        let length = line.len();
        let writing = std::thread::spawn(move || write_all(write, &line));
        let mut all = Vec::new();
        io::Read::read_to_end(&mut read, &mut all).unwrap();
        writing.join().unwrap().unwrap();
        assert_eq!(all.len(), length);
    }
}
