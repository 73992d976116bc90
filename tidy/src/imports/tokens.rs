//! What looks like a path in tokens that are no syntax yet: the body of a macro or of an attribute.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Paths of two or more names, with their lines. `$crate` counts as `crate`; braces after `::` are written out.
pub(super) fn paths_in(tokens: TokenStream) -> Vec<(Vec<String>, usize)> {
    let mut found = Vec::new();
    collect(tokens, &[], &mut found);
    found
}

/// `before` are the names in front of the braces that the tokens stand in.
fn collect(tokens: TokenStream, before: &[String], found: &mut Vec<(Vec<String>, usize)>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Ident(first) => {
                let line = first.span().start().line;
                at = follow(&tokens, at, before, line, found);
                continue;
            }
            TokenTree::Group(group) => collect(group.stream(), &[], found),
            TokenTree::Literal(literal) => {
                found.extend(quoted(&literal.to_string(), literal.span().start().line));
            }
            TokenTree::Punct(_) => {}
        }
        at += 1;
    }
}

/// Follows `a::b::c` or `a::{b, c}` from its first name, and returns where it ends.
fn follow(
    tokens: &[TokenTree],
    mut at: usize,
    before: &[String],
    line: usize,
    found: &mut Vec<(Vec<String>, usize)>,
) -> usize {
    let mut path = before.to_vec();
    while let TokenTree::Ident(name) = &tokens[at] {
        path.push(name.to_string());
        at += 1;
        if !is_separator(tokens, at) {
            break;
        }
        match tokens.get(at + 2) {
            Some(TokenTree::Ident(_)) => at += 2,
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                collect(group.stream(), &path, found);
                return at + 3;
            }
            _ => break,
        }
    }
    if path.len() > 1 {
        found.push((path, line));
    }
    at
}

/// Whether `::` stands at this place.
fn is_separator(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => Some(punct.spacing()),
        _ => None,
    };
    colon(at) == Some(Spacing::Joint) && colon(at + 1).is_some()
}

/// A path in a string, as in `#[serde(with = "crate::text")]`.
fn quoted(literal: &str, line: usize) -> Option<(Vec<String>, usize)> {
    let text = literal.strip_prefix('"')?.strip_suffix('"')?;
    let starts = ["crate::", "super::", "self::"];
    let is_path = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
    (is_path && starts.iter().any(|start| text.starts_with(start)))
        .then(|| (text.split("::").map(str::to_owned).collect(), line))
}
