//! One WebSocket on one TCP stream: what tungstenite reads, and bytes written as they are.
//!
//! tungstenite parses, unmasks, checks UTF-8 and keeps the closing handshake; it works on memory only. This wrapper
//! moves the bytes: one read and one write call a turn, whatever the number of messages in them. Frames that were
//! encoded once for a whole crowd are appended to the same output, so everything leaves in the order it was written.
//!
//! Deliberately absent: what a message means, limits on messages, timers.
//!
//! Invariant: between two turns a session holds no output unless the kernel would not take it.

use std::io::{self, Read, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::error::{Error as WsError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::frame::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig, WebSocketContext};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::buffers::{Buffers, ReadBuffer};
use super::frame_scan::FrameScan;
use super::output::Output;
use super::tcp_info::round_trip;
use crate::telemetry::metrics;

/// tungstenite's own read buffer: only a frame that is not whole yet waits in it, and it grows to a message's size
/// when it must. Small, because every connection owns one.
const PARTIAL_FRAME_BYTES: usize = 256;

/// Something that arrived.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    /// A text message.
    Text(Utf8Bytes),
    /// A binary message, which no version of the protocol has.
    Binary(Bytes),
    /// A WebSocket ping; its answer is written already.
    Ping,
    /// The answer to a WebSocket ping of ours.
    Pong(Bytes),
    /// So many frames came that no message stands for: see [`FrameScan::scan`].
    Hidden(u32),
    /// The closing handshake is complete on this side: flush and end.
    Closed,
}

/// Why a socket cannot be read on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    /// A message or frame over the limit.
    TooBig,
    /// A text message that is not UTF-8.
    NotUtf8,
    /// Against RFC 6455.
    Protocol,
}

/// Who is at the other end of the TCP connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FarEnd {
    /// The client.
    Client,
    /// A trusted proxy; what the kernel knows of the line is not of the client.
    Proxy,
}

/// The WebSocket of one session.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: TcpStream,
    far_end: FarEnd,
    codec: WebSocketContext,
    frames: FrameScan,
    /// Frames in what was taken that no message stands for.
    hidden: u32,
    /// What the last turn could not write.
    backlog: Output,
}

impl Socket {
    /// A socket after its upgrade. `read_ahead` is what HTTP had read beyond the request.
    pub(crate) fn new(
        stream: TcpStream,
        far_end: FarEnd,
        read_ahead: &[u8],
        message_bytes_max: usize,
    ) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(PARTIAL_FRAME_BYTES)
            .write_buffer_size(0)
            .max_message_size(Some(message_bytes_max))
            .max_frame_size(Some(message_bytes_max));
        let codec = WebSocketContext::from_partially_read(read_ahead.to_vec(), Role::Server, Some(config));
        let mut frames = FrameScan::default();
        let hidden = frames.scan(read_ahead);
        Self { stream, far_end, codec, frames, hidden, backlog: Output::default() }
    }

    /// The kernel's estimate of the round trip to the client, if the kernel has one.
    pub(crate) fn kernel_round_trip(&self) -> Option<Duration> {
        match self.far_end {
            FarEnd::Client => round_trip(&self.stream),
            FarEnd::Proxy => None,
        }
    }

    /// Begins a turn: what is still to be written comes before anything new.
    pub(crate) fn begin(&mut self, output: &mut Output) {
        if !self.backlog.is_empty() {
            std::mem::swap(&mut self.backlog, output);
        }
    }

    /// Ends a turn: keeps what could not be written.
    pub(crate) fn end(&mut self, output: &Output) {
        self.backlog = if output.is_empty() { Output::default() } else { output.rest() };
    }

    /// Writes a close frame (RFC 6455, 5.5.1). Nothing may be written after it.
    pub(crate) fn write_close(&mut self, buffers: &mut Buffers, code: u16, reason: Utf8Bytes) {
        let mut memory = Memory { input: &mut buffers.input, output: &mut buffers.output };
        let frame = CloseFrame { code: code.into(), reason };
        match self.codec.close(&mut memory, Some(frame)) {
            Ok(()) | Err(WsError::ConnectionClosed | WsError::AlreadyClosed) => {}
            Err(error) => tracing::debug!(%error, "a close frame could not be written"),
        }
    }

    /// Takes what the kernel has, once. `Ready(Ok(0))` is the end of the stream.
    pub(crate) fn poll_fill(
        &mut self,
        cx: &mut Context<'_>,
        input: &mut ReadBuffer,
    ) -> Poll<io::Result<usize>> {
        let mut room = ReadBuf::new(input.room());
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut room))?;
        let bytes = room.filled().len();
        self.hidden += self.frames.scan(room.filled());
        metrics().bytes_in.increment(bytes as u64);
        input.filled(bytes);
        Poll::Ready(Ok(bytes))
    }

    /// The next thing in what was taken, or `None` when all of it is used. The number of hidden frames comes first, so
    /// that nothing is done for a flood.
    pub(crate) fn next(&mut self, buffers: &mut Buffers) -> Option<Result<Incoming, Broken>> {
        if self.hidden > 0 {
            return Some(Ok(Incoming::Hidden(std::mem::take(&mut self.hidden))));
        }
        if self.frames.has_long_length() {
            return Some(Err(Broken::Protocol));
        }
        let mut memory = Memory { input: &mut buffers.input, output: &mut buffers.output };
        loop {
            return Some(match self.codec.read(&mut memory) {
                Ok(Message::Text(text)) => Ok(Incoming::Text(text)),
                Ok(Message::Binary(payload)) => Ok(Incoming::Binary(payload)),
                Ok(Message::Ping(_)) => Ok(Incoming::Ping),
                Ok(Message::Pong(payload)) => Ok(Incoming::Pong(payload)),
                // The codec answers a close at its next read, which then says that the connection is closed.
                Ok(Message::Close(_) | Message::Frame(_)) => continue,
                Err(WsError::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => return None,
                Err(
                    WsError::ConnectionClosed
                    | WsError::AlreadyClosed
                    | WsError::Protocol(ProtocolError::ResetWithoutClosingHandshake),
                ) => Ok(Incoming::Closed),
                Err(WsError::Capacity(_)) => Err(Broken::TooBig),
                Err(WsError::Utf8(_)) => Err(Broken::NotUtf8),
                Err(_) => Err(Broken::Protocol),
            });
        }
    }

    /// Writes as much as the kernel takes. `Ready(Ok(()))` when nothing is left.
    pub(crate) fn poll_flush(&mut self, cx: &mut Context<'_>, output: &mut Output) -> Poll<io::Result<()>> {
        while !output.is_empty() {
            let bytes = ready!(Pin::new(&mut self.stream).poll_write(cx, output.waiting()))?;
            if bytes == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            metrics().bytes_out.increment(bytes as u64);
            output.take(bytes);
        }
        Poll::Ready(Ok(()))
    }

    /// Says to the kernel that nothing more will be written.
    pub(crate) fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// The codec's view: what was read, and where its own answers go.
struct Memory<'a> {
    input: &'a mut ReadBuffer,
    output: &'a mut Output,
}

impl Read for Memory<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self.input.read(room) {
            0 => Err(io::ErrorKind::WouldBlock.into()),
            bytes => Ok(bytes),
        }
    }
}

impl Write for Memory<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.framed(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
