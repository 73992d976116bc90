//! Rules about a file by itself: its length, its head comment, where it lies, and which files there must be.

use std::collections::BTreeMap;

use crate::{
    finding::{Check::Files, Finding},
    tree::Tree,
};

/// Longer files are split.
const MOST_LINES: usize = 600;

/// A folder of the server with more files than this is two modules.
const MOST_FILES_OF_A_FOLDER: usize = 28;

/// A shorter file of a module folder usually belongs into its neighbour.
const CRUMB: usize = 40;

const REQUIRED: [&str; 10] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "docs/laws.md",
    "docs/performance.md",
    "docs/protocol.md",
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<_> = tree.texts().flat_map(|(path, text)| one_file(path, text)).collect();
    let missing = REQUIRED.iter().filter(|path| !tree.has(path));
    findings.extend(missing.map(|path| Finding::in_file(Files, path, "is missing")));
    findings.extend(crowded_folders(tree));
    findings
}

fn one_file(path: &str, text: &str) -> Vec<Finding> {
    let Some(heads) = heads(path) else { return Vec::new() };
    let mut findings = Vec::new();
    let lines = text.lines().count();
    if lines > MOST_LINES {
        findings.push(Finding::in_file(Files, path, format!("has {lines} lines; {MOST_LINES} is the most")));
    }
    if !heads.iter().any(|head| text.starts_with(head)) {
        findings.push(Finding::in_file(Files, path, format!("does not open with {}", heads.join(" or "))));
    }
    if path.ends_with(".rs") {
        let mounted = text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with("#[path"));
        findings.extend(mounted.map(|(_, number)| {
            Finding::at(Files, path, number, "`#[path]`: a module lies where its name says")
        }));
    }
    findings
}

/// What the head comment of such a file may begin with; `None`: the file needs no head comment.
fn heads(path: &str) -> Option<&'static [&'static str]> {
    let (_, extension) = path.rsplit_once('.')?;
    match extension {
        "rs" => Some(&["//!"]),
        "ts" | "tsx" | "mjs" | "css"
            if (path.starts_with("web/") && !path.starts_with("web/dist/"))
                || path.starts_with("clients/") =>
        {
            Some(&["/*", "//"])
        }
        _ => None,
    }
}

fn crowded_folders(tree: &Tree) -> Vec<Finding> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for path in tree.paths().filter(|path| path.ends_with(".rs") && !is_test(path)) {
        let Some((folder, _)) = path.rsplit_once('/').filter(|(folder, _)| folder.starts_with("server/src/"))
        else {
            continue;
        };
        *sizes.entry(folder).or_default() += 1;
    }
    let crowded = sizes.into_iter().filter(|(_, files)| *files > MOST_FILES_OF_A_FOLDER);
    crowded
        .map(|(folder, files)| {
            let text = format!("has {files} files without its tests; {MOST_FILES_OF_A_FOLDER} is the most");
            Finding::in_file(Files, folder, text)
        })
        .collect()
}

/// Files of a module folder that are so short that they may be crumbs. A hint for people, never a failure.
pub(crate) fn crumbs(tree: &Tree) -> Vec<(&str, usize)> {
    let modules =
        tree.texts().filter(|(path, _)| path.ends_with(".rs") && path.contains("/src/") && !is_test(path));
    modules
        .filter(|(path, _)| path.matches('/').count() > 2 && !path.ends_with("/mod.rs"))
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines < CRUMB)
        .collect()
}

fn is_test(path: &str) -> bool {
    path.split('/')
        .any(|part| matches!(part, "tests" | "simulation" | "tests.rs") || part.ends_with("_tests.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(tree: &Tree) -> Vec<String> {
        let findings = check(tree).into_iter();
        findings.filter(|finding| finding.text != "is missing").map(|finding| finding.to_string()).collect()
    }

    #[test]
    fn a_long_file_without_a_head_comment_is_found_twice() {
        let long = "fn f() {}\n".repeat(MOST_LINES + 1);
        assert_eq!(
            texts(&Tree::from([("rules/src/long.rs", &*long), ("web/dist/app.css", "a{}")])),
            [
                "files: rules/src/long.rs: has 601 lines; 600 is the most",
                "files: rules/src/long.rs: does not open with //!",
            ]
        );
    }

    #[test]
    fn a_module_that_lies_elsewhere_is_found() {
        let tree =
            Tree::from([("server/src/a.rs", "//! A.\n#[cfg(test)]\n#[path = \"b.rs\"]\nmod tests;\n")]);
        assert_eq!(texts(&tree), ["files: server/src/a.rs:3: `#[path]`: a module lies where its name says"]);
    }

    #[test]
    fn the_tests_of_a_folder_do_not_count_to_its_size() {
        let file = |n: usize| (format!("server/src/games/{n}.rs"), "//! .".to_owned());
        let files: Vec<_> = (0..MOST_FILES_OF_A_FOLDER).map(file).collect();
        let with = |more: &str| {
            let mut files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            files.push((more, "//! ."));
            let files: [_; MOST_FILES_OF_A_FOLDER + 1] = files.try_into().unwrap();
            texts(&Tree::from(files))
        };
        assert_eq!(with("server/src/games/tests/play.rs"), Vec::<String>::new());
        assert_eq!(
            with("server/src/games/play.rs"),
            ["files: server/src/games: has 29 files without its tests; 28 is the most"]
        );
    }

    #[test]
    fn every_document_is_required() {
        assert_eq!(check(&Tree::default()).len(), REQUIRED.len());
    }
}
