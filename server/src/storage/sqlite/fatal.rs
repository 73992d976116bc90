//! What happens when the data folder cannot be written: the process ends, from the thread that found out, before
//! anything more is said to anybody. An fsync that failed is never tried again: the data may be lost without a trace.
//!
//! Deliberately absent: how the process ends, whatever stderr does (`process::end`).
//!
//! Invariant: after a failure the process ends with [`EXIT_CODE`].

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::folder::advice;
use crate::process::end;

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
        Self::with(folder, |message| end(EXIT_CODE, message))
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
