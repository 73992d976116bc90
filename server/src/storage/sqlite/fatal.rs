//! What happens when the data folder cannot be written: the process ends, from the thread that found out, before anything
//! more is said to anybody. An fsync that failed is never tried again: what it was for may be lost without a trace.

use std::fmt;
use std::panic::{UnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The exit code: `EX_IOERR` of sysexits.
const EXIT_CODE: i32 = 74;

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
            tracing::error!("{message}");
            end(message);
        })
    }

    /// Does something else, and the journal takes nothing more: for tests.
    #[must_use]
    pub fn with(folder: &Path, end: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { folder: folder.to_owned(), end: Arc::new(end) }
    }

    /// Runs what a thread of the journal does. A panic in there is a bug, and nobody would ever be answered again: it ends the
    /// process too. `None` after one, in tests only.
    pub(super) fn guard<T>(&self, doing: &str, act: impl FnOnce() -> T + UnwindSafe) -> Option<T> {
        let done = catch_unwind(act).ok();
        if done.is_none() {
            let folder = self.folder.display();
            (self.end)(&format!(
                "a bug struck while {doing} the data folder {folder}. The server has ended so that nobody is told of what is \
                 not durable; everything that was told is. Start it again, and please report what is written above."
            ));
        }
        done
    }

    /// Says why and ends the process. Returns in tests only.
    pub(super) fn strike(&self, doing: &str, error: &rusqlite::Error) {
        let folder = self.folder.display();
        let advice = match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => "Free some space on that disk, then start again",
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
                "Restore the folder from a backup, see the README"
            }
            _ => "Look after that disk and the rights to that folder, then start again",
        };
        (self.end)(&format!(
            "the data folder {folder} failed while {doing}: {error}. The server has ended so that nobody is told of what is \
             not durable; everything that was told is. {advice}."
        ));
    }
}

#[expect(
    clippy::exit,
    clippy::print_stderr,
    reason = "nothing may be said or written any more, on any thread"
)]
fn end(message: &str) {
    // Logs may be off.
    eprintln!("zeitnot: {message}");
    std::process::exit(EXIT_CODE);
}
