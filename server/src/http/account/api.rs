//! `/api/account…`: the answers in JSON. None of them is kept by a cache.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::json;
use zeitnot_protocol::{AccountId, Scope};

use super::acts::AccountRequest;
use crate::accounts::{KeptToken, Kind, NewToken, Person, SignedIn, TokenDigest, TokenKind};
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
                TokenKind::Shown | TokenKind::Api => "token",
            },
            label: token.label.clone(),
            made: token.made_unix_ms / 1_000,
            used: u64::from(kept.used_day) * SECONDS_PER_DAY,
            here: token.digest == here,
        }
    }
}

/// An API token, without its secret.
#[derive(Serialize)]
struct ApiToken {
    id: String,
    name: String,
    scopes: Vec<&'static str>,
    /// In seconds since 1970.
    made: u64,
    /// The day of the last use, by its first second.
    #[serde(skip_serializing_if = "Option::is_none")]
    used: Option<u64>,
    /// In seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<u64>,
}

impl ApiToken {
    fn of(token: &NewToken) -> Self {
        Self {
            id: token.digest.shown_id(),
            name: token.label.clone(),
            scopes: token.grant.scopes.iter().map(Scope::as_str).collect(),
            made: token.made_unix_ms / 1_000,
            used: None,
            expires: token.grant.until_unix_ms.map(|until| until / 1_000),
        }
    }

    fn of_kept(kept: &KeptToken) -> Self {
        Self { used: Some(u64::from(kept.used_day) * SECONDS_PER_DAY), ..Self::of(&kept.token) }
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

/// Makes the account a bot.
pub(in crate::http) async fn bot(request: AccountRequest) -> Answer {
    let person = request.become_bot().await?;
    Ok(([NOT_KEPT], Json(Owner::of(person))).into_response())
}

/// Makes an API token, which is shown here and never again.
pub(in crate::http) async fn make_token(request: AccountRequest) -> Answer {
    let (token, kept) = request.make_token().await?;
    let mut body = json!(ApiToken::of(&kept));
    body["token"] = json!(token.reveal());
    Ok((StatusCode::CREATED, [NOT_KEPT], Json(body)).into_response())
}

/// The API tokens.
pub(in crate::http) async fn tokens(request: AccountRequest) -> Answer {
    let tokens = request.accounts.api_tokens(request.known()?).await?;
    let tokens: Vec<_> = tokens.iter().map(ApiToken::of_kept).collect();
    Ok(([NOT_KEPT], Json(json!({ "tokens": tokens }))).into_response())
}

/// Revokes an API token.
pub(in crate::http) async fn revoke_token(
    id: Result<Path<String>, PathRejection>,
    request: AccountRequest,
) -> Answer {
    let Ok(Path(id)) = id else { return Err(ApiError::UnknownToken) };
    request.revoke_token(&id).await?;
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
    let api_tokens: Vec<_> = export.api_tokens.iter().map(ApiToken::of_kept).collect();
    let sessions: Vec<_> = export.sessions.iter().map(|kept| Session::of(kept, known.token)).collect();
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
        "tokens": api_tokens,
        "games": format!("/api/players/{account}/games"),
    });
    let file = (
        header::CONTENT_DISPOSITION,
        HeaderValue::from_static("attachment; filename=\"zeitnot-account.json\""),
    );
    Ok(([NOT_KEPT, file], Json(body)).into_response())
}
