//! Groups 1 to 5: sizes, pings and pongs, reserved bits, opcodes, fragmentation.

use super::case::{
    BINARY, CLOSE, CONTINUATION, Case, PING, PONG, TEXT, Told, fragment, frame, reserved, text,
};

const HELLO: &[u8] = b"Hello, world!";

pub(super) fn cases() -> Vec<Case> {
    [sizes(), pings(), reserved_bits(), opcodes(), fragmentation(), interleaved()]
        .into_iter()
        .flatten()
        .collect()
}

/// The last of each kind is the seventh in chops of 997 octets; here every case is sent in chops.
const SIZES: [usize; 8] = [0, 125, 126, 127, 128, 65_535, 65_536, 65_536];

fn sizes() -> Vec<Case> {
    let texts = SIZES.iter().zip(1..).map(|(&size, place)| {
        let payload = vec![b'*'; size];
        Case::fine(format!("1.1.{place}"), vec![frame(TEXT, &payload)], vec![text(&payload)])
    });
    let binaries = SIZES.iter().zip(1..).map(|(&size, place)| {
        let payload = vec![0xfe; size];
        let frames = vec![frame(BINARY, &payload)];
        Case::fine(format!("1.2.{place}"), frames, vec![Told::Binary(payload)])
    });
    texts.chain(binaries).collect()
}

fn pings() -> Vec<Case> {
    let answered = |number: &str, payload: &[u8]| {
        Case::fine(number, vec![frame(PING, payload)], vec![Told::Pong(payload.to_vec())])
    };
    let ten = (0..10).map(|n| format!("payload-{n}").into_bytes()).collect::<Vec<_>>();
    let ten_pings = || ten.iter().map(|payload| frame(PING, payload)).collect::<Vec<_>>();
    let ten_pongs = || ten.iter().cloned().map(Told::Pong).collect::<Vec<_>>();
    vec![
        answered("2.1", b""),
        answered("2.2", HELLO),
        answered("2.3", &[0x00, 0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0x00, 0xff]),
        answered("2.4", &[0xfe; 125]),
        Case::fails("2.5", vec![frame(PING, &[0xfe; 126])], vec![]),
        answered("2.6", &[0xfe; 125]),
        Case::fine("2.7", vec![frame(PONG, b"")], vec![]),
        Case::fine("2.8", vec![frame(PONG, b"nobody asked for this")], vec![]),
        Case::fine(
            "2.9",
            vec![frame(PONG, b"nobody asked for this"), frame(PING, b"but for this")],
            vec![Told::Pong(b"but for this".to_vec())],
        ),
        Case::fine("2.10", ten_pings(), ten_pongs()),
        Case::fine("2.11", ten_pings(), ten_pongs()),
    ]
}

/// A text, then a frame against the protocol, then a ping: the text is said back, and nothing else.
fn between(number: &str, bad: Vec<u8>) -> Case {
    Case::fails(number, vec![frame(TEXT, HELLO), bad, frame(PING, b"")], vec![text(HELLO)])
}

fn reserved_bits() -> Vec<Case> {
    vec![
        Case::fails("3.1", vec![reserved(1, TEXT, HELLO)], vec![]),
        between("3.2", reserved(2, TEXT, HELLO)),
        between("3.3", reserved(3, TEXT, HELLO)),
        between("3.4", reserved(4, TEXT, HELLO)),
        Case::fails("3.5", vec![reserved(5, BINARY, &[0x00, 0xff, 0xfe, 0xfd, 0xfc, 0xfb])], vec![]),
        Case::fails("3.6", vec![reserved(6, PING, HELLO)], vec![]),
        Case::fails("3.7", vec![reserved(7, CLOSE, &[])], vec![]),
    ]
}

fn opcodes() -> Vec<Case> {
    // Reserved opcodes come in the order of the suite: two alone, three after a text; with and without a payload.
    let group = |group: &str, first: u8| {
        let unknown = |place: u8, payload: &[u8]| frame(first + place, payload);
        vec![
            Case::fails(format!("{group}.1"), vec![unknown(0, b"")], vec![]),
            Case::fails(format!("{group}.2"), vec![unknown(1, b"reserved opcode payload")], vec![]),
            between(&format!("{group}.3"), unknown(2, b"")),
            between(&format!("{group}.4"), unknown(3, HELLO)),
            between(&format!("{group}.5"), unknown(4, HELLO)),
        ]
    };
    [group("4.1", 3), group("4.2", 11)].into_iter().flatten().collect()
}

fn fragmentation() -> Vec<Case> {
    let (one, two) = (b"fragment1", b"fragment2");
    let whole = || vec![text(b"fragment1fragment2")];
    let in_two = || vec![fragment(TEXT, one), frame(CONTINUATION, two)];
    let around_a_ping = || vec![fragment(TEXT, one), frame(PING, b"ping payload"), frame(CONTINUATION, two)];
    let pong_and_whole = || vec![Told::Pong(b"ping payload".to_vec()), text(b"fragment1fragment2")];
    let mut cases = vec![
        Case::fails("5.1", vec![fragment(PING, one), frame(CONTINUATION, two)], vec![]),
        Case::fails("5.2", vec![fragment(PONG, one), frame(CONTINUATION, two)], vec![]),
    ];
    for place in 3..=5 {
        cases.push(Case::fine(format!("5.{place}"), in_two(), whole()));
    }
    for place in 6..=8 {
        cases.push(Case::fine(format!("5.{place}"), around_a_ping(), pong_and_whole()));
    }
    // The end of nothing, and the middle of nothing, each before a text.
    for place in 9..=11 {
        let frames = vec![frame(CONTINUATION, b"continues nothing"), frame(TEXT, HELLO)];
        cases.push(Case::fails(format!("5.{place}"), frames, vec![]));
    }
    for place in 12..=14 {
        let frames = vec![fragment(CONTINUATION, b"continues nothing"), frame(TEXT, HELLO)];
        cases.push(Case::fails(format!("5.{place}"), frames, vec![]));
    }
    cases
}

fn interleaved() -> Vec<Case> {
    let (one, two, three, four) = (b"fragment1", b"fragment2", b"fragment3", b"fragment4");
    let twice = |first: Vec<u8>| vec![[first, fragment(TEXT, two), frame(CONTINUATION, three)]; 2].concat();
    let with_pings = || {
        vec![
            fragment(TEXT, one),
            fragment(CONTINUATION, two),
            frame(PING, b"first"),
            fragment(CONTINUATION, three),
            fragment(CONTINUATION, four),
            frame(PING, b"second"),
            frame(CONTINUATION, b"fragment5"),
        ]
    };
    let all = || {
        let whole = text(b"fragment1fragment2fragment3fragment4fragment5");
        vec![Told::Pong(b"first".to_vec()), Told::Pong(b"second".to_vec()), whole]
    };
    vec![
        Case::fails(
            "5.15",
            vec![
                fragment(TEXT, one),
                frame(CONTINUATION, two),
                fragment(CONTINUATION, three),
                frame(TEXT, four),
            ],
            vec![text(b"fragment1fragment2")],
        ),
        Case::fails("5.16", twice(fragment(CONTINUATION, one)), vec![]),
        Case::fails("5.17", twice(frame(CONTINUATION, one)), vec![]),
        Case::fails("5.18", vec![fragment(TEXT, one), frame(TEXT, two)], vec![]),
        Case::fine("5.19", with_pings(), all()),
        Case::fine("5.20", with_pings(), all()),
    ]
}
