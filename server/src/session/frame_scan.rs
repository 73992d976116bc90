//! Counts the frames in what a socket receives, also those that no message stands for.
//!
//! tungstenite hands out messages and joins fragments silently, so a message of a million empty
//! fragments would count as nothing until it ends. This scan reads the frame headers (RFC 6455,
//! 5.2) beside it, and counts what the messages do not show: see [`Scanned::hidden`].
//!
//! It also sees what tungstenite lets pass: a length that is not written in as few bytes as it could be (5.2). Any other
//! breach of RFC 6455 is found by tungstenite.
//!
//! Invariant: the scan sees every byte that tungstenite gets, once and in order. tungstenite gets nothing of a frame
//! whose length is too long but a part of its header, and nothing after it.

/// A long frame counts as one frame more for each of these. A useful message is far shorter, so it counts once; the
/// longest that is allowed counts as five. Without it, a connection at its rate of frames could send 400 KiB a second.
pub(crate) const BYTES_PER_FRAME: usize = 1_024;

/// The longest header: two bytes, eight of length, four of mask.
const HEADER_BYTES_MAX: usize = 14;

const FINAL: u8 = 0x80;
const CONTROL: u8 = 0x08;
const MASKED: u8 = 0x80;

/// What a scan found in some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scanned {
    /// How many frames there are that appear in no message: each fragment but the last of its message, and each full
    /// [`BYTES_PER_FRAME`] of a payload.
    pub(super) hidden: u32,
    /// How many of the bytes come before a frame with a length that is too long.
    pub(super) readable: usize,
}

/// Where in a frame the bytes are.
#[derive(Debug, Default)]
pub(super) struct FrameScan {
    header: [u8; HEADER_BYTES_MAX],
    /// How much of the header is known.
    known: u8,
    /// What is to come of the payload.
    payload_left: u64,
    /// What came of the payload since the last [`BYTES_PER_FRAME`].
    payload_since: u16,
    /// Whether some length took more bytes than it needs.
    has_long_length: bool,
}

impl FrameScan {
    /// Scans more bytes, up to the first length that is too long: what comes after that is nobody's.
    pub(super) fn scan(&mut self, bytes: &[u8]) -> Scanned {
        let (mut hidden, mut at, mut frame_at) = (0, 0, 0);
        while at < bytes.len() && !self.has_long_length {
            if self.payload_left > 0 {
                let rest = bytes.len() - at;
                let came = usize::try_from(self.payload_left).map_or(rest, |left| left.min(rest));
                hidden += self.payload(came);
                at += came;
            } else {
                frame_at = if self.known == 0 { at } else { frame_at };
                hidden += self.header(bytes[at]);
                at += 1;
            }
        }
        // A frame that began in an earlier read began at 0 of this one.
        Scanned { hidden, readable: if self.has_long_length { frame_at } else { bytes.len() } }
    }

    /// Whether some frame's length took more bytes than it needs: the connection must fail.
    pub(super) const fn has_long_length(&self) -> bool {
        self.has_long_length
    }

    fn payload(&mut self, came: usize) -> u32 {
        self.payload_left -= came as u64;
        let since = usize::from(self.payload_since) + came;
        self.payload_since = (since % BYTES_PER_FRAME) as u16;
        (since / BYTES_PER_FRAME) as u32
    }

    fn header(&mut self, byte: u8) -> u32 {
        self.header[usize::from(self.known)] = byte;
        self.known += 1;
        let header = &self.header[..usize::from(self.known)];
        if header.len() < header_bytes(header) {
            return 0;
        }
        self.payload_left = payload_bytes(header);
        self.has_long_length |= match header[1] & !MASKED {
            126 => self.payload_left < 126,
            127 => self.payload_left <= u64::from(u16::MAX),
            _ => false,
        };
        let is_hidden = header[0] & (FINAL | CONTROL) == 0;
        (self.known, self.payload_since) = (0, 0);
        u32::from(is_hidden)
    }
}

