//! A text that cannot be read is rejected with its own code. The rejection names the field and
//! carries the command's id.

use zeitnot_protocol::{ClientMessage, Code, decode_client, decode_server};

/// `text` is rejected with `code` and a message that begins with `message`; `id` is the id that was
/// read.
#[track_caller]
fn rejected(text: &str, code: Code, id: Option<&str>, message: &str) {
    let error = decode_client(text).expect_err(text);
    assert_eq!(
        (error.code, error.id.map(|id| id.to_string())),
        (code, id.map(str::to_owned)),
        "{text}: {error}"
    );
    assert!(
        error.message.starts_with(message),
        "{text}: {:?} does not begin with {message:?}",
        error.message
    );
}

#[track_caller]
fn accepted(text: &str) -> ClientMessage {
    decode_client(text).expect(text)
}

#[test]
fn not_json() {
    for text in [
        "",
        " ",
        "hello",
        "{",
        "nul",
        "{\"t\":\"ping\",\"d\":{\"n\":1}",
        "{\"t\":\"ping\",\"d\":{\"n\":1}}x",
        "{\"t\":\"ping\",\"d\":{\"n\":1}}{}",
        "{t:\"ping\"}",
        "{'t':'ping'}",
        "{\"t\":\"ping\",}",
        "{\"t\":\"pi\u{1}ng\"}",
        "[1,2",
        "{\"t\":5,\"d\":",
        "{\"d\":NaN}",
        "\u{feff}{\"t\":\"ping\",\"d\":{\"n\":1}}",
    ] {
        rejected(text, Code::NotJson, None, "");
    }
}

#[test]
fn not_a_message() {
    for text in [
        "5",
        "null",
        "\"ping\"",
        "[]",
        "[\"ping\",{\"n\":1}]",
        "{}",
        "{\"d\":{\"n\":1}}",
        "{\"t\":5}",
        "{\"t\":null,\"d\":{}}",
        "{\"t\":\"\\ud800\"}",
        "{\"T\":\"ping\",\"d\":{\"n\":1}}",
        "{\"t\":\"ping\",\"t\":\"ping\",\"d\":{\"n\":1}}",
        "{\"t\":\"ping\",\"d\":{\"n\":1},\"d\":{\"n\":1}}",
    ] {
        rejected(text, Code::NotAMessage, None, "");
    }
}

