//! Which syntax is for tests only: what stands under `#[cfg(test)]`, and test functions.

use syn::{Attribute, Expr, ImplItem, Item, Meta, Token, TraitItem, parse::Parser, punctuated::Punctuated};

pub(super) fn for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        let is_test = path.segments.last().is_some_and(|segment| segment.ident == "test");
        is_test
            || (path.is_ident("cfg") && attribute.parse_args().is_ok_and(|predicate| needs_test(&predicate)))
    })
}

/// Whether a `cfg` predicate holds in builds of tests and of fuzz targets only.
fn needs_test(predicate: &Meta) -> bool {
    match predicate {
        Meta::Path(path) => path.is_ident("test") || path.is_ident("fuzzing"),
        Meta::List(list) => {
            let parts = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone());
            let Ok(parts) = parts else { return false };
            if list.path.is_ident("all") {
                parts.iter().any(needs_test)
            } else {
                list.path.is_ident("any") && parts.iter().all(needs_test)
            }
        }
        Meta::NameValue(_) => false,
    }
}

/// The attributes of one of the listed variants of a syntax enum; other variants have none that matter here.
macro_rules! attributes_of {
    ($node:expr, $kind:ident: $($variant:ident)*) => {
        match $node {
            $($kind::$variant(node) => &node.attrs,)*
            _ => &[],
        }
    };
}

pub(super) fn of_item(item: &Item) -> &[Attribute] {
    attributes_of!(item, Item: Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type
        Union Use)
}

pub(super) fn of_impl_item(item: &ImplItem) -> &[Attribute] {
    attributes_of!(item, ImplItem: Const Fn Type Macro)
}

pub(super) fn of_trait_item(item: &TraitItem) -> &[Attribute] {
    attributes_of!(item, TraitItem: Const Fn Type Macro)
}

pub(super) fn of_expression(expression: &Expr) -> &[Attribute] {
    attributes_of!(expression, Expr: Array Assign Async Await Binary Block Break Call Cast Closure Continue Field
        ForLoop If Index Let Lit Loop Macro Match MethodCall Paren Path Reference Return Struct Try Tuple Unary Unsafe
        While)
}
