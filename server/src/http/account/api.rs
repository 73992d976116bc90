//! `/api/account…`: the answers in JSON. None of them is kept by a cache.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::json;
use zeitnot_protocol::AccountId;

use super::acts::AccountRequest;
use crate::accounts::{KeptToken, Kind, Person, SignedIn, TokenDigest, TokenKind};
use crate::http::error::ApiError;

type Answer = Result<Response, ApiError>;

/// No cache may keep what is said about an account.
pub(super) const NOT_KEPT: (HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

const SECONDS_PER_DAY: u64 = 86_400;

/// An account, for its owner.
#[derive(Serialize)]
struct Owner {
    account: AccountId,
    name: String,
    kind: &'static str,
}

impl Owner {
    fn of(person: Person) -> Self {
        let kind = match person.kind {
            Kind::Guest => "guest",
            Kind::Registered => "registered",
            Kind::Bot => "bot",
            Kind::Closed => "closed",
        };
        Self { account: person.account, name: person.shown_name(), kind }
    }
}

/// A device that is signed in, or a program that holds a token.
#[derive(Serialize)]
struct Session {
    id: String,
    kind: &'static str,
    label: String,
    /// In seconds since 1970.
    made: u64,
    /// The day of the last use, by its first second.
    used: u64,
    here: bool,
}

impl Session {
    fn of(kept: &KeptToken, here: TokenDigest) -> Self {
        let token = &kept.token;
        Self {
            id: token.digest.shown_id(),
            kind: match token.kind {
                TokenKind::Session => "session",
                TokenKind::Shown => "token",
            },
            label: token.label.clone(),
            made: token.made_unix_ms / 1_000,
            used: u64::from(kept.used_day) * SECONDS_PER_DAY,
            here: token.digest == here,
        }
    }
}

/// Registers the guest of the request, or a new account.
pub(in crate::http) async fn register(request: AccountRequest) -> Answer {
    request.register().await.map(|signed_in| welcome(StatusCode::CREATED, signed_in))
}

/// Signs in.
pub(in crate::http) async fn sign_in(request: AccountRequest) -> Answer {
    request.sign_in().await.map(|signed_in| welcome(StatusCode::OK, signed_in))
}

/// Signs in by a recovery code, which sets a password.
pub(in crate::http) async fn recover(request: AccountRequest) -> Answer {
    request.recover().await.map(|signed_in| welcome(StatusCode::OK, signed_in))
}

fn welcome(status: StatusCode, (signed_in, cookie): (SignedIn, HeaderValue)) -> Response {
    (status, [NOT_KEPT, (header::SET_COOKIE, cookie)], Json(Owner::of(signed_in.person))).into_response()
}

/// Ends the session of the request.
pub(in crate::http) async fn sign_out(request: AccountRequest) -> Answer {
    request.sign_out().await.map(goodbye)
}

/// Ends all sessions.
pub(in crate::http) async fn sign_out_everywhere(request: AccountRequest) -> Answer {
    request.sign_out_everywhere().await.map(goodbye)
}

/// Closes the account.
pub(in crate::http) async fn close(request: AccountRequest) -> Answer {
    request.close().await.map(goodbye)
}

fn goodbye(cookie: HeaderValue) -> Response {
    (StatusCode::NO_CONTENT, [NOT_KEPT, (header::SET_COOKIE, cookie)]).into_response()
}

/// The account of the request.
pub(in crate::http) async fn account(request: AccountRequest) -> Answer {
    let known = request.known()?;
    let facts = request.accounts.export(known).await?.facts;
    let Owner { account, name, kind } = Owner::of(known.person);
    let body = json!({
        "account": account,
        "name": name,
        "kind": kind,
        "made": facts.made_unix_ms / 1_000,
        "password_set": facts.password_set_unix_ms.map(|at| at / 1_000),
        "recovery_codes": facts.recovery_codes,
    });
    Ok(([NOT_KEPT], Json(body)).into_response())
}

/// The devices that are signed in.
pub(in crate::http) async fn sessions(request: AccountRequest) -> Answer {
    let known = request.known()?;
    let tokens = request.accounts.sessions(known).await?;
    let sessions: Vec<_> = tokens.iter().map(|kept| Session::of(kept, known.token)).collect();
    Ok(([NOT_KEPT], Json(json!({ "sessions": sessions }))).into_response())
}

/// Ends one session.
pub(in crate::http) async fn end_session(
    id: Result<Path<String>, PathRejection>,
    request: AccountRequest,
) -> Answer {
    let Ok(Path(id)) = id else { return Err(ApiError::UnknownSession) };
    request.end_session(&id).await?;
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}

/// Sets another password.
pub(in crate::http) async fn password(request: AccountRequest) -> Answer {
    request.change_password().await?;
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}

/// Makes recovery codes, which are shown here and never again.
pub(in crate::http) async fn recovery_codes(request: AccountRequest) -> Answer {
    let codes = request.recovery_codes().await?;
    Ok(([NOT_KEPT], Json(json!({ "codes": codes }))).into_response())
}

/// All that is kept about the account of the request, but for what is public anyhow.
pub(in crate::http) async fn export(request: AccountRequest) -> Answer {
    let known = request.known()?;
    let export = request.accounts.export(known).await?;
    let sessions: Vec<_> = export.tokens.iter().map(|kept| Session::of(kept, known.token)).collect();
    let Owner { account, name, kind } = Owner::of(known.person);
    let body = json!({
        "account": account,
        "name": name,
        "kind": kind,
        "made": export.facts.made_unix_ms / 1_000,
        "seen": u64::from(export.facts.seen_day) * SECONDS_PER_DAY,
        "password_set": export.facts.password_set_unix_ms.map(|at| at / 1_000),
        "recovery_codes": export.facts.recovery_codes,
        "sessions": sessions,
        "games": format!("/api/players/{account}/games"),
    });
    let file = (
        header::CONTENT_DISPOSITION,
        HeaderValue::from_static("attachment; filename=\"zeitnot-account.json\""),
    );
    Ok(([NOT_KEPT, file], Json(body)).into_response())
}
