//! A message of ours as it goes over the socket: encoded once, shared by all who get it.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use zeitnot_protocol::ServerMessage;
use zeitnot_rules::game::Seq;

/// First byte of an unmasked, unfragmented text frame (RFC 6455, section 5.2).
const FINAL_TEXT: u8 = 0x81;
/// The longest payload whose length fits in the second byte.
const SHORT_MAX: usize = 125;
/// Says that the length follows in two bytes.
const LENGTH_IN_16_BITS: u8 = 126;
/// Says that the length follows in eight bytes.
const LENGTH_IN_64_BITS: u8 = 127;

/// The longest header.
const HEADER_MAX: usize = 10;
/// A scratch buffer that grew over this is not kept.
const SCRATCH_KEPT: usize = 64 * 1024;

thread_local! {
    /// Where a message is written before its length is known, so that a frame is one allocation of the right size.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Writes the header in front of the payload, which begins at [`HEADER_MAX`]; returns its length.
fn write_header(bytes: &mut [u8]) -> usize {
    let (header, payload) = bytes.split_at_mut(HEADER_MAX);
    match payload.len() {
        length @ ..=SHORT_MAX => {
            header[8..].copy_from_slice(&[FINAL_TEXT, length as u8]);
            2
        }
        length @ ..=0xffff => {
            header[6..8].copy_from_slice(&[FINAL_TEXT, LENGTH_IN_16_BITS]);
            header[8..].copy_from_slice(&(length as u16).to_be_bytes());
            4
        }
        length => {
            header[..2].copy_from_slice(&[FINAL_TEXT, LENGTH_IN_64_BITS]);
            header[2..].copy_from_slice(&(length as u64).to_be_bytes());
            10
        }
    }
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
        SCRATCH.with_borrow_mut(|scratch| {
            // Room for the longest header; the one that is needed ends where the payload begins.
            scratch.clear();
            scratch.extend_from_slice(&[0; HEADER_MAX]);
            message.append_to(scratch);
            let header_bytes = write_header(scratch);
            let framed = Arc::from(&scratch[HEADER_MAX - header_bytes..]);
            if scratch.capacity() > SCRATCH_KEPT {
                *scratch = Vec::new();
            }
            Self { framed, seq, header_bytes: header_bytes as u8, clock_follows: false }
        })
    }

    /// The same frame, after which a `clock` is due.
    pub(super) fn with_clock(self) -> Self {
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
        let mut bytes = vec![b'x'; HEADER_MAX + length];
        let header_bytes = write_header(&mut bytes);
        assert_eq!(&bytes[HEADER_MAX - header_bytes..HEADER_MAX], header);
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
        let message = ServerMessage::Pong(Pong { n: 7 });
        let frame = Frame::new(3, &message);
        assert_eq!(frame.text(), message.to_text());
        assert_eq!(frame.framed(), [&[0x81, frame.text().len() as u8], frame.text().as_bytes()].concat());
        assert_eq!(frame.seq(), 3);
    }
}
