//! From text to a message: the envelope, and the type it names.
//!
//! A frame that is in order, with `t` before `d`, is read in one pass. Every other frame is read
//! again in two stages, which accept `d` before `t` and find the words for what is wrong.
//!
//! Every text gives a message or a typed error. No text causes a panic, and none causes recursion
//! deeper than that of the types, because unknown fields are skipped without recursion. An error
//! carries the command's `id` wherever it can still be read, so that the client learns which
//! command it was.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
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

/// A message enum, of which [`readers!`] lists the types.
pub(crate) trait Message: Sized {
    /// Reads the `d` of the message that `t` names.
    fn read<'a, B: Body<'a>>(t: &str, body: B) -> Result<Self, B::Error>;
}

/// The `d` of a frame, before its type is known.
pub(crate) trait Body<'a> {
    type Error;

    fn read<T: Deserialize<'a>>(self) -> Result<T, Self::Error>;

    fn unknown_type(self, t: &str) -> Self::Error;
}

/// Gives a message enum its readers: the type of each `d` by its `t`.
macro_rules! readers {
    ($message:ident { $($text:literal => $name:ident,)+ }) => {
        impl $crate::decode::Message for $message {
            fn read<'a, B: $crate::decode::Body<'a>>(t: &str, body: B) -> Result<Self, B::Error> {
                match t {
                    $($text => body.read().map(Self::$name),)+
                    unknown => Err(body.unknown_type(unknown)),
                }
            }
        }
    };
}

pub(crate) use readers;

/// A frame with `t` and then `d`, and nothing else.
struct InOrder<M>(M);

struct InOrderVisitor<M>(PhantomData<M>);

impl<'de, M: Message> Deserialize<'de> for InOrder<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrderVisitor(PhantomData))
    }
}

impl<'de, M: Message> Visitor<'de> for InOrderVisitor<M> {
    type Value = InOrder<M>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("t and then d")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InOrder<M>, A::Error> {
        let other = || A::Error::custom("not t and then d");
        map.next_key::<Word<'de>>()?.filter(|Word(key)| key == "t").ok_or_else(other)?;
        let Word(t) = map.next_value()?;
        map.next_key::<Word<'de>>()?.filter(|Word(key)| key == "d").ok_or_else(other)?;
        let message = map.next_value_seed(BodyOf(&t, PhantomData))?;
        map.next_key::<IgnoredAny>()?.map_or(Ok(InOrder(message)), |_| Err(other()))
    }
}

/// Reads the `d` of this type where it stands.
struct BodyOf<'t, M>(&'t str, PhantomData<M>);

impl<'de, M: Message> DeserializeSeed<'de> for BodyOf<'_, M> {
    type Value = M;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<M, D::Error> {
        M::read(self.0, InPlace(deserializer))
    }
}

struct InPlace<D>(D);

impl<'de, D: Deserializer<'de>> Body<'de> for InPlace<D> {
    type Error = D::Error;

    fn read<T: Deserialize<'de>>(self) -> Result<T, D::Error> {
        Object::deserialize(self.0).map(|Object(value)| value)
    }

    fn unknown_type(self, t: &str) -> D::Error {
        D::Error::custom(t)
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

/// The text of a `d`.
struct BodyText<'a>(&'a str);

impl<'a> Body<'a> for BodyText<'a> {
    type Error = DecodeError;

    fn read<T: Deserialize<'a>>(self) -> Result<T, DecodeError> {
        let object: Result<Object<T>, _> = serde_json::from_str(self.0);
        object.map(|Object(value)| value).map_err(|error| bad_field::<T>(self.0, &error))
    }

    fn unknown_type(self, t: &str) -> DecodeError {
        DecodeError::new(Code::UnknownType, id_of(self.0), &format!("there is no message {t:?}"))
    }
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

fn decode<M: Message>(text: &str) -> Result<M, DecodeError> {
    if let Ok(InOrder(message)) = serde_json::from_str(text) {
        return Ok(message);
    }
    let Envelope { t, d } = envelope(text)?;
    M::read(&t, BodyText(d.map_or("{}", RawValue::get)))
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
    let message = decode(text)?;
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
    decode(text)
}
