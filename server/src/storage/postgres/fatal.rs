//! What happens when a process may not serve from its database any longer: it ends, before anything more is said to anybody.
//!
//! Deliberately absent: how the process ends (`process::end`), and a database that cannot be reached: that is waited for.
//!
//! Invariant: after [`Halt`] was told, nothing that waits for the store is answered.

use std::fmt;
use std::sync::Arc;

use crate::process::end;
use crate::seeded_bugs::bug;

/// The exit code: `EX_IOERR` of sysexits.
const EXIT_CODE: i32 = 74;

/// The end of the process, or what a test has in its place.
#[derive(Clone)]
pub(super) struct Halt(Arc<dyn Fn(&str) + Send + Sync>);

impl fmt::Debug for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Halt")
    }
}

impl Halt {
    /// Ends the process.
    pub(super) fn exit() -> Self {
        Self::with(|message| end(EXIT_CODE, message))
    }

    /// Does something else, and the store takes nothing more: for tests.
    pub(super) fn with(end: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(end))
    }

    /// Another process has taken the database over: this one was stopped, or could not be heard, for some seconds.
    pub(super) fn dead(&self) {
        bug!(DeadBootGoesOn => return);
        (self.0)(
            "another zeitnot has taken over the database, because this one was not heard for some seconds. It has ended so \
             that nobody is told of what is not durable; everything that was told is.",
        );
    }

    /// PostgreSQL has rejected something that it must take.
    pub(super) fn rejected(&self, doing: &str, why: &str) {
        (self.0)(&format!(
            "the database failed while {doing}: {why}. The server has ended so that nobody is told of what is not durable; \
             everything that was told is. Look at the log of PostgreSQL, then start it again.",
        ));
    }
}
