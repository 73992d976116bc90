//! What a socket receives: how it is cut into reads changes nothing, little is kept, and no frame goes uncounted.

use zeitnot_protocol::Limits;

use crate::session::frames::{BYTES_PER_FRAME, Broken, Buffers, Decoder, INPUT_BYTES, Incoming};

/// The longest close frame (RFC 6455, 5.5): that which answers a wrong one is longer than it.
const CLOSE_BYTES_MAX: usize = 2 + 125;

/// What came out of some bytes.
#[derive(Debug, Default)]
struct Came {
    messages: Vec<Incoming>,
    /// See [`Incoming::Hidden`].
    hidden: u32,
    /// `None`: it goes on.
    end: Option<Result<(), Broken>>,
    answered: usize,
}

/// Reads the first byte as the length of a read, and the rest as what a socket receives.
///
/// # Panics
/// When a property does not hold.
pub fn frames(data: &[u8]) {
    let Some((&piece, bytes)) = data.split_first() else { return };
    let bytes = &bytes[..bytes.len().min(INPUT_BYTES)];
    let single = read(bytes, 1);
    let ends = [read(bytes, usize::from(piece) + 1), read(bytes, INPUT_BYTES)];
    check_bounds(&single, bytes);
    for other in &ends {
        check_bounds(other, bytes);
        let is_same = other.messages == single.messages && other.end == single.end;
        assert!(is_same, "how it is cut changes it: {single:?}, {other:?}");
    }
    if single.end.is_none() {
        assert_eq!(single.hidden, hidden_in(bytes), "no frame goes uncounted");
    }
    check_again(&single.messages);
}

/// Reads `bytes` in pieces, as a session does.
fn read(bytes: &[u8], piece: usize) -> Came {
    let mut came = Came::default();
    let mut decoder = Decoder::new(&[], Limits::STANDARD.frame_in_bytes as usize);
    Buffers::with(|buffers| {
        for bytes in bytes.chunks(piece) {
            let readable = decoder.arrived(bytes);
            buffers.input.room()[..bytes.len()].copy_from_slice(bytes);
            buffers.input.filled(readable);
            while let Some(next) = decoder.next(buffers) {
                match next {
                    Ok(Incoming::Hidden(hidden)) => came.hidden += hidden,
                    Ok(Incoming::Closed) => came.end = Some(Ok(())),
                    Ok(message) => came.messages.push(message),
                    Err(broken) => came.end = Some(Err(broken)),
                }
                if came.end.is_some() {
                    break;
                }
            }
            came.answered = buffers.output.waiting().len();
            if came.end.is_some() {
                break;
            }
        }
    });
    came
}

/// No more comes out than went in, but for a close frame.
fn check_bounds(came: &Came, bytes: &[u8]) {
    let kept: usize = came.messages.iter().map(|message| payload(message).1.len()).sum();
    assert!(kept <= bytes.len(), "{kept} bytes of messages are kept");
    let answered_max = bytes.len() + CLOSE_BYTES_MAX;
    assert!(came.answered <= answered_max, "{} bytes are answered", came.answered);
    assert!(came.messages.len() <= bytes.len() / 6, "a masked frame has six bytes");
}

/// The messages, framed again as a client does, are the same.
fn check_again(messages: &[Incoming]) {
    let framed = messages.iter().flat_map(frame).collect::<Vec<u8>>();
    let again = read(&framed, INPUT_BYTES);
    assert_eq!((again.messages.as_slice(), again.end), (messages, None));
}

/// First byte and payload of a message.
fn payload(message: &Incoming) -> (u8, &[u8]) {
    match message {
        Incoming::Text(text) => (0x81, text.as_bytes()),
        Incoming::Binary(payload) => (0x82, payload),
        Incoming::Pong(payload) => (0x8a, payload),
        Incoming::Ping | Incoming::Hidden(_) | Incoming::Closed => (0x89, &[]),
    }
}

/// A masked frame; the mask changes nothing.
fn frame(message: &Incoming) -> Vec<u8> {
    let (first, payload) = payload(message);
    let length = match payload.len() {
        short @ 0..126 => vec![0x80 | short as u8],
        long => [&[0x80 | 126][..], &(long as u16).to_be_bytes()].concat(),
    };
    [&[first][..], &length, &[0; 4], payload].concat()
}

/// How many frames in `bytes` no message stands for: fragments but for the last, and each full [`BYTES_PER_FRAME`].
/// Every frame but the last one is in order, and its length is written as short as it can be.
fn hidden_in(mut bytes: &[u8]) -> u32 {
    let mut hidden = 0;
    while let [first, second, rest @ ..] = bytes {
        let (length, rest) = match (second & 0x7f, rest) {
            (126, [a, b, rest @ ..]) => (usize::from(u16::from_be_bytes([*a, *b])), rest),
            (126 | 127, _) => break,
            (short, rest) => (usize::from(short), rest),
        };
        let mask = if second & 0x80 == 0 { 0 } else { 4 };
        let Some((_mask, rest)) = rest.split_at_checked(mask) else { break };
        let came = length.min(rest.len());
        hidden += u32::from(first & 0x88 == 0) + (came / BYTES_PER_FRAME) as u32;
        bytes = &rest[came..];
    }
    hidden
}
