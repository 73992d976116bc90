//! One connection of a attack: what it is at, and how the server cut it.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};

use anyhow::{Context as _, Result};
use zeitnot_protocol::{ClientMessage, GameId, Hello, SUBPROTOCOL, Watch};

use crate::endpoint::Endpoint;
use crate::wire::{FrameReader, Opcode, Socket, client_frame, connect};

/// What the kernel keeps for a spectator who does not read, so that the server must keep the rest.
const DEAF_BUFFER_BYTES: usize = 4 * 1024;

/// The kinds of attacker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// Sends the head of a request octet by octet.
    Slow,
    /// Upgrades; every second one says an empty `hello`; then nothing more.
    Silent,
    /// Sends as much as goes in.
    Flood,
    /// Watches a game and never reads.
    Deaf,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Slow, Self::Silent, Self::Flood, Self::Deaf];

    /// As in the report.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Slow => "slow handshakes",
            Self::Silent => "silent sockets",
            Self::Flood => "floods",
            Self::Deaf => "spectators who never read",
        }
    }

    /// Whether the server's document says that this kind is cut so.
    pub(super) const fn is_documented(self, how: How) -> bool {
        match self {
            Self::Slow => matches!(how, How::Closed | How::Status(408)),
            Self::Silent => matches!(how, How::Code(4003)),
            Self::Flood => matches!(how, How::Code(4502)),
            Self::Deaf => matches!(how, How::Code(4000 | 4002)),
        }
    }
}

/// How a connection was cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum How {
    /// Without a word.
    Closed,
    /// With an HTTP status.
    Status(u16),
    /// With a close code.
    Code(u16),
    /// Not at all, in the time it had to be.
    Never,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("closed"),
            Self::Status(status) => write!(f, "HTTP {status}"),
            Self::Code(code) => write!(f, "close code {code}"),
            Self::Never => f.write_str("not cut"),
        }
    }
}

/// How many of each kind were cut how.
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

    /// Those that were cut otherwise than the document says, or not at all.
    pub(super) fn wrong(&self) -> u64 {
        self.0.iter().filter(|((kind, how), _)| !kind.is_documented(*how)).map(|(_, count)| count).sum()
    }

    /// How a kind was cut, as in `2000 closed`.
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
    /// What an HTTP server says instead of frames.
    head: Vec<u8>,
    code: Option<u16>,
    /// Octets sent of what a slow one sends.
    sent: usize,
}

impl Attacker {
    /// Connects. `index` counts the sockets of the process; a deaf one watches `game`.
    pub(super) fn open(kind: Kind, endpoint: &Endpoint, index: usize, game: GameId) -> Result<Self> {
        let keeps = (kind == Kind::Deaf).then_some(DEAF_BUFFER_BYTES);
        let stream = connect(endpoint, index, keeps).context("a attacker")?;
        let (stream, reader) = match kind {
            Kind::Slow => (stream, FrameReader::default()),
            Kind::Silent | Kind::Flood | Kind::Deaf => {
                Socket::upgraded(stream, endpoint, Some(SUBPROTOCOL)).context("a attacker")?.into_parts()
            }
        };
        let mut attacker = Self { kind, stream, reader, head: Vec::new(), code: None, sent: 0 };
        let hello = || ClientMessage::Hello(Hello::default());
        match kind {
            Kind::Silent if index.is_multiple_of(2) => attacker.say(&hello())?,
            Kind::Deaf => {
                attacker.say(&hello())?;
                attacker.say(&ClientMessage::Watch(Watch { game, after: None, id: None }))?;
            }
            Kind::Slow | Kind::Silent | Kind::Flood => {}
        }
        attacker.stream.set_nonblocking(true)?;
        Ok(attacker)
    }

    fn say(&mut self, message: &ClientMessage) -> Result<()> {
        let frame = client_frame(Opcode::Text, message.to_text().as_bytes());
        self.stream.write_all(&frame).context("a attacker cannot write")
    }

    /// Begins to read. Saying that nothing more will be sent tells the server's kernel at once that there is room again;
    /// without it that would ask for a quarter of a minute later.
    pub(super) fn look(&self) -> Result<()> {
        // One that was cut without a word is not connected any more: the next read says so.
        match self.stream.shutdown(Shutdown::Write) {
            Err(error) if error.kind() != ErrorKind::NotConnected => Err(error).context("a attacker's end"),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Sends the next octet of a head without end. That it cannot is found out by the next read.
    pub(super) fn drip(&mut self) {
        const HEAD: &[u8] = b"GET /ws HTTP/1.1\r\nHost: zeitnot\r\nX-Slow: ";
        let octet = HEAD.get(self.sent).copied().unwrap_or(b'x');
        self.sent += usize::from(self.stream.write(&[octet]).is_ok());
    }

    /// Sends as much as goes in, up to a few times `frames`.
    pub(super) fn flood(&mut self, frames: &[u8]) {
        for _ in 0..4 {
            if !self.stream.write(frames).is_ok_and(|taken| taken == frames.len()) {
                return;
            }
        }
    }

    /// Reads what there is; `Some` when it was cut.
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
    fn what_is_not_documented_is_wrong() {
        let mut cuts = Cuts::default();
        cuts.count(Kind::Slow, How::Closed);
        cuts.count(Kind::Slow, How::Closed);
        cuts.count(Kind::Silent, How::Code(4003));
        assert_eq!((cuts.wrong(), cuts.of(Kind::Slow)), (0, "2 closed".to_owned()));
        cuts.count(Kind::Silent, How::Never);
        cuts.count(Kind::Deaf, How::Closed);
        assert_eq!((cuts.wrong(), cuts.of(Kind::Silent)), (2, "1 close code 4003, 1 not cut".to_owned()));
        assert_eq!(cuts.of(Kind::Flood), "none");
    }
}
