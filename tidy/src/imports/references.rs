//! Every path that the code of a module spells: imports, paths in types, expressions, patterns and attributes, and what
//! looks like a path in the body of a macro.

use std::collections::BTreeMap;

use syn::{
    Arm, Attribute, Block, Expr, Field, FieldValue, ImplItem, Item, ItemUse, Local, Macro, Meta, Path, Stmt,
    StmtMacro, TraitItem, Variant, Visibility,
    visit::{self, Visit},
};

use super::{
    attributes::{for_tests, of_expression, of_impl_item, of_item, of_trait_item},
    modules::{Module, leaves},
    tokens::paths_in,
};

/// A path as it is spelled, with the aliases of its block written out.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) path: Vec<String>,
    /// The path of the import inside a function through which this path goes: reported at the import already.
    pub(super) alias: Option<Vec<String>>,
    pub(super) is_use: bool,
    pub(crate) line: usize,
}

pub(crate) fn references(module: &Module) -> Vec<Reference> {
    let mut visitor = Visitor::default();
    for item in &module.items {
        visitor.visit_item(item);
    }
    visitor.found
}

#[derive(Default)]
struct Visitor {
    found: Vec<Reference>,
    /// The names that the imports of the blocks around bind, the innermost last.
    blocks: Vec<BTreeMap<String, Vec<String>>>,
}

impl Visitor {
    fn add(&mut self, path: Vec<String>, line: usize, is_use: bool) {
        let Some(first) = path.first() else { return };
        let alias = self.blocks.iter().rev().find_map(|names| names.get(first)).cloned();
        let path = match &alias {
            Some(alias) if !is_use => [alias.as_slice(), &path[1..]].concat(),
            _ => path,
        };
        self.found.push(Reference { path, alias: alias.filter(|_| !is_use), is_use, line });
    }
}

impl<'ast> Visit<'ast> for Visitor {
    fn visit_item(&mut self, item: &'ast Item) {
        // A child module reports for itself.
        if !for_tests(of_item(item)) && !matches!(item, Item::Mod(_)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        for leaf in leaves(&item.tree) {
            self.add(leaf.path, leaf.line, true);
        }
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let imports = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(Item::Use(item)) if !for_tests(&item.attrs) => Some(leaves(&item.tree)),
            _ => None,
        });
        let names = imports.flatten().filter_map(|leaf| Some((leaf.name?, leaf.path))).collect();
        self.blocks.push(names);
        visit::visit_block(self, block);
        self.blocks.pop();
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if path.leading_colon.is_none() {
            let line = path.segments[0].ident.span().start().line;
            self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect(), line, false);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.visit_path(&call.path);
        for (path, line) in paths_in(call.tokens.clone()) {
            self.add(path, line, false);
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let path = attribute.path();
        if path.is_ident("doc") || path.is_ident("cfg") {
            return;
        }
        self.visit_path(path);
        if let Meta::List(list) = &attribute.meta {
            for (path, line) in paths_in(list.tokens.clone()) {
                self.add(path, line, false);
            }
        }
    }

    /// `pub(in path)` names a module around the item; it imports nothing.
    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_expr(&mut self, expression: &'ast Expr) {
        if !for_tests(of_expression(expression)) {
            visit::visit_expr(self, expression);
        }
    }

    fn visit_local(&mut self, local: &'ast Local) {
        if !for_tests(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_stmt_macro(&mut self, statement: &'ast StmtMacro) {
        if !for_tests(&statement.attrs) {
            visit::visit_stmt_macro(self, statement);
        }
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if !for_tests(&arm.attrs) {
            visit::visit_arm(self, arm);
        }
    }

    fn visit_field(&mut self, field: &'ast Field) {
        if !for_tests(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_field_value(&mut self, field: &'ast FieldValue) {
        if !for_tests(&field.attrs) {
            visit::visit_field_value(self, field);
        }
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        if !for_tests(&variant.attrs) {
            visit::visit_variant(self, variant);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !for_tests(of_impl_item(item)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if !for_tests(of_trait_item(item)) {
            visit::visit_trait_item(self, item);
        }
    }
}
