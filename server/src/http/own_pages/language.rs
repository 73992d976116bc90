//! The language that a browser asks for: the first of its languages that there is, else English, as the page chooses.

use std::cmp::Reverse;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, header};

use super::catalogue::{Catalogue, de, en, es, fr};

/// A language of the server's own pages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(in crate::http) enum Language {
    #[default]
    English,
    German,
    French,
    Spanish,
}

/// Languages that are looked at of `Accept-Language`: browsers send some five, and a header could have thousands.
const ASKED_MAX: usize = 32;

impl Language {
    pub(in crate::http) const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Spanish];

    /// The texts.
    pub(in crate::http) const fn catalogue(self) -> &'static Catalogue {
        match self {
            Self::English => &en::CATALOGUE,
            Self::German => &de::CATALOGUE,
            Self::French => &fr::CATALOGUE,
            Self::Spanish => &es::CATALOGUE,
        }
    }

    /// The language of whoever sends these headers (RFC 9110, 12.5.4).
    pub(in crate::http) fn of(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
        let mut asked: Vec<_> =
            values.flat_map(|value| value.split(',')).take(ASKED_MAX).filter_map(weighed).collect();
        // The sort keeps the order of those that weigh the same.
        asked.sort_by_key(|(weight, _)| Reverse(*weight));
        asked.into_iter().map(|(_, language)| language).next().unwrap_or_default()
    }

    /// The language of a tag such as `de-AT`, by its first part.
    fn of_tag(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| primary.eq_ignore_ascii_case(language.catalogue().tag))
    }
}

/// One of the languages that are asked for, with its weight in thousandths; `None`: it is not here, or not wanted.
fn weighed(asked: &str) -> Option<(u16, Language)> {
    let (tag, weight) = asked.split_once(';').unwrap_or((asked, "q=1"));
    let weight: f32 = weight.trim().strip_prefix("q=")?.trim().parse().ok()?;
    let is_wanted = weight > 0.0 && weight <= 1.0;
    is_wanted.then_some(())?;
    Some(((weight * 1_000.0) as u16, Language::of_tag(tag.trim())?))
}

impl<S: Send + Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn chosen(asked: &str) -> Language {
        let value = HeaderValue::from_str(asked).unwrap();
        Language::of(&HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, value)]))
    }

    #[test]
    fn the_first_language_that_is_here_is_chosen() {
        for (asked, language) in [
            ("de", Language::German),
            ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", Language::French),
            ("it, ES-419;q=0.9, en;q=0.8", Language::Spanish),
            ("en;q=0.4, de;q=0.9", Language::German),
            ("de;q=0, en", Language::English),
            ("it, pt", Language::English),
            ("de;q=x, de;q=7, de;level=1, ;;, -", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(chosen(asked), language, "{asked}");
        }
        assert_eq!(Language::of(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn of_endless_headers_the_beginning_is_read() {
        let asked = format!("{}de", "it, ".repeat(ASKED_MAX));
        assert_eq!(chosen(&asked), Language::English);
        assert_eq!(chosen(&asked[4..]), Language::German);
    }
}
