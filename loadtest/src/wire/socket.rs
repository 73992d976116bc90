//! A WebSocket of ours: connected, upgraded, written and read as bytes.
//!
//! It answers pings, so a server never takes it for dead while it is read. Closing resets the connection
//! (`SO_LINGER` 0): thousands of sockets a minute must not use up the ports of the loopback. For that reason it is for
//! measuring and abuse, not an example of a polite client.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use socket2::{Domain, Protocol, Type};
use thiserror::Error;

use super::frame::{FrameError, FrameReader, Opcode, client_frame};
use crate::endpoint::Endpoint;

/// How long a blocking read waits for a server.
const PATIENCE: Duration = Duration::from_secs(15);

/// The key of every upgrade of ours, from the example in RFC 6455 section 1.3, and the answer it must get.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/// What arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Received {
    /// A text message.
    Text(String),
    /// A close frame: its code, or 1005 when it has none, and its reason.
    Close(u16, String),
    /// The connection ended without a close frame.
    Gone,
}

/// Why a socket cannot go on.
#[derive(Debug, Error)]
pub enum SocketError {
    /// The system's own error.
    #[error("{what}: {source}")]
    Io {
        /// What was being done.
        what: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The server does not answer.
    #[error("the server said nothing for {} s", PATIENCE.as_secs())]
    Silence,
    /// The upgrade was refused.
    #[error("the upgrade was answered with: {0}")]
    Upgrade(String),
    /// The bytes are no frames.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A binary frame or text that is not UTF-8.
    #[error("the server sent something that is not text")]
    NotText,
}

impl SocketError {
    fn io(what: &'static str) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { what, source }
    }
}

/// An open WebSocket.
#[derive(Debug)]
pub struct Socket {
    stream: TcpStream,
    reader: FrameReader,
    /// Messages that were read but not asked for yet.
    waiting: VecDeque<Received>,
}

impl Socket {
    /// Connects and upgrades, waiting for both. `index` counts the sockets of the process, for their source addresses;
    /// `subprotocol` is offered if given.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses the upgrade.
    pub fn open(endpoint: &Endpoint, index: usize, subprotocol: Option<&str>) -> Result<Self, SocketError> {
        let stream = connect(endpoint, index, None).map_err(SocketError::io("cannot connect"))?;
        Self::upgraded(stream, endpoint, subprotocol)
    }

    /// As [`Socket::open`], on a stream that is connected.
    pub(crate) fn upgraded(
        stream: TcpStream,
        endpoint: &Endpoint,
        subprotocol: Option<&str>,
    ) -> Result<Self, SocketError> {
        let mut socket = Self { stream, reader: FrameReader::default(), waiting: VecDeque::new() };
        socket.upgrade(endpoint, subprotocol)?;
        Ok(socket)
    }

    fn upgrade(&mut self, endpoint: &Endpoint, subprotocol: Option<&str>) -> Result<(), SocketError> {
        let offer = subprotocol.map(|name| format!("Sec-WebSocket-Protocol: {name}\r\n")).unwrap_or_default();
        let request = format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\n\
             Sec-WebSocket-Version: 13\r\n{offer}\r\n",
            endpoint.path, endpoint.host
        );
        self.stream.write_all(request.as_bytes()).map_err(SocketError::io("cannot send the upgrade"))?;
        let (head, frames) = self.read_head()?;
        let status = head.lines().next().unwrap_or_default();
        if !status.starts_with("HTTP/1.1 101") || !head.contains(ACCEPT) {
            return Err(SocketError::Upgrade(status.to_owned()));
        }
        self.take(&frames)
    }

