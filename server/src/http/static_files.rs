//! The browser client: the files of `web/dist`, embedded in the binary.
//!
//! Files are compressed when they are built; this module only chooses the form that a browser gets.
//! The page itself is served at `/`, at `/{id}`, since one link leads to a challenge and to its
//! game, at `/@/{account or name}`, at `/analysis` and what is below it, and at `/me`; the page itself asks
//! whether there is such a game or player, and who is signed in, and `preview` fills its head for those who only
//! show the link. Every other unknown path is answered with 404, in a page or in JSON.
//!
//! Invariant: nothing inline is allowed to run or to style; the page is built so that it needs neither.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::{Extension, Path, State};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use super::error::ApiError;
use super::guard::Visitor;
use super::own_pages::{self, Language};
use super::preview;
use super::state::HttpState;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
struct Dist;

const INDEX: &str = "index.html";
/// A game for frames on other sites.
const EMBED: &str = "embed.html";

/// Where the page shows whoever is signed in. Beside it stands `/account`, which needs no script.
const OWN_ACCOUNT: &str = "/me";

/// Where it shows the finished games of everybody.
const ALL_GAMES: &str = "/games";

/// A year, the most that a cache accepts. The names of assets change with their content.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Kept, but asked about each time: it names the assets of this version.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// `connect-src 'self'` covers our own WebSocket. Pieces in motion are styled by script, which no policy forbids.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The same for what other sites may show in a frame.
const POLICY_IN_FRAMES: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";

/// What every answer here carries.
const PROTECTION: [(HeaderName, HeaderValue); 6] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=()"),
    ),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// How a file is written for the way. In the order of preference: the smallest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coding {
    Brotli,
    Gzip,
    Plain,
}

impl Coding {
    const ALL: [Self; 3] = [Self::Brotli, Self::Gzip, Self::Plain];

    /// Its name in `Accept-Encoding`, and the end of the file that holds it.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Brotli => ("br", ".br"),
            Self::Gzip => ("gzip", ".gz"),
            Self::Plain => ("identity", ""),
        }
    }
}

/// One form of a file.
#[derive(Debug)]
struct Form {
    coding: Coding,
    bytes: Bytes,
    etag: HeaderValue,
}

/// A file in all its forms, the preferred first; the plain one is always there.
#[derive(Debug)]
struct File {
    kind: &'static str,
    forms: Vec<Form>,
}

static FILES: LazyLock<HashMap<String, File>> = LazyLock::new(|| {
    Dist::iter()
        .filter(|name| !name.ends_with(".br") && !name.ends_with(".gz"))
        .map(|name| (name.to_string(), File::read(&name)))
        .collect()
});

impl File {
    fn read(name: &str) -> Self {
        let forms = Coding::ALL
            .into_iter()
            .filter_map(|coding| Some(Form::of(coding, Dist::get(&format!("{name}{}", coding.names().1))?)))
            .collect();
        Self { kind: kind(name), forms }
    }
}

impl Form {
    fn of(coding: Coding, file: rust_embed::EmbeddedFile) -> Self {
        let bytes = match file.data {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        Self { coding, bytes, etag: etag_of(&file.metadata.sha256_hash()) }
    }

    /// What was made for one path.
    fn made(bytes: Bytes) -> Self {
        let etag = etag_of(&Sha256::digest(&bytes).into());
        Self { coding: Coding::Plain, bytes, etag }
    }
}

fn etag_of(sha256: &[u8; 32]) -> HeaderValue {
    let hash: String = sha256[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::try_from(format!("\"{hash}\"")).expect("hexadecimal digits in quotes")
}

/// The media type of a file, by the end of its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

/// The page.
pub(crate) async fn page(headers: HeaderMap) -> Response {
    serve(INDEX, &headers, ASK_AGAIN).unwrap_or_else(|| ApiError::NotFound.into_response())
}

/// What the page needs, under names that change with the content.
pub(crate) async fn asset(Path(file): Path<String>, headers: HeaderMap) -> Response {
    serve(&format!("assets/{file}"), &headers, FOR_EVER).unwrap_or_else(|| ApiError::NotFound.into_response())
}

/// The page as text, as it was built.
pub(super) fn index() -> Option<&'static str> {
    let form = FILES.get(INDEX)?.forms.last()?;
    std::str::from_utf8(&form.bytes).ok()
}

/// Serves a page that was made for this path.
pub(super) fn serve_text(page: String, headers: &HeaderMap) -> Response {
    let form = Form::made(page.into());
    respond(&form, kind(INDEX), headers, ASK_AGAIN)
}

/// A game in a frame on another site: to watch it, without anything that a click could do.
pub(crate) async fn embedded(Path(game): Path<String>, headers: HeaderMap) -> Response {
    if !is_game_path(&format!("/{game}")) {
        return if wants_page(&headers) {
            nothing_here(&headers)
        } else {
            ApiError::NotFound.into_response()
        };
    }
    let Some(mut response) = serve(EMBED, &headers, ASK_AGAIN) else {
        return ApiError::NotFound.into_response();
    };
    let answer = response.headers_mut();
    answer.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY_IN_FRAMES));
    answer.remove(header::X_FRAME_OPTIONS);
    response
}

