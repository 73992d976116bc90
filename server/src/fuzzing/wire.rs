//! Messages: any text has a message or a typed error with a short text, and a message is written and read the same.

use serde::de::IgnoredAny;
use zeitnot_protocol::{Code, DecodeError, Rejected, ServerMessage, decode_client, decode_server};

/// An answer to a frame that cannot be read is never longer: it quotes little of what came.
const ANSWER_BYTES_MAX: usize = 2_048;

/// Reads a text as a client's message and as a server's.
///
/// # Panics
/// When a property does not hold.
pub fn messages(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match decode_client(text) {
        Ok(message) => assert_eq!(decode_client(&message.to_text()), Ok(message)),
        Err(error) => check_error(text, error),
    }
    match decode_server(text) {
        Ok(message) => assert_eq!(decode_server(&message.to_text()), Ok(message)),
        Err(error) => check_error(text, error),
    }
    // With something before `t` the frame is not read in one pass, which changes nothing.
    if let Some(fields) = text.strip_prefix('{')
        && !fields.trim_start().starts_with('}')
    {
        let outcome = |text: &str| decode_client(text).map_err(|error| (error.code, error.id));
        assert_eq!(outcome(text), outcome(&format!(r#"{{"later":0,{fields}"#)));
    }
}

fn check_error(text: &str, error: DecodeError) {
    assert!(matches!(error.code, Code::NotJson | Code::NotAMessage | Code::UnknownType | Code::BadField));
    let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    assert_eq!(error.code == Code::NotJson, !is_json, "{error}");
    assert!(!error.message.is_empty() && !error.message.contains(char::is_control), "{error}");
    let rejected = ServerMessage::Rejected(Rejected::from(error));
    let answer = rejected.to_text();
    assert!(answer.len() <= ANSWER_BYTES_MAX, "{answer}");
    assert_eq!(decode_server(&answer), Ok(rejected), "a client can read why");
}