    /// Reads up to the end of the HTTP head; what follows it already belongs to the frames.
    fn read_head(&mut self) -> Result<(String, Vec<u8>), SocketError> {
        let mut bytes = Vec::with_capacity(512);
        let mut chunk = [0; 512];
        loop {
            let count = self.read_some(&mut chunk)?;
            if count == 0 {
                return Err(SocketError::Upgrade("the end of the connection".to_owned()));
            }
            bytes.extend_from_slice(&chunk[..count]);
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                let frames = bytes.split_off(end + 4);
                return Ok((String::from_utf8_lossy(&bytes).into_owned(), frames));
            }
        }
    }

    /// The stream and what was read of a frame that is not whole: for those who read and write in ways of their own.
    #[must_use]
    pub fn into_parts(self) -> (TcpStream, FrameReader) {
        (self.stream, self.reader)
    }

    /// Writes bytes as they are, waiting until the system has taken them.
    ///
    /// # Errors
    /// When the connection is broken, or nonblocking and full: then part of the bytes may have been written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), SocketError> {
        self.stream.write_all(bytes).map_err(SocketError::io("cannot write"))
    }

    /// Sends a text message.
    ///
    /// # Errors
    /// As [`Socket::write`].
    pub fn send(&mut self, text: &str) -> Result<(), SocketError> {
        self.write(&client_frame(Opcode::Text, text.as_bytes()))
    }

    /// Waits for the next message, answering pings meanwhile. Only for a blocking socket.
    ///
    /// # Errors
    /// When the server says nothing for 15 s, or nonsense.
    pub fn receive(&mut self) -> Result<Received, SocketError> {
        let mut chunk = [0; 4096];
        loop {
            if let Some(received) = self.waiting.pop_front() {
                return Ok(received);
            }
            let count = match self.read_some(&mut chunk) {
                Err(SocketError::Io { source, .. })
                    if matches!(source.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe) =>
                {
                    0
                }
                other => other?,
            };
            if count == 0 {
                return Ok(Received::Gone);
            }
            self.take(&chunk[..count])?;
        }
    }

    fn read_some(&mut self, chunk: &mut [u8]) -> Result<usize, SocketError> {
        loop {
            return match self.stream.read(chunk) {
                Ok(count) => Ok(count),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    Err(SocketError::Silence)
                }
                Err(error) => Err(SocketError::io("cannot read")(error)),
            };
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), SocketError> {
        let mut pongs = Vec::new();
        let mut fault = None;
        let waiting = &mut self.waiting;
        self.reader.feed(bytes, |frame| match frame.opcode {
            Opcode::Text => match std::str::from_utf8(frame.payload) {
                Ok(text) => waiting.push_back(Received::Text(text.to_owned())),
                Err(_) => fault = Some(SocketError::NotText),
            },
            Opcode::Close => {
                let (code, reason) = match frame.payload {
                    [high, low, reason @ ..] => {
                        (u16::from_be_bytes([*high, *low]), String::from_utf8_lossy(reason))
                    }
                    _ => (1005, "".into()),
                };
                waiting.push_back(Received::Close(code, reason.into_owned()));
            }
            Opcode::Ping => pongs.extend_from_slice(&client_frame(Opcode::Pong, frame.payload)),
            Opcode::Pong => {}
            Opcode::Binary => fault = Some(SocketError::NotText),
        })?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        if pongs.is_empty() { Ok(()) } else { self.write(&pongs) }
    }

    /// Lets reads and writes return at once (`true`) or wait (`false`).
    ///
    /// # Errors
    /// When the system refuses.
    pub fn set_nonblocking(&self, nonblocking: bool) -> Result<(), SocketError> {
        self.stream.set_nonblocking(nonblocking).map_err(SocketError::io("cannot change the socket's mode"))
    }

    /// Reads once into `scratch` and hands every whole text frame to `on_text`; answers pings. It is the hot path: no
    /// copy, no allocation while frames come whole. Gives the bytes read; 0 when there was nothing.
    ///
    /// # Errors
    /// When the server closed the connection or sent nonsense.
    pub fn read_ready(
        &mut self,
        scratch: &mut [u8],
        mut on_text: impl FnMut(&[u8]),
    ) -> Result<usize, SocketError> {
        let count = match (&self.stream).read(scratch) {
            Ok(0) => return Err(SocketError::io("read")(ErrorKind::UnexpectedEof.into())),
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                return Ok(0);
            }
            Err(error) => return Err(SocketError::io("cannot read")(error)),
        };
        let mut fault = None;
        let mut pongs = Vec::new();
        self.reader.feed(&scratch[..count], |frame| match frame.opcode {
            Opcode::Text => on_text(frame.payload),
            Opcode::Ping => pongs.extend_from_slice(&client_frame(Opcode::Pong, frame.payload)),
            Opcode::Pong => {}
            Opcode::Close => fault = Some(closed(frame.payload)),
            Opcode::Binary => fault = Some(SocketError::NotText),
        })?;
        if let Some(fault) = fault {
            return Err(fault);
        }
        if !pongs.is_empty() {
            self.write(&pongs)?;
        }
        Ok(count)
    }

    /// Takes the messages that were read while the socket was blocking and that nobody asked for.
    pub fn forget_waiting(&mut self) {
        self.waiting.clear();
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

fn closed(payload: &[u8]) -> SocketError {
    let text = match payload {
        [high, low, reason @ ..] => {
            format!("closed with {} {}", u16::from_be_bytes([*high, *low]), String::from_utf8_lossy(reason))
        }
        _ => "closed".to_owned(),
    };
    SocketError::io("the server")(io::Error::new(ErrorKind::ConnectionAborted, text))
}

/// A TCP connection without an upgrade. `keeps` is how many bytes the system keeps that were not read; it must be known
/// before the connection is, or the server's end takes quarters of a second for each piece.
pub(crate) fn connect(endpoint: &Endpoint, index: usize, keeps: Option<usize>) -> io::Result<TcpStream> {
    let socket =
        socket2::Socket::new(Domain::for_address(endpoint.address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_tcp_nodelay(true)?;
    socket.set_linger(Some(Duration::ZERO))?;
    if let Some(source) = endpoint.source(index) {
        socket.bind(&source.into())?;
    }
    if let Some(bytes) = keeps {
        socket.set_recv_buffer_size(bytes)?;
    }
    socket.connect(&endpoint.address.into())?;
    socket.set_read_timeout(Some(PATIENCE))?;
    Ok(socket.into())
}
