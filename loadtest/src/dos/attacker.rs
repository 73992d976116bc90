//! One attacking connection: what it does, and how the server closed it.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};

use anyhow::{Context as _, Result};
use zeitnot_protocol::{ClientMessage, GameId, Hello, SUBPROTOCOL, Watch};

use crate::endpoint::Endpoint;
use crate::wire::{FrameReader, Opcode, Socket, client_frame, connect};

/// The receive buffer of a spectator that does not read; the rest stays with the server.
const UNREAD_BUFFER_BYTES: usize = 4 * 1024;

/// The beginning of a message of which empty fragments follow.
const FIRST_FRAGMENT: [u8; 6] = [0x01, 0x80, 0, 0, 0, 0];

/// The kinds of attacking connections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// Sends the head of a request byte by byte.
    Slow,
    /// Upgrades, and every second one sends an empty `hello`; then nothing more.
    Silent,
    /// Sends as much as the socket takes.
    Flood,
    /// Sends empty fragments of one message, as many as the socket takes.
    Fragments,
    /// Watches a game and never reads.
    Unread,
}

impl Kind {
    pub(super) const ALL: [Self; 5] = [Self::Slow, Self::Silent, Self::Flood, Self::Fragments, Self::Unread];

    /// The name in the report.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Slow => "slow handshakes",
            Self::Silent => "silent sockets",
            Self::Flood => "floods",
            Self::Fragments => "floods of empty fragments",
            Self::Unread => "spectators that never read",
        }
    }

    /// Whether docs/protocol.md says that this kind is closed like this. A flood answers no ping, so one that
    /// gets too little of the processor to exceed the rate ends as a silent socket does.
    pub(super) const fn is_documented(self, how: How) -> bool {
        match self {
            Self::Slow => matches!(how, How::Closed | How::Status(408)),
            Self::Silent => matches!(how, How::Code(4003)),
            Self::Flood | Self::Fragments => matches!(how, How::Code(4502 | 4003)),
            Self::Unread => matches!(how, How::Code(4000 | 4002)),
        }
    }
}

/// How a connection was closed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum How {
    /// Without a close frame or a status.
    Closed,
    /// With an HTTP status.
    Status(u16),
    /// With a close code.
    Code(u16),
    /// Not within the documented time.
    Never,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("closed"),
            Self::Status(status) => write!(f, "HTTP {status}"),
            Self::Code(code) => write!(f, "close code {code}"),
            Self::Never => f.write_str("not closed"),
        }
    }
}

/// How many connections of each kind were closed in which way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Cuts(BTreeMap<(Kind, How), u64>);

impl Cuts {
    pub(super) fn count(&mut self, kind: Kind, how: How) {
        *self.0.entry((kind, how)).or_default() += 1;
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (key, count) in &other.0 {
            *self.0.entry(*key).or_default() += count;
        }
    }

    /// How many were not closed as documented.
    pub(super) fn wrong(&self) -> u64 {
        self.0.iter().filter(|((kind, how), _)| !kind.is_documented(*how)).map(|(_, count)| count).sum()
    }

    /// How a kind was closed, such as `2000 closed`.
    pub(super) fn of(&self, kind: Kind) -> String {
        let found = self.0.iter().filter(|((found, _), _)| *found == kind);
        let parts = found.map(|((_, how), count)| format!("{count} {how}")).collect::<Vec<_>>();
        if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
    }
}

/// One connection.
#[derive(Debug)]
pub(super) struct Attacker {
    pub(super) kind: Kind,
    stream: TcpStream,
    reader: FrameReader,
    /// What the server sent before any frame: an HTTP status.
    head: Vec<u8>,
    code: Option<u16>,
    /// How many bytes a slow handshake has sent.
    sent: usize,
}

