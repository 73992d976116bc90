//! docs/laws.md, "Moves": who may move, when, and what a rejection leaves unchanged.

use crate::script::check;
use crate::table::{all, board, casual, online};

#[test]
fn an_illegal_move_is_rejected_and_board_and_clock_are_untouched() {
    check(
        online(),
        "0 play e4 e5
         7 w e4e6 => !IllegalMove
         7 moves => e4 e5
         7 clocks => 173 180
         8 w Nf3 => Nf3 [w took 8: 174 180]",
    );
}

#[test]
fn a_null_move_is_rejected() {
    check(board(), "1 w e1e1 => !IllegalMove\n1 w e4e4 => !IllegalMove\n1 moves => ");
}

#[test]
fn a_move_of_the_opponents_piece_is_rejected() {
    check(board(), "1 w e7e5 => !IllegalMove");
}

#[test]
fn a_move_out_of_turn_is_rejected() {
    check(board(), "1 b e7e5 => !NotYourTurn\n1 w e4 => e4\n2 w d2d4 => !NotYourTurn");
}

#[test]
fn a_promotion_letter_where_one_is_needed_is_asked_for() {
    check(board().fen("7k/P7/8/8/8/8/8/K7 w - - 0 1"), "1 w a7a8 => !IllegalMove\n1 w a8=Q => a8=Q+");
}

#[test]
fn a_pinned_piece_still_guards_squares() {
    // The knight on e4 is pinned by the rook on e8, and the black king may not go to d6.
    check(board().fen("4r3/8/2k5/8/4N3/8/8/4K3 w - - 0 1"), "1 w Ke2 => Ke2\n1 b c6d6 => !IllegalMove");
    // The bishop on a6 is pinned by the rook on a1, and White may not castle over f1.
    check(board().fen("k7/8/b7/8/8/8/8/R3K2R w K - 0 1"), "1 w e1h1 => !IllegalMove");
}

#[test]
fn a_king_may_capture_a_checker_that_is_not_protected() {
    check(board().fen("k7/8/8/8/8/8/3r4/4K3 w - - 0 1"), "1 w Kxd2 => Kxd2; end 1/2-1/2 dead by material");
}

#[test]
fn in_double_check_only_the_king_moves() {
    // The rook on e8 and the knight on f3 both give check; the queen could capture the knight.
    check(board().fen("4r2k/8/8/8/8/3Q1n2/8/4K3 w - - 0 1"), "1 w d3f3 => !IllegalMove\n1 w Kf2 => Kf2");
}

#[test]
fn a_move_about_an_earlier_position_is_stale() {
    check(
        online(),
        "0 play e4 e5
         1 w Nf3 on 1 => !Stale
         1 w Nf3 on 2 => !Stale
         1 w Nf3 on 4 => !Stale
         1 w Nf3 on 3 => Nf3
         2 w b1c3 on 3 => !Stale",
    );
}

#[test]
fn on_never_comes_round_again_after_a_takeback() {
    check(
        casual(),
        "0 play e4 e5
         1 b takeback => takeback b 1
         1 w takeback-yes => taken-back 1
         2 b e5 on 2 => !Stale
         2 b e5 on 3 => !Stale
         2 b e5 on 5 => e5",
    );
}

#[test]
fn castling_is_the_king_onto_its_own_rook() {
    for table in all() {
        check(table, "0 play e4 e5 Nf3 Nc6 Bc4 Bc5 O-O\n0 moves => e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
    }
    check(online().chess960(518), "0 play e4 e5 Nf3 Nc6 Bc4 Bc5\n0 w e1h1 => O-O");
}

#[test]
fn en_passant_only_on_the_next_move() {
    check(
        board(),
        "0 play e4 a6 e5 d5
         1 w exd6 => exd6",
    );
    check(board(), "0 play e4 a6 e5 d5 h3 h6\n1 w e5d6 => !IllegalMove");
}

#[test]
fn castling_may_be_written_as_two_steps_of_the_king_in_standard_chess_only() {
    let line = "0 play e4 e5 Nf3 Nc6 Bc4 Bc5";
    for written in ["e1g1", "e1h1"] {
        check(online(), &format!("{line}\n0 w {written} => O-O"));
    }
    check(online().chess960(518), &format!("{line}\n0 w e1g1 => !IllegalMove\n0 w e1h1 => O-O"));
}
