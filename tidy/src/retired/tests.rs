//! The list of retired words against small trees.

use super::*;

fn found(list: &str, path: &str, text: &str) -> Vec<String> {
    check(&Tree::from([(LIST, list), (path, text)])).iter().map(ToString::to_string).collect()
}

#[test]
fn a_word_is_found_whole_and_in_its_spelling() {
    let list = "[retired]\nHouse | Shared\nsaid* | chat\n";
    assert_eq!(
        found(list, "a.rs", "House\nHouses house aHouse\nsaidBy\n"),
        [
            "retired: a.rs:1: `House` is retired; instead: Shared",
            "retired: a.rs:3: `said*` is retired; instead: chat",
        ]
    );
}

#[test]
fn phrases_and_pieces_of_code_are_words_too() {
    let list = "[retired]\nstruct Of | AccountChallenges\n/// See the module. | a sentence about the type\n";
    let text = "struct Of {\nstruct Offer;\n    /// See the module.\n";
    assert_eq!(found(list, "a.rs", text).len(), 2);
}

#[test]
fn a_path_is_found_as_a_file_as_a_folder_and_in_a_text() {
    let list = "[retired]\nserver/src/lobby/board.rs | view.rs\nsiege | dos\n";
    assert_eq!(
        found(list, "server/src/lobby/board.rs", ""),
        ["retired: server/src/lobby/board.rs: `server/src/lobby/board.rs` is retired; instead: view.rs"]
    );
    assert_eq!(found(list, "README.md", "in `server/src/lobby/board.rs`").len(), 1);
    assert_eq!(found(list, "loadtest/src/siege/mod.rs", "").len(), 1);
    assert_eq!(found(list, "loadtest/src/siege.rs", "").len(), 1);
    assert_eq!(found(list, "loadtest/src/besieged.rs", ""), Vec::<String>::new());
}

#[test]
fn an_entry_may_be_about_some_paths_only() {
    let list = "[retired]\nturn | transient | rules/**\n";
    assert_eq!(found(list, "rules/src/a.rs", "turn").len(), 1);
    assert_eq!(found(list, "server/src/a.rs", "turn"), Vec::<String>::new());
}

#[test]
fn an_exempt_text_covers_the_words_within_it_and_no_others() {
    let list = "[retired]\nsaid | chat\n[exempt]\n\"said\" | a wire name\n* | golden | data/**\n";
    assert_eq!(found(list, "a.rs", "\"said\": as was said\n").len(), 1);
    assert_eq!(found(list, "data/said.txt", "said"), Vec::<String>::new());
}

#[test]
fn the_list_and_the_history_may_say_every_word() {
    assert_eq!(found("[retired]\nHouse | Shared\n", "CHANGELOG.md", "House"), Vec::<String>::new());
}

#[test]
fn a_line_that_is_no_entry_is_named() {
    let expected = "retired: scripts/retired:2: an entry is `text | note` or `text | note | path`";
    assert_eq!(found("[retired]\nHouse\n", "a.rs", ""), [expected]);
}

#[test]
fn words_are_counted_the_most_frequent_first() {
    let tree = Tree::from([(LIST, "[retired]\na | x\nb | x\nc | x\n"), ("t", "a b\nb")]);
    assert_eq!(counts(&tree), [("b".to_owned(), 2), ("a".to_owned(), 1)]);
    assert_eq!(findings_of(&tree, "b").len(), 2);
}
