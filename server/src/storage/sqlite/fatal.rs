//! What happens when the data folder cannot be written: the process ends, from the thread that found out, before
//! anything more is said to anybody. An fsync that failed is never tried again: the data may be lost without a trace.
//!
//! Deliberately absent: logging through `tracing`, exit handlers, and a lock on stderr. The log may be on the same disk,
//! or nobody may read it, and a thread that waits for it may hold the lock.
//!
//! Invariant: after a failure the process ends with [`EXIT_CODE`] within [`MESSAGE_WAIT`], whatever stderr does.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use std::{fmt, io, thread};

/// The exit code: `EX_IOERR` of sysexits.
const EXIT_CODE: i32 = 74;

/// How long the message may take. A working stderr needs far less; on one that blocks, nobody would see the message.
const MESSAGE_WAIT: Duration = Duration::from_millis(200);

/// The end of the process, or what a test has in its place.
#[derive(Clone)]
pub struct Fatal {
    folder: PathBuf,
    end: Arc<dyn Fn(&str) + Send + Sync>,
}

impl fmt::Debug for Fatal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fatal").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Fatal {
    /// Ends the process.
    #[must_use]
    pub fn exit(folder: &Path) -> Self {
        Self::with(folder, |message| {
            try_to_say(message);
            exit_now();
        })
    }

    /// Does something else, and the store takes nothing more: for tests.
    #[must_use]
    pub fn with(folder: &Path, end: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { folder: folder.to_owned(), end: Arc::new(end) }
    }

    /// Runs what a thread of the store does. A failure ends the process, and so does a panic: it is a bug, and nobody would
    /// ever be answered again. `false` after either, in tests only.
    pub(super) fn guard(&self, doing: &str, act: impl FnOnce() -> Result<(), Failure>) -> bool {
        let folder = self.folder.display();
        let (what, advice) = match catch_unwind(AssertUnwindSafe(act)) {
            Ok(Ok(())) => return true,
            Ok(Err((doing, error))) => {
                (format!("the data folder {folder} failed while {doing}: {error}"), advice(&error))
            }
            Err(_) => (
                format!("a bug struck while {doing} the data folder {folder}"),
                "Start it again, and please report what is written above",
            ),
        };
        (self.end)(&format!(
            "{what}. The server has ended so that nobody is told of what is not durable; everything that was told is. {advice}."
        ));
        false
    }
}

/// What a thread was doing when SQLite failed, and how it failed.
pub(super) type Failure = (&'static str, rusqlite::Error);

fn advice(error: &rusqlite::Error) -> &'static str {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => "Free some space on that disk, then start again",
        Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
            "Restore the folder from a backup, see the README"
        }
        _ => "Look after that disk and the rights to that folder, then start again",
    }
}

/// Writes the message to stderr from a thread of its own, and waits for it at most [`MESSAGE_WAIT`].
fn try_to_say(message: &str) {
    let line = format!("zeitnot: {message}\n");
    let (writing_ends, written) = mpsc::sync_channel::<()>(1);
    let writing = thread::Builder::new().name("fatal-message".to_owned()).spawn(move || {
        write_to_stderr(line.as_bytes());
        drop(writing_ends);
    });
    if writing.is_ok() {
        written.recv_timeout(MESSAGE_WAIT).ok();
    }
}

/// Writes without the lock of [`io::Stderr`], until all is written or an error says that it cannot be.
fn write_to_stderr(mut bytes: &[u8]) {
    while let Ok(written @ 1..) = rustix::io::retry_on_intr(|| rustix::io::write(io::stderr(), bytes)) {
        bytes = &bytes[written..];
    }
}

/// Ends the process at once. `std::process::exit` would run exit handlers, which may wait for other threads, and
/// `std::process::abort` has no exit code.
#[expect(unsafe_code, reason = "no safe interface to _exit exists")]
fn exit_now() -> ! {
    // SAFETY: _exit takes a number, does not return, and touches no memory of the process.
    unsafe { libc::_exit(EXIT_CODE) }
}
