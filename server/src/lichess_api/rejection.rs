//! What a rejected call of the Lichess API is answered: a status, and a JSON object with `error`.
//!
//! Deliberately absent: which calls are rejected.
//!
//! Invariant: a passing fault is a 503 with `Retry-After`, never a 4xx, on which clients give up.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::{Map, Value, json};
use zeitnot_protocol::Code;

/// Seconds after which a call that was held back can be made again.
const RETRY_AFTER_S: u32 = 1;

/// Seconds for which a bot need not ask again when it, or its opponent, has as many games as it may.
const FULL_FOR_S: u32 = 60;

/// Why a call is rejected.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Rejection {
    status: StatusCode,
    body: Map<String, Value>,
    retry_after_s: Option<u32>,
}

impl Rejection {
    fn new(status: StatusCode, error: impl Into<Value>) -> Self {
        let body = Map::from_iter([("error".to_owned(), error.into())]);
        Self { status, body, retry_after_s: None }
    }

    /// A status, and what it means.
    pub(crate) fn with_status(status: StatusCode) -> Self {
        Self::new(status, status.canonical_reason().unwrap_or("this is not served here"))
    }

    /// 400: what is asked for cannot be done.
    pub(crate) fn bad_request(error: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error.into())
    }

    /// 400: a parameter has a value that it cannot have. The name of the parameter stands at the top, too: clients look there.
    pub(crate) fn bad_field(name: &str, why: impl Into<String>) -> Self {
        let why = json!([why.into()]);
        let mut rejection = Self::new(StatusCode::BAD_REQUEST, json!({ name: why }));
        rejection.body.insert(name.to_owned(), why);
        rejection
    }

    /// 400, as OAuth has it (RFC 6749, section 5.2).
    pub(crate) fn oauth(error: &str, description: &str) -> Self {
        let mut rejection = Self::bad_request(error);
        rejection.body.insert("error_description".to_owned(), description.into());
        rejection
    }

    /// 404.
    pub(crate) fn not_found(error: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, error.into())
    }

    /// 401: the call shows no token.
    pub(crate) fn no_token() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "Missing authorization header")
    }

    /// 401: nobody has the token that the call shows.
    pub(crate) fn unknown_token() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "No such token")
    }

    /// 403: the token is not for this.
    pub(crate) fn missing_scope(scope: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, format!("Missing scope: {scope}"))
    }

    /// 403: this is not for the account.
    pub(crate) fn forbidden(error: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, error.into())
    }

    /// 413: no call needs a body as long as this one.
    pub(crate) fn body_too_long() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too long")
    }

    /// 408: the body did not come in time.
    pub(crate) fn body_too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "the body did not come in time")
    }

    /// 503: not now; the same call can be made again in a second.
    pub(crate) fn unavailable() -> Self {
        let rejection =
            Self::new(StatusCode::SERVICE_UNAVAILABLE, "this cannot be done now; try again in a second");
        Self { retry_after_s: Some(RETRY_AFTER_S), ..rejection }
    }

    /// 429: to be asked again after so many seconds.
    pub(crate) fn too_many(error: impl Into<String>, after_s: u32) -> Self {
        Self { retry_after_s: Some(after_s), ..Self::new(StatusCode::TOO_MANY_REQUESTS, error.into()) }
    }

    /// What a rejection of a command about a game, or of an answer to a challenge, is to such a client.
    pub(crate) fn of(code: Code, message: &str) -> Self {
        match code {
            Code::UnknownGame | Code::Damaged => Self::not_found("No such game"),
            Code::NotYourGame => Self::not_found("Not your game"),
            Code::NotYourTurn | Code::GameOver | Code::TimeIsUp | Code::Stale => {
                Self::bad_request("Not your turn, or game already over")
            }
            Code::UnknownChallenge
            | Code::OwnChallenge
            | Code::NotForYou
            | Code::ChallengeTaken
            | Code::ChallengeExpired
            | Code::ChallengeCancelled
            | Code::ChallengeDeclined
            | Code::UnknownAccount => Self::not_found(message),
            Code::MissingScope => Self::forbidden(message),
            Code::Unavailable | Code::ServerFull => Self::unavailable(),
            _ => Self::bad_request(message),
        }
    }

    /// The same for a challenge or a seek that is to be made. A plain 400 would have a bot leave an opponent alone for a day.
    pub(crate) fn of_new_challenge(code: Code, message: &str) -> Self {
        match code {
            Code::TooManyGames | Code::TooManyChallenges | Code::AlreadyChallenged => {
                let mut rejection = Self::bad_request(message);
                let limit = json!({ "key": "bot.vsBot.day", "seconds": FULL_FOR_S });
                rejection.body.insert("ratelimit".to_owned(), limit);
                rejection
            }
            Code::TooFast | Code::TooManyNewGames => Self::too_many(message, FULL_FOR_S),
            Code::BadTimeControl => Self::bad_field("clock.limit", message),
            Code::BadPosition => Self::bad_field("fen", message),
            _ => Self::of(code, message),
        }
    }
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(Value::Object(self.body))).into_response();
        if let Some(after_s) = self.retry_after_s {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(after_s));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_field_is_named_twice() {
        let rejection = Rejection::bad_field("clock.limit", "too long");
        let body = Value::Object(rejection.body);
        assert_eq!(body, json!({ "error": { "clock.limit": ["too long"] }, "clock.limit": ["too long"] }));
    }

    #[test]
    fn what_will_pass_is_a_503_and_comes_with_a_time() {
        for code in [Code::Unavailable, Code::ServerFull] {
            for rejection in [Rejection::of(code, ""), Rejection::of_new_challenge(code, "")] {
                assert_eq!((rejection.status.as_u16(), rejection.retry_after_s), (503, Some(1)), "{code:?}");
            }
        }
    }

    #[test]
    fn nothing_about_a_game_is_answered_with_429() {
        for &code in Code::ALL {
            assert_ne!(Rejection::of(code, "").status, StatusCode::TOO_MANY_REQUESTS, "{code:?}");
        }
    }
}
