//! The pages: `/sign-in`, `/register` and `/account`, for browsers without script too.
//!
//! A form is sent to the address of its page. What went wrong is said in the form, with the status that the API has for it;
//! what went well leads on with 303, so that a reload sends nothing again. Only recovery codes, a new
//! API token and a new second factor are shown at once.

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::response::{IntoResponse as _, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use serde::Deserialize;

use super::acts::AccountRequest;
use super::api::NOT_KEPT;
use super::html;
use crate::http::error::ApiError;
use crate::http::own_pages::{Catalogue, Language};

/// A form needs no script; what it sends goes to us alone.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// What every page here carries. `same-origin` lets the browser name its origin when it sends a form.
const PROTECTION: [(HeaderName, HeaderValue); 5] = [
    (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    NOT_KEPT,
];

pub(super) fn page(html: String) -> Response {
    (PROTECTION, html).into_response()
}

/// The page with what went wrong, and the status and headers that the API has for it.
pub(super) fn page_with(words: &Catalogue, error: ApiError, html: impl FnOnce(&str) -> String) -> Response {
    let mut response = error.into_response();
    for (name, value) in PROTECTION {
        response.headers_mut().insert(name, value);
    }
    response.headers_mut().remove(header::CONTENT_LENGTH);
    *response.body_mut() = html(&words.error(error)).into();
    response
}

/// Leads on to an address that is a header's value.
pub(super) fn lead_to(path: &str, cookie: Option<HeaderValue>) -> Response {
    let Ok(location) = HeaderValue::from_str(path) else { return ApiError::Internal.into_response() };
    let to = [NOT_KEPT, (header::LOCATION, location)];
    let mut response = (StatusCode::SEE_OTHER, to).into_response();
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// What a link to the form to sign in fills in.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(in crate::http) struct Prefilled {
    name: String,
    code: String,
    next: String,
}

/// Where to go on after signing in: to a page about programs that has sent the browser here, and nowhere else.
fn next_page(text: &str) -> &str {
    let is_ours = ["/account/oauth/token", "/oauth?"].iter().any(|page| text.starts_with(page));
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_ours && is_plain { text } else { "" }
}

/// The same of a form that was sent.
fn next_in(request: &AccountRequest) -> &str {
    next_page(request.fields().and_then(|fields| fields.text("next")).unwrap_or_default())
}

fn lead_on(request: &AccountRequest, cookie: HeaderValue) -> Response {
    let next = next_in(request);
    lead_to(if next.is_empty() { "/account" } else { next }, Some(cookie))
}

/// The form to sign in. The link that an admin has handed over fills in the name and the code.
pub(in crate::http) async fn sign_in_form(
    language: Language,
    prefilled: Result<Query<Prefilled>, QueryRejection>,
) -> Response {
    let Prefilled { name, code, next } = prefilled.map(|Query(prefilled)| prefilled).unwrap_or_default();
    page(html::sign_in(language.catalogue(), None, &name, &code, next_page(&next)))
}

/// Signs in, by password or by recovery code.
pub(in crate::http) async fn sign_in(request: AccountRequest) -> Response {
    let has_code = request.fields().is_ok_and(|fields| fields.text("code").is_ok());
    let done = if has_code { request.recover().await } else { request.sign_in().await };
    match done {
        Ok((_, cookie)) => lead_on(&request, cookie),
        Err(error) => page_with(request.catalogue(), error, |why| {
            html::sign_in(request.catalogue(), Some(why), name_in(&request), "", next_in(&request))
        }),
    }
}

/// The form to register.
pub(in crate::http) async fn register_form(
    prefilled: Result<Query<Prefilled>, QueryRejection>,
    request: AccountRequest,
) -> Response {
    let Prefilled { next, .. } = prefilled.map(|Query(prefilled)| prefilled).unwrap_or_default();
    let guest = request.client.known.map(|known| known.person);
    page(html::register(request.catalogue(), None, guest, "", next_page(&next)))
}

/// Registers.
pub(in crate::http) async fn register(request: AccountRequest) -> Response {
    match request.register().await {
        Ok((_, cookie)) => lead_on(&request, cookie),
        Err(error) => {
            let guest = request.client.known.map(|known| known.person);
            page_with(request.catalogue(), error, |why| {
                html::register(request.catalogue(), Some(why), guest, name_in(&request), next_in(&request))
            })
        }
    }
}

/// The name in a form that is shown again.
fn name_in(request: &AccountRequest) -> &str {
    request.fields().and_then(|fields| fields.text("name")).unwrap_or_default()
}

/// The account of the browser; one that is not signed in is led to the form.
pub(in crate::http) async fn account(request: AccountRequest) -> Response {
    match owner_page(&request, None, html::Shown::default()).await {
        Ok(html) => page(html),
        Err(ApiError::NoIdentity | ApiError::NotRegistered) => lead_to("/sign-in", None),
        Err(error) => error.into_response(),
    }
}

/// What a form on the page of an account asks for.
pub(in crate::http) async fn act(request: AccountRequest) -> Response {
    match act_on(&request).await {
        Ok(response) => response,
        Err(ApiError::NoIdentity) => lead_to("/sign-in", None),
        Err(error) => match owner_page(&request, Some(error), html::Shown::default()).await {
            Ok(html) => page_with(request.catalogue(), error, |_| html),
            Err(error) => error.into_response(),
        },
    }
}

async fn act_on(request: &AccountRequest) -> Result<Response, ApiError> {
    let fields = request.fields()?;
    Ok(match fields.text("act")? {
        "sign-out" => lead_to("/sign-in", Some(request.sign_out().await?)),
        "sign-out-everywhere" => lead_to("/sign-in", Some(request.sign_out_everywhere().await?)),
        "close" => lead_to("/", Some(request.close().await?)),
        "end" => {
            request.end_session(fields.text("id")?).await?;
            lead_to("/account", None)
        }
        "password" => {
            request.change_password().await?;
            lead_to("/account", None)
        }
        "codes" => {
            let codes = request.recovery_codes().await?;
            page(owner_page(request, None, html::Shown { codes: &codes, ..html::Shown::default() }).await?)
        }
        "token" => {
            let (token, kept) = request.make_token().await?;
            let token = token.reveal();
            let shown = html::Shown { token: Some((&kept.label, &token)), ..html::Shown::default() };
            page(owner_page(request, None, shown).await?)
        }
        "begin-factor" => {
            let factor = request.begin_second_factor().await?;
            let shown = html::Shown { factor: Some(&factor), ..html::Shown::default() };
            page(owner_page(request, None, shown).await?)
        }
        "confirm-factor" => {
            request.confirm_second_factor().await?;
            lead_to("/account", None)
        }
        "remove-factor" => {
            request.remove_second_factor().await?;
            lead_to("/account", None)
        }
        "revoke" => {
            request.revoke_token(fields.text("id")?).await?;
            lead_to("/account", None)
        }
        _ => return Err(ApiError::BadField("act")),
    })
}

async fn owner_page(
    request: &AccountRequest,
    error: Option<ApiError>,
    shown: html::Shown<'_>,
) -> Result<String, ApiError> {
    let known = request.known()?;
    if !known.person.kind.is_registered() {
        return Err(ApiError::NotRegistered);
    }
    let export = request.accounts.export(known).await?;
    let why = error.map(|error| request.catalogue().error(error));
    Ok(html::account(request.catalogue(), why.as_deref(), known, &export, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_signed_in_is_led_to_pages_about_programs_and_nowhere_else() {
        for ours in ["/account/oauth/token", "/account/oauth/token/create?scopes[]=board:play", "/oauth?a=b"]
        {
            assert_eq!(next_page(ours), ours);
        }
        for other in
            ["", "/", "//evil.example", "https://evil.example", "/oauth", "/oauth?a\r\nb", "/oauth?\\x"]
        {
            assert_eq!(next_page(other), "", "{other}");
        }
    }
}
