//! `/oauth`: the page on which an owner lets a program of somebody else in, or does not (RFC 6749, with PKCE).
//!
//! A request that is not whole, or whose answer would go where no program is, gets a page that says so. It is never led
//! anywhere: nobody borrows our name for a link.
//!
//! Deliberately absent: the token that comes of it (`lichess_api`).

use axum::extract::RawQuery;
use axum::response::Response;
use http::{HeaderValue, Uri, header};
use zeitnot_protocol::Scopes;

use super::acts::AccountRequest;
use super::pages::{lead_to, page, page_with};
use super::programs::{scopes_of, sign_in_first};
use super::programs_html::{bad_request, consent};
use crate::http::error::ApiError;
use crate::storage::{CodeChallenge, Granted};

/// The longest parameter.
const PARAMETER_CHARS_MAX: usize = 1_000;

/// The longest name of a program: it is the name of its token.
const CLIENT_CHARS_MAX: usize = 64;

/// What a program asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wanted {
    pub(super) client: String,
    pub(super) redirect: String,
    pub(super) challenge: String,
    /// The scopes, by the names that Lichess has for them; those that stand for nothing here are left out.
    pub(super) scopes: Vec<String>,
    pub(super) state: Option<String>,
    pub(super) username: Option<String>,
}

impl Wanted {
    /// Reads the parameters of a request; what is wrong with one names it.
    fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, ApiError> {
        let optional = |name: &'static str| match get(name) {
            Some(text) if text.chars().count() > PARAMETER_CHARS_MAX => Err(ApiError::BadParameter(name)),
            found => Ok(found.filter(|text| !text.is_empty())),
        };
        let required = |name| optional(name)?.ok_or(ApiError::BadParameter(name));
        let client = required("client_id")?;
        if client.chars().count() > CLIENT_CHARS_MAX || client.chars().any(char::is_control) {
            return Err(ApiError::BadParameter("client_id"));
        }
        let redirect = required("redirect_uri")?;
        if target(&redirect).is_none() {
            return Err(ApiError::BadParameter("redirect_uri"));
        }
        if required("response_type")? != "code" {
            return Err(ApiError::BadParameter("response_type"));
        }
        if required("code_challenge_method")? != "S256" {
            return Err(ApiError::BadParameter("code_challenge_method"));
        }
        let challenge = required("code_challenge")?;
        if CodeChallenge::parse(&challenge).is_none() {
            return Err(ApiError::BadParameter("code_challenge"));
        }
        let scopes = optional("scope")?.unwrap_or_default();
        let known = scopes.split_whitespace().filter(|scope| Scopes::of_lichess(scope).is_some());
        let scopes = known.map(str::to_owned).collect();
        let (state, username) = (optional("state")?, optional("username")?);
        Ok(Self { client, redirect, challenge, scopes, state, username })
    }

    /// Where the answer goes, with what it says.
    fn answer(&self, name: &str, value: &str) -> Result<String, ApiError> {
        let mut pairs = vec![(name, value)];
        pairs.extend(self.state.as_deref().map(|state| ("state", state)));
        let query = serde_urlencoded::to_string(pairs).map_err(|_| ApiError::Internal)?;
        let separator = if self.redirect.contains('?') { '&' } else { '?' };
        Ok(format!("{}{separator}{query}", self.redirect))
    }
}

/// The part of an address that names a program: the origin of a page, or the scheme of an app (RFC 8252, section 7.1).
/// `None`: nobody can be answered there.
pub(super) fn target(redirect: &str) -> Option<String> {
    let is_plain = redirect.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte));
    if !is_plain || redirect.contains('#') {
        return None;
    }
    let (scheme, rest) = redirect.split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    if scheme == "https" || scheme == "http" {
        let uri: Uri = redirect.parse().ok()?;
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'))?;
        return (!authority.host().is_empty()).then(|| format!("{scheme}://{authority}"));
    }
    // A name that somebody owns, backwards: no scheme of browsers has a dot.
    let is_app = scheme.contains('.')
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-+".contains(&byte))
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && rest.starts_with('/');
    is_app.then(|| format!("{scheme}:"))
}