/// Paths that no route has: the files beside the page, whose names stay the same, and the page for what looks like a game,
/// a player or an analysis and for one's own account. For nothing else: a browser is told so in a page, everybody else in
/// JSON.
pub(crate) async fn page_of(
    State(state): State<HttpState>,
    Extension(visitor): Extension<Visitor>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let reads = method == Method::GET || method == Method::HEAD;
    let path = uri.path();
    let is_page = is_game_path(path)
        || is_player_path(path)
        || is_analysis_path(path)
        || [OWN_ACCOUNT, ALL_GAMES].contains(&path);
    if reads && is_page {
        return preview::page(&state, &visitor, path, &headers).await;
    }
    if reads && let Some(file) = beside_the_page(path) {
        return serve(file, &headers, ASK_AGAIN).unwrap_or_else(|| ApiError::NotFound.into_response());
    }
    if reads && wants_page(&headers) { nothing_here(&headers) } else { ApiError::NotFound.into_response() }
}

/// The name of a file at the root of `dist`: the service worker, whose scope is the folder that it lies in, the manifest of
/// the app and its icons. The page itself has one address, `/`.
fn beside_the_page(path: &str) -> Option<&str> {
    path.strip_prefix('/').filter(|name| *name != INDEX && !name.contains('/') && FILES.contains_key(*name))
}

/// Whether a page is what a browser hopes for: it navigates, and no script asks.
fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds = accepted.flat_map(|value| value.split(','));
    kinds.any(|kind| kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/html")))
}

fn nothing_here(headers: &HeaderMap) -> Response {
    let about = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind(INDEX))),
        (header::VARY, HeaderValue::from_static("accept, accept-language")),
    ];
    let page = own_pages::nothing_here(Language::of(headers));
    let mut response = (StatusCode::NOT_FOUND, about, page).into_response();
    response.headers_mut().extend(PROTECTION);
    response
}

/// `/` and 12 characters of base62; programs add the side from which to look.
fn is_game_path(path: &str) -> bool {
    is_game(path.strip_suffix("/white").or_else(|| path.strip_suffix("/black")).unwrap_or(path))
}

