//! The pages that the server writes itself, for browsers without script too: accounts, programs, and that there is nothing
//! at an address. What they share: the frame of a page, the style sheet, the reader's language and the words.
//!
//! | file | what it is |
//! |---|---|
//! | `language` | the language that a browser asks for |
//! | `catalogue` | every text, a file for each language |
//!
//! Deliberately absent: what is on each page (`account`), and the page on which chess is played (`static_files`).
//!
//! Invariants: every text is escaped by the templates; nothing runs, and nothing is styled inline.

mod catalogue;
mod language;

use axum::response::{IntoResponse as _, Response};
use http::header;
use maud::{DOCTYPE, Markup, html};

pub(super) use catalogue::{Around, Catalogue};
pub(super) use language::Language;

/// Where the style sheet is.
pub(super) const STYLE: &str = "/pages.css";

/// The style of all these pages.
pub(super) async fn style() -> Response {
    let headers = [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (headers, include_str!("pages.css")).into_response()
}

/// A page: its title, what went wrong, what is on it, and the way home.
pub(super) fn document(words: &Catalogue, title: &str, error: Option<&str>, content: &Markup) -> String {
    let way_home = html! { a.home href="/" { (words.site.play) } };
    frame(words, title, &way_home, error, content)
}

/// A page with what stands beside the name in its header.
fn frame(words: &Catalogue, title: &str, beside: &Markup, error: Option<&str>, content: &Markup) -> String {
    let document = html! {
        (DOCTYPE)
        html lang=(words.tag) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (title) " \u{b7} Zeitnot" }
                link rel="stylesheet" href=(STYLE);
            }
            body {
                header { a.brand href="/" { "Zeitnot" } (beside) }
                main {
                    h1 { (title) }
                    @if let Some(error) = error { p.error role="alert" { (error) } }
                    (content)
                }
            }
        }
    };
    document.into_string()
}

/// What a browser gets for a path that leads nowhere. Its button is the way home.
pub(super) fn nothing_here(language: Language) -> String {
    let words = language.catalogue();
    let content = html! {
        section {
            p { (words.site.no_such_address) }
            p { a.button.primary href="/" { (words.site.play) } }
        }
    };
    frame(words, words.site.nothing_here, &html! {}, None, &content)
}
