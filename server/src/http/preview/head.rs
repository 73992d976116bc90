//! The head of the page with what a link says: the title, and the tags of OpenGraph, which those who show links read.
//!
//! Invariant: everything that is filled in is escaped.

use maud::html;

use super::wording::Wording;
use crate::pictures::{HEIGHT, WIDTH};

/// What stands in the page in place of its title.
const TITLE: &str = "<title>Zeitnot</title>";

/// How the description begins that the page has for all its paths. Another one takes its place.
const DESCRIPTION: &str = "<meta name=\"description\"";

/// The page `index` for a path of a site, with what its link says; `None` when it has no place for it, which is a bug.
pub(super) fn filled(
    index: &str,
    wording: &Wording,
    site: &str,
    path: &str,
    picture: &str,
) -> Option<String> {
    let (index, general) = index.split_once(DESCRIPTION)?;
    let (_, rest) = general.split_once('>')?;
    let page = [index, rest].concat();
    let (before, after) = page.split_once(TITLE)?;
    let tags = html! {
        title { (wording.title) " \u{b7} Zeitnot" }
        meta name="description" content=(wording.description);
        meta property="og:type" content="website";
        meta property="og:site_name" content="Zeitnot";
        meta property="og:title" content=(wording.title);
        meta property="og:description" content=(wording.description);
        meta property="og:url" content={ (site) (path) };
        meta property="og:image" content={ (site) (picture) };
        meta property="og:image:type" content="image/png";
        meta property="og:image:width" content=(WIDTH);
        meta property="og:image:height" content=(HEIGHT);
        meta property="og:image:alt" content=(wording.picture);
        meta name="twitter:card" content="summary_large_image";
    };
    Some([before, &tags.into_string(), after].concat())
}

#[cfg(test)]
mod tests {
    use super::super::super::static_files;
    use super::*;

    fn wording() -> Wording {
        Wording {
            title: "<b>\"Rook\" & Bishop".to_owned(),
            description: "1-0".to_owned(),
            picture: "A board",
        }
    }

    #[test]
    fn the_page_has_one_title_and_one_description_and_nothing_unescaped() {
        let index = static_files::index().expect("the page");
        let page =
            filled(index, &wording(), "https://chess.example", "/4fzVq0aB9kLm", "/picture/4fzVq0aB9kLm.png")
                .expect("a place for the title");
        for (tag, count) in [("<title>", 1), (DESCRIPTION, 1), ("<script", 1), ("og:image\"", 1)] {
            assert_eq!(page.matches(tag).count(), count, "{tag}: {page}");
        }
        assert!(page.contains("<title>&lt;b&gt;&quot;Rook&quot; &amp; Bishop"), "{page}");
        assert!(!page.contains("<b>"), "{page}");
        let image = "property=\"og:image\" content=\"https://chess.example/picture/4fzVq0aB9kLm.png\"";
        assert!(page.contains(image), "{page}");
        assert!(page.contains("name=\"description\" content=\"1-0\""), "{page}");
    }
}
