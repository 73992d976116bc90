//! SAN, by the sentences of docs/laws.md.

use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::san::SanError::{self, Ambiguous, Illegal, Malformed, NullMove};
use zeitnot_rules::notation::{fen, san, uci};

fn position(text: &str) -> Position {
    fen::parse(text).expect("a position")
}

/// The move in UCI is written as that SAN, and that SAN is read as that move.
#[track_caller]
fn check(start: &str, uci: &str, expected: &str) {
    let position = position(start);
    let mv = uci::parse(uci, &position, Variant::Chess960).expect("a legal move");
    assert_eq!(san::write(mv, &position).as_str(), expected);
    assert_eq!(san::parse(expected, &position), Ok(mv));
}

/// The text is read as the move in UCI, though it is not how that move is written.
#[track_caller]
fn check_read(start: &str, text: &str, uci: &str) {
    let position = position(start);
    let mv = uci::parse(uci, &position, Variant::Chess960).expect("a legal move");
    assert_eq!(san::parse(text, &position), Ok(mv), "{text}");
}

#[track_caller]
fn check_rejected(start: &str, text: &str, error: SanError) {
    assert_eq!(san::parse(text, &position(start)), Err(error), "{text}");
}

#[test]
fn a_move_alone_needs_no_disambiguation() {
    check("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "b1c3", "Nc3");
    check("4k3/8/8/8/2p5/4N3/8/4K3 w - - 0 1", "e3c4", "Nxc4");
    check("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1", "e1d2", "Kd2");
    check("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e4");
    check("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2d3", "exd3");
}

#[test]
fn the_file_tells_apart_else_the_rank_else_both() {
    check("4k3/8/8/8/8/8/1K6/R6R w - - 0 1", "a1e1", "Rae1+");
    // The king stands between.
    check("1k6/8/8/8/8/8/8/R2K3R w - - 0 1", "h1f1", "Rf1");
    check("k7/8/8/8/8/1N6/8/1N3K2 w - - 0 1", "b3d2", "N3d2");
    check("k7/8/8/8/8/1N6/8/1N3K2 w - - 0 1", "b1d2", "N1d2");
    check("6k1/8/8/8/8/Q7/8/Q1Q2K2 w - - 0 1", "a3b2", "Q3b2");
    check("6k1/8/8/8/8/Q7/8/Q1Q2K2 w - - 0 1", "c1b2", "Qcb2");
    // One on the same file, one on the same rank.
    check("6k1/8/8/8/8/Q7/8/Q1Q2K2 w - - 0 1", "a1b2", "Qa1b2");
    // The file is enough although another stands on the same rank.
    check("k7/8/8/8/8/8/8/1N3N1K w - - 0 1", "f1d2", "Nfd2");
    // Neither file nor rank is shared: the file comes first.
    check("7k/8/8/8/8/1N6/8/5N1K w - - 0 1", "b3d2", "Nbd2");
}

#[test]
fn captures_keep_their_mark_behind_the_disambiguation() {
    check("8/k7/8/8/8/2p5/8/BK2B3 w - - 0 1", "e1c3", "Bexc3");
    check("8/k7/8/8/2p5/4N3/8/N2K4 w - - 0 1", "e3c4", "Nxc4");
}

#[test]
fn only_pieces_that_can_legally_make_the_move_count() {
    // The knight on e2 is pinned along the file.
    check("4r2k/8/8/8/8/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2");
    check("4r2k/8/8/8/8/8/4N3/1N2K3 w - - 0 1", "b1c3", "Nc3");
    // A pinned rook still moves along its line.
    check("4r2k/8/8/4R3/8/8/8/R3K3 w - - 0 1", "e5e2", "Re2");
    check("4r2k/8/8/R3R3/8/8/8/4K3 w - - 0 1", "a5c5", "Rc5");
    check("4r2k/8/4R3/8/R7/8/8/4K3 w - - 0 1", "a4e4", "Rae4");
}

#[test]
fn a_check_is_answered_by_all_pieces_of_the_kind_alike() {
    check("4r2k/8/8/8/8/1N6/8/N3K1N1 w - - 0 1", "g1e2", "Ne2");
    check("4k3/8/8/8/1b6/8/8/1N2KN2 w - - 0 1", "b1d2", "Nbd2");
}

#[test]
fn check_is_plus_and_mate_is_hash() {
    check("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8+");
    check("4k3/R7/8/8/8/8/8/1R2K3 w - - 0 1", "b1b8", "Rb8#");
    // Double check is one mark.
    check("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4f6", "Nf6+");
    // Stalemate has none.
    check("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "f6f7", "Kf7");
}

#[test]
fn promotions() {
    let start = "1r4k1/P7/8/8/8/8/8/4K3 w - - 0 1";
    check(start, "a7a8q", "a8=Q");
    check(start, "a7b8n", "axb8=N");
    check(start, "a7b8r", "axb8=R+");
    check("6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q#");
    check("6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", "a8=B");
}

#[test]
fn en_passant_is_written_like_a_capture() {
    check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6");
}

#[test]
fn castling_is_o_o_to_the_h_side_and_o_o_o_to_the_a_side() {
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(start, "e1h1", "O-O");
    check(start, "e1a1", "O-O-O");
    check("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8h8", "O-O");
    check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "O-O+");
    check("3k4/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", "O-O-O+");
    // In Chess960 the goal decides: the king goes from b1 to c1, the rook from a1 to d1.
    check("6k1/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1", "O-O-O");
    check("1k6/8/8/8/8/8/8/1K3R2 w K - 0 1", "b1f1", "O-O");
}

const OPENING: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1";

#[test]
fn extra_disambiguation_is_read() {
    for text in ["Nf3g5", "Nfg5", "N3g5", "Nf3-g5"] {
        check_read(OPENING, text, "f3g5");
    }
    for text in ["d2d4", "d2-d4", "Pd4", "Pd2d4", "2d4"] {
        check_read(OPENING, text, "d2d4");
    }
    check_read(OPENING, "Ke1e2", "e1e2");
}

#[test]
fn wrong_extra_disambiguation_is_rejected() {
    for text in ["Nbg5", "N4g5", "Nf4g5", "c2d4", "d3d4", "3d4", "Kd1e2"] {
        check_rejected(OPENING, text, Illegal);
    }
}

#[test]
fn wrong_and_missing_marks_are_read() {
    for text in
        ["Bxf7", "Bxf7+", "Bxf7#", "Bxf7++", "Bf7", "B:f7+", "B-f7", "Bc4xf7+", "Bxf7+!?", "Bxf7!!", "Bxf7 +"]
    {
        check_read(OPENING, text, "c4f7");
    }
    for text in ["Nxg5", "Ng5+", "Ng5#", "Ng5?", "Ng5?!"] {
        check_read(OPENING, text, "f3g5");
    }
    let capture = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    for text in ["exd5", "ed5", "e:d5", "e4d5", "e4xd5", "ed5!"] {
        check_read(capture, text, "e4d5");
    }
}

#[test]
fn promotions_are_read_with_and_without_the_equals_sign() {
    let start = "8/P5k1/8/8/8/8/8/4K3 w - - 0 1";
    for text in ["a8=Q", "a8Q", "a8=q", "a8q", "a7a8q", "a7-a8=Q", "a8Q+", "a8=Q!"] {
        check_read(start, text, "a7a8q");
    }
    check_read(start, "a8N", "a7a8n");
    check_rejected(start, "a8", Illegal);
    check_rejected(start, "a8=K", Malformed);
    check_rejected(start, "a8=P", Malformed);
    check_rejected(start, "a8=", Malformed);
    check_rejected(OPENING, "d4=Q", Illegal);
    check_rejected(OPENING, "Ng5=Q", Malformed);
}

#[test]
fn castling_is_read_with_zeros() {
    for text in ["O-O", "0-0", "o-o", "O-O!", "0-0+", "O-O#", "0-0 ?!"] {
        check_read(OPENING, text, "e1h1");
    }
    let long = "r3k3/8/8/8/8/8/8/4K3 b q - 0 1";
    for text in ["O-O-O", "0-0-0", "0-0-0+!"] {
        check_read(long, text, "e8a8");
    }
    check_rejected(long, "O-O", Illegal);
    check_rejected(OPENING, "O-O-O", Illegal);
    check_rejected(OPENING, "O-O-O-O", Malformed);
    check_rejected(OPENING, "O-0-", Malformed);
}

#[test]
fn a_king_onto_its_rook_is_not_how_castling_is_written() {
    for text in ["Kh1", "Kxh1", "Ke1h1", "Kg1"] {
        check_rejected(OPENING, text, Illegal);
    }
    // In Chess960 the rook may stand beside the king.
    let beside = "4k3/8/8/8/8/8/8/6KR w K - 0 1";
    for text in ["Kh1", "Kxh1", "Kg1h1"] {
        check_rejected(beside, text, Illegal);
    }
    check(beside, "g1h1", "O-O");
}

#[test]
fn en_passant_marks_are_read() {
    let start = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    for text in ["exd6", "exd6e.p.", "exd6 e.p.", "ed6ep", "exd6 e.p.!", "exd6!e.p."] {
        check_read(start, text, "e5d6");
    }
}

#[test]
fn ambiguous_moves_are_rejected() {
    check_rejected("4k3/8/8/8/8/8/1K6/R6R w - - 0 1", "Re1", Ambiguous);
    check_rejected("6k1/8/8/8/8/Q7/8/Q1Q2K2 w - - 0 1", "Qab2", Ambiguous);
    check_rejected("6k1/8/8/8/8/Q7/8/Q1Q2K2 w - - 0 1", "Q1b2", Ambiguous);
    // A pinned piece makes nothing ambiguous.
    check_read("4r2k/8/8/8/8/8/4N3/1N2K3 w - - 0 1", "Nc3", "b1c3");
}

#[test]
fn null_moves_are_rejected() {
    for text in ["--", "Z0", "0000", "@@@@", "null", "pass", "--?!"] {
        check_rejected(OPENING, text, NullMove);
    }
}

#[test]
fn what_fits_no_legal_move_is_illegal() {
    for text in ["Nd5d6", "Qd4", "e5", "exd5", "Ke3", "Rb2", "h2h5", "a2xh3", "Nf6", "e8=Q"] {
        check_rejected(OPENING, text, Illegal);
    }
    // In check, pinned, past a piece.
    check_rejected("4r2k/8/8/8/8/8/8/N3K3 w - - 0 1", "Nb3", Illegal);
    check_rejected("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", Illegal);
    check_rejected("4k3/8/8/8/8/p7/P7/4K3 w - - 0 1", "a4", Illegal);
}

#[test]
fn what_is_no_move_is_malformed() {
    let long = "N".repeat(100_000);
    let marks = "+".repeat(100_000);
    for text in [
        "", " ", "N", "Nf", "N3", "Nf9", "Ni3", "nf3", "Sf3", "NNf3", "Nf3f", "Nxxg5", "♘f3", "é4", "12",
        &long, &marks,
    ] {
        check_rejected(OPENING, text, Malformed);
    }
}

#[test]
fn writing_with_the_position_after_is_the_same() {
    let before = position(OPENING);
    for mv in before.legal_moves() {
        let mut after = before.clone();
        after.play(mv).unwrap();
        assert_eq!(san::write_after(mv, &before, &after), san::write(mv, &before));
    }
}

#[test]
#[should_panic(expected = "a legal move moves a piece")]
fn writing_a_move_from_an_empty_square_is_a_bug() {
    let start = position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let mv = Move::new("a3".parse().unwrap(), "a4".parse().unwrap());
    drop(san::write_after(mv, &start, &start).to_string());
}
