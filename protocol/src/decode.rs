//! From text to a message, in two stages: the envelope, then the type it names.
//!
//! Every text gives a message or a typed error. No text causes a panic, and none causes recursion
//! deeper than that of the types, because unknown fields are skipped without recursion. An error
//! carries the command's `id` wherever it can still be read, so that the client learns which
//! command it was.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::object::Object;
use crate::{ClientMessage, Code, CommandId, CreateChallenge, Hello, Rejected, ServerMessage};

/// Why a frame cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{code}: {message}")]
pub struct DecodeError {
    /// `not_json`, `not_a_message`, `unknown_type` or `bad_field`.
    pub code: Code,
    /// The command's id, if the frame has one that can be read.
    pub id: Option<CommandId>,
    /// What is wrong, in English; for `bad_field` it begins with the field's path.
    pub message: String,
}

impl DecodeError {
    /// Messages quote what came: no more of it goes back than a person needs, and nothing that a
    /// terminal would obey.
    const MESSAGE_CHARS: usize = 160;

    fn new(code: Code, id: Option<CommandId>, message: &str) -> Self {
        let shown = message.chars().filter(|character| !character.is_control());
        Self { code, id, message: shown.take(Self::MESSAGE_CHARS).collect() }
    }
}

impl From<DecodeError> for Rejected {
    fn from(error: DecodeError) -> Self {
        Self { id: error.id, game: None, code: error.code, message: error.message }
    }
}

/// `t` and `d` of a frame, borrowed from it.
struct Envelope<'a> {
    t: Cow<'a, str>,
    d: Option<&'a RawValue>,
}

/// A string that is copied only when it has escapes.
#[derive(Deserialize)]
struct Word<'a>(#[serde(borrow)] Cow<'a, str>);

struct EnvelopeVisitor;

impl<'de> Visitor<'de> for EnvelopeVisitor {
    type Value = Envelope<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a string t")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<'de>, A::Error> {
        use serde::de::Error as _;

        let (mut t, mut d) = (None, None);
        while let Some(Word(key)) = map.next_key()? {
            match &*key {
                "t" if t.is_some() => return Err(A::Error::duplicate_field("t")),
                "t" => t = Some(map.next_value::<Word<'de>>()?.0),
                "d" if d.is_some() => return Err(A::Error::duplicate_field("d")),
                "d" => d = Some(map.next_value::<&'de RawValue>()?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Envelope { t: t.ok_or_else(|| A::Error::missing_field("t"))?, d })
    }
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EnvelopeVisitor)
    }
}

fn envelope(text: &str) -> Result<Envelope<'_>, DecodeError> {
    serde_json::from_str(text).map_err(|error| {
        // A wrong type is reported before the rest is read, and only the rest decides whether the
        // text is JSON.
        let rest = serde_json::from_str::<IgnoredAny>(text);
        let (code, error) = match rest {
            Ok(IgnoredAny) => (Code::NotAMessage, error),
            Err(error) => (Code::NotJson, error),
        };
        DecodeError::new(code, None, &error.to_string())
    })
}

/// Reads the `d` of a message.
pub(crate) fn body<'a, T: Deserialize<'a>>(d: &'a str) -> Result<T, DecodeError> {
    let object: Result<Object<T>, _> = serde_json::from_str(d);
    object.map(|Object(value)| value).map_err(|error| bad_field::<T>(d, &error))
}

/// Reads again what could not be read and records the field's path, so that only rejected messages
/// pay for it.
#[cold]
fn bad_field<'a, T: Deserialize<'a>>(d: &'a str, error: &serde_json::Error) -> DecodeError {
    let mut reader = serde_json::Deserializer::from_str(d);
    let (path, error) = match serde_path_to_error::deserialize::<_, Object<T>>(&mut reader) {
        Ok(Object(_)) => (String::new(), error.to_string()),
        Err(traced) => (traced.path().to_string(), traced.inner().to_string()),
    };
    // The position is counted from the start of `d`, so it would mislead the client.
    let reason = error.rsplit_once(" at line ").map_or(&*error, |(reason, _)| reason);
    let names_field = reason.starts_with("missing field") || reason.starts_with("duplicate field");
    let message = match &*path {
        "." | "" if names_field => reason.to_owned(),
        "." | "" => format!("d: {reason}"),
        path => format!("{path}: {reason}"),
    };
    DecodeError::new(Code::BadField, id_of(d), &message)
}

/// The `id` in the text of a `d`, if there is exactly one and it is well-formed.
fn id_of(d: &str) -> Option<CommandId> {
    #[derive(Deserialize)]
    struct Probe {
        id: Option<CommandId>,
    }
    serde_json::from_str::<Object<Probe>>(d).ok()?.0.id
}

/// Gives a message enum its `read`: the type of each `d` by its `t`.
macro_rules! readers {
    ($message:ident { $($text:literal => $name:ident,)+ }) => {
        impl $message {
            /// Reads the `d` of the message that `t` names.
            pub(crate) fn read(t: &str, d: &str) -> Result<Self, $crate::decode::DecodeError> {
                match t {
                    $($text => $crate::decode::body(d).map(Self::$name),)+
                    unknown => Err($crate::decode::unknown_type(unknown, d)),
                }
            }
        }
    };
}

pub(crate) use readers;

#[cold]
pub(crate) fn unknown_type(t: &str, d: &str) -> DecodeError {
    DecodeError::new(Code::UnknownType, id_of(d), &format!("there is no message {t:?}"))
}

/// Reads a client's frame. A missing `d` counts as `{}`.
///
/// ```
/// use zeitnot_protocol::{ClientMessage, Code, decode_client};
///
/// let text = r#"{"t":"move","d":{"game":"4fzVq0aB9kLm","on":7,"uci":"e2e4","id":"m1"}}"#;
/// let ClientMessage::Move(mv) = decode_client(text)? else { panic!("it is a move") };
/// assert_eq!((mv.on, mv.uci.as_str()), (7, "e2e4"));
///
/// // An error says what is wrong, and names the command if it can.
/// let text = r#"{"t":"move","d":{"game":"4fzVq0aB9kLm","uci":"e2e4","id":"m2"}}"#;
/// let error = decode_client(text).expect_err("`on` is missing");
/// assert_eq!(error.code, Code::BadField);
/// assert_eq!(error.id.map(|id| id.to_string()).as_deref(), Some("m2"));
/// assert_eq!(error.message, "missing field `on`");
/// # Ok::<(), zeitnot_protocol::DecodeError>(())
/// ```
///
/// # Errors
/// [`DecodeError`], with one of four codes.
pub fn decode_client(text: &str) -> Result<ClientMessage, DecodeError> {
    let Envelope { t, d } = envelope(text)?;
    let d = d.map_or("{}", RawValue::get);
    let message = ClientMessage::read(&t, d)?;
    match &message {
        ClientMessage::Hello(Hello { guest: true, token: Some(_) }) => {
            Err(DecodeError::new(Code::BadField, None, "guest: not together with token"))
        }
        ClientMessage::CreateChallenge(CreateChallenge { to: Some(_), to_name: Some(_), id, .. }) => {
            Err(DecodeError::new(Code::BadField, *id, "to_name: not together with to"))
        }
        _ => Ok(message),
    }
}

/// Reads a server's frame, for clients and tests. A client ignores `unknown_type`.
///
/// # Errors
/// [`DecodeError`], as for [`decode_client`].
pub fn decode_server(text: &str) -> Result<ServerMessage, DecodeError> {
    let Envelope { t, d } = envelope(text)?;
    let d = d.map_or("{}", RawValue::get);
    ServerMessage::read(&t, d)
}
