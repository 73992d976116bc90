//! The calls that end in a token and end a token: the second half of OAuth 2 with PKCE.
//!
//! Deliberately absent: the page on which an owner lets a program in (`http::account`).

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse as _;
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use super::caller::Caller;
use super::fields::Fields;
use super::rejection::Rejection;
use super::{Answer, LichessApi};
use crate::accounts::{AccountError, NotRedeemed, Redeeming, TOKEN_LASTS};

/// `POST /api/token`: a token for a code.
pub(super) async fn redeem(State(api): State<LichessApi>, fields: Fields) -> Answer {
    if fields.text("grant_type") != Some("authorization_code") {
        return Err(Rejection::oauth("unsupported_grant_type", "only authorization_code is served"));
    }
    let text = |name: &str| {
        fields.text(name).ok_or_else(|| Rejection::oauth("invalid_request", &format!("there is no {name}")))
    };
    let shown = Redeeming {
        code: text("code")?,
        verifier: text("code_verifier")?,
        client: text("client_id")?,
        redirect: text("redirect_uri")?,
    };
    let (token, _) = api.sessions.accounts.redeem_code(shown).await.map_err(|why| match why {
        NotRedeemed::BadCode => {
            Rejection::oauth("invalid_grant", "the code is over, was used, or is not for this client")
        }
        NotRedeemed::Account(AccountError::Unavailable | AccountError::Busy) => Rejection::unavailable(),
        NotRedeemed::Account(AccountError::TooManyTokens) => {
            Rejection::oauth("invalid_grant", "the account has as many tokens as it may: revoke some")
        }
        NotRedeemed::Account(_) => Rejection::oauth("invalid_grant", "the account takes no tokens"),
    })?;
    let body = json!({
        "token_type": "Bearer", "access_token": token.reveal(), "expires_in": TOKEN_LASTS.as_secs(),
    });
    Ok(([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(body)).into_response())
}

/// `DELETE /api/token`: the token of the call is good for nothing any more.
pub(super) async fn revoke(State(api): State<LichessApi>, caller: Caller) -> Answer {
    api.sessions.accounts.sign_out(caller.known).await.map_err(|_| Rejection::unavailable())?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
