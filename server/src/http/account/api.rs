//! `/api/account…`: the answers in JSON. None of them is kept by a cache.

use axum::Json;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};

use super::acts::AccountRequest;
use super::bodies::{
    ApiToken, ApiTokens, Exported, MadeToken, NewPassword, OwnReport, Owner, OwnerFacts, OwnerProof,
    Recovery, RecoveryCodes, Registration, Rules, Session, Sessions, SignIn, WantedToken,
};
use super::contacts;
use crate::accounts::SignedIn;
use crate::http::error::ApiError;
use crate::storage::first_second;

type Answer = Result<Response, ApiError>;

/// No cache may keep what is said about an account.
pub(in crate::http) const NOT_KEPT: (HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

/// Registers the guest of the request, or a new account.
#[utoipa::path(
    post,
    path = "/api/account/register",
    tag = "account",
    request_body = Registration,
    responses((status = 201, description = "The account, and its cookie.", body = Owner)),
    extensions(("x-codes" = json!(["bad_name", "bad_password", "name_taken", "already_registered", "too_many_guests", "damaged", "too_many_attempts", "too_many_sign_ins"]))),
)]
pub(in crate::http) async fn register(request: AccountRequest) -> Answer {
    request.register().await.map(|signed_in| welcome(StatusCode::CREATED, signed_in))
}

/// Signs in.
#[utoipa::path(
    post,
    path = "/api/account/sign-in",
    tag = "account",
    request_body = SignIn,
    responses((status = 200, description = "The account, and its cookie.", body = Owner)),
    extensions(("x-codes" = json!(["wrong_password", "second_factor_needed", "wrong_second_factor", "damaged", "too_many_attempts", "too_many_sign_ins"]))),
)]
pub(in crate::http) async fn sign_in(request: AccountRequest) -> Answer {
    request.sign_in().await.map(|signed_in| welcome(StatusCode::OK, signed_in))
}

/// Signs in by a recovery code, which sets a password.
#[utoipa::path(
    post,
    path = "/api/account/recover",
    tag = "account",
    request_body = Recovery,
    responses((status = 200, description = "The account, and its cookie.", body = Owner)),
    extensions(("x-codes" = json!(["wrong_code", "second_factor_needed", "wrong_second_factor", "bad_password", "damaged", "too_many_attempts", "too_many_sign_ins"]))),
)]
pub(in crate::http) async fn recover(request: AccountRequest) -> Answer {
    request.recover().await.map(|signed_in| welcome(StatusCode::OK, signed_in))
}

fn welcome(status: StatusCode, (signed_in, cookie): (SignedIn, HeaderValue)) -> Response {
    (status, [NOT_KEPT, (header::SET_COOKIE, cookie)], Json(Owner::of(signed_in.person))).into_response()
}

/// Ends the session of the request.
#[utoipa::path(
    post,
    path = "/api/account/sign-out",
    tag = "account",
    responses((status = 204, description = "The session is over.")),
    extensions(("x-codes" = json!(["no_identity"]))),
)]
pub(in crate::http) async fn sign_out(request: AccountRequest) -> Answer {
    request.sign_out().await.map(goodbye)
}

/// Ends all sessions.
#[utoipa::path(
    post,
    path = "/api/account/sign-out-everywhere",
    tag = "account",
    responses((status = 204, description = "All sessions and tokens are over.")),
    extensions(("x-codes" = json!(["no_identity"]))),
)]
pub(in crate::http) async fn sign_out_everywhere(request: AccountRequest) -> Answer {
    request.sign_out_everywhere().await.map(goodbye)
}

/// Closes the account.
#[utoipa::path(
    post,
    path = "/api/account/close",
    tag = "account",
    request_body = OwnerProof,
    responses((status = 204, description = "The account is closed.")),
    extensions(("x-codes" = json!(["no_identity", "not_registered", "wrong_password", "second_factor_needed", "wrong_second_factor", "damaged", "too_many_attempts", "too_many_sign_ins"]))),
)]
pub(in crate::http) async fn close(request: AccountRequest) -> Answer {
    request.close().await.map(goodbye)
}

fn goodbye(cookie: HeaderValue) -> Response {
    (StatusCode::NO_CONTENT, [NOT_KEPT, (header::SET_COOKIE, cookie)]).into_response()
}

/// The account of the request.
#[utoipa::path(
    get,
    path = "/api/account/profile",
    tag = "account",
    responses((status = 200, description = "The account.", body = OwnerFacts)),
    extensions(("x-codes" = json!(["no_identity", "damaged"]))),
)]
pub(in crate::http) async fn account(request: AccountRequest) -> Answer {
    let known = request.known()?;
    let facts = request.accounts.facts(known).await?;
    Ok(([NOT_KEPT], Json(OwnerFacts::of(known.person, &facts))).into_response())
}

/// The devices that are signed in.
#[utoipa::path(
    get,
    path = "/api/account/sessions",
    tag = "account",
    responses((status = 200, description = "The sessions, the one that was used last first.", body = Sessions)),
    extensions(("x-codes" = json!(["no_identity", "damaged"]))),
)]
pub(in crate::http) async fn sessions(request: AccountRequest) -> Answer {
    let known = request.known()?;
    let tokens = request.accounts.sessions(known).await?;
    let sessions = tokens.iter().map(|kept| Session::of(kept, known.token)).collect();
    Ok(([NOT_KEPT], Json(Sessions { sessions })).into_response())
}

