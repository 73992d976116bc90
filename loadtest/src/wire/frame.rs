//! WebSocket frames: writes masked ones (RFC 6455 section 5.3), reads a server's unmasked ones
//! (section 5.2).
//!
//! Fragmented messages are not reassembled: the server never sends any, and a fragment is an error.
//! Invariant: a reader yields the frames in the order of the bytes, however the reads divide them.

use thiserror::Error;

/// The longest payload that a reader accepts; no frame of the server exceeds 32 KiB.
const PAYLOAD_MAX: usize = 64 * 1024;

/// The mask of every frame that we send. It is fixed so that frames can be prepared in advance.
const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

/// The type of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opcode {
    /// Text.
    Text,
    /// Binary.
    Binary,
    /// Close.
    Close,
    /// Ping.
    Ping,
    /// Pong.
    Pong,
}

impl Opcode {
    const fn number(self) -> u8 {
        match self {
            Self::Text => 1,
            Self::Binary => 2,
            Self::Close => 8,
            Self::Ping => 9,
            Self::Pong => 10,
        }
    }

    const fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Text,
            2 => Self::Binary,
            8 => Self::Close,
            9 => Self::Ping,
            10 => Self::Pong,
            _ => return None,
        })
    }
}

/// A frame from the server, borrowed from the reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// Its type.
    pub opcode: Opcode,
    /// Its payload.
    pub payload: &'a [u8],
}

/// Why the server's bytes are not valid frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum FrameError {
    /// The first byte is not that of an unfragmented frame without extension bits.
    #[error("the server sent a frame that begins with byte {0:#04x}")]
    Head(u8),
    /// A server must not mask (section 5.1).
    #[error("the server masked a frame")]
    Masked,
    /// Longer than [`PAYLOAD_MAX`].
    #[error("the server sent a frame of {0} bytes")]
    TooLong(u64),
}

/// A masked, unfragmented frame.
#[must_use]
pub fn client_frame(opcode: Opcode, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(payload.len() + 14);
    client_frame_into(opcode, payload, &mut frame);
    frame
}

/// Appends a masked, unfragmented frame to `out`.
pub fn client_frame_into(opcode: Opcode, payload: &[u8], out: &mut Vec<u8>) {
    out.push(0x80 | opcode.number());
    match payload.len() {
        len @ 0..126 => out.push(0x80 | u8::try_from(len).expect("below 126")),
        len => match u16::try_from(len) {
            Ok(len) => {
                out.push(0x80 | 126);
                out.extend_from_slice(&len.to_be_bytes());
            }
            Err(_) => {
                out.push(0x80 | 127);
                out.extend_from_slice(&(len as u64).to_be_bytes());
            }
        },
    }
    out.extend_from_slice(&MASK);
    out.extend(payload.iter().enumerate().map(|(at, byte)| byte ^ MASK[at & 3]));
}

/// Splits the bytes of a server into frames.
#[derive(Debug, Default)]
pub struct FrameReader {
    /// The bytes of an incomplete frame; empty most of the time.
    rest: Vec<u8>,
}

