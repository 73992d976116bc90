//! Which core runs what: the server on one, the generator on another, so that neither takes the other's time.
//!
//! A child inherits the cores of the thread that starts it; so the thread moves there, starts it, and moves back.

use std::io;
use std::process::{Child, Command};

use anyhow::{Context, Result};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Starts a process on `core`, or where the system likes.
///
/// # Errors
/// When the process cannot be started or there is no such core.
pub(crate) fn spawn_on(core: Option<usize>, command: &mut Command) -> io::Result<Child> {
    let Some(core) = core else { return command.spawn() };
    let home = sched_getaffinity(None)?;
    sched_setaffinity(None, &only(core))?;
    let child = command.spawn();
    sched_setaffinity(None, &home)?;
    child
}

/// Moves the calling thread to `core`. Threads that it starts later stay there too.
///
/// # Errors
/// When there is no such core.
pub(crate) fn move_to(core: usize) -> Result<()> {
    sched_setaffinity(None, &only(core)).with_context(|| format!("there is no core {core}"))
}

fn only(core: usize) -> CpuSet {
    let mut set = CpuSet::new();
    set.set(core);
    set
}
