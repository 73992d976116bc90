//! The bytes a session is about to write, framed by RFC 6455, section 5.2.
//!
//! Frames are written one after the other and leave in one call. Every writer asks
//! [`Output::has_room`] first, so an output never holds more than [`OUTPUT_BYTES_MAX`].

use zeitnot_protocol::ServerMessage;

use crate::connections::frame_header;

/// Output beyond this is not added to: the session waits until the kernel has taken some.
pub(crate) const ROOM: usize = 16 * 1024;

/// The most bytes that wait: [`ROOM`], what one step may add to it, which is the largest frame (32 KiB) and after a
/// snapshot a feed's ring (16 KiB), and the answers to what came in one read (16 KiB).
pub(crate) const OUTPUT_BYTES_MAX: usize = ROOM + (32 + 16 + 16) * 1024;

/// First byte of a whole text message.
const TEXT: u8 = 0x81;
/// First byte of a ping.
const PING: u8 = 0x89;

/// Bytes on their way to the kernel.
#[derive(Debug, Default)]
pub(crate) struct Output {
    bytes: Vec<u8>,
    /// How many of `bytes` the kernel has taken.
    taken: usize,
}

impl Output {
    /// Whether more may be written now.
    pub(crate) fn has_room(&self) -> bool {
        self.bytes.len() - self.taken < ROOM
    }

    /// What the kernel has not taken yet.
    pub(crate) fn waiting(&self) -> &[u8] {
        &self.bytes[self.taken..]
    }

    /// The kernel took so many bytes.
    pub(crate) fn take(&mut self, bytes: usize) {
        self.taken += bytes;
        if self.taken >= self.bytes.len() {
            self.clear();
        }
    }

    /// Forgets everything, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.taken = 0;
    }

    /// How much memory it has.
    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// What waits, in memory of just that size.
    pub(crate) fn rest(&self) -> Self {
        Self { bytes: self.waiting().to_vec(), taken: 0 }
    }

    /// Writes a text frame around `text`.
    pub(crate) fn text(&mut self, text: &str) {
        self.frame(TEXT, text.as_bytes());
    }

    /// Writes a binary frame: only the echo of the tests does.
    #[cfg(test)]
    pub(crate) fn binary(&mut self, payload: &[u8]) {
        self.frame(0x82, payload);
    }

    /// Writes a message.
    pub(crate) fn message(&mut self, message: &ServerMessage) {
        self.text(&message.to_text());
    }

    /// Writes a frame, or a part of one, that has its header already.
    pub(crate) fn framed(&mut self, framed: &[u8]) {
        self.bytes.extend_from_slice(framed);
    }

    /// Writes a ping with this number.
    pub(crate) fn ping(&mut self, number: u32) {
        self.frame(PING, &number.to_be_bytes());
    }

    fn frame(&mut self, first: u8, payload: &[u8]) {
        let (header, header_bytes) = frame_header(first, payload.len());
        self.bytes.reserve(header_bytes + payload.len());
        self.bytes.extend_from_slice(&header[..header_bytes]);
        self.bytes.extend_from_slice(payload);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(length: usize, header: &[u8]) {
        let mut output = Output::default();
        let text = "x".repeat(length);
        output.text(&text);
        assert_eq!(&output.waiting()[..header.len()], header);
        assert_eq!(&output.waiting()[header.len()..], text.as_bytes());
    }

    #[test]
    fn headers_are_those_of_rfc_6455() {
        check(0, &[0x81, 0]);
        check(125, &[0x81, 125]);
        check(126, &[0x81, 126, 0, 126]);
        check(65_535, &[0x81, 126, 0xff, 0xff]);
        check(65_536, &[0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]);
    }

    #[test]
    fn a_ping_carries_its_number() {
        let mut output = Output::default();
        output.ping(0x0102_0304);
        assert_eq!(output.waiting(), [0x89, 4, 1, 2, 3, 4]);
    }

    #[test]
    fn what_was_taken_is_gone() {
        let mut output = Output::default();
        output.framed(b"abcdef");
        output.take(2);
        assert_eq!(output.waiting(), b"cdef");
        assert_eq!(output.rest().waiting(), b"cdef");
        output.take(4);
        assert!(output.is_empty());
    }

    #[test]
    fn room_is_counted_without_what_was_taken() {
        let mut output = Output::default();
        output.framed(&[0; ROOM + 5]);
        assert!(!output.has_room());
        output.take(6);
        assert!(output.has_room());
    }
}
