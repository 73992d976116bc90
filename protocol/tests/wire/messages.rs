//! Every message goes to text and back unchanged, and both writers write the same bytes.

use crate::arbitrary::{client_message, server_message};
use proptest::prelude::*;
use zeitnot_protocol::{ServerMessage, decode_client, decode_server};

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn client_messages_come_back(message in client_message()) {
        prop_assert_eq!(decode_client(&message.to_text()), Ok(message));
    }

    #[test]
    fn server_messages_come_back(message in server_message()) {
        prop_assert_eq!(decode_server(&message.to_text()), Ok(message));
    }

    /// The writers by hand and the general one agree, byte for byte.
    #[test]
    fn one_text_for_one_message(message in server_message()) {
        prop_assert_eq!(message.to_text(), serde_json::to_string(&message).unwrap());
    }

    /// Appending leaves the bytes before it unchanged: a frame's header, for example.
    #[test]
    fn appending_keeps_what_was_there(message in server_message(), before: Vec<u8>) {
        let mut bytes = before.clone();
        message.append_to(&mut bytes);
        prop_assert_eq!(bytes, [before, message.to_text().into_bytes()].concat());
    }
}

/// Numbers at the edges of their digits.
#[test]
fn numbers_are_written_whole() {
    for power in 0..10 {
        for n in [10_u32.pow(power) - 1, 10_u32.pow(power), u32::MAX] {
            let text = ServerMessage::Pong(zeitnot_protocol::Pong { n, at: n, ms: 7 }).to_text();
            assert_eq!(text, format!(r#"{{"t":"pong","d":{{"n":{n},"at":{n},"ms":7}}}}"#));
        }
    }
}
