//! The fields in the body of a request: a JSON object, or what a form sends.
//!
//! Invariant: a body has at most [`BODY_BYTES_MAX`] bytes, and does not come for ever.

use std::collections::HashMap;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::http::error::ApiError;
use crate::http::route::BODY_BYTES_MAX;

/// How long a body may take to come: it is one packet.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// What a body is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    Json,
    Form,
}

impl Written {
    /// What a path reads: the API speaks JSON, the pages send forms.
    pub(super) fn at(path: &str) -> Self {
        if path.starts_with("/api/") { Self::Json } else { Self::Form }
    }
}

/// The fields of a request. Those that nobody asks for are ignored.
pub(super) struct Fields(HashMap<String, Value>);

/// Reads the bytes of a body.
pub(in crate::http) async fn body_bytes(body: Body) -> Result<Bytes, ApiError> {
    body_bytes_within(body, BODY_BYTES_MAX).await
}

/// Reads the bytes of a body that may have so many.
async fn body_bytes_within(body: Body, most: u64) -> Result<Bytes, ApiError> {
    let bytes = tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, most as usize)).await;
    bytes.map_err(|_| ApiError::BodyTooSlow)?.map_err(|_| ApiError::BodyTooLong)
}

/// The object in JSON in a body of at most so many bytes.
pub(in crate::http) async fn object_within<T: DeserializeOwned>(
    body: Body,
    most: u64,
) -> Result<T, ApiError> {
    let bytes = body_bytes_within(body, most).await?;
    // An array would be read as the fields in their order.
    let fields: Map<String, Value> = serde_json::from_slice(&bytes).map_err(|_| ApiError::BadBody)?;
    serde_json::from_value(fields.into()).map_err(|_| ApiError::BadBody)
}

impl Fields {
    /// Reads a body.
    pub(super) async fn read(body: Body, written: Written) -> Result<Self, ApiError> {
        let bytes = body_bytes(body).await?;
        let fields = match written {
            Written::Json => serde_json::from_slice(&bytes).map_err(|_| ApiError::BadBody)?,
            Written::Form => {
                let pairs: Vec<(String, String)> =
                    serde_urlencoded::from_bytes(&bytes).map_err(|_| ApiError::BadBody)?;
                collected(pairs)
            }
        };
        Ok(Self(fields))
    }

    /// Texts of which there may be none: a list in JSON, and the same name several times in a form.
    pub(super) fn texts(&self, name: &'static str) -> Result<Vec<&str>, ApiError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(vec![text]),
            Some(Value::Array(values)) => {
                let texts = values.iter().map(|value| value.as_str().ok_or(ApiError::BadField(name)));
                texts.collect()
            }
            Some(_) => Err(ApiError::BadField(name)),
        }
    }

    /// A whole number that may be there; a form sends it as a text, and an empty one is none.
    pub(super) fn number_if_any(&self, name: &'static str) -> Result<Option<u64>, ApiError> {
        let number = match self.0.get(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) if text.is_empty() => return Ok(None),
            Some(Value::String(text)) => text.parse().ok(),
            Some(value) => value.as_u64(),
        };
        number.map(Some).ok_or(ApiError::BadField(name))
    }

    /// A text that must be there.
    pub(super) fn text(&self, name: &'static str) -> Result<&str, ApiError> {
        self.text_if_any(name)?.ok_or(ApiError::BadField(name))
    }

    /// A text that may be there; an empty one is none.
    pub(super) fn text_if_any(&self, name: &'static str) -> Result<Option<&str>, ApiError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.is_empty())),
            Some(_) => Err(ApiError::BadField(name)),
        }
    }

    /// A text by a name that is not known before.
    pub(super) fn named(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// Yes or no; a form sends `on` for yes and nothing for no.
    pub(super) fn flag(&self, name: &'static str) -> Result<bool, ApiError> {
        match self.0.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(Value::String(text)) if text == "on" => Ok(true),
            Some(_) => Err(ApiError::BadField(name)),
        }
    }
}

