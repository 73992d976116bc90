//! What the project no longer says, from the list in `scripts/retired`.
//!
//! The list has two parts. `[retired]`: a word, `|`, what to say instead, and perhaps `|` and the path it is about.
//! `[exempt]`: a text in which a retired word may stand, `|`, the reason, and perhaps `|` and a path; the text `*`
//! exempts whole files. A word is found as a whole word, in its exact spelling; a `*` at either end of it stands for any
//! letters. A path may contain `*` (not across `/`) and `**`.
//!
//! Deliberately absent: reading the language around a word. Common words are listed as the path or the piece of code that
//! retires.

use std::collections::BTreeMap;

use crate::{
    finding::{Check::Retired, Finding},
    glob::matches,
    tree::Tree,
};

pub(crate) const LIST: &str = "scripts/retired";

/// Files that may say every word: the list itself, and the history.
const FREE: [&str; 2] = [LIST, "CHANGELOG.md"];

/// What is made by a tool and not written by a person.
const MADE: [&str; 3] = ["web/dist/", "Cargo.lock", "package-lock.json"];

#[derive(Debug, Default)]
struct List {
    retired: Vec<Entry>,
    exempt: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    /// The word without the stars at its ends.
    text: String,
    open_start: bool,
    open_end: bool,
    /// What to say instead, or why it is exempt.
    note: String,
    only_in: Option<String>,
}

/// One place where a retired word stands.
pub(crate) struct Place {
    pub(crate) word: String,
    finding: Finding,
}

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    match places(tree) {
        Ok(places) => places.into_iter().map(|place| place.finding).collect(),
        Err(finding) => vec![finding],
    }
}

/// How often each retired word still stands in the tree, the most frequent first.
pub(crate) fn counts(tree: &Tree) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for place in places(tree).unwrap_or_default() {
        *counts.entry(place.word).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Where one word of the list stands.
pub(crate) fn findings_of(tree: &Tree, word: &str) -> Vec<Finding> {
    let places = places(tree).unwrap_or_default().into_iter();
    places.filter(|place| place.word == word).map(|place| place.finding).collect()
}

fn places(tree: &Tree) -> Result<Vec<Place>, Finding> {
    let list = List::read(tree.text(LIST).unwrap_or_default()).map_err(|line| {
        Finding::at(Retired, LIST, line, "an entry is `text | note` or `text | note | path`")
    })?;
    let mut places = Vec::new();
    let written = tree.paths().filter(|path| {
        !FREE.contains(path) && !MADE.iter().any(|made| path.starts_with(made) || path.ends_with(made))
    });
    for path in written {
        list.search_name(path, &mut places);
        list.search_text(path, tree.text(path).unwrap_or_default(), &mut places);
    }
    Ok(places)
}

impl List {
    /// The number of the first line that is no entry, if there is one.
    fn read(text: &str) -> Result<Self, usize> {
        let mut list = Self::default();
        let mut part = &mut list.retired;
        for (line, number) in text.lines().zip(1_usize..) {
            match line.trim() {
                "[retired]" => part = &mut list.retired,
                "[exempt]" => part = &mut list.exempt,
                line if line.is_empty() || line.starts_with('#') => {}
                line => part.push(Entry::read(line).ok_or(number)?),
            }
        }
        Ok(list)
    }

    fn search_name(&self, path: &str, places: &mut Vec<Place>) {
        for entry in self.retired.iter().filter(|entry| entry.applies_to(path) && entry.names(path)) {
            let exempt = self.exempt.iter().any(|exempt| exempt.applies_to(path) && exempt.is_whole_file());
            if !exempt {
                places.push(entry.place(Finding::in_file(Retired, path, entry.complaint())));
            }
        }
    }

    fn search_text(&self, path: &str, text: &str, places: &mut Vec<Place>) {
        let exempt: Vec<_> = self.exempt.iter().filter(|entry| entry.applies_to(path)).collect();
        if exempt.iter().any(|entry| entry.is_whole_file()) {
            return;
        }
        for entry in self.retired.iter().filter(|entry| entry.applies_to(path) && text.contains(&entry.text))
        {
            for (line, number) in text.lines().zip(1..) {
                for (start, end) in entry.occurrences(line) {
                    let inside =
                        |exempt: &&Entry| exempt.occurrences(line).any(|(a, b)| a <= start && end <= b);
                    if !exempt.iter().any(inside) {
                        places.push(entry.place(Finding::at(Retired, path, number, entry.complaint())));
                    }
                }
            }
        }
    }
}

impl Entry {
    fn read(line: &str) -> Option<Self> {
        let mut columns = line.split(" | ").map(str::trim);
        let (word, note) = (columns.next()?, columns.next()?);
        let only_in = columns.next().map(str::to_owned);
        let text = if word == "*" { word } else { word.trim_matches('*') };
        let ends = columns.next().is_none() && !text.is_empty() && !note.is_empty();
        ends.then(|| Self {
            text: text.to_owned(),
            open_start: word.starts_with('*'),
            open_end: word.ends_with('*'),
            note: note.to_owned(),
            only_in,
        })
    }

    fn applies_to(&self, path: &str) -> bool {
        self.only_in.as_ref().is_none_or(|pattern| matches(pattern, path))
    }

    fn is_whole_file(&self) -> bool {
        self.text == "*"
    }

    /// Whether a file or folder is called so, or is the path itself.
    fn names(&self, path: &str) -> bool {
        let under =
            path.strip_prefix(&self.text).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let called =
            |part: &str| self.text == part || part.split_once('.').is_some_and(|(stem, _)| self.text == stem);
        under || path.split('/').any(called)
    }

    /// Where the word stands in a line, as ranges of bytes.
    fn occurrences<'a>(&'a self, line: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let meets = move |inner: Option<char>, outer: Option<char>| {
            inner.is_some_and(is_letter) && outer.is_some_and(is_letter)
        };
        line.match_indices(&self.text).map(|(start, text)| (start, start + text.len())).filter(
            move |(start, end)| {
                let before = meets(self.text.chars().next(), line[..*start].chars().next_back());
                let after = meets(self.text.chars().next_back(), line[*end..].chars().next());
                (self.open_start || !before) && (self.open_end || !after)
            },
        )
    }

    fn complaint(&self) -> String {
        format!("`{}` is retired; instead: {}", self.word(), self.note)
    }

    fn word(&self) -> String {
        let star = |open| if open { "*" } else { "" };
        format!("{}{}{}", star(self.open_start), self.text, star(self.open_end))
    }

    fn place(&self, finding: Finding) -> Place {
        Place { word: self.word(), finding }
    }
}

#[cfg(test)]
mod tests;
