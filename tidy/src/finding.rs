//! What a check found: one line for a person who wants to mend it.

use std::fmt;

/// The checks, by the names that the command line takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Check {
    Files,
    Packages,
    Documents,
    Arrows,
    Bounds,
    Services,
    Retired,
}

impl Check {
    pub(crate) const ALL: [Self; 7] = [
        Self::Files,
        Self::Packages,
        Self::Documents,
        Self::Arrows,
        Self::Bounds,
        Self::Services,
        Self::Retired,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Packages => "packages",
            Self::Documents => "documents",
            Self::Arrows => "arrows",
            Self::Bounds => "bounds",
            Self::Services => "services",
            Self::Retired => "retired",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }
}

/// One violation. `place` is a file, or a file and a line as editors open it: `path:12`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) check: Check,
    pub(crate) place: String,
    pub(crate) text: String,
}

impl Finding {
    pub(crate) fn in_file(check: Check, file: &str, text: impl Into<String>) -> Self {
        Self { check, place: file.to_owned(), text: text.into() }
    }

    pub(crate) fn at(check: Check, file: &str, line: usize, text: impl Into<String>) -> Self {
        Self { check, place: format!("{file}:{line}"), text: text.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.check.name(), self.place, self.text)
    }
}
