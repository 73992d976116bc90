//! What browsers and crawlers ask every site for: `/robots.txt`, `/favicon.ico`, `/.well-known/security.txt`.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use http::header;
use jiff::Timestamp;

use super::error::ApiError;
use super::state::Edge;
use crate::pictures;
use crate::time::unix_now_ms;

/// Crawlers may find the page, and need not read every game that was ever played.
const ROBOTS: &str = "User-agent: *\nDisallow: /api/\nDisallow: /ws\n";

/// For how long the word of a `security.txt` holds: RFC 9116, 2.5.5 advises less than a year.
const SECURITY_VALID: Duration = Duration::from_hours(24 * 180);

const PLAIN: [(header::HeaderName, &str); 2] =
    [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=86400")];

pub(crate) async fn robots() -> impl IntoResponse {
    (PLAIN, ROBOTS)
}

/// The page's icon, for programs that ask before they have read the page, and for those that take no SVG.
pub(crate) async fn favicon() -> Result<impl IntoResponse, ApiError> {
    let icon = pictures::icon().ok_or(ApiError::Internal)?;
    Ok(([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, "public, max-age=86400")], icon))
}

/// Whom to tell of a weakness of this server (RFC 9116), if its operator has said so.
pub(crate) async fn security(State(edge): State<Arc<Edge>>) -> Result<impl IntoResponse, ApiError> {
    let contact = edge.security_contact.as_deref().ok_or(ApiError::NotFound)?;
    Ok((PLAIN, security_txt(contact, unix_now_ms())))
}

fn security_txt(contact: &str, now_unix_ms: u64) -> String {
    let now = i64::try_from(now_unix_ms).ok().and_then(|now| Timestamp::from_millisecond(now).ok());
    let expires = now.and_then(|now| now.checked_add(SECURITY_VALID).ok()).unwrap_or(Timestamp::MAX);
    format!("Contact: {contact}\nExpires: {}\n", expires.strftime("%Y-%m-%dT%H:%M:%SZ"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whom_to_tell_and_until_when() {
        assert_eq!(
            security_txt("mailto:security@example.org", 1_795_300_000_000),
            "Contact: mailto:security@example.org\nExpires: 2027-05-20T22:26:40Z\n"
        );
    }
}
