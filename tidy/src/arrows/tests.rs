//! Small crates against small pictures.

use super::*;

const CRATE: &str = "server/src";

fn found_in(tree: &Tree) -> Vec<String> {
    check(&Crate::read(tree, CRATE), tree).iter().map(ToString::to_string).collect()
}

/// The pictures of the other folders, which every case needs.
const INSIDE: &str =
    "```arrows lobby\n```\n```arrows session\noutbox (to come)\n```\n```arrows storage\n```\n";

/// The findings in a server whose top modules are drawn as `top` and whose `games` are drawn as `games`.
fn findings(top: &str, games: &str, files: &[(&str, &str)]) -> Vec<String> {
    let page = format!("```arrows\n{top}\n```\n```arrows games\n{games}\n```\n{INSIDE}");
    let mut all = vec![(PAGE.to_owned(), page)];
    all.extend(files.iter().map(|(path, text)| (format!("{CRATE}/{path}"), (*text).to_owned())));
    found_in(&Tree::from_iter(all))
}

/// A server whose `games/actor.rs` is `code`. `games` may import `net`, and neither `session` nor `server`.
fn in_actor(code: &str) -> Vec<String> {
    let actor = format!("//! .\nuse crate::net::Address;\n{code}");
    let found = findings(
        "server -> *\nsession -> net\ngames -> net\nnet",
        "actor\nfeed",
        &[
            ("lib.rs", "mod games;\nmod net;\nmod server;\nmod session;\npub use self::server::Ready;\n"),
            ("server.rs", "use crate::{games::Actor, session::Outbox, net};\npub struct Ready;\n"),
            (
                "session/mod.rs",
                "use crate::net;\nmod outbox;\npub use self::outbox::Outbox;\npub fn open() {}\n",
            ),
            ("session/outbox.rs", "pub struct Outbox;\n"),
            ("net.rs", "pub struct Address;\npub fn look() {}\n"),
            ("games/mod.rs", "mod actor;\nmod feed;\nuse crate::net as n;\npub use self::actor::Actor;\n"),
            ("games/feed.rs", "pub struct Feed;\n"),
            ("games/actor.rs", &actor),
        ],
    );
    found.iter().map(|finding| finding.replace("arrows: server/src/", "")).collect()
}

fn forbidden(line: usize, spelled: &str) -> String {
    format!("games/actor.rs:{line}: games -> session by `{spelled}`: not in the picture of the top modules")
}

#[test]
fn a_crate_like_its_picture_is_in_order() {
    assert_eq!(in_actor("pub struct Actor;"), Vec::<String>::new());
}

#[test]
fn a_forbidden_import_is_found_in_every_spelling_of_a_path() {
    assert_eq!(in_actor("use crate::session::Outbox;"), [forbidden(3, "crate::session::Outbox")]);
    assert_eq!(
        in_actor("use super::super::session::Outbox;"),
        [forbidden(3, "super::super::session::Outbox")]
    );
    let through_self = "use self::super::super::session::outbox::Outbox;";
    assert_eq!(in_actor(through_self), [forbidden(3, "self::super::super::session::outbox::Outbox")]);
    assert_eq!(in_actor("use crate::session;"), [forbidden(3, "crate::session")]);
    assert_eq!(in_actor("use crate::session::*;"), [forbidden(3, "crate::session")]);
}

#[test]
fn nested_braces_are_found_at_their_lines() {
    let code =
        "use crate::{\n    net::{Address as A, look},\n    session::{\n        self, Outbox,\n    },\n};";
    assert_eq!(in_actor(code), [forbidden(6, "crate::session")]);
}

#[test]
fn an_alias_hides_nothing() {
    let code = "use crate::session as s;\nfn f() { s::open() }";
    assert_eq!(in_actor(code), [forbidden(3, "crate::session")]);
    let code = "use crate as root;\nfn f() { root::session::open() }";
    assert_eq!(
        in_actor(code),
        [
            "games/actor.rs:3: games -> lib by `crate`: nobody imports the composition root".to_owned(),
            forbidden(4, "root::session::open"),
        ]
    );
    let code = "fn f() {\n    use super::super as up;\n    up::session::open()\n}";
    assert_eq!(in_actor(code)[1], forbidden(5, "super::super::session::open"));
}

#[test]
fn a_path_in_the_middle_of_code_is_found() {
    assert_eq!(in_actor("fn f() { crate::session::open() }"), [forbidden(3, "crate::session::open")]);
    assert_eq!(in_actor("struct A(Vec<crate::session::Outbox>);"), [forbidden(3, "crate::session::Outbox")]);
    assert_eq!(in_actor("impl crate::session::Open for A {}"), [forbidden(3, "crate::session::Open")]);
    assert_eq!(
        in_actor("#[serde(with = \"crate::session::text\")]\nstruct A;"),
        [forbidden(3, "crate::session::text")]
    );
    assert_eq!(in_actor("#[crate::session::log]\nfn f() {}"), [forbidden(3, "crate::session::log")]);
}

