//! Group 7: the closing handshake, its frames and its codes.

use super::case::{
    CLOSE, CONTINUATION, Case, NORMAL, NOT_UTF8, PING, PROTOCOL_ERROR, TEXT, close, fragment, frame, text,
};

pub(super) fn cases() -> Vec<Case> {
    [order(), structure(), valid_codes(), invalid_codes()].into_iter().flatten().collect()
}

/// What comes after a close is not looked at.
fn order() -> Vec<Case> {
    let hello = b"Hello World!";
    let long = b"BAsd7&jh23".iter().copied().cycle().take(256 * 1024).collect::<Vec<_>>();
    let closes = |number: &str, frames: Vec<Vec<u8>>| Case::ends(number, frames, vec![], &[Some(NORMAL)]);
    vec![
        Case::fine("7.1.1", vec![frame(TEXT, hello)], vec![text(hello)]),
        closes("7.1.2", vec![close(NORMAL, b""), frame(CLOSE, b"")]),
        closes("7.1.3", vec![close(NORMAL, b""), frame(PING, b"")]),
        closes("7.1.4", vec![close(NORMAL, b""), frame(TEXT, hello)]),
        closes(
            "7.1.5",
            vec![fragment(TEXT, b"fragment1"), close(NORMAL, b""), frame(CONTINUATION, b"fragment2")],
        ),
        Case::ends(
            "7.1.6",
            vec![frame(TEXT, &long), frame(TEXT, hello), close(NORMAL, b""), frame(PING, b"")],
            vec![text(&long), text(hello)],
            &[Some(NORMAL)],
        )
        .may_miss(),
    ]
}

fn structure() -> Vec<Case> {
    let closes = |number: &str, sent: Vec<u8>, code| Case::ends(number, vec![sent], vec![], code);
    let not_utf8 = b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited";
    vec![
        closes("7.3.1", frame(CLOSE, b""), &[Some(NORMAL), None]),
        closes("7.3.2", frame(CLOSE, b"a"), &[Some(PROTOCOL_ERROR)]),
        closes("7.3.3", close(NORMAL, b""), &[Some(NORMAL)]),
        closes("7.3.4", close(NORMAL, b"Hello World!"), &[Some(NORMAL)]),
        closes("7.3.5", close(NORMAL, &[b'*'; 123]), &[Some(NORMAL)]),
        closes("7.3.6", close(NORMAL, &[b'*'; 124]), &[Some(PROTOCOL_ERROR)]),
        closes("7.5.1", close(NORMAL, not_utf8), &[Some(PROTOCOL_ERROR), Some(NOT_UTF8)]),
    ]
}

fn valid_codes() -> Vec<Case> {
    let codes = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999];
    let case = |(code, place): (u16, u32)| {
        let number = format!("7.7.{place}");
        Case::ends(number, vec![close(code, b"")], vec![], &[Some(NORMAL), Some(code)])
    };
    codes.into_iter().zip(1..).map(case).collect()
}

fn invalid_codes() -> Vec<Case> {
    let codes = [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999];
    let case = |(code, place): (u16, u32)| {
        let number = format!("7.9.{place}");
        Case::ends(number, vec![close(code, b"")], vec![], &[Some(PROTOCOL_ERROR)])
    };
    // Beyond all ranges of the RFC: what happens is not said there.
    let beyond = |(code, place): (u16, u32)| {
        let number = format!("7.13.{place}");
        let allowed = [Some(NORMAL), Some(code), Some(PROTOCOL_ERROR)];
        Case::ends(number, vec![close(code, b"")], vec![], &allowed)
    };
    let invalid = codes.into_iter().zip(1..).map(case);
    invalid.chain([5000, 65_535].into_iter().zip(1..).map(beyond)).collect()
}
