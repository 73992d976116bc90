//! The files of the repository as git sees them: tracked, and new ones that are not ignored.
//!
//! Invariant: every check reads the tree through this type alone, so a test can hand it a tree that is on no disk.

use std::{collections::BTreeMap, fs, io, path::Path, process::Command};

/// Paths with `/` between their parts, relative to the root, and the text of each. A file that is not UTF-8 has none.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        let listing = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root)
            .output()?;
        if !listing.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&listing.stderr).into_owned()));
        }
        let mut files = BTreeMap::new();
        for path in String::from_utf8_lossy(&listing.stdout).split_terminator('\0') {
            // A deleted file stays in the listing until the deletion is staged.
            if let Ok(bytes) = fs::read(root.join(path)) {
                files.insert(path.to_owned(), String::from_utf8(bytes).ok());
            }
        }
        Ok(Self { files })
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path)?.as_deref()
    }

    /// Every file that is text.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }
}

#[cfg(test)]
impl FromIterator<(String, String)> for Tree {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(files: I) -> Self {
        Self { files: files.into_iter().map(|(path, text)| (path, Some(text))).collect() }
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for Tree {
    fn from(files: [(&str, &str); N]) -> Self {
        files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
    }
}
