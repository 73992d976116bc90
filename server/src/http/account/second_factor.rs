//! `/api/account/second-factor`: the answers in JSON.

use axum::Json;
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;

use super::acts::AccountRequest;
use super::api::NOT_KEPT;
use super::bodies::{BegunFactor, OwnerProof, PasswordAlone, SecondFactorCode};
use crate::accounts::NewFactor;
use crate::http::error::ApiError;

type Answer = Result<Response, ApiError>;

/// Begins to set a second factor, whose secret is shown only here. It counts when it is confirmed.
#[utoipa::path(
    post,
    path = "/api/account/second-factor",
    tag = "account",
    operation_id = "begin_second_factor",
    request_body = PasswordAlone,
    responses((status = 201, description = "What an app makes codes of.", body = BegunFactor)),
    extensions(("x-codes" = json!(["no_identity", "not_registered", "wrong_password", "has_second_factor", "damaged", "too_many_attempts", "too_many_sign_ins"]))),
)]
pub(in crate::http) async fn begin(request: AccountRequest) -> Answer {
    let NewFactor { secret, uri } = request.begin_second_factor().await?;
    Ok((StatusCode::CREATED, [NOT_KEPT], Json(BegunFactor { secret, uri })).into_response())
}

/// Confirms a second factor with its first code.
#[utoipa::path(
    put,
    path = "/api/account/second-factor",
    tag = "account",
    operation_id = "confirm_second_factor",
    request_body = SecondFactorCode,
    responses((status = 204, description = "From now on the second factor is asked for.")),
    extensions(("x-codes" = json!(["no_identity", "not_registered", "wrong_second_factor", "has_second_factor", "no_second_factor", "damaged", "too_many_attempts"]))),
)]
pub(in crate::http) async fn confirm(request: AccountRequest) -> Answer {
    request.confirm_second_factor().await?;
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}

/// Takes the second factor away.
#[utoipa::path(
    delete,
    path = "/api/account/second-factor",
    tag = "account",
    operation_id = "remove_second_factor",
    request_body = OwnerProof,
    responses((status = 204, description = "The account has no second factor.")),
    extensions(("x-codes" = json!(["no_identity", "not_registered", "wrong_password", "second_factor_needed", "wrong_second_factor", "no_second_factor", "damaged", "too_many_attempts", "too_many_sign_ins"]))),
)]
pub(in crate::http) async fn remove(request: AccountRequest) -> Answer {
    request.remove_second_factor().await?;
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}
