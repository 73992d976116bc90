//! The credential of a request: a bearer token, or a browser's cookie.
//!
//! The header and the cookie are read here and written here. Whether a cookie counts is [`super::guard`]'s, which looks
//! before any handler does; whose token it is, the accounts say.
//!
//! Invariant: a token never leaves this module but into the accounts and into the cookie.

use http::{HeaderMap, HeaderValue, header};

use super::error::ApiError;
use crate::accounts::{Accounts, Known};
use crate::net::{Address, Origin};

/// How long a browser keeps the cookie: 400 days, the most it would (RFC 6265bis, 5.5).
const COOKIE_SECONDS: u32 = 400 * 24 * 60 * 60;

/// The cookie's name. `__Host-` binds it to this host, and makes browsers demand `Secure` (RFC 6265bis, 4.1.3).
const COOKIE: &str = "zeitnot";
const COOKIE_HTTPS: &str = "__Host-zeitnot";

/// What a request shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Credential<'h> {
    /// `Authorization: Bearer`.
    Bearer(&'h str),
    /// The cookie of our site.
    Cookie(&'h str),
}

impl std::fmt::Debug for Credential<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Bearer(_) => "Bearer(secret)",
            Self::Cookie(_) => "Cookie(secret)",
        })
    }
}

impl<'h> Credential<'h> {
    /// What the headers show. A bearer token goes before a cookie.
    pub(crate) fn read(headers: &'h HeaderMap, site: Option<&Origin>) -> Result<Option<Self>, ApiError> {
        if let Some(token) = bearer(headers)? {
            return Ok(Some(Self::Bearer(token)));
        }
        Ok(cookie(headers, cookie_name(site)).map(Self::Cookie))
    }

    /// The token's text.
    pub(crate) const fn token(self) -> &'h str {
        match self {
            Self::Bearer(token) | Self::Cookie(token) => token,
        }
    }

    /// Whose token it is, for a client at `address`.
    pub(crate) async fn known(self, accounts: &Accounts, address: Address) -> Result<Known, ApiError> {
        let found = match self {
            Self::Bearer(text) => accounts.by_token(text, address).await,
            Self::Cookie(text) => accounts.by_cookie(text).await,
        };
        found.map_err(ApiError::of_token)?.ok_or(ApiError::BadToken)
    }
}

/// The token of the `Authorization` header, if there is one.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let mut values = headers.get_all(header::AUTHORIZATION).into_iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(ApiError::BadAuthorization);
    }
    let text = value.to_str().map_err(|_| ApiError::BadAuthorization)?;
    let (scheme, token) = text.split_once(' ').ok_or(ApiError::BadAuthorization)?;
    if scheme.eq_ignore_ascii_case("bearer") {
        Ok(Some(token.trim()))
    } else {
        Err(ApiError::BadAuthorization)
    }
}

fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let values = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

fn cookie_name(site: Option<&Origin>) -> &'static str {
    if site.is_some_and(Origin::is_https) { COOKIE_HTTPS } else { COOKIE }
}

/// Letters of what a client calls itself that are kept.
const LABEL_CHARS_MAX: usize = 64;

