//! Every document that is named anywhere in the tree exists.
//!
//! Deliberately absent: checking anchors and links to other sites.

use crate::{
    finding::{Check::Documents, Finding},
    tree::Tree,
};

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let texts = tree.texts().filter(|(path, _)| !path.starts_with("web/dist/"));
    texts.flat_map(|(path, text)| missing(tree, path, text)).collect()
}

fn missing(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    let lines = text.lines().zip(1..);
    lines
        .flat_map(|(line, number)| named(line).map(move |name| (name, number)))
        .filter(|(name, _)| !exists(tree, name))
        .map(|(name, number)| {
            Finding::at(Documents, path, number, format!("names `{name}`, which does not exist"))
        })
        .collect()
}

/// The names of documents in a line: words that end in `.md`.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let words =
        line.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-' | ':' | '*')));
    words
        .filter(|word| !word.contains("://") && !word.contains('*'))
        .map(|word| word.trim_start_matches(':').trim_end_matches(['.', ':']))
        .filter(|word| {
            word.strip_suffix(".md").is_some_and(|stem| stem.ends_with(|c: char| c.is_alphanumeric()))
        })
}

/// A comment may name a document by the end of its path, so `laws.md` is `docs/laws.md`.
fn exists(tree: &Tree, name: &str) -> bool {
    let name = name.trim_start_matches(['.', '/']);
    tree.paths()
        .any(|path| path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_does_not_exist_is_found_where_it_is_named() {
        let absent = format!("gone{}", ".md");
        let text =
            format!("//! See laws.md.\n//! And [this](../docs/{absent}), not https://x.example/{absent}.\n");
        let tree = Tree::from([("docs/laws.md", ""), ("rules/src/lib.rs", &text)]);
        let findings: Vec<_> = check(&tree).iter().map(ToString::to_string).collect();
        let expected =
            format!("documents: rules/src/lib.rs:2: names `../docs/{absent}`, which does not exist");
        assert_eq!(findings, [expected]);
    }
}
