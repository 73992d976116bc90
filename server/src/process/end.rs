//! The end of a process that cannot go on: one message, then the exit.
//!
//! Deliberately absent: logging through `tracing`, exit handlers, and a lock on stderr. The log may be on a disk that hangs,
//! or nobody may read it, and a thread that waits for it may hold the lock.
//!
//! Invariant: the process ends with the given code within [`MESSAGE_WAIT`], whatever stderr does.

use std::sync::mpsc;
use std::time::Duration;
use std::{io, thread};

/// How long the message may take. A working stderr needs far less, unless the machine is overloaded; on one that blocks,
/// nobody would see the message.
const MESSAGE_WAIT: Duration = Duration::from_secs(1);

/// Says why on stderr, if that can be written, and ends the process with this code. Other threads are not waited for.
pub(crate) fn end(code: i32, message: &str) -> ! {
    try_to_say(message);
    exit_now(code)
}

/// Writes the message to stderr from a thread of its own, and waits for it at most [`MESSAGE_WAIT`].
pub fn try_to_say(message: &str) {
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
fn exit_now(code: i32) -> ! {
    // SAFETY: _exit takes a number, does not return, and touches no memory of the process.
    unsafe { libc::_exit(code) }
}