impl FrameReader {
    /// Appends bytes and passes every complete frame to `take`, oldest first.
    ///
    /// # Errors
    /// When the bytes are not frames of a server. The reader must not be used after that.
    pub fn feed(&mut self, bytes: &[u8], mut take: impl FnMut(Frame<'_>)) -> Result<(), FrameError> {
        if self.rest.is_empty() {
            let used = split(bytes, &mut take)?;
            self.rest.extend_from_slice(&bytes[used..]);
        } else {
            self.rest.extend_from_slice(bytes);
            let used = split(&self.rest, &mut take)?;
            self.rest.drain(..used);
        }
        Ok(())
    }
}

/// Passes on the complete frames at the start of `bytes` and returns their total length.
fn split(bytes: &[u8], take: &mut impl FnMut(Frame<'_>)) -> Result<usize, FrameError> {
    let mut used = 0;
    while let Some((frame, length)) = first(&bytes[used..])? {
        take(frame);
        used += length;
    }
    Ok(used)
}

/// The first frame and its length on the wire, if it is complete.
fn first(bytes: &[u8]) -> Result<Option<(Frame<'_>, usize)>, FrameError> {
    let [head, second, ..] = *bytes else { return Ok(None) };
    if head & 0xf0 != 0x80 {
        return Err(FrameError::Head(head));
    }
    let opcode = Opcode::from_number(head & 0x0f).ok_or(FrameError::Head(head))?;
    if second & 0x80 != 0 {
        return Err(FrameError::Masked);
    }
    let (start, length) = match (second, bytes) {
        (126, [_, _, a, b, ..]) => (4, u64::from(u16::from_be_bytes([*a, *b]))),
        (127, [_, _, a, b, c, d, e, f, g, h, ..]) => {
            (10, u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]))
        }
        (126 | 127, _) => return Ok(None),
        (short, _) => (2, u64::from(short)),
    };
    let length = match usize::try_from(length) {
        Ok(length) if length <= PAYLOAD_MAX => length,
        _ => return Err(FrameError::TooLong(length)),
    };
    let whole = start + length;
    Ok(bytes.get(start..whole).map(|payload| (Frame { opcode, payload }, whole)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server_frame(head: u8, payload: &[u8]) -> Vec<u8> {
        let mut frame = vec![head];
        if payload.len() < 126 {
            frame.push(u8::try_from(payload.len()).unwrap());
        } else {
            frame.push(126);
            frame.extend_from_slice(&u16::try_from(payload.len()).unwrap().to_be_bytes());
        }
        frame.extend_from_slice(payload);
        frame
    }

    fn frames(bytes: &[u8], step: usize) -> Result<Vec<(Opcode, Vec<u8>)>, FrameError> {
        let mut reader = FrameReader::default();
        let mut found = Vec::new();
        for part in bytes.chunks(step) {
            reader.feed(part, |frame| found.push((frame.opcode, frame.payload.to_vec())))?;
        }
        Ok(found)
    }

    #[test]
    fn frames_are_complete_however_the_bytes_are_divided() {
        let long = vec![b'x'; 300];
        let mut bytes = server_frame(0x81, b"one");
        bytes.extend(server_frame(0x89, b""));
        bytes.extend(server_frame(0x81, &long));
        bytes.extend(server_frame(0x88, &[0x11, 0x94]));
        let expected = vec![
            (Opcode::Text, b"one".to_vec()),
            (Opcode::Ping, Vec::new()),
            (Opcode::Text, long),
            (Opcode::Close, vec![0x11, 0x94]),
        ];
        for step in 1..=bytes.len() {
            assert_eq!(frames(&bytes, step).unwrap(), expected, "cut every {step} bytes");
        }
    }

    #[test]
    fn frames_that_no_server_may_send_are_errors() {
        assert_eq!(frames(&[0x01, 0x00], 2), Err(FrameError::Head(0x01)), "a fragment");
        assert_eq!(frames(&[0xc1, 0x00], 2), Err(FrameError::Head(0xc1)), "an extension bit");
        assert_eq!(frames(&[0x83, 0x00], 2), Err(FrameError::Head(0x83)), "an unknown opcode");
        assert_eq!(frames(&[0x81, 0x80, 0, 0, 0, 0], 6), Err(FrameError::Masked));
        let mut long = vec![0x81, 127];
        long.extend_from_slice(&1_000_000_u64.to_be_bytes());
        assert_eq!(frames(&long, 10), Err(FrameError::TooLong(1_000_000)));
    }

    #[test]
    fn a_client_frame_is_masked_and_has_the_shortest_length() {
        for (length, header) in [(0, 2), (125, 2), (126, 4), (65_535, 4), (65_536, 10)] {
            let payload = vec![b'a'; length];
            let frame = client_frame(Opcode::Text, &payload);
            assert_eq!(frame.len(), header + 4 + length);
            assert_eq!(frame[1] & 0x80, 0x80);
            let unmasked: Vec<u8> = frame[header + 4..]
                .iter()
                .enumerate()
                .map(|(at, byte)| byte ^ frame[header + (at & 3)])
                .collect();
            assert_eq!(unmasked, payload);
        }
    }
}
