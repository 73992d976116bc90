//! The project's own rules that no compiler checks, over the whole tree. `scripts/tidy` runs it.
//!
//! ```text
//! zeitnot-tidy                  every check; exit code 1 if something was found
//! zeitnot-tidy CHECK …          only these checks
//! zeitnot-tidy --retired        how often each retired word still stands in the tree
//! zeitnot-tidy --retired WORD   where one of them stands
//! zeitnot-tidy --bounds         writes the table of bounds in ARCHITECTURE.md
//! zeitnot-tidy --crumbs         files of module folders under 40 lines
//! ```
//!
//! Deliberately absent: what rustfmt, clippy, rustdoc and cargo-deny check.

mod arrows;
mod bounds;
mod documents;
mod files;
mod finding;
mod glob;
mod imports;
mod packages;
mod picture;
mod retired;
mod services;
mod tree;

use std::{
    env, fs,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use crate::{
    finding::{Check, Finding},
    imports::Crate,
    tree::Tree,
};

const USAGE: &str = "usage: zeitnot-tidy [CHECK …] | --retired [WORD] | --crumbs | --bounds
checks: files packages documents arrows bounds services retired";

/// The crate whose layers are checked.
const SERVER: &str = "server/src";

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    // The package lies in the root of the repository.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match run(&root, &arguments, &mut io::stdout().lock()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("tidy: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(root: &Path, arguments: &[&str], out: &mut impl Write) -> io::Result<bool> {
    let tree = Tree::read(root)?;
    match *arguments {
        [] => check(root, &tree, &Check::ALL, out),
        ["--retired"] => {
            for (word, count) in retired::counts(&tree) {
                writeln!(out, "{count:6}  {word}")?;
            }
            Ok(true)
        }
        ["--retired", word] => print(&retired::findings_of(&tree, word), out).map(|()| true),
        ["--crumbs"] => {
            for (path, lines) in files::crumbs(&tree) {
                writeln!(out, "{lines:3}  {path}")?;
            }
            Ok(true)
        }
        ["--bounds"] => {
            if let Some((path, text)) = bounds::rewritten(&Crate::read(&tree, SERVER), &tree) {
                fs::write(root.join(path), text)?;
            }
            Ok(true)
        }
        ref checks => {
            let checks = checks.iter().map(|name| Check::named(name).ok_or_else(|| io::Error::other(USAGE)));
            check(root, &tree, &checks.collect::<io::Result<Vec<_>>>()?, out)
        }
    }
}

/// Runs the checks. The tree is in order if they find nothing.
fn check(root: &Path, tree: &Tree, checks: &[Check], out: &mut impl Write) -> io::Result<bool> {
    let server = Crate::read(tree, SERVER);
    let mut in_order = true;
    for &check in checks {
        let findings = match check {
            Check::Files => files::check(tree),
            Check::Packages => packages::check(root)?,
            Check::Documents => documents::check(tree),
            Check::Arrows => arrows::check(&server, tree),
            Check::Bounds => bounds::check(&server, tree),
            Check::Services => services::check(&server),
            Check::Retired => retired::check(tree),
        };
        in_order &= findings.is_empty();
        print(&findings, out)?;
    }
    if in_order {
        writeln!(out, "tidy: in order")?;
    }
    Ok(in_order)
}

fn print(findings: &[Finding], out: &mut impl Write) -> io::Result<()> {
    findings.iter().try_for_each(|finding| writeln!(out, "{finding}"))
}
