//! UCI, by the sentences of docs/laws.md.

use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::game::Variant::{self, Chess960, Standard};
use zeitnot_rules::notation::uci::UciError::{Illegal, Malformed};
use zeitnot_rules::notation::uci::{self, UciError};
use zeitnot_rules::notation::{fen, san};

const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
const CASTLING_BLACK: &str = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";

fn position(text: &str) -> Position {
    fen::parse(text).expect("a position")
}

/// Reads `text` and gives the move as squares, castling as the board has it.
#[track_caller]
fn check(start: &str, variant: Variant, text: &str, expected: Result<&str, UciError>) {
    let board_form = |mv: Move| format!("{}{}", mv.from, mv.to);
    let read = uci::parse(text, &position(start), variant).map(board_form);
    assert_eq!(read.as_deref(), expected.as_ref().copied(), "{text} in {start}");
}

/// What UCI writes for the move of that SAN.
#[track_caller]
fn check_written(start: &str, variant: Variant, san: &str, expected: &str) {
    let position = position(start);
    let mv = san::parse(san, &position).expect("a legal move");
    assert_eq!(uci::write(mv, &position, variant).as_str(), expected);
}

#[test]
fn standard_chess_writes_castling_as_two_steps() {
    check_written(CASTLING, Standard, "O-O", "e1g1");
    check_written(CASTLING, Standard, "O-O-O", "e1c1");
    check_written(CASTLING_BLACK, Standard, "O-O", "e8g8");
    check_written(CASTLING_BLACK, Standard, "O-O-O", "e8c8");
}

#[test]
fn standard_chess_reads_both_forms_of_castling() {
    check(CASTLING, Standard, "e1g1", Ok("e1h1"));
    check(CASTLING, Standard, "e1h1", Ok("e1h1"));
    check(CASTLING, Standard, "e1c1", Ok("e1a1"));
    check(CASTLING, Standard, "e1a1", Ok("e1a1"));
    check(CASTLING_BLACK, Standard, "e8g8", Ok("e8h8"));
    check(CASTLING_BLACK, Standard, "e8h8", Ok("e8h8"));
    check(CASTLING_BLACK, Standard, "e8c8", Ok("e8a8"));
    check(CASTLING_BLACK, Standard, "e8a8", Ok("e8a8"));
}

#[test]
fn chess960_writes_and_reads_king_takes_rook_only() {
    check_written(CASTLING, Chess960, "O-O", "e1h1");
    check_written(CASTLING, Chess960, "O-O-O", "e1a1");
    check(CASTLING, Chess960, "e1h1", Ok("e1h1"));
    check(CASTLING, Chess960, "e1a1", Ok("e1a1"));
    check(CASTLING, Chess960, "e1g1", Err(Illegal));
    check(CASTLING, Chess960, "e1c1", Err(Illegal));
}

#[test]
fn a_king_step_in_chess960_is_a_king_step() {
    let king_on_f1 = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
    check(king_on_f1, Chess960, "f1g1", Ok("f1g1"));
    check(king_on_f1, Chess960, "f1h1", Ok("f1h1"));
    check_written(king_on_f1, Chess960, "Kg1", "f1g1");
    check_written(king_on_f1, Chess960, "O-O", "f1h1");
    let rook_on_g1 = "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1";
    check(rook_on_g1, Chess960, "e1g1", Ok("e1g1"));
    check_written(rook_on_g1, Chess960, "O-O", "e1g1");
}

#[test]
fn two_steps_without_the_right_are_no_castling() {
    check("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", Standard, "e1g1", Err(Illegal));
    check("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", Standard, "e1h1", Err(Illegal));
    check("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", Standard, "e2g2", Err(Illegal));
    // Through an attacked square.
    check("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", Standard, "e1g1", Err(Illegal));
    // A rook goes two steps, and a queen.
    check("3k4/8/8/8/8/8/8/K3R3 w - - 0 1", Standard, "e1g1", Ok("e1g1"));
}

#[test]
fn standard_chess_from_an_odd_start_castles_onto_the_rook() {
    let king_on_f1 = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
    check(king_on_f1, Standard, "f1g1", Ok("f1g1"));
    check(king_on_f1, Standard, "f1h1", Ok("f1h1"));
    check_written(king_on_f1, Standard, "O-O", "f1h1");
}

#[test]
fn the_null_move_is_rejected() {
    for variant in [Standard, Chess960] {
        check(CASTLING, variant, "0000", Err(Illegal));
        check(CASTLING, variant, "e1e1", Err(Illegal));
        check(CASTLING, variant, "a8a8", Err(Illegal));
    }
    check(CASTLING, Standard, "0000q", Err(Malformed));
}

#[test]
fn a_promotion_letter_stands_exactly_where_a_pawn_promotes() {
    let start = "3r3k/4P3/8/8/8/8/P7/R3K3 w Q - 0 1";
    for letter in ["q", "r", "b", "n"] {
        check(start, Standard, &format!("e7d8{letter}"), Ok("e7d8"));
        check(start, Standard, &format!("a2a3{letter}"), Err(Illegal));
        check(start, Standard, &format!("e1e2{letter}"), Err(Illegal));
        check(start, Standard, &format!("e1c1{letter}"), Err(Illegal));
    }
    check(start, Standard, "e7d8", Err(Illegal));
    for letter in ["k", "p", "Q", "=", "x"] {
        check(start, Standard, &format!("e7d8{letter}"), Err(Malformed));
    }
    check_written(start, Standard, "exd8=N", "e7d8n");
}

#[test]
fn malformed_is_told_apart_from_illegal() {
    let long = "e2e4".repeat(10_000);
    for text in
        ["", "e2", "e2e", "e2e4qq", "e9e4", "i2i4", "E2E4", "e2-e4", " e2e4", "e2e4 ", "Nf3", "O-O", &long]
    {
        check(CASTLING, Standard, text, Err(Malformed));
    }
    for text in ["é2e4", "e2é4", "♔♔", "\0\0\0\0", "e2e\u{301}", "00000"] {
        check(CASTLING, Standard, text, Err(Malformed));
    }
    for text in ["e2e4", "e8e7", "a1a8q", "e1e3", "h1g2"] {
        check(CASTLING, Standard, text, Err(Illegal));
    }
}

#[test]
fn a_text_is_shown_like_a_string() {
    let start = Position::standard();
    let text = uci::write(uci::parse("e2e4", &start, Standard).unwrap(), &start, Standard);
    assert_eq!(format!("{text}|{text:>6}|{text:?}"), "e2e4|  e2e4|\"e2e4\"");
}
