//! The module tree of a crate: every module with its items and the names that it binds.

use std::collections::BTreeMap;

use syn::{Item, ItemMod, UseTree};

use super::attributes::{for_tests, of_item};
use crate::tree::Tree;

/// The names from the root of the crate to a module; the root itself has none.
pub(crate) type ModulePath = Vec<String>;

/// Modules that only tests have, whatever stands over them.
const TEST_MODULES: [&str; 2] = ["tests", "simulation"];

#[derive(Default)]
pub(crate) struct Crate {
    pub(crate) modules: BTreeMap<ModulePath, Module>,
    /// Files that could not be read: the file, and why.
    pub(crate) unread: Vec<(String, String)>,
}

pub(crate) struct Module {
    pub(crate) file: String,
    pub(crate) items: Vec<Item>,
    pub(super) names: BTreeMap<String, Vec<Binding>>,
    /// The modules (or enums) of `use …::*`.
    pub(super) globs: Vec<Vec<String>>,
}

/// What a name of a module stands for.
pub(super) enum Binding {
    /// Something that the module defines.
    Item,
    /// `use path as name`.
    Use(Vec<String>),
}

/// One name that a `use` binds, or a glob.
pub(super) struct Leaf {
    pub(super) path: Vec<String>,
    /// `None`: a glob.
    pub(super) name: Option<String>,
    pub(super) line: usize,
}

impl Crate {
    /// Reads the crate whose `lib.rs` lies in `folder`.
    pub(crate) fn read(tree: &Tree, folder: &str) -> Self {
        let mut read = Self::default();
        read.read_file(tree, Vec::new(), format!("{folder}/lib.rs"), folder);
        read
    }

    fn read_file(&mut self, tree: &Tree, path: ModulePath, file: String, folder: &str) {
        let parsed = tree.text(&file).ok_or_else(|| "not there".to_owned()).and_then(|text| {
            syn::parse_file(text).map_err(|error| format!("line {}: {error}", error.span().start().line))
        });
        match parsed {
            Ok(parsed) if for_tests(&parsed.attrs) => {}
            Ok(parsed) => self.add(tree, path, file, folder, parsed.items),
            Err(why) => self.unread.push((file, why)),
        }
    }

    /// `folder` is where the files of the module's children lie.
    fn add(&mut self, tree: &Tree, path: ModulePath, file: String, folder: &str, items: Vec<Item>) {
        let items: Vec<_> = items.into_iter().filter(|item| !is_for_tests(item)).collect();
        for item in &items {
            if let Item::Mod(child) = item {
                self.add_child(tree, &path, &file, folder, child);
            }
        }
        let mut module = Module { file, items: Vec::new(), names: BTreeMap::new(), globs: Vec::new() };
        for item in &items {
            module.bind(item);
        }
        module.items = items;
        self.modules.insert(path, module);
    }

    fn add_child(&mut self, tree: &Tree, parent: &ModulePath, file: &str, folder: &str, child: &ItemMod) {
        let name = child.ident.to_string();
        let path = [parent.as_slice(), std::slice::from_ref(&name)].concat();
        let inside = format!("{folder}/{name}");
        if let Some((_, items)) = &child.content {
            self.add(tree, path, file.to_owned(), &inside, items.clone());
            return;
        }
        let flat = format!("{inside}.rs");
        let file = if tree.has(&flat) { flat } else { format!("{inside}/mod.rs") };
        self.read_file(tree, path, file, &inside);
    }
}

impl Module {
    fn bind(&mut self, item: &Item) {
        if let Item::Use(item) = item {
            for leaf in leaves(&item.tree) {
                match leaf.name {
                    Some(name) => self.names.entry(name).or_default().push(Binding::Use(leaf.path)),
                    None => self.globs.push(leaf.path),
                }
            }
        } else if let Some(name) = name_of(item) {
            self.names.entry(name).or_default().push(Binding::Item);
        }
    }
}

fn is_for_tests(item: &Item) -> bool {
    let named = matches!(item, Item::Mod(module) if TEST_MODULES.iter().any(|name| module.ident == name));
    named || for_tests(of_item(item))
}

/// The name of an item that is found by its name in its module. A child module is found in [`Crate::modules`].
fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Everything that a `use` imports, with nested braces written out.
pub(super) fn leaves(tree: &UseTree) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect_leaves(tree, &[], &mut found);
    found
}

fn collect_leaves(tree: &UseTree, before: &[String], found: &mut Vec<Leaf>) {
    let with = |name: String| [before, &[name]].concat();
    // `use a::{self}` names `a`; a `self` at the beginning is the current module.
    let path_to =
        |name: String| if name == "self" && !before.is_empty() { before.to_vec() } else { with(name) };
    match tree {
        UseTree::Path(tree) => collect_leaves(&tree.tree, &with(tree.ident.to_string()), found),
        UseTree::Group(group) => {
            for tree in &group.items {
                collect_leaves(tree, before, found);
            }
        }
        UseTree::Name(name) => {
            let path = path_to(name.ident.to_string());
            let line = name.ident.span().start().line;
            found.push(Leaf { name: path.last().cloned(), path, line });
        }
        UseTree::Rename(rename) => {
            let path = path_to(rename.ident.to_string());
            let line = rename.ident.span().start().line;
            found.push(Leaf { path, name: Some(rename.rename.to_string()), line });
        }
        UseTree::Glob(glob) => {
            let line = glob.star_token.spans[0].start().line;
            found.push(Leaf { path: before.to_vec(), name: None, line });
        }
    }
}
