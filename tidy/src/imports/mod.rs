//! What the modules of a crate import from each other, found in the syntax alone.
//!
//! [`Crate`] is the module tree with the names that each module binds, `references` are the paths that its code
//! spells, and [`Crate::resolve`] finds the modules that such a path leads through.
//!
//! Deliberately absent: types, trait methods and field access. Code that only uses a value somebody hands in imports
//! nothing.
//!
//! Invariants: code for tests is no part of the crate. A path that leads out of the crate resolves to nothing.

mod attributes;
mod modules;
mod references;
mod resolve;
mod tokens;

pub(crate) use self::{
    modules::{Crate, ModulePath},
    references::references,
    resolve::{Hit, Reached},
};
