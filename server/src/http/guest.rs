//! `/api/guest` and `/api/me`: a browser's identity, made, asked for and revoked.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use zeitnot_protocol::Code;

use super::error::ApiError;
use super::guard::Visitor;
use super::identity::{Credential, clear_cookie, label, set_cookie};
use super::state::Edge;
use crate::accounts::{Accounts, Known, Person, TokenKind};

/// No cache may keep an identity.
const NOT_KEPT: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));

/// Makes a guest, and its cookie. A browser that has an account keeps it, and its cookie's time begins
/// anew.
#[utoipa::path(
    post,
    path = "/api/guest",
    tag = "identity",
    operation_id = "make_guest",
    responses(
        (status = 201, description = "A new guest, and its cookie.", body = ref("#/components/schemas/PlayerView")),
        (status = 200, description = "The account that the request has already, and its cookie anew.", body = ref("#/components/schemas/PlayerView")),
    ),
    extensions(("x-codes" = json!(["too_many_guests"]))),
)]
pub(crate) async fn make(
    State(accounts): State<Arc<Accounts>>,
    State(edge): State<Arc<Edge>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let site = visitor.site.as_ref();
    if let Some(credential) = Credential::read(&headers, site)? {
        match visitor.known {
            Some(Ok(Known { person, .. })) => {
                return Ok(told(StatusCode::OK, person, set_cookie(site, credential.token())?));
            }
            None | Some(Err(ApiError::BadToken)) => {}
            Some(Err(error)) => return Err(error),
        }
    }
    if edge.tasks.is_stopping() {
        return Err(ApiError::Unavailable);
    }
    let (account, token) = accounts
        .create_guest(visitor.address, TokenKind::Session, label(&headers))
        .await
        .map_err(|code| match code {
            Code::TooManyGuests => ApiError::TooManyGuests,
            _ => ApiError::Unavailable,
        })?;
    Ok(told(StatusCode::CREATED, Person::guest(account), set_cookie(site, &token.reveal())?))
}

fn told(status: StatusCode, person: Person, cookie: HeaderValue) -> Response {
    (status, [NOT_KEPT, (header::SET_COOKIE, cookie)], Json(person.view())).into_response()
}

/// Answers with the account of the request.
#[utoipa::path(
    get,
    path = "/api/me",
    tag = "identity",
    responses((status = 200, description = "The account.", body = ref("#/components/schemas/PlayerView"))),
    extensions(("x-codes" = json!(["no_identity", "bad_token"]))),
)]
pub(crate) async fn me(Extension(visitor): Extension<Visitor>) -> Result<impl IntoResponse, ApiError> {
    let known = visitor.known.ok_or(ApiError::NoIdentity)??;
    Ok(([NOT_KEPT], Json(known.person.view())))
}

/// Revokes the token of the request and closes the connections that came in with it.
#[utoipa::path(
    delete,
    path = "/api/guest",
    tag = "identity",
    operation_id = "revoke_guest",
    responses((status = 204, description = "Nobody has the token any more.")),
    extensions(("x-codes" = json!(["no_identity", "bad_token"]))),
)]
pub(crate) async fn revoke(
    State(accounts): State<Arc<Accounts>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let site = visitor.site.as_ref();
    Credential::read(&headers, site)?.ok_or(ApiError::NoIdentity)?;
    // The cookie is cleared in any case: a browser whose token is unknown must forget it too.
    let headers = [NOT_KEPT, (header::SET_COOKIE, clear_cookie(site)?)];
    match visitor.known {
        Some(Ok(known)) => {
            accounts.sign_out(known).await.map_err(|_| ApiError::Unavailable)?;
            Ok((StatusCode::NO_CONTENT, headers).into_response())
        }
        None | Some(Err(ApiError::BadToken)) => Ok((headers, ApiError::BadToken).into_response()),
        Some(Err(error)) => Err(error),
    }
}
