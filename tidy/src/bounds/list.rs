//! The list itself, read from its syntax: each `Bound { … }` in the files of `server/src/bounds`.

use syn::{
    Expr, ExprStruct, Lit, Member,
    visit::{self, Visit},
};

use crate::{
    finding::{Check::Bounds, Finding},
    imports::Crate,
    tree::Tree,
};

/// One entry.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// Where it stands.
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) what: String,
    pub(super) value: String,
    pub(super) per: String,
    pub(super) at: String,
    pub(super) met: String,
    pub(super) test: String,
    /// The containers that it keeps small: `Struct.field`, with a file before it if that is not `at`.
    holds: Vec<String>,
}

/// Where the number of a bound stands.
pub(super) enum Source<'a> {
    /// A constant in the file `at`.
    Constant(&'a str),
    /// A flag of the server, without its hyphens.
    Flag(&'a str),
    /// A limit of the protocol.
    Limit(&'a str),
    /// It follows from something else, in words.
    Words,
}

impl Entry {
    pub(super) fn source(&self) -> Source<'_> {
        let value = self.value.as_str();
        let is_constant =
            !value.is_empty() && value.chars().all(|c| c.is_ascii_uppercase() || "_0123456789".contains(c));
        if let Some(flag) = value.strip_prefix("--") {
            Source::Flag(flag)
        } else if let Some(limit) = value.strip_prefix("limits.") {
            Source::Limit(limit)
        } else if is_constant && value.contains(|c: char| c.is_ascii_uppercase()) {
            Source::Constant(value)
        } else {
            Source::Words
        }
    }

    /// The containers: each file and name.
    pub(super) fn held(&self) -> impl Iterator<Item = String> {
        self.holds
            .iter()
            .map(|name| if name.contains(".rs ") { name.clone() } else { format!("{} {name}", self.at) })
    }

    /// All that it names: its constant and its containers.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.held().chain([format!("{} {}", self.at, self.value)])
    }
}

/// The text of a constant's value, as it stands in its file.
pub(super) fn value_of(tree: &Tree, at: &str, name: &str) -> Option<String> {
    let text = tree.text(&format!("server/src/{at}"))?;
    let (_, rest) = text.split_once(&format!("const {name}:"))?;
    let (_, rest) = rest.split_once('=')?;
    let value: Vec<_> = rest.split_once(';')?.0.split_whitespace().collect();
    Some(format!("`{}`", value.join(" ").replace('|', "\\|")))
}

/// All entries, in the order of the files, and what is wrong with their form.
pub(super) fn read(read: &Crate, folder: &str) -> (Vec<Entry>, Vec<Finding>) {
    let (mut entries, mut findings) = (Vec::new(), Vec::new());
    for module in read.modules.values().filter(|module| module.file.starts_with(folder)) {
        let mut list = List { file: &module.file, entries: Vec::new() };
        module.items.iter().for_each(|item| list.visit_item(item));
        entries.extend(list.entries);
    }
    for entry in &entries {
        let fields = [&entry.what, &entry.value, &entry.per, &entry.at, &entry.met, &entry.test];
        if fields.iter().any(|field| field.is_empty()) {
            findings.push(Finding::at(Bounds, &entry.file, entry.line, "an entry has an empty field"));
        }
    }
    (entries, findings)
}

struct List<'a> {
    file: &'a str,
    entries: Vec<Entry>,
}

impl<'ast> Visit<'ast> for List<'_> {
    fn visit_expr_struct(&mut self, found: &'ast ExprStruct) {
        let Some(name) = found.path.segments.last().filter(|name| name.ident == "Bound") else {
            return visit::visit_expr_struct(self, found);
        };
        let mut entry =
            Entry { file: self.file.to_owned(), line: name.ident.span().start().line, ..Entry::default() };
        for field in &found.fields {
            let Member::Named(name) = &field.member else { continue };
            let texts = texts(&field.expr);
            let first = texts.first().cloned().unwrap_or_default();
            match name.to_string().as_str() {
                "what" => entry.what = first,
                "value" => entry.value = first,
                "per" => entry.per = first,
                "at" => entry.at = first,
                "met" => entry.met = first,
                "test" => entry.test = first,
                "holds" => entry.holds = texts,
                _ => {}
            }
        }
        self.entries.push(entry);
    }
}

/// The literal texts in an expression, or the last name of a path: `Per::Game` is `game`.
fn texts(expression: &Expr) -> Vec<String> {
    match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => vec![text.value()],
            _ => Vec::new(),
        },
        Expr::Path(path) => {
            path.path.segments.last().map(|name| name.ident.to_string().to_lowercase()).into_iter().collect()
        }
        Expr::Reference(reference) => texts(&reference.expr),
        Expr::Array(array) => array.elems.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}
