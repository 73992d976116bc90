//! `/api/account/settings`: what clients keep for an account, as the JSON object that it is.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse as _, Response};
use http::StatusCode;

use super::api::NOT_KEPT;
use super::fields::body_bytes;
use crate::accounts::{Accounts, Settings};
use crate::http::error::ApiError;
use crate::http::guard::Visitor;

/// The settings of the account.
#[utoipa::path(
    get,
    path = "/api/account/settings",
    tag = "account",
    operation_id = "settings",
    responses((status = 200, description = "The object that was set; an empty one if none was.", body = Object)),
    extensions(("x-codes" = json!(["no_identity", "bad_token", "damaged"]))),
)]
pub(in crate::http) async fn settings(
    State(accounts): State<Arc<Accounts>>,
    Extension(visitor): Extension<Visitor>,
) -> Result<Response, ApiError> {
    let account = visitor.known.ok_or(ApiError::NoIdentity)??.person.account;
    let settings = accounts.settings(account).await?.into_json()?;
    Ok(([NOT_KEPT], Json(settings)).into_response())
}

/// Sets the settings of the account, in place of all that there were.
#[utoipa::path(
    put,
    path = "/api/account/settings",
    tag = "account",
    operation_id = "set_settings",
    request_body(content = Object, description = "Any object; at most 4 KiB."),
    responses((status = 204, description = "They are set.")),
    extensions(("x-codes" = json!(["no_identity", "bad_token", "not_registered"]))),
)]
pub(in crate::http) async fn set_settings(
    State(accounts): State<Arc<Accounts>>,
    Extension(visitor): Extension<Visitor>,
    body: Body,
) -> Result<Response, ApiError> {
    let person = visitor.known.ok_or(ApiError::NoIdentity)??.person;
    let body = body_bytes(body).await?;
    let settings = std::str::from_utf8(&body).ok().and_then(Settings::of).ok_or(ApiError::BadBody)?;
    accounts.set_settings(person, settings).await?;
    Ok((StatusCode::NO_CONTENT, [NOT_KEPT]).into_response())
}
