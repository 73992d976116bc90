//! FEN, by the sentences of docs/laws.md.

use zeitnot_rules::board::{Color, Position, PositionError, Rank, Square};
use zeitnot_rules::notation::fen::{self, FenError};

/// `text` is read, and written as `expected`.
#[track_caller]
fn check(text: &str, expected: &str) {
    match fen::parse(text) {
        Ok(position) => assert_eq!(fen::write(&position), expected),
        Err(error) => panic!("{text}: {error}"),
    }
}

/// `text` is rejected, with that message.
#[track_caller]
fn check_rejected(text: &str, error: FenError, message: &str) {
    let found = fen::parse(text).expect_err("this is no position");
    assert_eq!((found, found.to_string().as_str()), (error, message));
}

#[test]
fn the_start_position() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(fen::parse(text), Ok(Position::standard()));
    assert_eq!(fen::write(&Position::standard()), text);
}

#[test]
fn four_fields_have_the_counters_0_and_1() {
    check("4k3/8/8/8/8/8/8/4K3 b - -", "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
}

#[test]
fn six_fields_keep_their_counters() {
    check("4k3/8/8/8/8/8/8/4K3 b - - 149 310", "4k3/8/8/8/8/8/8/4K3 b - - 149 310");
    check("4k3/8/8/8/8/8/8/4K3 b - - 65535 65535", "4k3/8/8/8/8/8/8/4K3 b - - 65535 65535");
    check("4k3/8/8/8/8/8/8/4K3 b - - 007 0", "4k3/8/8/8/8/8/8/4K3 b - - 7 0");
}

#[test]
fn other_numbers_of_fields_are_rejected() {
    let fields = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2 3";
    for (count, found, message) in [
        (1, 1, "a FEN has 4 or 6 fields, this has 1"),
        (3, 3, "a FEN has 4 or 6 fields, this has 3"),
        (5, 5, "a FEN has 4 or 6 fields, this has 5"),
        (7, 7, "a FEN has 4 or 6 fields, this has more"),
        (8, 7, "a FEN has 4 or 6 fields, this has more"),
    ] {
        let text: Vec<_> = fields.split(' ').take(count).collect();
        check_rejected(&text.join(" "), FenError::FieldCount { found }, message);
    }
    check_rejected("", FenError::FieldCount { found: 0 }, "a FEN has 4 or 6 fields, this has 0");
}

#[test]
fn any_white_space_separates_fields() {
    check("\t4k3/8/8/8/8/8/8/4K3  w -\r\n- 0 1\n", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
}

#[test]
fn en_passant_is_written_only_if_a_capture_is_legal() {
    // Nobody can capture.
    check(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
    );
    // The capture is legal.
    check("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    // The capturing pawn is pinned, and two pawns would leave the rank at once.
    check("4k3/8/8/b7/8/2pP4/8/4K3 w - - 0 1", "4k3/8/8/b7/8/2pP4/8/4K3 w - - 0 1");
    check("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
    check("3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1");
}

#[test]
fn an_impossible_en_passant_square_is_rejected() {
    for square in ["e4", "e6", "d3", "a1"] {
        let at: Square = square.parse().unwrap();
        check_rejected(
            &format!("4k3/8/8/8/3pP3/8/8/4K3 b - {square} 0 1"),
            FenError::Position(PositionError::EnPassant { square: at }),
            &format!("no pawn can have passed {square} with the last move"),
        );
    }
    for field in ["e9", "e", "--", "e3x", "E3", "é"] {
        check_rejected(
            &format!("4k3/8/8/8/3pP3/8/8/4K3 b - {field} 0 1"),
            FenError::EnPassant,
            "en passant: expected a square or -",
        );
    }
}

#[test]
fn x_fen_and_shredder_letters_are_read_in_any_order() {
    let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for castling in ["KQkq", "HAha", "qkQK", "ahAH", "KAhq"] {
        check(&standard.replace("KQkq", castling), standard);
    }
    check("r3k2r/8/8/8/8/8/8/R3K2R w Hq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
}

#[test]
fn an_outermost_rook_is_written_as_k_or_q_and_an_inner_one_by_its_file() {
    // The rooks on b1 and g1 are outermost on their sides.
    check("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1");
    // The right belongs to inner rooks.
    check("4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", "4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1");
    check("rr2k1rr/8/8/8/8/8/8/4K3 b gb - 0 1", "rr2k1rr/8/8/8/8/8/8/4K3 b gb - 0 1");
    // K and Q mean the outermost ones.
    check("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1", "4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1");
    let outer = fen::parse("4k3/8/8/8/8/8/8/RR2K1RR w HA - 0 1");
    assert_eq!(fen::parse("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1"), outer);
    // An enemy rook or one beyond the king does not count.
    check("4k3/8/8/8/8/8/8/1R2K1Rr w G - 0 1", "4k3/8/8/8/8/8/8/1R2K1Rr w K - 0 1");
}

#[test]
fn castling_letters_without_king_and_rook_are_rejected() {
    let rejected = |text: &str, at, color: Color| {
        let message = format!(
            "castling, character {at}: {color} has no king and rook on the back rank for this letter"
        );
        check_rejected(text, FenError::CastlingRook { at, color }, &message);
    };
    rejected("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", 1, Color::White);
    rejected("4k3/8/8/8/8/8/8/R3K3 w QG - 0 1", 2, Color::White);
    rejected("4k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", 2, Color::Black);
    rejected("4k3/8/8/8/8/8/4K3/R7 w Q - 0 1", 1, Color::White);
    rejected("4k3/8/8/8/8/8/8/r3K3 w Q - 0 1", 1, Color::White);
    // The king itself is no rook.
    rejected("4k3/8/8/8/8/8/8/R3K3 w E - 0 1", 1, Color::White);
}

#[test]
fn a_castling_right_is_given_once() {
    let error = FenError::CastlingTwice { at: 2, color: Color::White };
    let message = "castling, character 2: white has a right to this side already";
    check_rejected("4k3/8/8/8/8/8/8/R3K1RR w KK - 0 1", error, message);
    check_rejected("4k3/8/8/8/8/8/8/R3K1RR w HG - 0 1", error, message);
    check_rejected("4k3/8/8/8/8/8/8/R3K1RR w KH - 0 1", error, message);
}

#[test]
fn other_castling_letters_are_rejected() {
    for (castling, at, found) in
        [("KQ-", 3, '-'), ("i", 1, 'i'), ("Kx", 2, 'x'), ("é", 1, 'é'), ("--", 1, '-')]
    {
        check_rejected(
            &format!("4k3/8/8/8/8/8/8/R3K2R w {castling} - 0 1"),
            FenError::CastlingCharacter { at, found },
            &format!("castling, character {at}: expected K, Q, a file letter or a lone -, not {found:?}"),
        );
    }
}

#[test]
fn a_bad_board_says_where() {
    let rest = "w - - 0 1";
    for (board, at, found) in [
        ("4k3/8/8/8/8/8/8/4K2x", 20, 'x'),
        ("4k3/9/8/8/8/8/8/4K3", 5, '9'),
        ("0k7/8/8/8/8/8/8/4K3", 1, '0'),
        ("4ké3/8/8/8/8/8/8/4K3", 3, 'é'),
    ] {
        let message =
            format!("board, character {at}: expected a piece, a digit 1 to 8 or a slash, not {found:?}");
        check_rejected(&format!("{board} {rest}"), FenError::BoardCharacter { at, found }, &message);
    }
    let digits = "8".repeat(100_000);
    for (board, rank) in [
        ("4k3/8/8/8/8/8/8/4K2", Rank::First),
        ("4k3/8/8/8/8/8/8/4K2RR", Rank::First),
        ("4k3/8/8/7/8/8/8/4K3", Rank::Fifth),
        ("4k3/8/8/88/8/8/8/4K3", Rank::Fifth),
        ("4k3//8/8/8/8/8/4K3", Rank::Seventh),
        (&digits, Rank::Eighth),
    ] {
        let message = format!("board, rank {}: has not 8 files", rank.digit());
        check_rejected(&format!("{board} {rest}"), FenError::RankLength { rank }, &message);
    }
    for board in ["4k3/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/8/4K3", "8"] {
        check_rejected(&format!("{board} {rest}"), FenError::RankCount, "board: has not 8 ranks");
    }
    check("3k1q2/44/8/8/8/8/8/4K3 b - -", "3k1q2/8/8/8/8/8/8/4K3 b - - 0 1");
}

#[test]
fn the_side_to_move_is_w_or_b() {
    for side in ["W", "-", "white", "ww"] {
        check_rejected(
            &format!("4k3/8/8/8/8/8/8/4K3 {side} - - 0 1"),
            FenError::SideToMove,
            "side to move: expected w or b",
        );
    }
}

#[test]
fn counters_are_numbers_that_fit() {
    let long = "9".repeat(1_000);
    for number in ["-1", "+1", "65536", "x", "1.5", "٣", "-", &long] {
        check_rejected(
            &format!("4k3/8/8/8/8/8/8/4K3 w - - {number} 1"),
            FenError::HalfmoveClock,
            "half-move clock: expected a number from 0 to 65535",
        );
        check_rejected(
            &format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {number}"),
            FenError::FullmoveNumber,
            "move number: expected a number from 0 to 65535",
        );
    }
}

#[test]
fn an_impossible_position_says_why() {
    check_rejected(
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        FenError::Position(PositionError::Kings { color: Color::Black, count: 0 }),
        "black has 0 kings instead of one",
    );
    check_rejected(
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        FenError::Position(PositionError::OpponentInCheck { color: Color::Black }),
        "black is in check, but it is not black's turn",
    );
}

#[test]
fn writing_adds_to_what_is_there() {
    let mut text = String::from("fen ");
    fen::write_into(&Position::standard(), &mut text);
    assert!(text.starts_with("fen rnbqkbnr/") && text.ends_with(" w KQkq - 0 1"), "{text}");
}