#[test]
fn unknown_type() {
    rejected(r#"{"t":"mov","d":{}}"#, Code::UnknownType, None, r#"there is no message "mov""#);
    rejected(r#"{"t":"","d":{}}"#, Code::UnknownType, None, "");
    rejected(r#"{"t":"Ping","d":{"n":1}}"#, Code::UnknownType, None, "");
    rejected(r#"{"t":"turn","d":{"id":"a"}}"#, Code::UnknownType, Some("a"), "");
    rejected(r#"{"t":"mov","d":[1]}"#, Code::UnknownType, None, "");
    rejected(r#"{"t":"mov"}"#, Code::UnknownType, None, "");
}

#[test]
fn bad_fields_are_named() {
    let cases = [
        (r#"{"game":"0123456789AB","uci":"e2e4"}"#, "missing field `on`"),
        (r#"{"game":"0123456789AB","on":1,"on":1,"uci":"e2e4"}"#, "duplicate field `on`"),
        (r#"{"game":"0123456789AB","on":"1","uci":"e2e4"}"#, "on: invalid type: string"),
        (r#"{"game":"0123456789AB","on":-1,"uci":"e2e4"}"#, "on: invalid value: integer `-1`"),
        (
            r#"{"game":"0123456789AB","on":4294967296,"uci":"e2e4"}"#,
            "on: invalid value: integer `4294967296`",
        ),
        (r#"{"game":"0123456789AB","on":1.5,"uci":"e2e4"}"#, "on: invalid type: floating point `1.5`"),
        (r#"{"game":"0123456789AB","on":1e99999,"uci":"e2e4"}"#, "on: number out of range"),
        (r#"{"game":"0123456789AB","on":null,"uci":"e2e4"}"#, "on: invalid type: null"),
        (r#"{"game":"0123456789A","on":1,"uci":"e2e4"}"#, "game: an id has 12 characters"),
        (r#"{"game":"0123456789A-","on":1,"uci":"e2e4"}"#, "game: an id has only ASCII letters and digits"),
        (r#"{"game":7,"on":1,"uci":"e2e4"}"#, "game: invalid type: integer `7`, expected a game's id"),
        (r#"{"game":"0123456789AB","on":1,"uci":"e2e9"}"#, "uci: not a move in UCI"),
        (r#"{"game":"0123456789AB","on":1,"uci":"0000"}"#, "uci: not a move in UCI"),
        (r#"{"game":"0123456789AB","on":1,"uci":"E2E4"}"#, "uci: not a move in UCI"),
        (r#"{"game":"0123456789AB","on":1,"uci":"e7e8k"}"#, "uci: not a move in UCI"),
        (r#"{"game":"0123456789AB","on":1,"uci":"e2e4","id":""}"#, "id: a command id has 1 to 32"),
        (r#"{"game":"0123456789AB","on":1,"uci":"e2e4","id":"\n"}"#, "id: a command id has only printable"),
        (r#"{"game":"0123456789AB","on":1,"uci":"e2e4","id":7}"#, "id: invalid type: integer `7`"),
        (r#"["0123456789AB",1,"e2e4"]"#, "d: invalid type: sequence, expected an object"),
        ("null", "d: invalid type: null, expected an object"),
        ("17", "d: invalid type: integer `17`, expected an object"),
    ];
    for (d, message) in cases {
        rejected(&format!(r#"{{"t":"move","d":{d}}}"#), Code::BadField, None, message);
    }
}

#[test]
fn the_id_comes_back_wherever_it_stands() {
    for d in [
        r#"{"id":"c 1","game":"0123456789AB","on":"1","uci":"e2e4"}"#,
        r#"{"game":"0123456789AB","on":"1","uci":"e2e4","id":"c 1"}"#,
        r#"{"game":"0123456789AB","on":[[[{"id":"inner"}]]],"id":"c\u00201","uci":"e2e4"}"#,
    ] {
        rejected(&format!(r#"{{"t":"move","d":{d}}}"#), Code::BadField, Some("c 1"), "on: ");
        rejected(&format!(r#"{{"d":{d},"t":"move"}}"#), Code::BadField, Some("c 1"), "on: ");
    }
    let long = "x".repeat(33);
    rejected(&format!(r#"{{"t":"resign","d":{{"id":"{long}"}}}}"#), Code::BadField, None, "id: a command id");
}

#[test]
fn a_missing_d_is_an_empty_one() {
    assert_eq!(accepted(r#"{"t":"hello"}"#), accepted(r#"{"t":"hello","d":{}}"#));
    rejected(r#"{"t":"ping"}"#, Code::BadField, None, "missing field `n`");
}

#[test]
fn a_guest_has_no_token_yet() {
    rejected(r#"{"t":"hello","d":{"guest":true,"token":"x"}}"#, Code::BadField, None, "guest: ");
    accepted(r#"{"t":"hello","d":{"guest":false,"token":"x"}}"#);
    accepted(r#"{"t":"hello","d":{"guest":true,"token":null}}"#);
}

#[test]
fn a_challenge_is_addressed_once() {
    let both = r#""to":"01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90","to_name":"Rook_And_Roll""#;
    let blitz = r#""time_control":{"kind":"clock","periods":[{"base_ms":1}]}"#;
    let text = format!(r#"{{"t":"create_challenge","d":{{{blitz},{both},"id":"c1"}}}}"#);
    rejected(&text, Code::BadField, Some("c1"), "to_name: ");
    accepted(&text.replace(r#""Rook_And_Roll""#, "null"));
}

/// For an optional field null means the same as leaving it out.
#[test]
fn null_is_nothing() {
    let cases = [
        ("hello", "{}", r#"{"guest":null,"token":null}"#),
        ("watch", r#"{"game":"0123456789AB"}"#, r#"{"game":"0123456789AB","after":null,"id":null}"#),
        ("resign", r#"{"game":"0123456789AB"}"#, r#"{"game":"0123456789AB","id":null}"#),
        ("claim_draw", r#"{"game":"0123456789AB","on":1}"#, r#"{"game":"0123456789AB","on":1,"uci":null}"#),
        (
            "create_challenge",
            r#"{"time_control":{"kind":"clock","periods":[{"base_ms":1}]}}"#,
            r#"{"time_control":{"kind":"clock","periods":[{"base_ms":1,"moves":null,"increment_ms":null,
                "delay_ms":null,"bronstein_ms":null}],"black_periods":null},"color":null,"variant":null,
                "fen":null,"options":null,"to":null,"id":null}"#,
        ),
        (
            "create_challenge",
            r#"{"time_control":{"kind":"unlimited"},"options":{}}"#,
            r#"{"time_control":{"kind":"unlimited"},
                "options":{"profile":null,"ilc":null,"no_draw_offer_before_move":null}}"#,
        ),
    ];
    for (t, without, with_null) in cases {
        let frame = |d: &str| accepted(&format!(r#"{{"t":"{t}","d":{d}}}"#));
        assert_eq!(frame(with_null), frame(without));
    }
}

#[test]
fn plies_are_counted_from_one() {
    rejected(r#"{"t":"history","d":{"game":"0123456789AB","from":0}}"#, Code::BadField, None, "from: ");
    accepted(r#"{"t":"history","d":{"game":"0123456789AB","from":1}}"#);
}

#[test]
fn what_is_not_known_is_skipped() {
    let plain = accepted(r#"{"t":"ping","d":{"n":7}}"#);
    assert_eq!(
        plain,
        accepted(r#"{"v":[{"a":null}],"d":{"m":{"n":1},"n":7,"m":2,"":-1e400},"t":"ping","t2":1}"#)
    );
    assert_eq!(plain, accepted(" {\n\t\"t\" : \"p\\u0069ng\" , \"d\" : { \"\\u006e\" : 7 } }\r\n"));
}

/// Depth costs no stack: unknown fields are skipped, whatever they contain.
#[test]
fn depth_is_harmless() {
    for depth in [100, 2_000, 1_000_000] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        accepted(&format!(r#"{{"t":"ping","x":{open}{close},"d":{{"n":7,"y":{open}{close}}}}}"#));
        rejected(
            &format!(r#"{{"t":"ping","d":{{"n":{open}{close}}}}}"#),
            Code::BadField,
            None,
            "n: invalid type",
        );
        rejected(&format!("{open}{close}"), Code::NotAMessage, None, "");
        rejected(&open, Code::NotJson, None, "");
        let objects = format!("{}1{}", r#"{"t":"#.repeat(depth), "}".repeat(depth));
        rejected(&objects, Code::NotAMessage, None, "");
    }
}

#[test]
fn challenges_are_read_field_by_field() {
    let cases = [
        (r#"{}"#, "missing field `time_control`"),
        (r#"{"time_control":{}}"#, "time_control: missing field `kind`"),
        (r#"{"time_control":{"kind":"sand"}}"#, "time_control.kind: unknown variant `sand`"),
        (r#"{"time_control":{"kind":"clock"}}"#, "time_control: missing field `periods`"),
        (r#"{"time_control":["unlimited"]}"#, "time_control: invalid type: sequence, expected an object"),
        (r#"{"time_control":{"kind":"clock","periods":[[40,1000]]}}"#, "time_control"),
        (r#"{"time_control":{"kind":"clock","periods":[{"base_ms":-1}]}}"#, "time_control"),
        (r#"{"time_control":{"kind":"unlimited"},"color":"red"}"#, "color: unknown variant `red`"),
        (r#"{"time_control":{"kind":"unlimited"},"to":"me"}"#, "to: an account is a UUID"),
        (r#"{"time_control":{"kind":"unlimited"},"options":[]}"#, "options: invalid type: sequence"),
        (
            r#"{"time_control":{"kind":"unlimited"},"options":{"profile":"x"}}"#,
            "options.profile: unknown variant",
        ),
        (r#"{"time_control":{"kind":"unlimited"},"fen":5}"#, "fen: invalid type: integer `5`"),
    ];
    for (d, message) in cases {
        rejected(&format!(r#"{{"t":"create_challenge","d":{d}}}"#), Code::BadField, None, message);
    }
}

/// A rejection quotes the frame, but never much of it.
#[test]
fn rejections_are_short() {
    let long = "\u{7f}\"".repeat(1000).replace('"', "\\\"");
    for text in [
        format!(r#"{{"t":"{long}"}}"#),
        format!(r#"{{"t":"ping","d":{{"n":"{long}"}}}}"#),
        format!(r#"{{"t":{{"{long}":1}}}}"#),
    ] {
        assert!(decode_client(&text).unwrap_err().message.chars().count() <= 160);
    }
}

#[test]
fn clients_can_tell_a_new_message_from_a_broken_one() {
    assert_eq!(decode_server(r#"{"t":"weather","d":{"rain":1}}"#).unwrap_err().code, Code::UnknownType);
    assert_eq!(decode_server(r#"{"t":"pong","d":{}}"#).unwrap_err().code, Code::BadField);
}
