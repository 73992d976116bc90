//! `/account/oauth/token…`: the pages on which an owner makes, sees and revokes the tokens of programs that were written for
//! lichess.org. Such programs open these addresses, and know scopes by the names that Lichess has for them.
//!
//! Deliberately absent: what a token may be used for (`zeitnot_protocol::Scope`).

use axum::extract::RawQuery;
use axum::response::Response;
use zeitnot_protocol::{Scope, Scopes};

use super::acts::{AccountRequest, TOKEN_NAME_CHARS_MAX};
use super::pages::{lead_to, page, page_with};
use super::programs_html::{NewToken, new_token, tokens};
use crate::accounts::Known;
use crate::http::error::ApiError;

/// The names that Lichess has for scopes. What they allow here is said in `own_pages`, in the same order.
pub(super) const SCOPES: [&str; 4] = ["board:play", "bot:play", "challenge:read", "challenge:write"];

/// Where people are led that are not signed in.
const SIGN_IN: &str = "/sign-in";

/// The scopes of these names; `None`: one of them is none.
pub(super) fn scopes_of<'n>(names: impl Iterator<Item = &'n str>) -> Option<Scopes> {
    let mut scopes = Scopes::NONE;
    for name in names {
        let meant = Scopes::of_lichess(name)?;
        scopes = meant.iter().filter(|scope| *scope != Scope::Read).fold(scopes, Scopes::with);
    }
    Some(scopes)
}

/// Leads to the form to sign in, and from there back.
pub(super) fn sign_in_first(back: &str, name: Option<&str>) -> Response {
    let mut pairs = vec![("next", back)];
    pairs.extend(name.map(|name| ("name", name)));
    let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
    lead_to(&format!("{SIGN_IN}?{query}"), None)
}

impl AccountRequest {
    /// The registered account that asks.
    pub(super) fn owner(&self) -> Result<Known, ApiError> {
        let known = self.known()?;
        if known.person.kind.is_registered() { Ok(known) } else { Err(ApiError::NotRegistered) }
    }
}

/// The form for a new token, filled in as the link says.
pub(in crate::http) async fn create_form(RawQuery(query): RawQuery, request: AccountRequest) -> Response {
    let query = query.unwrap_or_default();
    let Ok(known) = request.owner() else {
        return sign_in_first(&format!("/account/oauth/token/create?{query}"), None);
    };
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&query).unwrap_or_default();
    let values = |name: &str| {
        pairs.iter().filter(|(found, _)| found == name).map(|(_, text)| text.as_str()).collect::<Vec<_>>()
    };
    let description = values("description").first().copied().unwrap_or_default();
    let description = description.chars().take(TOKEN_NAME_CHARS_MAX).collect::<String>();
    let form = NewToken { description: &description, scopes: &values("scopes[]") };
    page(new_token(request.catalogue(), None, known.person, &form))
}

/// Makes a token, and shows it.
pub(in crate::http) async fn create(request: AccountRequest) -> Response {
    let Ok(known) = request.owner() else { return lead_to(SIGN_IN, None) };
    match request.make_program_token().await {
        Ok((name, token)) => list(&request, None, Some((&name, &token))).await,
        Err(error) => {
            let fields = request.fields().ok();
            let description = fields.and_then(|fields| fields.text("description").ok());
            let scopes = fields.and_then(|fields| fields.texts("scopes").ok()).unwrap_or_default();
            let form = NewToken { description: description.unwrap_or_default(), scopes: &scopes };
            page_with(request.catalogue(), error, |why| {
                new_token(request.catalogue(), Some(why), known.person, &form)
            })
        }
    }
}

/// The tokens.
pub(in crate::http) async fn all(request: AccountRequest) -> Response {
    match request.owner() {
        Ok(_) => list(&request, None, None).await,
        Err(_) => sign_in_first("/account/oauth/token", None),
    }
}

/// Revokes a token.
pub(in crate::http) async fn revoke(request: AccountRequest) -> Response {
    let revoked = async {
        request.owner()?;
        request.revoke_token(request.fields()?.text("id")?).await
    };
    match revoked.await {
        Ok(()) => lead_to("/account/oauth/token", None),
        Err(ApiError::NoIdentity | ApiError::NotRegistered) => lead_to(SIGN_IN, None),
        Err(error) => list(&request, Some(error), None).await,
    }
}

async fn list(request: &AccountRequest, error: Option<ApiError>, made: Option<(&str, &str)>) -> Response {
    use axum::response::IntoResponse as _;

    let words = request.catalogue();
    let kept = match request.owner() {
        Ok(known) => request.accounts.api_tokens(known).await,
        Err(error) => return error.into_response(),
    };
    match (kept, error) {
        (Ok(kept), None) => page(tokens(words, None, &kept, made)),
        (Ok(kept), Some(error)) => page_with(words, error, |why| tokens(words, Some(why), &kept, made)),
        (Err(error), _) => ApiError::from(error).into_response(),
    }
}
