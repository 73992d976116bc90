//! The cases of malformed frames, and how each must be answered.

use zeitnot_protocol::{CloseCode, Code};

use super::sender::{Answer, Case, Sender};
use crate::wire::{Opcode, client_frame};

/// The close code for a frame that violates the framing (RFC 6455 section 7.4.1).
const PROTOCOL_ERROR: u16 = 1002;

/// All cases, in the order in which they are sent.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = texts();
    cases.push(Case::new(
        "a binary frame",
        Sender::SpectatorOrAccount,
        client_frame(Opcode::Binary, br#"{"t":"ping","d":{"n":1}}"#),
        Answer::Unreadable(Code::BinaryFrame),
    ));
    cases.extend(closing());
    cases
}

/// Texts that are not valid messages.
fn texts() -> Vec<Case> {
    let deep = "[".repeat(2000);
    let unreadable: [(&'static str, &str, Code); 22] = [
        ("nothing", "", Code::NotJson),
        ("plain words", "e2e4", Code::NotJson),
        ("JSON cut short", r#"{"t":"ping","d":{"n":1}"#, Code::NotJson),
        ("two values", r#"{"t":"ping","d":{"n":1}}{}"#, Code::NotJson),
        ("2,000 brackets", &deep, Code::NotJson),
        ("a control character", "{\"t\":\"pi\u{1}ng\"}", Code::NotJson),
        ("an array", "[]", Code::NotAMessage),
        ("a number", "42", Code::NotAMessage),
        ("null", "null", Code::NotAMessage),
        ("no t", r#"{"d":{"n":1}}"#, Code::NotAMessage),
        ("t is a number", r#"{"t":1,"d":{}}"#, Code::NotAMessage),
        ("t twice", r#"{"t":"ping","t":"ping","d":{"n":1}}"#, Code::NotAMessage),
        ("an unknown type", r#"{"t":"teleport","d":{}}"#, Code::UnknownType),
        ("a type of the server's", r#"{"t":"welcome","d":{}}"#, Code::UnknownType),
        ("no d", r#"{"t":"ping"}"#, Code::BadField),
        ("d is an array", r#"{"t":"ping","d":[1]}"#, Code::BadField),
        ("a field is missing", r#"{"t":"resign","d":{}}"#, Code::BadField),
        ("a field of the wrong type", r#"{"t":"ping","d":{"n":"1"}}"#, Code::BadField),
        ("a number below 0", r#"{"t":"ping","d":{"n":-1}}"#, Code::BadField),
        ("a number above u32", r#"{"t":"ping","d":{"n":4294967296}}"#, Code::BadField),
        ("a game's id that is none", r#"{"t":"watch","d":{"game":"../../etc"}}"#, Code::BadField),
        (
            "a move that is none",
            r#"{"t":"move","d":{"game":"AAAAAAAAAAAA","on":1,"uci":"e9e4"}}"#,
            Code::BadField,
        ),
    ];
    let case = |(name, text, code): (&'static str, &str, Code)| {
        Case::new(
            name,
            Sender::SpectatorOrAccount,
            client_frame(Opcode::Text, text.as_bytes()),
            Answer::Unreadable(code),
        )
    };
    unreadable.into_iter().map(case).collect()
}

/// Frames after which the server closes the connection.
fn closing() -> Vec<Case> {
    let long = client_frame(Opcode::Text, "x".repeat(4097).as_bytes());
    // Two fragments, each of them short enough, but not both together.
    let half = "x".repeat(3000);
    let mut fragments = client_frame(Opcode::Text, half.as_bytes());
    fragments[0] &= 0x7f;
    let mut rest = client_frame(Opcode::Text, half.as_bytes());
    rest[0] = 0x80;
    fragments.extend(rest);
    let flood = client_frame(Opcode::Text, b"?").repeat(11);
    let closed: [(&'static str, Vec<u8>, u16); 12] = [
        (
            "text that is not UTF-8",
            client_frame(Opcode::Text, b"{\"t\":\"\xff\xfe\"}"),
            CloseCode::NotUtf8.number(),
        ),
        ("a frame too long", long, CloseCode::TooBig.number()),
        ("a message too long", fragments, CloseCode::TooBig.number()),
        ("a header that announces a terabyte", announced(1 << 40), CloseCode::TooBig.number()),
        ("the 11th unreadable frame", flood, CloseCode::BadFrames.number()),
        ("a frame without mask", vec![0x81, 0x02, b'{', b'}'], PROTOCOL_ERROR),
        ("an extension bit", with_head(0xc1, b"{}"), PROTOCOL_ERROR),
        ("an unknown opcode", with_head(0x83, b"{}"), PROTOCOL_ERROR),
        ("an unknown control opcode", with_head(0x8b, b"{}"), PROTOCOL_ERROR),
        ("a ping in fragments", with_head(0x09, b"x"), PROTOCOL_ERROR),
        ("a ping too long", client_frame(Opcode::Ping, &[b'x'; 126]), PROTOCOL_ERROR),
        ("the end of nothing", with_head(0x80, b"{}"), PROTOCOL_ERROR),
    ];
    let case = |(name, bytes, code)| Case::new(name, Sender::SpectatorOrAccount, bytes, Answer::Closed(code));
    closed.into_iter().map(case).collect()
}

/// A masked frame with this first byte.
fn with_head(head: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = client_frame(Opcode::Text, payload);
    frame[0] = head;
    frame
}

/// The header of a masked text frame of this length, and its first bytes.
fn announced(length: u64) -> Vec<u8> {
    let mut frame = vec![0x81, 0x80 | 127];
    frame.extend_from_slice(&length.to_be_bytes());
    frame.extend_from_slice(&[1, 2, 3, 4, b'x', b'x']);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeitnot_protocol::decode_client;

    #[test]
    fn there_are_at_least_twenty_cases_with_distinct_names() {
        let cases = cases();
        let mut names: Vec<&str> = cases.iter().map(|case| case.name).collect();
        names.sort_unstable();
        names.dedup();
        assert!(names.len() == cases.len() && names.len() >= 20, "{names:?}");
    }

    #[test]
    fn the_texts_are_rejected_with_these_codes() {
        for case in texts() {
            let Answer::Unreadable(code) = case.answer else { panic!("{} is no text", case.name) };
            let header = if case.frame[1] & 0x7f == 126 { 8 } else { 6 };
            let mask = &case.frame[header - 4..header];
            let text: Vec<u8> =
                case.frame[header..].iter().enumerate().map(|(at, byte)| byte ^ mask[at % 4]).collect();
            let text = String::from_utf8(text).unwrap();
            assert_eq!(decode_client(&text).unwrap_err().code, code, "{}: {text}", case.name);
        }
    }
}