/// What browsers call themselves, the more special first: others name these, too.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// The same for systems.
const SYSTEMS: &[(&str, &str)] = &[
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// What the owner of an account is shown of a client: browser and system where it is one that we know, else the beginning
/// of what it says of itself.
pub(crate) fn label(headers: &HeaderMap) -> String {
    let text = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let find = |known: &[(&str, &'static str)]| {
        known.iter().find(|(part, _)| text.contains(part)).map(|(_, name)| *name)
    };
    match (find(BROWSERS), find(SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        // What `to_str` lets pass is printable, but for tabs.
        _ => text.chars().filter(|letter| !letter.is_control()).take(LABEL_CHARS_MAX).collect(),
    }
}

/// The cookie that makes a browser this account. Scripts cannot read it, and other sites cannot send it with a `POST`.
pub(crate) fn set_cookie(site: Option<&Origin>, token: &str) -> Result<HeaderValue, ApiError> {
    written(site, token, COOKIE_SECONDS)
}

/// The cookie that makes a browser forget.
pub(crate) fn clear_cookie(site: Option<&Origin>) -> Result<HeaderValue, ApiError> {
    written(site, "", 0)
}

fn written(site: Option<&Origin>, token: &str, seconds: u32) -> Result<HeaderValue, ApiError> {
    let name = cookie_name(site);
    let secure = if site.is_some_and(Origin::is_https) { "; Secure" } else { "" };
    let text = format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut value = HeaderValue::try_from(text).map_err(|_| ApiError::Internal)?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(header::HeaderName, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn the_cookie_is_found_among_others_by_its_whole_name() {
        let found = |values: &[&'static str], site: Option<&Origin>| {
            let pairs = values.iter().map(|value| (header::COOKIE, *value)).collect::<Vec<_>>();
            cookie(&headers(&pairs), cookie_name(site)).map(str::to_owned)
        };
        let https = Origin::of("https", "x");
        assert_eq!(found(&["a=b; zeitnot=T; c=d"], None).as_deref(), Some("T"));
        assert_eq!(found(&["a=b", "zeitnot=T"], None).as_deref(), Some("T"));
        assert_eq!(found(&["xzeitnot=T; zeitnotx=U; zeitnot"], None), None);
        assert_eq!(found(&["zeitnot=T; __Host-zeitnot=U"], https.as_ref()).as_deref(), Some("U"));
        assert_eq!(
            found(&["zeitnot=T"], https.as_ref()),
            None,
            "a cookie of plain http is nothing under https"
        );
    }

    #[test]
    fn a_bearer_goes_before_a_cookie_and_must_be_one() {
        let read = |pairs: &[(header::HeaderName, &'static str)]| {
            Credential::read(&headers(pairs), None).map(|found| found.map(|found| found.token().to_owned()))
        };
        let cookie = (header::COOKIE, "zeitnot=C");
        assert_eq!(read(&[cookie.clone(), (header::AUTHORIZATION, "bearer B")]), Ok(Some("B".to_owned())));
        assert_eq!(read(std::slice::from_ref(&cookie)), Ok(Some("C".to_owned())));
        assert_eq!(read(&[]), Ok(None));
        for wrong in ["Bearer", "Basic eA==", "B"] {
            assert_eq!(
                read(&[cookie.clone(), (header::AUTHORIZATION, wrong)]),
                Err(ApiError::BadAuthorization)
            );
        }
    }

    #[test]
    fn a_client_is_called_by_browser_and_system_or_as_it_calls_itself() {
        let called = |text: &str| {
            label(&HeaderMap::from_iter([(header::USER_AGENT, HeaderValue::from_str(text).unwrap())]))
        };
        for (text, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1",
                "Safari on iPhone",
            ),
            ("curl/8.5.0", "curl/8.5.0"),
            ("my\tbot", "mybot"),
        ] {
            assert_eq!(called(text), expected);
        }
        assert_eq!(called(&"x".repeat(500)).len(), LABEL_CHARS_MAX);
        assert_eq!(label(&HeaderMap::new()), "");
    }

    #[test]
    fn how_the_cookie_is_written() {
        let value = set_cookie(Origin::of("http", "x").as_ref(), "T").unwrap();
        assert_eq!(value, "zeitnot=T; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax");
        assert!(value.is_sensitive());
        let https = Origin::of("https", "x");
        let value = set_cookie(https.as_ref(), "T").unwrap();
        assert_eq!(value, "__Host-zeitnot=T; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure");
        let value = clear_cookie(https.as_ref()).unwrap();
        assert_eq!(value, "__Host-zeitnot=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
    }

    #[test]
    fn a_credential_shows_nothing_in_logs() {
        assert_eq!(
            format!("{:?} {:?}", Credential::Bearer("T"), Credential::Cookie("T")),
            "Bearer(secret) Cookie(secret)"
        );
    }
}
