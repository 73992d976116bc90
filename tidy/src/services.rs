//! No part of the server holds all the others. A struct with many shared fields is a context in disguise: its users reach
//! whatever they like, and the arrows of the picture say nothing any more.

use syn::{
    Field, Ident, ItemMod, ItemStruct,
    visit::{self, Visit},
};

use crate::{
    finding::{Check::Services, Finding},
    imports::Crate,
};

/// Fields that are behind an `Arc`. The composition root may hold more.
const MOST_SERVICES: usize = 7;

const ROOT: &str = "server/src/server.rs";

pub(crate) fn check(read: &Crate) -> Vec<Finding> {
    let mut findings = Vec::new();
    for module in read.modules.values().filter(|module| module.file != ROOT) {
        let mut structs = Structs::default();
        module.items.iter().for_each(|item| structs.visit_item(item));
        let crowded = structs.0.into_iter().filter(|(_, _, services)| *services > MOST_SERVICES);
        findings.extend(crowded.map(|(name, line, services)| {
            let text = format!("`{name}` holds {services} services; {MOST_SERVICES} is the most");
            Finding::at(Services, &module.file, line, text)
        }));
    }
    findings
}

/// Each struct with its line and the number of its fields whose type contains an `Arc`.
#[derive(Default)]
struct Structs(Vec<(String, usize, usize)>);

impl<'ast> Visit<'ast> for Structs {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        let services = item.fields.iter().filter(|field| is_shared(field)).count();
        self.0.push((item.ident.to_string(), item.ident.span().start().line, services));
    }

    /// A module inside the file reports for itself.
    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}
}

fn is_shared(field: &Field) -> bool {
    let mut names = Names(false);
    names.visit_type(&field.ty);
    names.0
}

/// Whether `Arc` is among the names of a type.
struct Names(bool);

impl<'ast> Visit<'ast> for Names {
    fn visit_ident(&mut self, name: &'ast Ident) {
        self.0 |= name == "Arc";
        visit::visit_ident(self, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    fn with(services: usize) -> String {
        let fields: String = (0..services).map(|n| format!("    f{n}: Option<Arc<S{n}>>,\n")).collect();
        format!("//! A.\nstruct Context {{\n    name: String,\n{fields}}}\n")
    }

    #[test]
    fn a_struct_with_too_many_services_is_found_but_not_the_root() {
        let (seven, eight) = (with(MOST_SERVICES), with(MOST_SERVICES + 1));
        let tree = Tree::from([
            ("server/src/lib.rs", "mod games;\nmod lobby;\nmod server;"),
            ("server/src/games.rs", &seven),
            ("server/src/lobby.rs", &eight),
            ("server/src/server.rs", &eight),
        ]);
        let findings: Vec<_> =
            check(&Crate::read(&tree, "server/src")).iter().map(ToString::to_string).collect();
        assert_eq!(findings, ["services: server/src/lobby.rs:2: `Context` holds 8 services; 7 is the most"]);
    }
}