/// The page on which the owner decides.
pub(in crate::http) async fn authorize(RawQuery(query): RawQuery, request: AccountRequest) -> Response {
    let words = request.catalogue();
    let query = query.unwrap_or_default();
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(&query).unwrap_or_default();
    let get = |name: &str| pairs.iter().find(|(found, _)| found == name).map(|(_, text)| text.clone());
    let wanted = match Wanted::read(get) {
        Ok(wanted) => wanted,
        Err(error) => return page_with(words, error, |why| bad_request(words, why)),
    };
    match request.owner() {
        Ok(known) => with_target(page(consent(words, known.person, &wanted)), &wanted),
        Err(_) => sign_in_first(&format!("/oauth?{query}"), wanted.username.as_deref()),
    }
}

/// A form on that page may lead on to the program.
fn with_target(mut page: Response, wanted: &Wanted) -> Response {
    let target = target(&wanted.redirect).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; style-src 'self'; form-action 'self' {target}; frame-ancestors 'none'; base-uri 'none'"
    );
    if let Ok(policy) = HeaderValue::try_from(policy) {
        page.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    page
}

/// What the owner has decided.
pub(in crate::http) async fn decide(request: AccountRequest) -> Response {
    let words = request.catalogue();
    let Ok(fields) = request.fields() else {
        return page_with(words, ApiError::BadBody, |why| bad_request(words, why));
    };
    let get = |name: &str| fields.named(name).map(str::to_owned);
    let decided = match Wanted::read(get) {
        Ok(wanted) => answer(&request, &wanted).await,
        Err(error) => Err(error),
    };
    match decided {
        Ok(to) => lead_to(&to, None),
        Err(ApiError::NoIdentity | ApiError::NotRegistered) => lead_to("/sign-in", None),
        Err(error) => page_with(words, error, |why| bad_request(words, why)),
    }
}

async fn answer(request: &AccountRequest, wanted: &Wanted) -> Result<String, ApiError> {
    let known = request.owner()?;
    if request.fields()?.text("decision")? != "allow" {
        return wanted.answer("error", "access_denied");
    }
    let challenge = CodeChallenge::parse(&wanted.challenge);
    let granted = Granted {
        account: known.person.account,
        client: wanted.client.clone(),
        redirect: wanted.redirect.clone(),
        challenge: challenge.ok_or(ApiError::BadParameter("code_challenge"))?,
        scopes: scopes_of(wanted.scopes.iter().map(String::as_str)).unwrap_or_default(),
    };
    wanted.answer("code", &request.accounts.grant_code(granted).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(change: (&str, Option<&str>)) -> Result<Wanted, ApiError> {
        let whole = [
            ("response_type", "code"),
            ("client_id", "app"),
            ("redirect_uri", "https://app.example/back?a=b"),
            ("code_challenge_method", "S256"),
            ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
            ("scope", "board:play email:read challenge:write"),
            ("state", "a b&c"),
        ];
        Wanted::read(|name| {
            let given = whole.iter().find(|(given, _)| *given == name).map(|(_, text)| *text);
            if name == change.0 { change.1 } else { given }.map(str::to_owned)
        })
    }

    #[test]
    fn a_request_is_whole_or_names_what_is_wrong() {
        let wanted = read(("", None)).unwrap();
        assert_eq!(wanted.scopes, ["board:play", "challenge:write"]);
        let to = wanted.answer("code", "x/y").unwrap();
        assert_eq!(to, "https://app.example/back?a=b&code=x%2Fy&state=a+b%26c");
        let (long, long_name) = ("x".repeat(PARAMETER_CHARS_MAX + 1), "x".repeat(CLIENT_CHARS_MAX + 1));
        for (name, wrong) in [
            ("response_type", Some("token")),
            ("client_id", None),
            ("client_id", Some("a\nb")),
            ("redirect_uri", None),
            ("code_challenge_method", Some("plain")),
            ("code_challenge_method", None),
            ("code_challenge", Some("short")),
            ("state", Some(&*long)),
            ("client_id", Some(&*long_name)),
        ] {
            assert_eq!(read((name, wrong)).unwrap_err(), ApiError::BadParameter(name), "{wrong:?}");
        }
    }

    #[test]
    fn an_answer_goes_to_pages_and_apps_and_nowhere_else() {
        for (redirect, expected) in [
            ("https://app.example/back", Some("https://app.example")),
            ("http://localhost:8000/", Some("http://localhost:8000")),
            ("org.example.app://callback", Some("org.example.app:")),
            ("javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("https:///back", None),
            ("https://user@app.example/", None),
            ("https://app.example/#there", None),
            ("https://app.example/ x", None),
            ("//app.example/", None),
            ("/back", None),
            ("https://app.example/\r\nSet-Cookie:x", None),
        ] {
            assert_eq!(target(redirect).as_deref(), expected, "{redirect}");
        }
    }
}
