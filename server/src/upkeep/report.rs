//! What a check of a data folder says: for people, a line each.
//!
//! Invariant: of each kind of damage at most [`NAMED_MAX`] are named and the others are counted.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Damaged things of one kind that are named: enough to look after them, and a report that can be read.
const NAMED_MAX: usize = 50;

/// What is in order and what is damaged.
#[derive(Debug, Default)]
pub struct Report {
    /// Which database.
    database: PathBuf,
    in_order: Vec<String>,
    damaged: BTreeMap<&'static str, Vec<String>>,
    count: BTreeMap<&'static str, usize>,
    /// Where what can be read was saved.
    pub(super) saved: Option<PathBuf>,
}

impl Report {
    pub(super) fn of(database: &Path) -> Self {
        Self { database: database.to_owned(), ..Self::default() }
    }

    pub(super) fn in_order(&mut self, line: String) {
        self.in_order.push(line);
    }

    pub(super) fn damaged(&mut self, kind: &'static str, line: String) {
        *self.count.entry(kind).or_default() += 1;
        let lines = self.damaged.entry(kind).or_default();
        if lines.len() < NAMED_MAX {
            lines.push(line);
        }
    }

    /// Whether nothing is damaged.
    #[must_use]
    pub fn is_in_order(&self) -> bool {
        self.count.is_empty()
    }

    /// The damage in one line: how much of each kind.
    #[must_use]
    pub fn summary(&self) -> String {
        let kinds = self.count.iter().map(|(kind, count)| format!("{kind}: {count}"));
        kinds.collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.database.display())?;
        self.in_order.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        for (kind, lines) in &self.damaged {
            let count = self.count[kind];
            writeln!(f, "DAMAGED, {kind}: {count}")?;
            lines.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
            if count > lines.len() {
                writeln!(f, "  and {} more", count - lines.len())?;
            }
        }
        if let Some(saved) = &self.saved {
            writeln!(f, "What can be read is saved in {}.", saved.display())?;
        }
        if self.is_in_order() {
            return writeln!(f, "Everything is in order.");
        }
        writeln!(
            f,
            "Keep this folder as it is. Look after the disk, then restore a backup{}: see \"Damage\" in docs/operating.md.",
            if self.saved.is_some() { ", or start from what was saved" } else { ", or use --save" }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_much_damage_some_is_named_and_all_is_counted() {
        let mut report = Report::of(Path::new("zeitnot.db"));
        for number in 0..NAMED_MAX + 7 {
            report.damaged("game", number.to_string());
        }
        assert_eq!((report.damaged["game"].len(), report.count["game"]), (NAMED_MAX, NAMED_MAX + 7));
    }
}
