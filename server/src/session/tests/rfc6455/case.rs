//! A case: the frames that are sent, and what must come back.

use std::fmt;

/// RFC 6455, 7.4.1.
pub(super) const NORMAL: u16 = 1000;
pub(super) const PROTOCOL_ERROR: u16 = 1002;
pub(super) const NOT_UTF8: u16 = 1007;

/// RFC 6455, 5.2.
pub(super) const CONTINUATION: u8 = 0;
pub(super) const TEXT: u8 = 1;
pub(super) const BINARY: u8 = 2;
pub(super) const CLOSE: u8 = 8;
pub(super) const PING: u8 = 9;
pub(super) const PONG: u8 = 10;

/// The final bit of a frame's first octet.
const FIN: u8 = 0x80;

/// A masking key: any is as good.
const MASK: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

/// Something that came from the server.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Told {
    Text(Vec<u8>),
    Binary(Vec<u8>),
    Pong(Vec<u8>),
    /// A close frame, with its code if it has one.
    Close(Option<u16>),
}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, payload) = match self {
            Self::Close(code) => return write!(f, "Close({code:?})"),
            Self::Text(payload) => ("Text", payload),
            Self::Binary(payload) => ("Binary", payload),
            Self::Pong(payload) => ("Pong", payload),
        };
        write!(f, "{name}({} octets: {:02x?})", payload.len(), &payload[..payload.len().min(16)])
    }
}

/// How well a case was passed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Verdict {
    Strict,
    /// As the RFC allows, and later or less than the suite asks for.
    NonStrict,
}

/// A piece of what is sent.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// A frame, or a part of one.
    Octets(Vec<u8>),
    /// Nothing may come up to here.
    Silence,
    /// The connection must be failed by now; if it is only later, that is non-strict.
    FailsHere,
}

/// Everything that came, and whether it came in time.
#[derive(Debug)]
pub(super) struct Got {
    pub(super) told: Vec<Told>,
    pub(super) late: bool,
}

/// One case: what the client sends, and what must come back.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) number: String,
    pub(super) pieces: Vec<Piece>,
    /// What must come before the close.
    told: Vec<Told>,
    /// Whether less of that is non-strict.
    may_miss: bool,
    /// The codes of the close frame that must be the last thing; `None` is one without a code.
    close: Vec<Option<u16>>,
}

impl Case {
    /// Frames that are fine, and a close: all is answered, and the close with its code.
    pub(super) fn fine(number: impl Into<String>, frames: Vec<Vec<u8>>, told: Vec<Told>) -> Self {
        let frames = [frames, vec![close(NORMAL, b"")]].concat();
        Self::ends(number, frames, told, &[Some(NORMAL)])
    }

    /// Frames of which one is against the protocol: what came before is answered, then the connection is failed.
    pub(super) fn fails(number: impl Into<String>, frames: Vec<Vec<u8>>, told: Vec<Told>) -> Self {
        let case = Self::ends(number, frames, told, &[Some(PROTOCOL_ERROR)]);
        // The suite calls it non-strict when the failure overtakes an answer.
        Self { may_miss: true, ..case }
    }

    /// Frames, what they are answered with, and one of these closes at the end.
    pub(super) fn ends(
        number: impl Into<String>,
        frames: Vec<Vec<u8>>,
        told: Vec<Told>,
        close: &[Option<u16>],
    ) -> Self {
        let pieces = frames.into_iter().map(Piece::Octets).collect();
        Self { number: number.into(), pieces, told, may_miss: false, close: close.to_vec() }
    }

    /// The same with other pieces.
    pub(super) fn in_pieces(self, pieces: Vec<Piece>) -> Self {
        Self { pieces, ..self }
    }

    /// The same where the answers before the close may be missing: non-strict.
    pub(super) fn may_miss(self) -> Self {
        Self { may_miss: true, ..self }
    }

    /// Whether what came is what must come.
    pub(super) fn judge(&self, got: &Got) -> Result<Verdict, String> {
        let Some((Told::Close(code), before)) = got.told.split_last() else {
            return Err(format!("no close frame at the end of {:?}", got.told));
        };
        if !self.close.contains(code) {
            return Err(format!("closed with {code:?}, not one of {:?}", self.close));
        }
        if before == self.told {
            return Ok(if got.late { Verdict::NonStrict } else { Verdict::Strict });
        }
        if self.may_miss && self.told.starts_with(before) {
            return Ok(Verdict::NonStrict);
        }
        Err(format!("{before:?} came, not {:?}", self.told))
    }
}

/// A masked frame with this first octet.
pub(super) fn raw(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match payload.len() {
        length @ 0..=125 => frame.push(0x80 | u8::try_from(length).unwrap()),
        length @ 126..=0xffff => {
            frame.push(0x80 | 126);
            frame.extend_from_slice(&u16::try_from(length).unwrap().to_be_bytes());
        }
        length => {
            frame.push(0x80 | 127);
            frame.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    frame.extend_from_slice(&MASK);
    frame.extend(payload.iter().zip(MASK.iter().cycle()).map(|(octet, mask)| octet ^ mask));
    frame
}

/// A whole message, or a control frame.
pub(super) fn frame(opcode: u8, payload: &[u8]) -> Vec<u8> {
    raw(FIN | opcode, payload)
}

/// A fragment that is not the last one.
pub(super) fn fragment(opcode: u8, payload: &[u8]) -> Vec<u8> {
    raw(opcode, payload)
}

/// A frame with reserved bits.
pub(super) fn reserved(bits: u8, opcode: u8, payload: &[u8]) -> Vec<u8> {
    raw(FIN | bits << 4 | opcode, payload)
}

/// A close frame with a code and a reason.
pub(super) fn close(code: u16, reason: &[u8]) -> Vec<u8> {
    frame(CLOSE, &[&code.to_be_bytes(), reason].concat())
}

/// A text that was said back.
pub(super) fn text(payload: impl AsRef<[u8]>) -> Told {
    Told::Text(payload.as_ref().to_vec())
}
