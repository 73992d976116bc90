//! What a socket receives, as messages: tungstenite, the count of frames beside it, and what it answers by itself.
//!
//! It works on memory only, so that any bytes can be tried on it (`fuzzing`): [`super::socket`] moves them.
//!
//! Deliberately absent: what a message means, timers, the end of the stream.
//!
//! Invariant: every byte goes to [`Decoder::arrived`], and as far as that says to the read buffer, once and in order.

use std::io::{self, Read, Write};

use bytes::Bytes;
use tokio_tungstenite::tungstenite::error::{Error as WsError, ProtocolError};
use tokio_tungstenite::tungstenite::protocol::frame::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig, WebSocketContext};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use super::buffers::{Buffers, ReadBuffer};
use super::frame_scan::{FrameScan, Scanned};
use super::output::Output;

/// tungstenite's own read buffer: only a frame that is not whole yet waits in it, and it grows to a message's size
/// when it must. Small, because every connection owns one.
const PARTIAL_FRAME_BYTES: usize = 256;

/// Something that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Incoming {
    /// A text message.
    Text(Utf8Bytes),
    /// A binary message, which no version of the protocol has.
    Binary(Bytes),
    /// A WebSocket ping; its answer is written already.
    Ping,
    /// The answer to a WebSocket ping of ours.
    Pong(Bytes),
    /// So many frames came that no message stands for: see [`super::frame_scan::Scanned`].
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

/// The reading side of one WebSocket, and its close frame.
#[derive(Debug)]
pub(crate) struct Decoder {
    codec: WebSocketContext,
    frames: FrameScan,
    /// Frames in what was taken that no message stands for.
    hidden: u32,
}

impl Decoder {
    /// A decoder after an upgrade. `read_ahead` is what HTTP had read beyond the request.
    pub(crate) fn new(read_ahead: &[u8], message_bytes_max: usize) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(PARTIAL_FRAME_BYTES)
            .write_buffer_size(0)
            .max_message_size(Some(message_bytes_max))
            .max_frame_size(Some(message_bytes_max));
        let mut frames = FrameScan::default();
        let Scanned { hidden, readable } = frames.scan(read_ahead);
        let read_ahead = read_ahead[..readable].to_vec();
        let codec = WebSocketContext::from_partially_read(read_ahead, Role::Server, Some(config));
        Self { codec, frames, hidden }
    }

    /// Counts the frames in what is about to be read, and says how much of it may be.
    pub(crate) fn arrived(&mut self, bytes: &[u8]) -> usize {
        let Scanned { hidden, readable } = self.frames.scan(bytes);
        self.hidden += hidden;
        readable
    }

    /// The next thing in what was taken, or `None` when all of it is used. The number of hidden frames comes first, so
    /// that nothing is done for a flood.
    pub(crate) fn next(&mut self, buffers: &mut Buffers) -> Option<Result<Incoming, Broken>> {
        if self.hidden > 0 {
            return Some(Ok(Incoming::Hidden(std::mem::take(&mut self.hidden))));
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
                // The messages before the broken frame count.
                Err(WsError::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                    return self.frames.has_long_length().then_some(Err(Broken::Protocol));
                }
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

    /// Writes a close frame (RFC 6455, 5.5.1). Nothing may be written after it.
    pub(crate) fn write_close(&mut self, buffers: &mut Buffers, code: u16, reason: Utf8Bytes) {
        let mut memory = Memory { input: &mut buffers.input, output: &mut buffers.output };
        let frame = CloseFrame { code: code.into(), reason };
        match self.codec.close(&mut memory, Some(frame)) {
            Ok(()) | Err(WsError::ConnectionClosed | WsError::AlreadyClosed) => {}
            Err(error) => tracing::debug!(%error, "a close frame could not be written"),
        }
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