/// Ends one session.
#[utoipa::path(
    delete,
    path = "/api/account/sessions/{id}",
    tag = "account",
    params(("id" = String, Path, description = "The id of the session.")),
    responses((status = 204, description = "The session is over.")),
    extensions(("x-codes" = json!(["no_identity", "unknown_session"]))),
)]
pub(in crate::http) async fn end_session(
    id: Result<Path<String>, PathRejection>,
    request: AccountRequest,
) -> Answer {
    let Ok(Path(id)) = id else { return Err(ApiError::UnknownSession) };
    request.end_session(&id).await?;
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}

/// Makes the account a bot.
#[utoipa::path(
    post,
    path = "/api/account/bot",
    tag = "account",
    operation_id = "become_bot",
    responses((status = 200, description = "The account, which is a bot.", body = Owner)),
    extensions(("x-codes" = json!(["no_identity", "not_registered", "has_rated_games", "has_live_games", "is_admin"]))),
)]
pub(in crate::http) async fn bot(request: AccountRequest) -> Answer {
    let person = request.become_bot().await?;
    Ok(([NOT_KEPT], Json(Owner::of(person))).into_response())
}

/// Makes an API token, which is shown here and never again.
#[utoipa::path(
    post,
    path = "/api/account/tokens",
    tag = "account",
    request_body = WantedToken,
    responses((status = 201, description = "The token, which is shown only here.", body = MadeToken)),
    extensions(("x-codes" = json!(["no_identity", "not_registered", "too_many_tokens", "not_admin", "no_second_factor", "second_factor_needed", "wrong_second_factor", "too_many_attempts"]))),
)]
pub(in crate::http) async fn make_token(request: AccountRequest) -> Answer {
    let (token, kept) = request.make_token().await?;
    let made = MadeToken { kept: ApiToken::of(&kept), token: token.reveal() };
    Ok((StatusCode::CREATED, [NOT_KEPT], Json(made)).into_response())
}

/// The API tokens.
#[utoipa::path(
    get,
    path = "/api/account/tokens",
    tag = "account",
    responses((status = 200, description = "The tokens, the one that was used last first.", body = ApiTokens)),
    extensions(("x-codes" = json!(["no_identity", "damaged"]))),
)]
pub(in crate::http) async fn tokens(request: AccountRequest) -> Answer {
    let tokens = request.accounts.api_tokens(request.known()?).await?;
    let tokens = tokens.iter().map(ApiToken::of_kept).collect();
    Ok(([NOT_KEPT], Json(ApiTokens { tokens })).into_response())
}

/// Revokes an API token.
#[utoipa::path(
    delete,
    path = "/api/account/tokens/{id}",
    tag = "account",
    params(("id" = String, Path, description = "The id of the token.")),
    responses((status = 204, description = "The token is good for nothing any more.")),
    extensions(("x-codes" = json!(["no_identity", "unknown_token"]))),
)]
pub(in crate::http) async fn revoke_token(
    id: Result<Path<String>, PathRejection>,
    request: AccountRequest,
) -> Answer {
    let Ok(Path(id)) = id else { return Err(ApiError::UnknownToken) };
    request.revoke_token(&id).await?;
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}

/// Sets another password.
#[utoipa::path(
    post,
    path = "/api/account/password",
    tag = "account",
    operation_id = "change_password",
    request_body = NewPassword,
    responses((status = 204, description = "The password is another one.")),
    extensions(("x-codes" = json!(["no_identity", "not_registered", "bad_password", "wrong_password", "damaged", "too_many_attempts", "too_many_sign_ins"]))),
)]
pub(in crate::http) async fn password(request: AccountRequest) -> Answer {
    request.change_password().await?;
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}

/// Makes recovery codes, which are shown here and never again.
#[utoipa::path(
    post,
    path = "/api/account/recovery-codes",
    tag = "account",
    request_body = OwnerProof,
    responses((status = 200, description = "Ten codes, which are shown only here.", body = RecoveryCodes)),
    extensions(("x-codes" = json!(["no_identity", "not_registered", "wrong_password", "second_factor_needed", "wrong_second_factor", "damaged", "too_many_attempts", "too_many_sign_ins"]))),
)]
pub(in crate::http) async fn recovery_codes(request: AccountRequest) -> Answer {
    let codes = request.recovery_codes().await?;
    Ok(([NOT_KEPT], Json(RecoveryCodes { codes })).into_response())
}

/// All that is kept about the account of the request, but for what is public anyhow.
#[utoipa::path(
    get,
    path = "/api/account/export",
    tag = "account",
    operation_id = "export_account",
    responses((status = 200, description = "What is kept.", body = Exported)),
    extensions(("x-codes" = json!(["no_identity", "damaged"]))),
)]
pub(in crate::http) async fn export(request: AccountRequest) -> Answer {
    let known = request.known()?;
    let export = request.accounts.export(known).await?;
    let facts = OwnerFacts::of(known.person, &export.facts);
    let body = Exported {
        account: facts,
        seen: first_second(export.facts.seen_day),
        sessions: export.sessions.iter().map(|kept| Session::of(kept, known.token)).collect(),
        tokens: export.api_tokens.iter().map(ApiToken::of_kept).collect(),
        blocked: contacts::shown(&request.accounts, export.blocked).await?,
        challenge_rules: Rules::of(&export.challenge_rules),
        settings: export.settings.into_json()?,
        reports: export.reports.into_iter().map(OwnReport::of).collect(),
        games: format!("/api/players/{}/games", known.person.account),
    };
    let file = (
        header::CONTENT_DISPOSITION,
        HeaderValue::from_static("attachment; filename=\"zeitnot-account.json\""),
    );
    Ok(([NOT_KEPT, file], Json(body)).into_response())
}
