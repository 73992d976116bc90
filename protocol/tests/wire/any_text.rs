//! Any text gets an answer: no text makes the reader panic, and good frames survive what clients
//! may add.

use crate::arbitrary::client_message;
use proptest::prelude::*;
use zeitnot_protocol::{Code, Rejected, ServerMessage, decode_client, decode_server};

/// Reads `text` as either side would, and gives the code of a rejection.
fn read(text: &str) -> Option<Code> {
    // With something before `t` the frame is not read in one pass, which changes nothing.
    if let Some(fields) = text.strip_prefix('{')
        && !fields.trim_start().starts_with('}')
    {
        let outcome = |text: &str| decode_client(text).map_err(|error| (error.code, error.id));
        assert_eq!(outcome(text), outcome(&format!(r#"{{"later":0,{fields}"#)), "{text:?}");
    }
    if let Err(error) = decode_server(text) {
        assert_ne!(error.message, "");
    }
    let error = decode_client(text).err()?;
    assert!(matches!(error.code, Code::NotJson | Code::NotAMessage | Code::UnknownType | Code::BadField));
    let (code, is_json) = (error.code, serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok());
    assert_eq!(code == Code::NotJson, !is_json, "{text:?}: {error}");
    let answer = ServerMessage::Rejected(Rejected::from(error)).to_text();
    assert!(answer.len() < 2048, "{answer}");
    Some(code)
}

/// A place in `text` where a character begins.
fn place(text: &str, index: prop::sample::Index) -> usize {
    let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).chain([text.len()]).collect();
    starts[index.index(starts.len())]
}

fn scraps() -> impl Strategy<Value = String> {
    prop_oneof![
        "[\\[\\]{}\",:\\\\0-9eE+.tdnul \u{0}-\u{20}-]{0,12}",
        Just("\"id\":\"a\",".to_owned()),
        Just("{\"t\":\"move\",\"d\":{".to_owned()),
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn any_string(text: String) {
        read(&text);
    }

    #[test]
    fn any_scraps_of_json(parts in prop::collection::vec(scraps(), 0..12)) {
        read(&parts.concat());
    }

    #[test]
    fn any_scraps_as_d(t in "(move|hello|watch|claim_draw|create_challenge)", d in prop::collection::vec(scraps(), 0..8)) {
        read(&format!(r#"{{"t":"{t}","d":{{{}}}}}"#, d.concat()));
    }

    /// A part of a good frame is replaced by something else.
    #[test]
    fn damaged_frames(
        message in client_message(),
        cuts: (prop::sample::Index, prop::sample::Index),
        scrap in scraps(),
    ) {
        let text = message.to_text();
        let (a, b) = (place(&text, cuts.0), place(&text, cuts.1));
        read(&format!("{}{scrap}{}", &text[..a.min(b)], &text[a.max(b)..]));
    }

    /// A cut frame is never taken for a whole one.
    #[test]
    fn shortened_frames(message in client_message(), cut: prop::sample::Index) {
        let text = message.to_text();
        let cut = place(&text, cut);
        prop_assume!(cut < text.len());
        prop_assert_eq!(read(&text[..cut]), Some(Code::NotJson));
    }

    /// Unknown fields change nothing, in the frame and in `d`; nor does the order of `t` and `d`.
    #[test]
    fn fields_from_the_future(message in client_message(), value in "(null|7|\"x\"|\\[\\{\\}\\]|\\{\"id\":1\\})") {
        let mut json: serde_json::Value = serde_json::to_value(&message).unwrap();
        let value: serde_json::Value = serde_json::from_str(&value).unwrap();
        json["d"]["later"] = value.clone();
        json["later"] = value;
        prop_assert_eq!(decode_client(&json.to_string()), Ok(message.clone()));
        let turned = format!(r#"{{"d":{},"t":{}}}"#, json["d"], json["t"]);
        prop_assert_eq!(decode_client(&turned), Ok(message));
    }
}
