//! Which packages may depend on which others. The core stays pure, and the protocol stays usable without the server.

use std::{io, path::Path, process::Command};

use crate::finding::{Check::Packages, Finding};

/// A package, and how the names begin of what its normal dependencies may not contain.
const FORBIDDEN: [(&str, &[&str]); 5] = [
    ("zeitnot-rules", &["tokio", "serde", "rand"]),
    ("zeitnot-protocol", &["tokio", "zeitnot-server"]),
    ("zeitnot-bot", &["zeitnot-server", "zeitnot-loadtest"]),
    // Allowed in their tests only.
    ("zeitnot-client", &["zeitnot-server"]),
    ("zeitnot-loadtest", &["zeitnot-server"]),
];

pub(crate) fn check(root: &Path) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for (package, forbidden) in FORBIDDEN {
        let tree = dependencies(root, package)?;
        let impure = tree.lines().filter(|name| forbidden.iter().any(|start| name.starts_with(start)));
        findings.extend(impure.map(|name| Finding::in_file(Packages, package, format!("depends on {name}"))));
    }
    Ok(findings)
}

fn dependencies(root: &Path, package: &str) -> io::Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["tree", "-p", package, "-e", "normal", "--prefix", "none", "--locked"])
        .current_dir(root)
        .output()?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
    }
}
