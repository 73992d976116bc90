//! Tests of the check of bounds: a small tree in order, and each violation in it.

use super::*;

const LIST_FILE: &str = r#"//! The list.
pub const ALL: &[Bound] = &[
    Bound {
        what: "letters",
        value: "LETTERS_MAX",
        per: Per::Game,
        at: "post.rs",
        met: "the oldest goes",
        holds: &["Post.letters", "fn carry"],
        test: "the_oldest_letter_goes",
    },
];
"#;

const POST: &str = r#"//! Post.
const LETTERS_MAX: usize = 4 * 8;
struct Post { letters: VecDeque<u8>, names: Vec<u8>, by: &'static HashMap<u8, u8> }
fn carry() { let (a, b) = std::sync::mpsc::sync_channel(LETTERS_MAX); let (c, d) = oneshot::channel(); }
#[cfg(test)]
mod tests {
    const MORE_MAX: u8 = 1;
    #[test]
    fn the_oldest_letter_goes() {}
}
"#;

const TABLE: &str = "# Map
<!-- bounds: made by `scripts/tidy --bounds` -->
| what | at most | for each | where | then |
|---|---|---|---|---|
| letters | `4 * 8` | game | `post.rs` | the oldest goes |
<!-- end of bounds -->
";

/// What is found in a tree in which each file may be replaced.
fn found(list: &str, post: &str, document: &str) -> Vec<String> {
    let tree = Tree::from([
        ("ARCHITECTURE.md", document),
        ("server/src/lib.rs", "mod bounds;\nmod post;"),
        ("server/src/bounds/mod.rs", list),
        ("server/src/post.rs", post),
    ]);
    check(&Crate::read(&tree, "server/src"), &tree).iter().map(ToString::to_string).collect()
}

fn with(post: &str) -> Vec<String> {
    found(LIST_FILE, &format!("{POST}{post}"), TABLE)
}

#[test]
fn a_tree_in_order_has_no_findings() {
    assert_eq!(found(LIST_FILE, POST, TABLE), Vec::<String>::new());
}

#[test]
fn a_constant_that_is_not_listed_is_found() {
    let findings = with("const STAMPS_MAX: u8 = 3;\n");
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].starts_with("bounds: server/src/post.rs:11: `STAMPS_MAX` is in no entry"));
}

#[test]
fn a_map_or_a_queue_that_is_not_listed_is_found_in_fields_statics_and_aliases() {
    for (item, name) in [
        ("struct Box1 { all: Mutex<HashMap<u8, u8>> }", "Box1.all"),
        ("struct Box2(DashMap<u8, u8>);", "Box2.0"),
        ("enum Kind { Full { of: BTreeMap<u8, u8> } }", "Full.of"),
        ("struct Box3 { list: Mutex<Vec<u8>> }", "Box3.list"),
        ("static ALL: LazyLock<DashSet<u8>> = x();", "ALL"),
        ("type Letters = VecDeque<u8>;", "Letters"),
    ] {
        let findings = with(item);
        assert_eq!(findings.len(), 1, "{item}: {findings:?}");
        assert!(findings[0].contains(&format!("`{name}` is in no entry")), "{findings:?}");
    }
}

#[test]
fn a_channel_that_is_not_listed_is_found() {
    for call in ["mpsc::sync_channel(3)", "tokio::sync::mpsc::channel(3)", "broadcast::channel(3)"] {
        let findings = with(&format!("impl Post {{ fn send() {{ let x = {call}; }} }}\n"));
        assert_eq!(findings.len(), 1, "{call}: {findings:?}");
        assert!(findings[0].contains("`fn send` is in no entry"), "{findings:?}");
    }
}

#[test]
fn an_entry_whose_test_or_container_or_constant_is_gone_is_found() {
    for (from, to) in [
        ("the_oldest_letter_goes\"", "the_youngest_letter_goes\""),
        ("\"Post.letters\", ", "\"Post.letters\", \"Post.stamps\", "),
        ("\"LETTERS_MAX\"", "\"LETTERS_MAX_OF_ALL\""),
        ("\"the oldest goes\"", "\"\""),
    ] {
        let findings = found(&LIST_FILE.replace(from, to), POST, TABLE);
        assert!(
            findings.iter().any(|one| one.starts_with("bounds: server/src/bounds/mod.rs:3:")),
            "{findings:?}"
        );
    }
}

#[test]
fn a_stale_table_is_found_and_made_anew() {
    let stale = TABLE.replace("4 * 8", "4 * 7");
    assert_eq!(found(LIST_FILE, POST, &stale).len(), 1);
    let tree = Tree::from([
        ("ARCHITECTURE.md", stale.as_str()),
        ("server/src/lib.rs", "mod bounds;\nmod post;"),
        ("server/src/bounds/mod.rs", LIST_FILE),
        ("server/src/post.rs", POST),
    ]);
    let made = rewritten(&Crate::read(&tree, "server/src"), &tree);
    assert_eq!(made, Some((DOCUMENT, TABLE.to_owned())));
}