/// How long a header is that begins like this.
fn header_bytes(header: &[u8]) -> usize {
    let Some(second) = header.get(1) else { return 2 };
    let length = match second & !MASKED {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    let mask = if second & MASKED == 0 { 0 } else { 4 };
    2 + length + mask
}

/// The length of the payload, from a whole header.
fn payload_bytes(header: &[u8]) -> u64 {
    let big_endian = |bytes: &[u8]| bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    match header[1] & !MASKED {
        126 => big_endian(&header[2..4]),
        127 => big_endian(&header[2..10]),
        short => u64::from(short),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(first: u8, payload_bytes: usize) -> Vec<u8> {
        let length = match payload_bytes {
            0..126 => vec![MASKED | payload_bytes as u8],
            126..0x1_0000 => [&[MASKED | 126][..], &(payload_bytes as u16).to_be_bytes()].concat(),
            _ => [&[MASKED | 127][..], &(payload_bytes as u64).to_be_bytes()].concat(),
        };
        [&[first][..], &length, &[1, 2, 3, 4], &vec![0xff; payload_bytes]].concat()
    }

    #[track_caller]
    fn check(frames: &[Vec<u8>], hidden: u32) {
        let bytes = frames.concat();
        assert_eq!(FrameScan::default().scan(&bytes), Scanned { hidden, readable: bytes.len() });
        for piece in [1, 3, 4_096] {
            let mut scan = FrameScan::default();
            assert_eq!(
                bytes.chunks(piece).map(|bytes| scan.scan(bytes).hidden).sum::<u32>(),
                hidden,
                "{piece}"
            );
            assert_eq!(scan.payload_left + u64::from(scan.known), 0, "it is at the end of a frame");
        }
    }

    #[test]
    fn whole_messages_and_control_frames_hide_nothing() {
        check(&[frame(0x81, 0), frame(0x82, 125), frame(0x89, 7), frame(0x8a, 0), frame(0x88, 2)], 0);
        check(&[frame(0x81, 126), frame(0x81, 1_023), frame(0x81, 1)], 0);
    }

    #[test]
    fn fragments_are_counted_but_for_the_last() {
        check(&[frame(0x01, 0), frame(0x00, 0), frame(0x89, 0), frame(0x00, 300), frame(0x80, 0)], 3);
    }

    #[test]
    fn a_long_payload_counts_for_its_bytes() {
        check(&[frame(0x81, 1_024), frame(0x81, 4_096), frame(0x01, 2_047), frame(0x80, 1)], 1 + 4 + 1 + 1);
        check(&[frame(0x81, 70_000)], 68);
    }

    #[test]
    fn a_length_takes_as_few_bytes_as_it_can() {
        let has_long_length = |header: &[u8]| {
            let mut scan = FrameScan::default();
            scan.scan(&[header, &[1, 2, 3, 4]].concat());
            scan.has_long_length()
        };
        assert!(!has_long_length(&[0x81, 0xfd]));
        assert!(has_long_length(&[0x81, 0xfe, 0, 125]) && !has_long_length(&[0x81, 0xfe, 0, 126]));
        assert!(has_long_length(&[0x89, 0xfe, 0, 0]), "also of a control frame");
        let long = [0x81, 0xff, 0, 0, 0, 0, 0, 0];
        assert!(has_long_length(&[&long[..], &[0xff, 0xff]].concat()));
        assert!(!has_long_length(&[0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 0]));
    }

    #[test]
    fn what_comes_before_a_length_that_is_too_long_is_readable() {
        let (sound, long) = (frame(0x81, 5), [0x81, 0xfe, 0, 5, 1, 2, 3, 4]);
        let bytes = [&sound[..], &long, &sound].concat();
        assert_eq!(FrameScan::default().scan(&bytes).readable, sound.len());
        let mut scan = FrameScan::default();
        let (first, rest) = bytes.split_at(sound.len() + 3);
        assert_eq!(scan.scan(first).readable, first.len(), "it is not known yet");
        assert_eq!((scan.scan(rest).readable, scan.scan(&sound).readable), (0, 0));
    }

    #[test]
    fn a_length_beyond_everything_is_not_believed_before_it_comes() {
        let mut scan = FrameScan::default();
        assert_eq!(
            scan.scan(&[0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]).hidden,
            0
        );
        assert_eq!(scan.scan(&[0; 2_048]).hidden, 2);
    }
}
