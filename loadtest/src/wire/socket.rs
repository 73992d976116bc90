//! A WebSocket connection: connected, upgraded, written and read as bytes.
//!
//! It answers pings whenever it is read. Closing resets the connection (`SO_LINGER` 0), because
//! thousands of sockets a minute would otherwise use up the ports of the loopback; a polite client
//! would close in order.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use rustix::io::Errno;
use socket2::{Domain, Protocol, Type};
use thiserror::Error;

use super::frame::{FrameError, FrameReader, Opcode, client_frame};
use crate::endpoint::Endpoint;

/// How long a blocking read waits for a server.
const PATIENCE: Duration = Duration::from_secs(15);

/// The key of every upgrade, from the example in RFC 6455 section 1.3, and the answer that it must
/// get.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/// What was received.
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
    /// A system call failed.
    #[error("{what}: {source}")]
    Io {
        /// What was attempted.
        what: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The server does not answer.
    #[error("the server sent nothing for {} s", PATIENCE.as_secs())]
    Silence,
    /// The upgrade was rejected.
    #[error("the upgrade was answered with: {0}")]
    Upgrade(String),
    /// The server closed the connection.
    #[error("the server closed the connection with {code} {reason}")]
    Closed {
        /// The close code, or 1005 when there was none.
        code: u16,
        /// The reason.
        reason: String,
    },
    /// The connection ended without a close frame.
    #[error("the connection ended without a close frame")]
    Gone,
    /// The bytes are not valid frames.
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
    /// Messages that were read but not returned yet.
    waiting: VecDeque<Received>,
}

impl Socket {
    /// Connects and upgrades, blocking. `index` counts the sockets of the process and selects the
    /// source address; `subprotocol` is offered if given.
    ///
    /// # Errors
    /// When the server cannot be reached or rejects the upgrade.
    pub fn open(endpoint: &Endpoint, index: usize, subprotocol: Option<&str>) -> Result<Self, SocketError> {
        let stream = connect(endpoint, index, None).map_err(SocketError::io("cannot connect"))?;
        Self::upgraded(stream, endpoint, subprotocol)
    }

    /// As [`Socket::open`], on a connected stream.
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

    /// Reads the HTTP head. The bytes that follow it already belong to frames.
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

    /// The stream and the reader with the bytes of an incomplete frame, for code that reads and
    /// writes by itself.
    #[must_use]
    pub fn into_parts(self) -> (TcpStream, FrameReader) {
        (self.stream, self.reader)
    }

    /// Writes bytes unchanged.
    ///
    /// # Errors
    /// When the connection is lost, or is nonblocking and full; part of the bytes may have been
    /// written.
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

    /// Waits for the next message and answers pings meanwhile. Only for a blocking socket.
    ///
    /// # Errors
    /// When the server sends nothing for 15 s, or something that is not valid.
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
                let (code, reason) = close_reason(frame.payload);
                waiting.push_back(Received::Close(code, reason));
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

    /// Makes reads and writes nonblocking (`true`) or blocking (`false`).
    ///
    /// # Errors
    /// When the system call fails.
    pub fn set_nonblocking(&self, nonblocking: bool) -> Result<(), SocketError> {
        self.stream.set_nonblocking(nonblocking).map_err(SocketError::io("cannot change the socket's mode"))
    }

    /// Reads once into `scratch`, passes every complete text frame to `on_text`, and answers pings.
    /// Returns the number of bytes read, 0 when there were none. This is the hot path: complete
    /// frames are neither copied nor allocated.
    ///
    /// # Errors
    /// When the server closed the connection or sent something that is not valid.
    pub fn read_ready(
        &mut self,
        scratch: &mut [u8],
        mut on_text: impl FnMut(&[u8]),
    ) -> Result<usize, SocketError> {
        let count = match (&self.stream).read(scratch) {
            Ok(0) => return Err(SocketError::Gone),
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
            Opcode::Close => {
                let (code, reason) = close_reason(frame.payload);
                fault = Some(SocketError::Closed { code, reason });
            }
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

    /// Drops the messages that were read while the socket was blocking and not returned yet.
    pub fn forget_waiting(&mut self) {
        self.waiting.clear();
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

/// The code and the reason in a close frame; 1005 when it has no code (RFC 6455 section 7.1.5).
fn close_reason(payload: &[u8]) -> (u16, String) {
    match payload {
        [high, low, reason @ ..] => {
            (u16::from_be_bytes([*high, *low]), String::from_utf8_lossy(reason).into_owned())
        }
        _ => (1005, String::new()),
    }
}

/// Opens a TCP connection without an upgrade. `receive_buffer` is the size of the kernel's receive
/// buffer in bytes. It is set before connecting: if it shrank later, the server would wait a
/// quarter of a second before each small write.
pub(crate) fn connect(
    endpoint: &Endpoint,
    index: usize,
    receive_buffer: Option<usize>,
) -> io::Result<TcpStream> {
    let socket = unconnected(endpoint, index)?;
    if let Some(bytes) = receive_buffer {
        socket.set_recv_buffer_size(bytes)?;
    }
    socket.connect(&endpoint.address.into())?;
    socket.set_read_timeout(Some(PATIENCE))?;
    Ok(socket.into())
}

/// Opens a TCP connection from this address of the loopback interface.
pub(crate) fn connect_from(endpoint: &Endpoint, from: IpAddr) -> io::Result<TcpStream> {
    let socket = socket2::Socket::new(Domain::for_address(endpoint.address), Type::STREAM, None)?;
    // A port is chosen when it connects, so that connections to other ports do not count.
    socket.set_reuse_address(true)?;
    socket.bind(&SocketAddr::new(from, 0).into())?;
    socket.connect(&endpoint.address.into())?;
    Ok(socket.into())
}

/// Begins to open a TCP connection and waits for nothing, however many wait at the server already. It is nonblocking, and
/// can be written to when it is open.
pub(crate) fn begin_to_connect(endpoint: &Endpoint, index: usize) -> io::Result<TcpStream> {
    let socket = unconnected(endpoint, index)?;
    socket.set_nonblocking(true)?;
    match socket.connect(&endpoint.address.into()) {
        Err(error) if error.raw_os_error() != Some(Errno::INPROGRESS.raw_os_error()) => Err(error),
        _ => Ok(socket.into()),
    }
}

fn unconnected(endpoint: &Endpoint, index: usize) -> io::Result<socket2::Socket> {
    let socket =
        socket2::Socket::new(Domain::for_address(endpoint.address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_tcp_nodelay(true)?;
    socket.set_linger(Some(Duration::ZERO))?;
    if let Some(source) = endpoint.source(index) {
        socket.bind(&source.into())?;
    }
    Ok(socket)
}
