//! The echo of the RFC 6455 tests: a session that says everything back. No other build has it.
//!
//! Only the protocol is missing: the task, its socket, its buffers, its output and its way of closing are those of
//! every session. Its size limit is larger, because the tests' messages are.

use std::sync::Arc;

use tokio::net::TcpStream;

use crate::accounts::Known;
use crate::net::Permit;
use crate::session::Sessions;
use crate::session::decoder::{Broken, Incoming};
use crate::session::output::Output;
use crate::session::socket::{FarEnd, Socket};
use crate::session::stream::Stream;
use crate::session::task;

/// The longest message the echo takes.
pub(in crate::session) const MESSAGE_BYTES_MAX: usize = 1024 * 1024;

/// Starts an echo on an upgraded connection, as [`Sessions::spawn`] starts a session.
pub(crate) fn start_echo(
    sessions: &Arc<Sessions>,
    stream: TcpStream,
    far_end: FarEnd,
    read_ahead: &[u8],
    permit: Arc<Permit>,
    known: Option<Known>,
) {
    let socket = Socket::new(Stream::Tcp(stream), far_end, read_ahead, MESSAGE_BYTES_MAX);
    let mut session = task::open(sessions, socket, !read_ahead.is_empty(), permit, known);
    session.echoes = true;
    sessions.tasks.spawn(session);
}

/// Says a message back. A pong takes its place: the session has nothing to say to one before `hello`.
pub(in crate::session) fn instead(
    came: Option<Result<Incoming, Broken>>,
    output: &mut Output,
) -> Option<Result<Incoming, Broken>> {
    match came {
        Some(Ok(Incoming::Text(text))) => output.text(&text),
        Some(Ok(Incoming::Binary(payload))) => output.binary(&payload),
        // The cases have messages of many fragments and of megabytes.
        Some(Ok(Incoming::Hidden(_))) => {}
        other => return other,
    }
    Some(Ok(Incoming::Ping))
}
