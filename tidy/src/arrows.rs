//! The imports of the server against the pictures in ARCHITECTURE.md.
//!
//! Among the top modules every import is an arrow. The composition root (`server`, `lib`) may import everything, and
//! nothing imports it. Inside a folder the arrows run between its children; what the folder's own `mod.rs` imports is free,
//! and a child that imports what `mod.rs` itself defines has an arrow to the folder's name. A name that `mod.rs` only
//! re-exports counts where it is defined.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    finding::{Check::Arrows, Finding},
    imports::{Crate, Hit, ModulePath, Reached, references},
    picture::Picture,
    tree::Tree,
};

/// The page with the pictures.
const PAGE: &str = "ARCHITECTURE.md";

/// The root of the crate, as findings name it.
const LIB: &str = "lib";

/// The modules that know all the others and that nobody imports.
const ROOTS: [&str; 2] = ["server", LIB];

/// The modules whose insides are drawn too.
const FOLDERS: [&str; 4] = ["games", "lobby", "session", "storage"];

/// One import: the module that spells it, and a module that it leads to.
struct Import {
    from: ModulePath,
    to: Hit,
    file: String,
    line: usize,
    spelled: String,
}

pub(crate) fn check(read: &Crate, tree: &Tree) -> Vec<Finding> {
    let mut findings: Vec<_> =
        read.unread.iter().map(|(file, why)| Finding::in_file(Arrows, file, why.as_str())).collect();
    let imports = imports_of(read);
    let pictures = Picture::read(PAGE, tree.text(PAGE).unwrap_or_default());
    for folder in [None].into_iter().chain(FOLDERS.map(Some)) {
        match pictures.iter().find(|picture| picture.folder.as_deref() == folder) {
            Some(picture) => findings.extend(compare(read, &imports, picture)),
            None => {
                let text = format!("no picture is fenced with ```arrows {}", folder.unwrap_or_default());
                findings.push(Finding::in_file(Arrows, PAGE, text.trim_end()));
            }
        }
    }
    findings
}

fn imports_of(read: &Crate) -> Vec<Import> {
    let mut imports = Vec::new();
    for (path, module) in &read.modules {
        for reference in references(module) {
            for to in read.resolve(path, &reference) {
                imports.push(Import {
                    from: path.clone(),
                    to,
                    file: module.file.clone(),
                    line: reference.line,
                    spelled: reference.path.join("::"),
                });
            }
        }
    }
    imports
}

fn compare(read: &Crate, imports: &[Import], picture: &Picture) -> Vec<Finding> {
    let folder = picture.folder.as_deref();
    let mut used = BTreeSet::new();
    let mut forbidden: BTreeMap<(&str, usize, String, String), &Import> = BTreeMap::new();
    for import in imports {
        let Some((from, to)) = arrow(import, folder) else { continue };
        if !picture.allows(&from, &to) {
            forbidden.entry((&import.file, import.line, from.clone(), to.clone())).or_insert(import);
        }
        used.insert((from, to));
    }
    let mut findings: Vec<_> = forbidden
        .into_iter()
        .map(|((file, line, from, to), import)| {
            let why = if folder.is_none() && ROOTS.contains(&to.as_str()) {
                "nobody imports the composition root".to_owned()
            } else {
                format!("not in the picture of {}", folder.unwrap_or("the top modules"))
            };
            Finding::at(Arrows, file, line, format!("{from} -> {to} by `{}`: {why}", import.spelled))
        })
        .collect();
    findings.extend(stale(read, picture, &used));
    findings.extend(picture.cycle());
    findings
}

/// The arrow of an import in the picture of `folder`; `None`: it crosses no border there.
fn arrow(import: &Import, folder: Option<&str>) -> Option<(String, String)> {
    let (from, to) = match folder {
        None => (import.from.first()?, import.to.module.first().map_or(LIB, String::as_str)),
        Some(folder) => {
            let inside = |path: &ModulePath| path.first().is_some_and(|first| first == folder);
            if !inside(&import.from) || !inside(&import.to.module) {
                return None;
            }
            let to = match import.to.module.get(1) {
                Some(child) => child.as_str(),
                None if import.to.reached == Reached::Defined => folder,
                None => return None,
            };
            (import.from.get(1)?, to)
        }
    };
    let free = folder.is_none() && ROOTS.contains(&from.as_str());
    (from != to && !free).then(|| (from.clone(), to.to_owned()))
}

/// What is drawn but not built, and what is built but not drawn.
fn stale(read: &Crate, picture: &Picture, used: &BTreeSet<(String, String)>) -> Vec<Finding> {
    let built = children(read, picture.folder.as_deref());
    let mut findings = Vec::new();
    for line in picture.lines.iter().filter(|line| !line.to_come) {
        if !built.contains(line.module.as_str()) {
            let text = format!("`{}` is drawn but not built", line.module);
            findings.push(Finding::at(Arrows, &picture.file, line.number, text));
            continue;
        }
        let unused = line.targets.iter().filter(|target| *target != "*");
        let unused = unused.filter(|target| !used.contains(&(line.module.clone(), (*target).clone())));
        findings.extend(unused.map(|target| {
            let text = format!("{} -> {target} is drawn, and nothing imports along it", line.module);
            Finding::at(Arrows, &picture.file, line.number, text)
        }));
    }
    let missing = built.iter().filter(|module| !picture.draws(module));
    findings.extend(missing.map(|module| {
        Finding::at(
            Arrows,
            &picture.file,
            picture.line,
            format!("`{module}` is built but not in the picture"),
        )
    }));
    findings
}

fn children<'a>(read: &'a Crate, folder: Option<&str>) -> BTreeSet<&'a str> {
    let depth = usize::from(folder.is_some());
    let modules = read.modules.keys().filter(|path| path.len() == depth + 1);
    modules
        .filter(|path| folder.is_none_or(|folder| path[0] == folder))
        .map(|path| path[depth].as_str())
        .collect()
}

#[cfg(test)]
mod tests;
