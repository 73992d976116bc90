//! Origins (RFC 6454): ours, and whether a browser's request comes from there.
//!
//! Ours is `--public-url`, or else the scheme and `Host` of the request. It decides whether a browser's cookie counts,
//! and how the cookie is called.

use std::fmt;
use std::str::FromStr;

use http::{HeaderMap, header};

/// Scheme, host and port, written as browsers write them: lower case, no default port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    is_https: bool,
    host: String,
}

/// What is not an [`Origin`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a site such as https://chess.example.org or http://192.0.2.1:8080")]
pub struct NotAnOrigin(String);

impl FromStr for Origin {
    type Err = NotAnOrigin;

    /// Reads `https://host`, `http://host:port`, with or without a slash at the end.
    fn from_str(text: &str) -> Result<Self, NotAnOrigin> {
        let wrong = || NotAnOrigin(text.chars().take(80).collect());
        let (scheme, host) = text.split_once("://").ok_or_else(wrong)?;
        Self::of(scheme, host.strip_suffix('/').unwrap_or(host)).ok_or_else(wrong)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http{}://{}", if self.is_https { "s" } else { "" }, self.host)
    }
}

impl Origin {
    /// The origin of a scheme and what a `Host` header holds.
    pub(crate) fn of(scheme: &str, host: &str) -> Option<Self> {
        let is_https = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let host = host.to_ascii_lowercase();
        let host = host.strip_suffix(if is_https { ":443" } else { ":80" }).unwrap_or(&host);
        let is_one = |octet: u8| octet.is_ascii_alphanumeric() || b".-_:[]".contains(&octet);
        (!host.is_empty() && host.bytes().all(is_one)).then(|| Self { is_https, host: host.to_owned() })
    }

    /// Whether cookies of this site are `Secure`.
    pub(crate) const fn is_https(&self) -> bool {
        self.is_https
    }
}

/// Where a request comes from, by its own word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CameFrom {
    /// It does not say: no browser, or a `GET` of a page of ours.
    Unsaid,
    /// From a page of ours.
    Ours,
    /// From another site, or from a site that hides its origin.
    Elsewhere,
}

impl CameFrom {
    /// Reads the `Origin` header. `ours` is our own origin if it is known.
    pub(crate) fn read(headers: &HeaderMap, ours: Option<&Origin>) -> Self {
        let mut values = headers.get_all(header::ORIGIN).into_iter();
        let (Some(value), None) = (values.next(), values.next()) else {
            return if headers.contains_key(header::ORIGIN) { Self::Elsewhere } else { Self::Unsaid };
        };
        let said = value.to_str().ok().and_then(|text| text.parse::<Origin>().ok());
        if said.is_some() && said.as_ref() == ours { Self::Ours } else { Self::Elsewhere }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn origin(text: &str) -> Origin {
        text.parse().unwrap()
    }

    #[test]
    fn origins_are_compared_as_browsers_write_them() {
        assert_eq!(origin("https://Chess.Example.org:443/"), origin("https://chess.example.org"));
        assert_eq!(origin("http://chess.example.org:80"), origin("http://chess.example.org"));
        assert_ne!(origin("http://chess.example.org"), origin("https://chess.example.org"));
        assert_ne!(origin("http://chess.example.org:443"), origin("http://chess.example.org"));
        assert_eq!(origin("http://[::1]:8080").to_string(), "http://[::1]:8080");
        for wrong in [
            "",
            "chess.example.org",
            "ftp://x",
            "https://",
            "https://a/b",
            "https://u@h",
            "null",
            "http://a b",
        ] {
            assert!(wrong.parse::<Origin>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_one_header_that_is_ours_is_ours() {
        let ours = origin("https://chess.example.org");
        let from = |values: &[&'static str]| {
            let headers = values.iter().map(|value| (header::ORIGIN, HeaderValue::from_static(value)));
            CameFrom::read(&headers.collect(), Some(&ours))
        };
        assert_eq!(from(&[]), CameFrom::Unsaid);
        assert_eq!(from(&["https://chess.example.org"]), CameFrom::Ours);
        for elsewhere in [
            "http://chess.example.org",
            "https://evil.example",
            "null",
            "https://chess.example.org.evil.example",
            "",
        ] {
            assert_eq!(from(&[elsewhere]), CameFrom::Elsewhere, "{elsewhere}");
        }
        assert_eq!(from(&["https://chess.example.org", "https://chess.example.org"]), CameFrom::Elsewhere);
        let said = HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_static("http://x"))]);
        assert_eq!(CameFrom::read(&said, None), CameFrom::Elsewhere);
    }
}
