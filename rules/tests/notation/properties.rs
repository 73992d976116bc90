//! What holds for every text and every position.

use std::collections::HashMap;

use proptest::prelude::*;
use zeitnot_rules::board::Position;
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::{fen, pgn, san, uci};

use crate::playout::playouts;

proptest! {
    #[test]
    fn what_fen_writes_it_reads(playout in playouts()) {
        for position in playout.positions() {
            let read = fen::parse(&fen::write(&position));
            prop_assert_eq!(read, Ok(position));
        }
    }

    #[test]
    fn what_uci_writes_it_reads(playout in playouts()) {
        for position in playout.positions() {
            for mv in position.legal_moves() {
                for variant in [Variant::Standard, Variant::Chess960] {
                    let text = uci::write(mv, &position, variant);
                    prop_assert_eq!(uci::parse(text.as_str(), &position, variant), Ok(mv), "{}", text);
                }
            }
        }
    }

    #[test]
    fn uci_texts_of_a_position_are_distinct(playout in playouts()) {
        for position in playout.positions() {
            for variant in [Variant::Standard, Variant::Chess960] {
                let mut seen = HashMap::new();
                for mv in position.legal_moves() {
                    let other = seen.insert(uci::write(mv, &position, variant), mv);
                    prop_assert_eq!(other, None, "{:?} is written alike in {}", mv, fen::write(&position));
                }
            }
        }
    }

    #[test]
    fn what_san_writes_it_reads_and_no_two_moves_are_written_alike(playout in playouts()) {
        for position in playout.positions() {
            let mut seen = HashMap::new();
            for mv in position.legal_moves() {
                let text = san::write(mv, &position);
                prop_assert_eq!(san::parse(text.as_str(), &position), Ok(mv), "{}", text);
                prop_assert_eq!(seen.insert(text, mv), None, "{} in {}", text, fen::write(&position));
            }
        }
    }

    #[test]
    fn san_says_no_more_than_is_needed(playout in playouts()) {
        for position in playout.positions() {
            for mv in position.legal_moves() {
                let text = san::write(mv, &position);
                for shorter in with_less_disambiguation(text.as_str()) {
                    let read = san::parse(&shorter, &position);
                    prop_assert_eq!(read, Err(san::SanError::Ambiguous), "{} for {}", shorter, text);
                }
            }
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in any::<String>()) {
        let position = Position::standard();
        fen::parse(&text).ok();
        uci::parse(&text, &position, Variant::Standard).ok();
        san::parse(&text, &position).ok();
        for game in pgn::games(&text) {
            game.ok();
        }
    }

    #[test]
    fn no_text_that_looks_right_makes_a_reader_panic(
        text in "[KQRBNPa-h1-8xO0=+#!?. -]{0,12}",
        board in "[kqrbnpKQRBNP1-9/]{0,80} [wb] [KQkqA-Ha-h-]{1,4} [a-h-][1-8]? [0-9]{1,6} [0-9]{1,6}",
    ) {
        for position in [Position::standard(), Position::chess960(0)] {
            uci::parse(&text, &position, Variant::Standard).ok();
            san::parse(&text, &position).ok();
        }
        fen::parse(&board).ok();
    }

    #[test]
    fn no_change_of_a_fen_makes_the_reader_panic(
        playout in playouts(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0..4_u8), 1..4),
    ) {
        for position in playout.positions().iter().rev().take(3) {
            let mut letters: Vec<char> = fen::write(position).chars().collect();
            for (index, letter, kind) in &changes {
                let at = index.index(letters.len());
                match kind {
                    0 => letters[at] = *letter,
                    1 => letters.insert(at, *letter),
                    2 => letters[at] = letters[(at + 7) % letters.len()],
                    _ if letters.len() > 1 => drop(letters.remove(at)),
                    _ => {}
                }
            }
            let changed: String = letters.into_iter().collect();
            // What is still a position is written as one.
            if let Ok(read) = fen::parse(&changed) {
                prop_assert_eq!(fen::parse(&fen::write(&read)), Ok(read));
            }
        }
    }

    #[test]
    fn no_pgn_makes_the_reader_panic_and_every_game_ends(
        pieces in prop::collection::vec(prop_oneof![
            Just("[Event \"a\"]\n"), Just("[FEN \"x\"]"), Just("["), Just("]"), Just("\""), Just("{"), Just("}"),
            Just("("), Just(")"), Just(";"), Just("%"), Just("\n"), Just("\r\n"), Just("\r"), Just(" "), Just("$1"),
            Just("1. e4 "), Just("e5 "), Just("O-O "), Just("1-0 "), Just("* "), Just("\u{feff}"), Just("é"),
        ], 0..60),
    ) {
        let text = pieces.concat();
        prop_assert!(pgn::games(&text).count() <= text.len());
    }
}

/// Shorter texts for a piece's move: without its disambiguation, and with only one half of it.
fn with_less_disambiguation(text: &str) -> Vec<String> {
    let bare = text.trim_end_matches(['+', '#']);
    if !bare.starts_with(['N', 'B', 'R', 'Q', 'K']) {
        return Vec::new();
    }
    let (piece, rest) = bare.split_at(1);
    let (from, to) = rest.split_at(rest.len() - 2);
    let mark = if from.ends_with('x') { "x" } else { "" };
    let from = from.trim_end_matches('x');
    let mut halves: Vec<&str> = match from.len() {
        0 => return Vec::new(),
        1 => vec![],
        _ => vec![&from[..1], &from[1..]],
    };
    halves.push("");
    halves.into_iter().map(|half| format!("{piece}{half}{mark}{to}")).collect()
}
