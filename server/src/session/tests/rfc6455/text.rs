//! Group 6: UTF-8. The sequences are those of Markus Kuhn's decoder stress test, which the suite follows.

use super::case::{CONTINUATION, Case, NOT_UTF8, Piece, TEXT, fragment, frame, text};

/// Greek for "world" (kosme): two and three octets a letter.
const KOSME: &[u8] = b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5";
const EDITED: &[u8] = b"edited";

pub(super) fn cases() -> Vec<Case> {
    let mut cases = fragmented();
    cases.extend(fails_fast());
    for ((valid, sequences), group) in sequences().into_iter().zip(5..) {
        for (sequence, place) in sequences.into_iter().zip(1..) {
            let valid = valid.unwrap_or_else(|| std::str::from_utf8(&sequence).is_ok());
            cases.push(whole(format!("6.{group}.{place}"), &sequence, valid));
        }
    }
    cases
}

fn whole(number: String, payload: &[u8], valid: bool) -> Case {
    let frames = vec![frame(TEXT, payload)];
    if valid { Case::fine(number, frames, vec![text(payload)]) } else { invalid(number, frames) }
}

fn invalid(number: impl Into<String>, frames: Vec<Vec<u8>>) -> Case {
    Case::ends(number, frames, vec![], &[Some(NOT_UTF8)])
}

/// Each octet in a fragment of its own.
fn by_octets(payload: &[u8]) -> Vec<Vec<u8>> {
    let opcode = |place| if place == 0 { TEXT } else { CONTINUATION };
    let mut frames = payload
        .iter()
        .enumerate()
        .map(|(place, octet)| fragment(opcode(place), &[*octet]))
        .collect::<Vec<_>>();
    frames.push(frame(CONTINUATION, b""));
    frames
}

fn fragmented() -> Vec<Case> {
    let (one, two) = ("Hello-µ@ßöä", "üàá-UTF-8!!");
    let both = [one, two].concat();
    let surrogate = [KOSME, b"\xed\xa0\x80", EDITED].concat();
    let empty =
        |middle: &[u8]| vec![fragment(TEXT, b""), fragment(CONTINUATION, middle), frame(CONTINUATION, b"")];
    vec![
        Case::fine("6.1.1", vec![frame(TEXT, b"")], vec![text(b"")]),
        Case::fine("6.1.2", empty(b""), vec![text(b"")]),
        Case::fine("6.1.3", empty(b"in the middle"), vec![text(b"in the middle")]),
        Case::fine("6.2.1", vec![frame(TEXT, both.as_bytes())], vec![text(&both)]),
        Case::fine(
            "6.2.2",
            vec![fragment(TEXT, one.as_bytes()), frame(CONTINUATION, two.as_bytes())],
            vec![text(&both)],
        ),
        Case::fine("6.2.3", by_octets(both.as_bytes()), vec![text(&both)]),
        Case::fine("6.2.4", by_octets(KOSME), vec![text(KOSME)]),
        invalid("6.3.1", vec![frame(TEXT, &surrogate)]),
        invalid("6.3.2", by_octets(&surrogate)),
    ]
}

/// A code point beyond the last one, in the middle: the connection fails there, or at the end of the message.
fn fails_fast() -> Vec<Case> {
    let beyond = b"\xf4\x90\x80\x80";
    let payload = [KOSME, beyond, EDITED].concat();
    let at_its_end = payload.len() - EDITED.len();
    // The second octet of the four is the one that makes the whole invalid.
    let at_the_octet = KOSME.len() + 1;
    let frames = |first: usize, second: usize| {
        vec![
            Piece::Octets(fragment(TEXT, &payload[..first])),
            Piece::Silence,
            Piece::Octets(fragment(CONTINUATION, &payload[first..second])),
            Piece::FailsHere,
            Piece::Octets(frame(CONTINUATION, &payload[second..])),
        ]
    };
    let chops = |first: usize, second: usize| {
        let whole = frame(TEXT, &payload);
        let head = whole.len() - payload.len();
        vec![
            Piece::Octets(whole[..head + first].to_vec()),
            Piece::Silence,
            Piece::Octets(whole[head + first..head + second].to_vec()),
            Piece::FailsHere,
            Piece::Octets(whole[head + second..].to_vec()),
        ]
    };
    vec![
        invalid("6.4.1", vec![]).in_pieces(frames(KOSME.len(), at_its_end)),
        invalid("6.4.2", vec![]).in_pieces(frames(at_the_octet, at_the_octet + 1)),
        invalid("6.4.3", vec![]).in_pieces(chops(KOSME.len(), at_its_end)),
        invalid("6.4.4", vec![]).in_pieces(chops(at_the_octet, at_the_octet + 1)),
    ]
}

