//! A message of ours as it goes over the socket: encoded once, shared by all who get it.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use zeitnot_protocol::ServerMessage;
use zeitnot_rules::game::Seq;

/// First byte of a whole text message.
const TEXT: u8 = 0x81;

/// The longest header.
const HEADER_MAX: usize = 10;
/// A scratch buffer that grew over this is not kept.
const SCRATCH_KEPT: usize = 64 * 1024;

thread_local! {
    /// Where a message is written before its length is known, so that a frame is one allocation of the right size.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The header of an unmasked frame with this first byte and a payload of `length` bytes (RFC 6455, section 5.2), and how
/// many of its bytes count.
pub(crate) fn frame_header(first: u8, length: usize) -> ([u8; HEADER_MAX], usize) {
    let mut header = [0; HEADER_MAX];
    header[0] = first;
    let bytes = match length {
        0..=125 => {
            header[1] = length as u8;
            2
        }
        126..=0xffff => {
            header[1] = 126;
            header[2..4].copy_from_slice(&(length as u16).to_be_bytes());
            4
        }
        _ => {
            header[1] = 127;
            header[2..].copy_from_slice(&(length as u64).to_be_bytes());
            HEADER_MAX
        }
    };
    (header, bytes)
}

/// A WebSocket text frame with its header. A clone shares the bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    framed: Arc<[u8]>,
    /// The public event in it, or the last event a snapshot holds.
    seq: Seq,
    header_bytes: u8,
    clock_follows: bool,
}

impl Frame {
    /// Encodes a message. For one that is no event, `seq` says nothing.
    pub(crate) fn new(seq: Seq, message: &ServerMessage) -> Self {
        Self::written(seq, |scratch| message.append_to(scratch))
    }

    /// A message that another node has encoded.
    pub(crate) fn of_text(seq: Seq, text: &str) -> Self {
        Self::written(seq, |scratch| scratch.extend_from_slice(text.as_bytes()))
    }

    #[inline]
    fn written(seq: Seq, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        SCRATCH.with_borrow_mut(|scratch| {
            // Room for the longest header; the one that is needed ends where the payload begins.
            scratch.clear();
            scratch.extend_from_slice(&[0; HEADER_MAX]);
            write(scratch);
            let (header, header_bytes) = frame_header(TEXT, scratch.len() - HEADER_MAX);
            let begin = HEADER_MAX - header_bytes;
            scratch[begin..HEADER_MAX].copy_from_slice(&header[..header_bytes]);
            let framed = Arc::from(&scratch[begin..]);
            if scratch.capacity() > SCRATCH_KEPT {
                *scratch = Vec::new();
            }
            Self { framed, seq, header_bytes: header_bytes as u8, clock_follows: false }
        })
    }

    /// The same frame, after which a `clock` is due.
    pub(crate) fn with_clock(self) -> Self {
        Self { clock_follows: true, ..self }
    }

    /// The public event in it, or the last event that a snapshot holds.
    #[must_use]
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Header and payload: what goes on the socket.
    #[must_use]
    pub fn framed(&self) -> &[u8] {
        &self.framed
    }

    /// The payload: JSON.
    #[must_use]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.framed[usize::from(self.header_bytes)..])
            .expect("a frame is made from text")
    }

    /// Whether a `clock` is due after it: a clock was changed by an act.
    #[must_use]
    pub fn clock_follows(&self) -> bool {
        self.clock_follows
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {}", self.seq, self.text())
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::Pong;

    use super::*;

    #[track_caller]
    fn check(length: usize, header: &[u8]) {
        let (bytes, used) = frame_header(TEXT, length);
        assert_eq!(&bytes[..used], header);
    }

    #[test]
    fn the_header_is_that_of_rfc_6455() {
        check(0, &[0x81, 0]);
        check(5, &[0x81, 5]);
        check(125, &[0x81, 125]);
        check(126, &[0x81, 126, 0, 126]);
        check(32_768, &[0x81, 126, 0x80, 0]);
        check(65_535, &[0x81, 126, 0xff, 0xff]);
        check(65_536, &[0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
    }

    #[test]
    fn a_frame_holds_the_message_behind_its_header() {
        let message = ServerMessage::Pong(Pong { n: 7, at: 0, ms: 0 });
        let frame = Frame::new(3, &message);
        assert_eq!(frame.text(), message.to_text());
        assert_eq!(frame.framed(), [&[0x81, frame.text().len() as u8], frame.text().as_bytes()].concat());
        assert_eq!(frame.seq(), 3);
    }
}
