//! What a bound is needed for: constants `…_MAX`, and the maps, queues and channels that outlive a call.

use syn::{
    Expr, ExprCall, Fields, Ident, ImplItemConst, ImplItemFn, ItemConst, ItemEnum, ItemFn, ItemMod,
    ItemStatic, ItemStruct, ItemType, ItemUnion, Type,
    visit::{self, Visit},
};

use crate::imports::Crate;

const CONTAINERS: [&str; 8] =
    ["DashMap", "DashSet", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "VecDeque", "BinaryHeap"];
/// A `Vec` in one of these is a queue or a list that several tasks use.
const SHARED: [&str; 3] = ["Mutex", "RwLock", "DashMap"];
/// Modules with functions that make a channel of a capacity.
const CHANNELS: [&str; 3] = ["mpsc", "broadcast", "watch"];

/// Something that needs an entry.
#[derive(Debug)]
pub(super) struct Found {
    /// Below `server/src`.
    pub(super) file: String,
    pub(super) line: usize,
    /// `X_MAX`, `Struct.field`, `STATIC`, or `fn name` for a channel made there.
    pub(super) what: String,
}

impl Found {
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.file, self.what)
    }
}

pub(super) fn scan(read: &Crate, list: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for module in read.modules.values().filter(|module| !module.file.starts_with(list)) {
        let file = module.file.strip_prefix("server/src/").unwrap_or(&module.file);
        let mut scan = Scan { file, function: None, found: Vec::new() };
        module.items.iter().for_each(|item| scan.visit_item(item));
        found.extend(scan.found);
    }
    found
}

struct Scan<'a> {
    file: &'a str,
    /// The function around.
    function: Option<String>,
    found: Vec<Found>,
}

impl Scan<'_> {
    fn add(&mut self, place: &Ident, what: String) {
        self.found.push(Found { file: self.file.to_owned(), line: place.span().start().line, what });
    }

    fn constant(&mut self, name: &Ident) {
        if name.to_string().ends_with("_MAX") {
            self.add(name, name.to_string());
        }
    }

    fn fields(&mut self, owner: &Ident, fields: &Fields) {
        for (index, field) in fields.iter().enumerate() {
            if is_container(&field.ty) {
                let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
                self.add(field.ident.as_ref().unwrap_or(owner), format!("{owner}.{name}"));
            }
        }
    }
}

impl<'ast> Visit<'ast> for Scan<'_> {
    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        self.constant(&item.ident);
    }

    fn visit_impl_item_const(&mut self, item: &'ast ImplItemConst) {
        self.constant(&item.ident);
    }

    fn visit_item_static(&mut self, item: &'ast ItemStatic) {
        if is_container(&item.ty) {
            self.add(&item.ident, item.ident.to_string());
        }
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        if is_container(&item.ty) {
            self.add(&item.ident, item.ident.to_string());
        }
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.fields(&item.ident, &item.fields);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        for variant in &item.variants {
            self.fields(&variant.ident, &variant.fields);
        }
    }

    fn visit_item_union(&mut self, _: &'ast ItemUnion) {}

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.function = Some(item.sig.ident.to_string());
        visit::visit_item_fn(self, item);
        self.function = None;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.function = Some(item.sig.ident.to_string());
        visit::visit_impl_item_fn(self, item);
        self.function = None;
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(path) = &*call.func {
            let names: Vec<_> = path.path.segments.iter().map(|name| name.ident.to_string()).collect();
            let makes = match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                [.., "sync_channel"] => true,
                [.., module, "channel" | "unbounded_channel"] => CHANNELS.contains(&module),
                _ => false,
            };
            if let (true, Some(last), Some(function)) =
                (makes, path.path.segments.last(), self.function.clone())
            {
                self.add(&last.ident, format!("fn {function}"));
            }
        }
        visit::visit_expr_call(self, call);
    }

    /// A module inside the file reports for itself.
    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}
}

/// Whether a type is a container, or has one in it.
fn is_container(ty: &Type) -> bool {
    let mut names = Names::default();
    names.visit_type(ty);
    names.0.iter().any(|name| CONTAINERS.contains(&name.as_str()))
        || names.0.iter().any(|name| name == "Vec")
            && names.0.iter().any(|name| SHARED.contains(&name.as_str()))
}

/// The names in a type. What is behind a `&` belongs to somebody else.
#[derive(Default)]
struct Names(Vec<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_ident(&mut self, name: &'ast Ident) {
        self.0.push(name.to_string());
    }

    fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {}
}