impl Attacker {
    /// Connects. `index` counts the sockets of the process; a spectator watches `game`.
    pub(super) fn open(kind: Kind, endpoint: &Endpoint, index: usize, game: GameId) -> Result<Self> {
        let receive_buffer = (kind == Kind::Unread).then_some(UNREAD_BUFFER_BYTES);
        let stream = connect(endpoint, index, receive_buffer).context("an attacker")?;
        let (stream, reader) = match kind {
            Kind::Slow => (stream, FrameReader::default()),
            Kind::Silent | Kind::Flood | Kind::Fragments | Kind::Unread => {
                Socket::upgraded(stream, endpoint, Some(SUBPROTOCOL)).context("an attacker")?.into_parts()
            }
        };
        let mut attacker = Self { kind, stream, reader, head: Vec::new(), code: None, sent: 0 };
        let hello = || ClientMessage::Hello(Hello::default());
        match kind {
            Kind::Silent if index.is_multiple_of(2) => attacker.say(&hello())?,
            Kind::Unread => {
                attacker.say(&hello())?;
                attacker.say(&ClientMessage::Watch(Watch { game, after: None, id: None }))?;
            }
            Kind::Fragments => attacker.stream.write_all(&FIRST_FRAGMENT)?,
            Kind::Slow | Kind::Silent | Kind::Flood => {}
        }
        attacker.stream.set_nonblocking(true)?;
        Ok(attacker)
    }

    fn say(&mut self, message: &ClientMessage) -> Result<()> {
        let frame = client_frame(Opcode::Text, message.to_text().as_bytes());
        self.stream.write_all(&frame).context("an attacker cannot write")
    }

    /// Prepares an unread connection for reading. Shutting down our direction makes the server's
    /// kernel notice immediately that there is room again; otherwise its next probe would follow a
    /// quarter of a minute later.
    pub(super) fn begin_to_read(&self) -> Result<()> {
        // A connection that was reset is not connected any more; the next read reports it.
        match self.stream.shutdown(Shutdown::Write) {
            Err(error) if error.kind() != ErrorKind::NotConnected => Err(error).context("an attacker's end"),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Sends the next byte of a head that never ends. The next read notices a failure.
    pub(super) fn drip(&mut self) {
        const HEAD: &[u8] = b"GET /ws HTTP/1.1\r\nHost: zeitnot\r\nX-Slow: ";
        let byte = HEAD.get(self.sent).copied().unwrap_or(b'x');
        self.sent += usize::from(self.stream.write(&[byte]).is_ok());
    }

    /// Sends as much as the socket takes, up to a few times `frames`.
    pub(super) fn flood(&mut self, frames: &[u8]) {
        for _ in 0..4 {
            if !self.stream.write(frames).is_ok_and(|taken| taken == frames.len()) {
                return;
            }
        }
    }

    /// Reads what was received; `Some` when the server has closed the connection.
    pub(super) fn read(&mut self, scratch: &mut [u8]) -> Result<Option<How>> {
        loop {
            match self.stream.read(scratch) {
                Ok(0) => return Ok(Some(self.how())),
                Ok(count) => self.take(&scratch[..count])?,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    return Ok(self.code.map(How::Code));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Ok(Some(self.how())),
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<()> {
        if self.kind == Kind::Slow {
            self.head.extend_from_slice(&bytes[..bytes.len().min(64)]);
            return Ok(());
        }
        let code = &mut self.code;
        self.reader.feed(bytes, |frame| {
            if let (Opcode::Close, [high, low, ..]) = (frame.opcode, frame.payload) {
                *code = Some(u16::from_be_bytes([*high, *low]));
            }
        })?;
        Ok(())
    }

    fn how(&self) -> How {
        let status = || std::str::from_utf8(self.head.get(9..12)?).ok()?.parse().ok();
        self.code.map(How::Code).or_else(|| status().map(How::Status)).unwrap_or(How::Closed)
    }
}

impl AsFd for Attacker {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undocumented_end_is_wrong() {
        let mut cuts = Cuts::default();
        cuts.count(Kind::Slow, How::Closed);
        cuts.count(Kind::Slow, How::Closed);
        cuts.count(Kind::Silent, How::Code(4003));
        assert_eq!((cuts.wrong(), cuts.of(Kind::Slow)), (0, "2 closed".to_owned()));
        cuts.count(Kind::Silent, How::Never);
        cuts.count(Kind::Unread, How::Closed);
        assert_eq!((cuts.wrong(), cuts.of(Kind::Silent)), (2, "1 close code 4003, 1 not closed".to_owned()));
        assert_eq!(cuts.of(Kind::Flood), "none");
    }
}