/// `/` and 12 characters of base62.
fn is_game(path: &str) -> bool {
    path.strip_prefix('/')
        .is_some_and(|id| id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// The board for analysis, and that of a game.
fn is_analysis_path(path: &str) -> bool {
    path == "/analysis" || path.strip_prefix("/analysis").is_some_and(is_game)
}

/// `/@/` and what an account or a name consists of: at most as long as a UUID.
fn is_player_path(path: &str) -> bool {
    path.strip_prefix("/@/").is_some_and(|who| {
        (2..=36).contains(&who.len())
            && who.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    })
}

fn serve(name: &str, headers: &HeaderMap, cache: HeaderValue) -> Option<Response> {
    let file = FILES.get(name)?;
    let form = file.forms.iter().find(|form| accepts(headers, form.coding)).or_else(|| file.forms.last())?;
    Some(respond(form, file.kind, headers, cache))
}

fn respond(form: &Form, kind: &'static str, headers: &HeaderMap, cache: HeaderValue) -> Response {
    let known = knows(headers, &form.etag);
    let body = if known { Body::empty() } else { Body::from(form.bytes.clone()) };
    let mut response = Response::new(body);
    let answer = response.headers_mut();
    answer.extend(PROTECTION);
    answer.insert(header::CACHE_CONTROL, cache);
    answer.insert(header::ETAG, form.etag.clone());
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    answer.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    if form.coding != Coding::Plain {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(form.coding.names().0));
    }
    response
}

/// Whether a browser takes this coding (RFC 9110, 12.5.3). The plain form is the last resort and always taken.
fn accepts(headers: &HeaderMap, coding: Coding) -> bool {
    if coding == Coding::Plain {
        return true;
    }
    let offers = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    offers.flat_map(|value| value.split(',')).any(|offer| {
        let (name, weight) = offer.split_once(';').unwrap_or((offer, ""));
        let rejected = weight
            .trim()
            .strip_prefix("q=")
            .is_some_and(|q| q.trim().parse::<f32>().is_ok_and(|weight| weight <= 0.0));
        name.trim().eq_ignore_ascii_case(coding.names().0) && !rejected
    })
}

/// Whether a browser has this very form already (RFC 9110, 13.1.2).
fn knows(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == "*" || tag.as_bytes() == etag.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    fn script() -> &'static str {
        FILES.keys().find(|name| name.ends_with(".js")).expect("the page has a script")
    }

    fn encoding(accept: &str) -> Option<String> {
        let response =
            serve(script(), &headers(&[(header::ACCEPT_ENCODING, accept)]), FOR_EVER).expect("it is there");
        response.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn a_browser_gets_the_smallest_form_that_it_takes() {
        assert_eq!(encoding("gzip, deflate, br, zstd").as_deref(), Some("br"));
        assert_eq!(encoding("gzip").as_deref(), Some("gzip"));
        assert_eq!(encoding("br;q=0, gzip;q=0.5").as_deref(), Some("gzip"));
        assert_eq!(encoding("GZIP").as_deref(), Some("gzip"));
        assert_eq!(encoding("identity"), None);
        assert_eq!(encoding(""), None);
    }

    #[test]
    fn each_form_has_its_own_tag_and_is_not_sent_twice() {
        let file = &FILES[script()];
        assert_eq!(file.forms.len(), 3);
        for form in &file.forms {
            let tag = form.etag.to_str().unwrap();
            let asked = [(header::ACCEPT_ENCODING, form.coding.names().0), (header::IF_NONE_MATCH, tag)];
            let again = serve(script(), &headers(&asked), FOR_EVER).unwrap();
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
            assert_eq!(again.headers()[header::ETAG], form.etag);
            let old =
                serve(script(), &headers(&[asked[0].clone(), (header::IF_NONE_MATCH, "\"old\"")]), FOR_EVER);
            assert_eq!(old.unwrap().status(), StatusCode::OK);
        }
        let (first, second) = (&file.forms[0].etag, &file.forms[1].etag);
        assert_ne!(first, second);
        assert!(knows(&headers(&[(header::IF_NONE_MATCH, "\"a\", W/\"b\", *")]), first));
    }

    #[test]
    fn what_looks_like_a_player_is_a_page_too() {
        for path in ["/@/Guest-WZ7WG", "/@/Rook_And_Roll", "/@/01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90"] {
            assert!(is_player_path(path), "{path}");
        }
        for path in ["/@/", "/@/a", "/@", "/Rook", "/@/a/b", "/@/a%20b", "/@/..", "/@/ä2"] {
            assert!(!is_player_path(path), "{path}");
        }
        assert!(!is_player_path(&format!("/@/{}", "a".repeat(37))));
    }

    #[test]
    fn only_what_looks_like_a_game_is_a_page() {
        for path in ["/4fzVq0aB9kLm", "/4fzVq0aB9kLm/white", "/4fzVq0aB9kLm/black"] {
            assert!(is_game_path(path), "{path}");
        }
        for path in [
            "/",
            "/4fzVq0aB9kL",
            "/4fzVq0aB9kLmX",
            "/4fzVq0aB9k-m",
            "/4fzVq0aB9kLm/",
            "/4fzVq0aB9kLm/red",
            "/white",
            "//fzVq0aB9kLm",
            "/ä23456789ab",
        ] {
            assert!(!is_game_path(path), "{path}");
        }
    }

    #[test]
    fn an_analysis_is_a_page_with_a_game_and_without() {
        for path in ["/analysis", "/analysis/4fzVq0aB9kLm"] {
            assert!(is_analysis_path(path), "{path}");
        }
        for path in
            ["/analysis/", "/analysis/4fzVq0aB9kL", "/analysis/4fzVq0aB9kLm/white", "/analysis4fzVq0aB9kLm"]
        {
            assert!(!is_analysis_path(path), "{path}");
        }
    }

    #[test]
    fn the_page_has_nothing_inline() {
        let page = std::str::from_utf8(&FILES[INDEX].forms.last().unwrap().bytes).unwrap().to_owned();
        assert!(!page.contains("<style") && !page.contains("style=") && !page.contains("onload="), "{page}");
        assert!(page.split("<script").skip(1).all(|script| script.contains("src=\"/assets/")), "{page}");
    }
}
