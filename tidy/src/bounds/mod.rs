//! Every bound of the server is declared in one list, `server/src/bounds`: an entry names a constant, a flag or a limit
//! of the protocol, the containers that it keeps small, what happens when it is met, and the test that shows it.
//!
//! The check fails on a constant `…_MAX`, a map, a queue or a channel that no entry names, on an entry that names
//! something that is not there, on a test that does not exist, and on a stale table in ARCHITECTURE.md.
//!
//! Deliberately absent: locals of a function, which end with it, and a `Vec` that nobody shares.

mod list;
mod scan;

use std::collections::BTreeSet;

use crate::{
    finding::{Check::Bounds, Finding},
    imports::Crate,
    tree::Tree,
};
use list::Entry;

/// Where the list lies.
const LIST: &str = "server/src/bounds/";
/// The document with its table, and the lines around that.
const DOCUMENT: &str = "ARCHITECTURE.md";
const BEGIN: &str = "<!-- bounds: made by `scripts/tidy --bounds` -->\n";
const END: &str = "<!-- end of bounds -->\n";
const ROOT: &str = "server/src/";
const LIMITS: &str = "protocol/src/limits.rs";
const FLAGS: &str = "server/src/config.rs";

pub(crate) fn check(read: &Crate, tree: &Tree) -> Vec<Finding> {
    let (entries, mut findings) = list::read(read, LIST);
    let found = scan::scan(read, LIST);
    let listed: BTreeSet<_> = entries.iter().flat_map(Entry::names).collect();
    let unlisted = found.iter().filter(|one| !listed.contains(&one.name()));
    findings.extend(unlisted.map(|one| {
        let text =
            format!("`{}` is in no entry of {LIST}: what bounds it, and which test shows that?", one.what);
        Finding::at(Bounds, &format!("{ROOT}{}", one.file), one.line, text)
    }));
    let there: BTreeSet<_> = found.iter().map(scan::Found::name).collect();
    for entry in &entries {
        findings.extend(stale_names(entry, &there, tree));
        if !has_test(tree, &entry.test) {
            let text =
                format!("the entry `{}` names the test `{}`, which does not exist", entry.what, entry.test);
            findings.push(Finding::at(Bounds, &entry.file, entry.line, text));
        }
    }
    findings.extend(stale_table(&entries, tree));
    findings
}

/// The document with the table made anew; `None` when it has no place for it.
pub(crate) fn rewritten(read: &Crate, tree: &Tree) -> Option<(&'static str, String)> {
    let (entries, _) = list::read(read, LIST);
    let text = tree.text(DOCUMENT)?;
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some((DOCUMENT, format!("{before}{BEGIN}{}{END}{after}", table(&entries, tree))))
}

fn stale_names(entry: &Entry, there: &BTreeSet<String>, tree: &Tree) -> Vec<Finding> {
    let mut missing: Vec<String> = entry.held().filter(|name| !there.contains(name)).collect();
    let is_there = match entry.source() {
        list::Source::Constant(name) => list::value_of(tree, &entry.at, name).is_some(),
        list::Source::Flag(flag) => has_word(tree, FLAGS, &flag.replace('-', "_")),
        list::Source::Limit(limit) => has_word(tree, LIMITS, limit),
        list::Source::Words => tree.has(&format!("{ROOT}{}", entry.at)),
    };
    if !is_there {
        missing.push(format!("{} {}", entry.at, entry.value));
    }
    let finding = |name| {
        let text = format!("the entry `{}` names `{name}`, which is not there", entry.what);
        Finding::at(Bounds, &entry.file, entry.line, text)
    };
    missing.into_iter().map(finding).collect()
}

fn has_word(tree: &Tree, file: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    tree.text(file).is_some_and(|text| text.split(|c| !is_part(c)).any(|found| found == word))
}

/// Whether the server has a test of this name.
fn has_test(tree: &Tree, name: &str) -> bool {
    let head = format!("fn {name}(");
    tree.texts().filter(|(path, _)| path.starts_with("server/") && path.ends_with(".rs")).any(|(_, text)| {
        let lines: Vec<_> = text.lines().collect();
        let mut places = lines.iter().enumerate().filter(|(_, line)| line.contains(&head));
        places.any(|(at, _)| lines[at.saturating_sub(4)..at].iter().any(|line| line.contains("test")))
    })
}

fn stale_table(entries: &[Entry], tree: &Tree) -> Option<Finding> {
    let text = tree.text(DOCUMENT)?;
    let wanted = format!("{BEGIN}{}{END}", table(entries, tree));
    let stale = "the table of bounds is not that of the list: scripts/tidy --bounds";
    (!text.contains(&wanted)).then(|| Finding::in_file(Bounds, DOCUMENT, stale))
}

fn table(entries: &[Entry], tree: &Tree) -> String {
    let mut table = "| what | at most | for each | where | then |\n|---|---|---|---|---|\n".to_owned();
    for entry in entries {
        let value = match entry.source() {
            list::Source::Constant(name) => list::value_of(tree, &entry.at, name).unwrap_or_default(),
            list::Source::Flag(_) | list::Source::Limit(_) => format!("`{}`", entry.value),
            list::Source::Words => entry.value.clone(),
        };
        let Entry { what, per, at, met, .. } = entry;
        table.push_str(&format!("| {what} | {value} | {per} | `{at}` | {met} |\n"));
    }
    table
}

#[cfg(test)]
mod tests;
