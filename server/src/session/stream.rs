//! The bytes under a WebSocket: a TCP connection, or a pipe inside the process.
//!
//! A part of the server that speaks for a player over another protocol has a session as every client has one. It
//! holds the other end of the pipe.
//!
//! Deliberately absent: frames and messages (`decoder`).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf};
use tokio::net::TcpStream;

use super::tcp_info;

/// What a pipe holds in each direction: the longest message of a client, and a few.
const PIPE_BYTES: usize = 8 * 1024;

/// Where a session reads and writes.
#[derive(Debug)]
pub(crate) enum Stream {
    /// A connection of a client or of its proxy.
    Tcp(TcpStream),
    /// One end of a pipe.
    Pipe(DuplexStream),
}

impl Stream {
    /// A pipe: the end of a session, and the other one.
    pub(super) fn pipe() -> (Self, DuplexStream) {
        let (ours, theirs) = tokio::io::duplex(PIPE_BYTES);
        (Self::Pipe(ours), theirs)
    }

    /// Bounds what the kernel keeps for a client that does not read. A pipe is bounded.
    pub(super) fn bound_send_buffer(&self, bytes: usize) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => SockRef::from(stream).set_send_buffer_size(bytes),
            Self::Pipe(_) => Ok(()),
        }
    }

    /// The kernel's estimate of the round trip.
    pub(super) fn round_trip(&self) -> Option<Duration> {
        match self {
            Self::Tcp(stream) => tcp_info::round_trip(stream),
            Self::Pipe(_) => None,
        }
    }

    pub(super) fn poll_read(&mut self, cx: &mut Context<'_>, room: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) => Pin::new(stream).poll_read(cx, room),
            Self::Pipe(stream) => Pin::new(stream).poll_read(cx, room),
        }
    }

    pub(super) fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Tcp(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Pipe(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    pub(super) fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Pipe(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