#[test]
fn a_path_in_the_body_of_a_macro_is_found() {
    let code = "fn f() {\n    select! {\n        _ = wait(crate::session::open()) => {}\n    }\n}";
    assert_eq!(in_actor(code), [forbidden(5, "crate::session::open")]);
    assert_eq!(
        in_actor("macro_rules! m { () => { $crate::session::open() } }"),
        [forbidden(3, "crate::session::open")]
    );
    assert_eq!(
        in_actor("m! { use super::super::{session::Outbox, net}; }"),
        [forbidden(3, "super::super::session::Outbox")]
    );
    assert_eq!(in_actor("use crate::net as s;\nm!(s::look());"), Vec::<String>::new());
}

#[test]
fn a_reexport_counts_and_does_not_hide_what_is_behind_it() {
    let found = findings(
        "a -> b\nb -> c\nc",
        "",
        &[
            ("lib.rs", "mod a;\nmod b;\nmod c;\nmod games {}\n"),
            ("a.rs", "use crate::b::Deep;\nuse super::b;\nfn f(_: b::Deep, _: b::Own) {}\n"),
            ("b.rs", "pub use crate::c::*;\npub struct Own;\n"),
            ("c.rs", "pub struct Deep;\n"),
        ],
    );
    let top = "not in the picture of the top modules";
    assert_eq!(
        found,
        [
            format!("arrows: server/src/a.rs:1: a -> c by `crate::b::Deep`: {top}"),
            format!("arrows: server/src/a.rs:3: a -> c by `b::Deep`: {top}"),
            "arrows: ARCHITECTURE.md:1: `games` is built but not in the picture".to_owned(),
        ]
    );
}

#[test]
fn nobody_imports_the_composition_root() {
    let root = "nobody imports the composition root";
    assert_eq!(
        in_actor("use crate::server::Ready;"),
        [format!("games/actor.rs:3: games -> server by `crate::server::Ready`: {root}")]
    );
    assert_eq!(
        in_actor("use crate::Ready;"),
        [
            format!("games/actor.rs:3: games -> lib by `crate::Ready`: {root}"),
            format!("games/actor.rs:3: games -> server by `crate::Ready`: {root}"),
        ]
    );
}

#[test]
fn the_inside_of_a_folder_has_a_picture_too() {
    let by = |spelled: &str| {
        format!("games/actor.rs:3: actor -> feed by `{spelled}`: not in the picture of games")
    };
    assert_eq!(in_actor("use super::feed::Feed;"), [by("super::feed::Feed")]);
    assert_eq!(in_actor("use crate::games::feed;"), [by("crate::games::feed")]);
    assert_eq!(in_actor("use super::n;"), Vec::<String>::new());
    let folder = "games/actor.rs:3: actor -> games by `super::Registry`: not in the picture of games";
    assert_eq!(in_actor("use super::Registry;"), [folder]);
    assert_eq!(in_actor("pub struct Actor;\nfn f(_: super::Actor) {}"), Vec::<String>::new());
}

#[test]
fn code_for_tests_draws_nothing() {
    assert_eq!(in_actor("#[cfg(test)]\nuse crate::session::Outbox;"), Vec::<String>::new());
    assert_eq!(in_actor("#[cfg(all(test, unix))]\nmod t { use crate::session; }"), Vec::<String>::new());
    assert_eq!(in_actor("mod tests { use crate::session; }"), Vec::<String>::new());
    assert_eq!(in_actor("mod simulation { use crate::session; }"), Vec::<String>::new());
    assert_eq!(in_actor("fn f() {\n    #[cfg(test)]\n    crate::session::open();\n}"), Vec::<String>::new());
    assert_eq!(
        in_actor("struct A {\n    #[cfg(test)]\n    a: crate::session::Outbox,\n}"),
        Vec::<String>::new()
    );
    assert_eq!(in_actor("#[cfg(not(test))]\nuse crate::session;"), [forbidden(4, "crate::session")]);
    assert_eq!(in_actor("/// [`crate::session`]\npub(in crate::games) struct A;"), Vec::<String>::new());
}

#[test]
fn a_picture_that_is_ahead_or_behind_is_found() {
    let found = findings(
        "a -> b\nb\nb -> c (to come)\nc (to come)\nd",
        "",
        &[("lib.rs", "mod a;\nmod b;\nmod e;\nmod games {}\n"), ("a.rs", ""), ("b.rs", ""), ("e.rs", "")],
    );
    assert_eq!(
        found,
        [
            "arrows: ARCHITECTURE.md:2: a -> b is drawn, and nothing imports along it",
            "arrows: ARCHITECTURE.md:6: `d` is drawn but not built",
            "arrows: ARCHITECTURE.md:1: `e` is built but not in the picture",
            "arrows: ARCHITECTURE.md:1: `games` is built but not in the picture",
        ]
    );
}

#[test]
fn a_picture_that_is_missing_and_a_file_that_cannot_be_read_are_found() {
    let tree = Tree::from([
        ("ARCHITECTURE.md", ""),
        ("server/src/lib.rs", "mod a;\nmod b;"),
        ("server/src/b.rs", "fn"),
    ]);
    let found = found_in(&tree);
    assert_eq!(found[0], "arrows: server/src/a/mod.rs: not there");
    assert!(found[1].starts_with("arrows: server/src/b.rs: line 1: "), "{}", found[1]);
    assert_eq!(found[2], "arrows: ARCHITECTURE.md: no picture is fenced with ```arrows");
    assert_eq!(found[3], "arrows: ARCHITECTURE.md: no picture is fenced with ```arrows games");
}
