//! docs/laws.md, "After every move": the ends that come by themselves, their order, repetition and
//! the counter.

use crate::script::check;
use crate::table::{all, board, casual, online, us};

/// Knights out and home: four half-moves that bring the same position back.
const DANCE: &str = "Nf3 Nf6 Ng1 Ng8";

fn dances(count: usize) -> String {
    vec![DANCE; count].join(" ")
}

#[test]
fn checkmate_ends_the_game() {
    for table in all() {
        check(table, "0 play f3 e5 g4\n1 b Qh4 => Qh4#; end 0-1 checkmate\n2 w a2a3 => !GameOver");
    }
}

#[test]
fn stalemate_ends_the_game() {
    for table in all() {
        let table = table.fen("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
        check(table, "1 w Qg6 => Qg6; end 1/2-1/2 stalemate");
    }
}

#[test]
fn a_dead_position_ends_the_game() {
    for table in all() {
        let table = table.fen("7k/8/8/8/8/8/1r6/K7 w - - 0 1");
        check(table, "1 w Kxb2 => Kxb2; end 1/2-1/2 dead by material");
    }
}

#[test]
fn checkmate_comes_before_the_automatic_count_of_plies() {
    let mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - -";
    check(online().fen(&format!("{mate} 99 80")), "1 w Ra8 => Ra8#; end 1-0 checkmate");
    check(board().fen(&format!("{mate} 149 120")), "1 w Ra8 => Ra8#; end 1-0 checkmate");
}

#[test]
fn stalemate_comes_before_the_automatic_count_of_plies() {
    let table = online().fen("7k/8/5K2/6Q1/8/8/8/8 w - - 99 80");
    check(table, "1 w Qg6 => Qg6; end 1/2-1/2 stalemate");
}

#[test]
fn repetition_comes_before_the_count_of_plies() {
    // The third occurrence comes at ply 100.
    let table = online().fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 92 60");
    check(table, &format!("0 play {} Nf3 Nf6 Ng1\n1 b Ng8 => Ng8; end 1/2-1/2 threefold", dances(1)));
}

#[test]
fn threefold_repetition_is_automatic_under_fide_online() {
    let script = format!(
        "0 play {} Nf3 Nf6 Ng1\n1 b Ng8 => Ng8; end 1/2-1/2 threefold\n2 w e4 => !GameOver",
        dances(1)
    );
    check(online(), &script);
}

#[test]
fn fivefold_repetition_is_automatic_elsewhere() {
    for table in [board(), us(), casual()] {
        check(table, &format!("0 play {} Nf3 Nf6 Ng1\n1 b Ng8 => Ng8; end 1/2-1/2 fivefold", dances(3)));
    }
}

#[test]
fn the_start_position_is_the_first_occurrence() {
    check(board(), &format!("0 play {}\n0 claimable => none", dances(1)));
    check(board(), &format!("0 play {}\n0 claimable => ThreefoldRepetition", dances(2)));
}

#[test]
fn occurrences_need_not_be_consecutive() {
    // Other positions come between the second and the third occurrence.
    check(online(), &format!("0 play {} Nc3 Nc6 Nb1\n1 b Nb8 => Nb8; end 1/2-1/2 threefold", dances(1)));
}

#[test]
fn another_side_to_move_is_another_position() {
    // The third time the kings stand on e1 and e8, White has lost a move and it is Black's turn.
    check(
        board().fen("4k3/8/8/8/8/8/P6p/4K3 w - - 0 1"),
        "0 play Ke2 Kd8 Ke1 Ke8 Kd2 Kd8 Kd1 Ke8 Ke1
         0 claimable => none
         0 play Ke7 Ke2 Ke8 Ke1 Ke7 Ke2 Ke8 Ke1
         0 claimable => ThreefoldRepetition",
    );
}

#[test]
fn another_castling_right_is_another_position() {
    // The first occurrence still had the rights, though nobody could use them.
    check(
        board().fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        "0 play Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8
         0 claimable => none
         0 play Ke2 Ke7 Ke1 Ke8
         0 claimable => ThreefoldRepetition",
    );
    // One right of four.
    check(
        board().fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1"),
        "0 play Rh2 Nf6 Rh1 Ng8 Rh2 Nf6 Rh1 Ng8
         0 claimable => none
         0 play Rh2 Nf6 Rh1 Ng8
         0 claimable => ThreefoldRepetition",
    );
}

#[test]
fn en_passant_counts_only_if_the_capture_is_legal() {
    let knights = format!("0 play d5 {}\n0 claimable => ", dances(2));
    let pawns =
        |rank4, rank5| format!("rnbqkbnr/pppppppp/8/{rank5}/{rank4}/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
    // After d5 White may capture on d6: the later positions without that right are others.
    check(board().fen(&pawns("8", "4P3")), &format!("{knights}none"));
    // After d5 nothing can capture on d6.
    check(board().fen(&pawns("4P3", "8")), &format!("{knights}ThreefoldRepetition"));
    // The pawn on e5 could capture, but with both pawns off the rank its king would stand in check.
    let kings = "0 play d5 Ka6 Kb8 Ka5 Kc8 Ka6 Kb8 Ka5 Kc8\n0 claimable => ";
    check(board().fen("2k5/3p4/8/K3P2r/8/8/8/8 b - - 0 3"), &format!("{kings}ThreefoldRepetition"));
    check(board().fen("2k5/3p4/8/K3P3/7r/8/8/8 b - - 0 3"), &format!("{kings}none"));
}

#[test]
fn the_move_count_ends_the_game_at_its_automatic_limit() {
    let rooks = "4k3/8/8/8/8/8/8/R3K3 w - -";
    check(online().fen(&format!("{rooks} 98 80")), "0 play Ra2\n1 b Kd7 => Kd7; end 1/2-1/2 fifty");
    check(casual().fen(&format!("{rooks} 98 80")), "0 play Ra2\n1 b Kd7 => Kd7; end 1/2-1/2 fifty");
    check(board().fen(&format!("{rooks} 148 80")), "0 play Ra2\n1 b Kd7 => Kd7; end 1/2-1/2 seventy-five");
    check(us().fen(&format!("{rooks} 148 80")), "0 play Ra2\n1 b Kd7 => Kd7; end 1/2-1/2 seventy-five");
}

#[test]
fn the_counter_starts_at_0_at_each_pawn_move_and_capture() {
    let pawn = online().fen("4k3/8/8/8/8/8/P7/R3K3 w - - 98 80");
    check(pawn, "0 play a3 Kd7 Kd2 Kd6");
    let capture = online().fen("4k3/8/8/8/8/p7/8/R3K3 w - - 98 80");
    check(capture, "0 play Rxa3 Kd7 Kd2 Kd6");
    let promotion = online().fen("8/P3k3/8/8/8/8/8/4K3 w - - 98 80");
    check(promotion, "0 play a8=Q Kd6 Ke2 Kc5");
    let en_passant = online().fen("4k3/8/8/pP6/8/8/8/4K3 w - a6 98 80");
    check(en_passant, "0 play bxa6 Kd7 Kd2 Kd6");
}

#[test]
fn castling_does_not_reset_the_counter() {
    let table = online().fen("4k3/8/8/8/8/8/8/4K2R w K - 98 80");
    check(table, "0 play O-O\n1 b Kd7 => Kd7; end 1/2-1/2 fifty");
}

#[test]
fn a_game_that_starts_at_half_move_99_ends_with_its_first_quiet_move() {
    let table = online().fen("4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
    check(table, "1 w Ra2 => Ra2; end 1/2-1/2 fifty");
}

#[test]
fn a_result_is_final() {
    check(
        online(),
        "0 play f3 e5 g4
         0 b Qh4 => Qh4#; end 0-1 checkmate
         1 w resign => !GameOver
         1 b offer => !GameOver
         1 arbiter declare 1-0 => !GameOver
         1 due => none
         999 deadline => !NothingDue
         999 dead 4 => !NothingDue
         999 clocks => 182 180",
    );
}