/// What a form has sent: a name that comes several times has a list of texts.
fn collected(pairs: Vec<(String, String)>) -> HashMap<String, Value> {
    let mut fields: HashMap<String, Value> = HashMap::new();
    for (name, text) in pairs {
        let text = Value::String(text);
        match fields.get_mut(&name) {
            None => drop(fields.insert(name, text)),
            Some(Value::Array(values)) => values.push(text),
            Some(first) => *first = Value::Array(vec![first.take(), text]),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(body: &'static str, written: Written) -> Result<Fields, ApiError> {
        Fields::read(Body::from(body), written).await
    }

    #[tokio::test]
    async fn the_same_fields_are_read_from_json_and_from_a_form() {
        for (body, written) in [
            (r#"{"name":"Rook & \"Roll\"","empty":"","yes":true,"no":false,"more":[1]}"#, Written::Json),
            ("name=Rook+%26+%22Roll%22&empty=&yes=on&more=1", Written::Form),
        ] {
            let fields = read(body, written).await.unwrap();
            assert_eq!(fields.text("name"), Ok("Rook & \"Roll\""));
            assert_eq!(fields.text("empty"), Err(ApiError::BadField("empty")));
            assert_eq!(fields.text_if_any("absent"), Ok(None));
            assert_eq!(
                (fields.flag("yes"), fields.flag("no"), fields.flag("absent")),
                (Ok(true), Ok(false), Ok(false))
            );
            assert_eq!(fields.flag("name"), Err(ApiError::BadField("name")));
        }
        let numbers = read(r#"{"name":7}"#, Written::Json).await.unwrap();
        assert_eq!(numbers.text("name"), Err(ApiError::BadField("name")));
    }

    #[tokio::test]
    async fn lists_and_numbers_are_read_from_both() {
        for (body, written) in [
            (r#"{"several":["a","b"],"one":"a","days":7,"none":null}"#, Written::Json),
            ("several=a&several=b&one=a&days=7&none=", Written::Form),
        ] {
            let fields = read(body, written).await.unwrap();
            assert_eq!(fields.texts("several"), Ok(vec!["a", "b"]));
            assert_eq!((fields.texts("one"), fields.texts("absent")), (Ok(vec!["a"]), Ok(vec![])));
            assert_eq!(fields.number_if_any("days"), Ok(Some(7)));
            assert_eq!((fields.number_if_any("none"), fields.number_if_any("absent")), (Ok(None), Ok(None)));
            assert_eq!(fields.number_if_any("one"), Err(ApiError::BadField("one")));
        }
        let wrong = read(r#"{"list":["a",7],"number":-1,"half":1.5}"#, Written::Json).await.unwrap();
        assert_eq!(wrong.texts("list"), Err(ApiError::BadField("list")));
        assert_eq!(wrong.number_if_any("number"), Err(ApiError::BadField("number")));
        assert_eq!(wrong.number_if_any("half"), Err(ApiError::BadField("half")));
    }

    #[tokio::test]
    async fn what_is_no_object_is_rejected() {
        for body in ["", "[]", "7", "{\"a\":", "\u{0}"] {
            assert_eq!(read(body, Written::Json).await.err(), Some(ApiError::BadBody), "{body:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_come_is_not_waited_for() {
        let never =
            Body::from_stream(futures_util::stream::pending::<Result<bytes::Bytes, std::io::Error>>());
        assert_eq!(Fields::read(never, Written::Json).await.err(), Some(ApiError::BodyTooSlow));
        let endless = futures_util::stream::repeat_with(|| {
            Ok::<_, std::io::Error>(bytes::Bytes::from_static(&[b' '; 512]))
        });
        assert_eq!(
            Fields::read(Body::from_stream(endless), Written::Json).await.err(),
            Some(ApiError::BodyTooLong)
        );
    }
}
