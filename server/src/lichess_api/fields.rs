//! The parameters of a call: those of the query and of a form or a JSON object in the body, as one map of names.
//!
//! Clients of this API send what they like: forms as JSON, numbers as text, nothing as `null` or as an empty text. All of it
//! is taken.
//!
//! Invariant: a parameter without a text is as one that is not given.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use http::header;
use http::request::Parts;
use serde_json::Value;

use super::rejection::Rejection;

/// The longest body: a list of some hundred names or tokens.
pub(crate) const BODY_BYTES_MAX: usize = 64 * 1024;

/// How long a body may take.
const BODY_WITHIN: Duration = Duration::from_secs(10);

/// The parameters of a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Fields(BTreeMap<String, String>);

impl Fields {
    fn read(query: &str, content_type: &str, body: &[u8]) -> Result<Self, Rejection> {
        let mut fields = Self::default();
        fields.add_form(query.as_bytes())?;
        let is_json = content_type.contains("json") || body.trim_ascii_start().starts_with(b"{");
        if body.trim_ascii().is_empty() {
            return Ok(fields);
        }
        if is_json {
            fields.add_json(body)?;
        } else {
            fields.add_form(body)?;
        }
        Ok(fields)
    }

    /// The parameters of a query, for tests.
    #[cfg(test)]
    pub(super) fn of_query(query: &str) -> Self {
        Self::read(query, "", b"").unwrap()
    }

    fn add_form(&mut self, text: &[u8]) -> Result<(), Rejection> {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(text)
            .map_err(|_| Rejection::bad_request("the parameters are neither a form nor a JSON object"))?;
        pairs.into_iter().for_each(|(name, value)| self.add(name, value));
        Ok(())
    }

    fn add_json(&mut self, text: &[u8]) -> Result<(), Rejection> {
        let Ok(Value::Object(object)) = serde_json::from_slice(text) else {
            return Err(Rejection::bad_request("the body is not a JSON object"));
        };
        for (name, value) in object {
            match value {
                Value::Null => {}
                Value::String(text) => self.add(name, text),
                Value::Bool(_) | Value::Number(_) => self.add(name, value.to_string()),
                Value::Array(_) | Value::Object(_) => {
                    return Err(Rejection::bad_field(&name, "this is a list or an object"));
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, name: String, value: String) {
        if !value.is_empty() {
            self.0.insert(name, value);
        }
    }

    /// A parameter as it was written; `None` when it is not given.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A parameter that says yes or no.
    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, Rejection> {
        let read =
            |text| flag(text).ok_or_else(|| Rejection::bad_field(name, "this is neither true nor false"));
        self.text(name).map(read).transpose()
    }

    /// A parameter that is a number, from 0 on.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, Rejection> {
        let read = |text: &str| {
            let number = text.trim().parse::<f64>().ok().filter(|number| (0.0..1e15).contains(number));
            number.ok_or_else(|| Rejection::bad_field(name, "this is not a number"))
        };
        self.text(name).map(read).transpose()
    }

    /// A parameter that is a whole number.
    pub(super) fn whole(&self, name: &str) -> Result<Option<u64>, Rejection> {
        Ok(self.number(name)?.map(|number| number as u64))
    }
}

/// Yes or no, as some program writes it.
pub(super) fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// The body of a call, read whole.
async fn body(request: Request) -> Result<Vec<u8>, Rejection> {
    let reading = to_bytes(request.into_body(), BODY_BYTES_MAX);
    let read = tokio::time::timeout(BODY_WITHIN, reading).await.map_err(|_| Rejection::body_too_slow())?;
    Ok(read.map_err(|_| Rejection::body_too_long())?.to_vec())
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = Rejection;

    async fn from_request(request: Request, _: &S) -> Result<Self, Rejection> {
        let query = request.uri().query().unwrap_or_default().to_owned();
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        Self::read(&query, &content_type, &body(request).await?)
    }
}

/// The parameters of a call whose body is a list: those of its query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InQuery(pub(super) Fields);

impl<S: Send + Sync> FromRequestParts<S> for InQuery {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Rejection> {
        Fields::read(parts.uri.query().unwrap_or_default(), "", b"").map(Self)
    }
}

/// A body that is a list of names or tokens with commas between, whatever type it says that it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct List(pub(super) Vec<String>);

impl<S: Send + Sync> FromRequest<S> for List {
    type Rejection = Rejection;

    async fn from_request(request: Request, _: &S) -> Result<Self, Rejection> {
        let body = body(request).await?;
        let text = std::str::from_utf8(&body).map_err(|_| Rejection::bad_request("the body is not UTF-8"))?;
        Ok(Self(of_list(text)))
    }
}

/// The words of a list with commas between.
pub(super) fn of_list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str, content_type: &str, body: &str) -> Fields {
        Fields::read(query, content_type, body.as_bytes()).unwrap()
    }

    #[test]
    fn a_form_and_json_say_the_same() {
        let form =
            read("color=white", "application/x-www-form-urlencoded", "clock.limit=180&rated=true&fen=");
        let json =
            read("color=white", "application/json", r#"{"clock.limit":180,"rated":true,"fen":null,"x":""}"#);
        assert!(form.text("clock.limit") == json.text("clock.limit") && form.text("x").is_none());
        assert_eq!((form.flag("rated"), json.flag("rated")), (Ok(Some(true)), Ok(Some(true))));
        assert_eq!(json.text("fen"), None);
        assert_eq!(read("", "", r#" {"a":"b"}"#).text("a"), Some("b"), "without a type");
        assert_eq!(read("", "application/octet-stream", ""), Fields::default());
    }

    #[test]
    fn yes_no_and_numbers_are_read_as_programs_write_them() {
        for (text, expected) in [("True", true), ("1", true), ("YES", true), ("off", false), ("0", false)] {
            assert_eq!(flag(text), Some(expected), "{text}");
        }
        let fields = read("time=0.5&n=12&bad=-1&worse=NaN&no=maybe", "", "");
        assert_eq!((fields.number("time"), fields.whole("n")), (Ok(Some(0.5)), Ok(Some(12))));
        assert!(
            fields.number("bad").is_err() && fields.number("worse").is_err() && fields.flag("no").is_err()
        );
    }

    #[test]
    fn what_is_neither_is_rejected() {
        for body in ["{", "[1]", r#"{"a":[1]}"#] {
            assert!(Fields::read("", "application/json", body.as_bytes()).is_err(), "{body}");
        }
    }
}
