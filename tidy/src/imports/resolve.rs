//! Which modules a path leads through: the one that defines what it names, and those that re-export it on the way.

use std::collections::BTreeSet;

use super::{
    modules::{Binding, Crate, Module, ModulePath},
    references::Reference,
};

/// A longer chain of re-exports is a ring.
const LONGEST_CHAIN: usize = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reached {
    /// The module defines what the path names, or is what it names.
    Defined,
    /// The module imports it from elsewhere.
    Reexported,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Hit {
    pub(crate) module: ModulePath,
    pub(crate) reached: Reached,
}

type Hits = BTreeSet<Hit>;

impl Crate {
    /// The modules that a reference in `from` leads to. What the import of its first name reports is not repeated.
    pub(crate) fn resolve(&self, from: &ModulePath, reference: &Reference) -> Hits {
        let mut hits = self.path(from, &reference.path, 0);
        if reference.is_use {
            return hits;
        }
        let imports = self.modules.get(from).and_then(|module| module.names.get(&reference.path[0]));
        let imports = imports.into_iter().flatten().filter_map(|binding| match binding {
            Binding::Use(path) => Some(path),
            Binding::Item => None,
        });
        for import in imports.chain(&reference.alias) {
            for hit in self.path(from, import, 0) {
                hits.remove(&hit);
            }
        }
        hits
    }

    fn path(&self, from: &ModulePath, path: &[String], depth: usize) -> Hits {
        let mut at = from.clone();
        let mut rest = path;
        let mut anchored = false;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                _ => break,
            }
            anchored = true;
            rest = others;
        }
        self.walk(&at, rest, anchored, depth)
    }

    /// `anchored`: the path is known to lie in the module, so a name that is not found comes from a macro. Otherwise
    /// it is a name of another crate.
    fn walk(&self, at: &ModulePath, rest: &[String], anchored: bool, depth: usize) -> Hits {
        let defined = || Hits::from([Hit { module: at.clone(), reached: Reached::Defined }]);
        let Some((name, others)) = rest.split_first() else { return defined() };
        let Some(module) = self.modules.get(at) else { return defined() };
        if depth > LONGEST_CHAIN {
            return Hits::new();
        }
        let child = [at.as_slice(), std::slice::from_ref(name)].concat();
        let mut hits = Hits::new();
        if self.modules.contains_key(&child) {
            hits.extend(self.walk(&child, others, true, depth + 1));
        }
        for binding in module.names.get(name).into_iter().flatten() {
            match binding {
                Binding::Item => hits.extend(defined()),
                Binding::Use(path) => {
                    let path = [path.as_slice(), others].concat();
                    hits.extend(self.reexported(at, &path, anchored, depth));
                }
            }
        }
        if hits.is_empty() {
            hits.extend(self.through_globs(at, module, rest, anchored, depth));
        }
        if hits.is_empty() && anchored { defined() } else { hits }
    }

    fn through_globs(
        &self,
        at: &ModulePath,
        module: &Module,
        rest: &[String],
        anchored: bool,
        depth: usize,
    ) -> Hits {
        let globs = module.globs.iter().filter(|glob| self.binds(at, glob, &rest[0], depth + 1));
        globs
            .flat_map(|glob| self.reexported(at, &[glob.as_slice(), rest].concat(), anchored, depth))
            .collect()
    }

    /// What `path` leads to, and the module itself if it was reached from outside.
    fn reexported(&self, at: &ModulePath, path: &[String], anchored: bool, depth: usize) -> Hits {
        let mut hits = self.path(at, path, depth + 1);
        if anchored {
            hits.insert(Hit { module: at.clone(), reached: Reached::Reexported });
        }
        hits
    }

    /// Whether the module that `glob` names binds `name`, itself or through its own globs.
    fn binds(&self, at: &ModulePath, glob: &[String], name: &str, depth: usize) -> bool {
        let targets = self.path(at, glob, depth);
        depth <= LONGEST_CHAIN
            && targets.iter().filter(|hit| hit.reached == Reached::Defined).any(|hit| {
                let child = [hit.module.as_slice(), &[name.to_owned()]].concat();
                self.modules.get(&hit.module).is_some_and(|module| {
                    module.names.contains_key(name)
                        || self.modules.contains_key(&child)
                        || module.globs.iter().any(|glob| self.binds(&hit.module, glob, name, depth + 1))
                })
            })
    }
}
