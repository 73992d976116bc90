//! The answer to a request that failed: its status, a header that some errors ask for, and a body of JSON.
//!
//! Deliberately absent: which status and which code an error has (`error`), and the body about a challenge that is over,
//! which has the challenge (`challenges`).
//!
//! Invariant: every body has a code and a message.

use axum::Json;
use axum::response::{AppendHeaders, IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use zeitnot_protocol::FenReason;

use super::error::ApiError;
use crate::analysis::position::NotPlayable;

#[derive(Serialize)]
struct Body {
    code: &'static str,
    message: String,
    /// Which move it is about, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    /// Why the FEN is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<FenReason>,
    /// The same for programs that take every unknown path for one of the Lichess API.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// When to ask again, where the error does not know it better.
const RETRY_AFTER_S: u32 = 2;

/// The header that an error asks for, if it asks for one.
fn header_of(error: ApiError, status: StatusCode) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = match (error, status) {
        // Its next request is not answered either.
        (ApiError::CutOff, _) => (header::CONNECTION, HeaderValue::from_static("close")),
        (_, StatusCode::UPGRADE_REQUIRED) => (header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13")),
        (_, StatusCode::UNAUTHORIZED) => (header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")),
        (ApiError::TooManyRequests { after_s } | ApiError::TooManyAttempts { after_s }, _) => {
            (header::RETRY_AFTER, after_s.into())
        }
        (_, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) => {
            (header::RETRY_AFTER, RETRY_AFTER_S.into())
        }
        _ => return None,
    };
    Some((name, value))
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code) = (self.status(), self.code());
        let message = self.to_string();
        let is_unknown = matches!(self, Self::NotFound | Self::MethodNotAllowed);
        let ply = if let Self::BadMove(NotPlayable { ply, .. }) = self { Some(ply) } else { None };
        let reason = if let Self::BadFen(error) = self { Some(error.into()) } else { None };
        let body = Json(Body { code, ply, reason, error: is_unknown.then(|| message.clone()), message });
        (status, AppendHeaders(header_of(self, status)), body).into_response()
    }
}