/// Groups 6.5 to 6.23: whether the sequences are valid (`None`: each on its own), and the sequences.
fn sequences() -> Vec<(Option<bool>, Vec<Vec<u8>>)> {
    let own = |sequences: &[&[u8]]| sequences.iter().map(|sequence| sequence.to_vec()).collect::<Vec<_>>();
    let cut = [
        &b"\xc0"[..],
        b"\xe0\x80",
        b"\xf0\x80\x80",
        b"\xf8\x80\x80\x80",
        b"\xfc\x80\x80\x80\x80",
        b"\xdf",
        b"\xef\xbf",
        b"\xf7\xbf\xbf",
        b"\xfb\xbf\xbf\xbf",
        b"\xfd\xbf\xbf\xbf\xbf",
    ];
    vec![
        (
            Some(true),
            own(&[
                b"hello$world",
                "hello¢world".as_bytes(),
                "hello€world".as_bytes(),
                "hello𤭢world".as_bytes(),
                KOSME,
            ]),
        ),
        (None, (1..=KOSME.len()).map(|length| KOSME[..length].to_vec()).collect()),
        (Some(true), own(&[b"\0", b"\xc2\x80", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80"])),
        (Some(false), own(&[b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"])),
        (Some(true), own(&[b"\x7f", b"\xdf\xbf", b"\xef\xbf\xbf", b"\xf4\x8f\xbf\xbf"])),
        (Some(false), own(&[b"\xf7\xbf\xbf\xbf", b"\xfb\xbf\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf\xbf"])),
        (
            None,
            own(&[
                b"\xed\x9f\xbf",
                b"\xee\x80\x80",
                b"\xef\xbf\xbd",
                b"\xf4\x8f\xbf\xbf",
                b"\xf4\x90\x80\x80",
            ]),
        ),
        (Some(false), lonely_continuations()),
        (Some(false), lonely_starts()),
        (Some(false), own(&cut)),
        (Some(false), vec![cut.concat()]),
        (Some(false), own(&[b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"])),
        (
            Some(false),
            own(&[
                b"\xc0\xaf",
                b"\xe0\x80\xaf",
                b"\xf0\x80\x80\xaf",
                b"\xf8\x80\x80\x80\xaf",
                b"\xfc\x80\x80\x80\x80\xaf",
            ]),
        ),
        (
            Some(false),
            own(&[
                b"\xc1\xbf",
                b"\xe0\x9f\xbf",
                b"\xf0\x8f\xbf\xbf",
                b"\xf8\x87\xbf\xbf\xbf",
                b"\xfc\x83\xbf\xbf\xbf\xbf",
            ]),
        ),
        (
            Some(false),
            own(&[
                b"\xc0\x80",
                b"\xe0\x80\x80",
                b"\xf0\x80\x80\x80",
                b"\xf8\x80\x80\x80\x80",
                b"\xfc\x80\x80\x80\x80\x80",
            ]),
        ),
        (Some(false), surrogates()),
        (Some(false), surrogate_pairs()),
        (Some(true), non_characters()),
        (Some(true), (0xb9..=0xbf).map(|last| vec![0xef, 0xbf, last]).collect()),
    ]
}

fn lonely_continuations() -> Vec<Vec<u8>> {
    let alternating = |length: usize| [0x80, 0xbf].into_iter().cycle().take(length).collect::<Vec<u8>>();
    let mut sequences = vec![vec![0x80], vec![0xbf]];
    sequences.extend((2..=6).map(alternating));
    sequences.push((0x80..0xbf).collect());
    sequences
}

fn lonely_starts() -> Vec<Vec<u8>> {
    [0xc0..0xdf_u8, 0xe0..0xef, 0xf0..0xf7, 0xf8..0xfb, 0xfc..0xfd]
        .map(|starts| starts.flat_map(|start| [start, b' ']).collect())
        .into()
}

const HIGH: [[u8; 3]; 4] = [[0xed, 0xa0, 0x80], [0xed, 0xad, 0xbf], [0xed, 0xae, 0x80], [0xed, 0xaf, 0xbf]];
const LOW: [[u8; 3]; 3] = [[0xed, 0xb0, 0x80], [0xed, 0xbe, 0x80], [0xed, 0xbf, 0xbf]];

fn surrogates() -> Vec<Vec<u8>> {
    HIGH.iter().chain(&LOW).map(|surrogate| surrogate.to_vec()).collect()
}

fn surrogate_pairs() -> Vec<Vec<u8>> {
    let pairs = HIGH.iter().flat_map(|high| [LOW[0], LOW[2]].map(|low| [*high, low].concat()));
    pairs.collect()
}

/// The last two code points of each plane, the first plane's first: no characters, and valid UTF-8.
fn non_characters() -> Vec<Vec<u8>> {
    let last_two = (0..=0x10_u32).flat_map(|plane| [0xfffe, 0xffff].map(|low| plane << 16 | low));
    last_two.map(|point| char::from_u32(point).unwrap().to_string().into_bytes()).collect()
}
