//! docs/laws.md, "Clocks": periods.

use crate::script::check;
use crate::table::{board, online};

#[test]
fn the_move_that_completes_a_period_gets_its_increment_and_the_next_base() {
    check(
        board().clock("2/1+3,2+7"),
        "0 play e4 e5
         10 w Nf3 => Nf3 [w took 10: 176 63]
         20 b Nc6 => Nc6 [b took 10: 176 176]",
    );
}

#[test]
fn unused_main_time_carries_over_to_the_next_period() {
    check(board().clock("1/1+0,2+0"), "10 w e4 => e4 [w took 10: 170 60]");
}

#[test]
fn the_new_increment_starts_with_the_next_move() {
    check(
        board().clock("1/1+3,2+7"),
        "0 w e4 => e4 [w took 0: 183 60]
         0 b e5 => e5 [b took 0: 183 183]
         0 w Nf3 => Nf3 [w took 0: 190 183]",
    );
    check(
        board().clock("1/1+0,2+7s"),
        "5 w e4 => e4 [w took 5: 175 60]
         5 b e5 => e5 [b took 0: 175 180]
         10 w Nf3 => Nf3 [w took 5: 175 180]",
    );
}

#[test]
fn periods_count_the_players_own_moves() {
    check(
        board().clock("1/1+0,2+0|2/1+0,2+0"),
        "0 w e4 => e4 [w took 0: 180 60]
         0 b e5 => e5 [b took 0: 180 60]
         0 w Nf3 => Nf3 [w took 0: 180 60]
         0 b Nc6 => Nc6 [b took 0: 180 180]",
    );
    // The number of the move in the FEN plays no part.
    let table = board().clock("2/1+0,2+0").fen("4k3/8/8/8/8/8/P7/R3K3 w - - 0 39");
    check(table, "0 w a3 => a3 [w took 0: 60 60]\n0 play Kd7\n0 w a4 => a4 [w took 0: 180 60]");
}

#[test]
fn the_next_base_cannot_save_a_flag_before_that() {
    check(
        board().clock("1/1+0,2+0"),
        "0 due => 60
         60 w e4 => !TimeIsUp
         60 deadline => flag w [w took 60: 0 60]",
    );
    check(board().clock("1/1+0,2+0"), "59.999999 w e4 => e4 [w took 59.999999: 120.000001 60]");
}

#[test]
fn a_last_period_with_a_number_of_moves_repeats() {
    check(
        board().clock("1/1+0"),
        "0 w e4 => e4 [w took 0: 120 60]
         0 b e5 => e5 [b took 0: 120 120]
         0 w Nf3 => Nf3 [w took 0: 180 120]",
    );
    check(
        board().clock("1/1+0,2/2+0"),
        "0 w e4 => e4 [w took 0: 180 60]
         0 play e5
         0 w Nf3 => Nf3 [w took 0: 180 180]
         0 play Nc6
         0 w Bc4 => Bc4 [w took 0: 300 180]",
    );
}

#[test]
fn a_first_move_of_a_soft_start_counts_for_its_period() {
    check(
        online().clock("1/1+3,2+7"),
        "5 w e4 => e4 [w took 5: 180 60]
         5 b e5 => e5 [b took 0: 180 180]
         5 w Nf3 => Nf3 [w took 0: 187 180]",
    );
}

#[test]
fn three_periods_as_in_the_example() {
    // 40 moves in 100 min, then 20 in 50, then 15 for the rest, +30 s a move from move 1; here with
    // 2 and 1 moves.
    check(
        board().clock("2/100+30,1/50+30,15+30"),
        "0 play e4 e5
         0 clocks => 6030 6030
         0 w Nf3 => Nf3 [w took 0: 9060 6030]
         0 play Nc6
         0 w Bc4 => Bc4 [w took 0: 9990 9060]
         0 play Bc5
         0 w O-O => O-O [w took 0: 10020 9990]",
    );
}

#[test]
fn clocks_may_differ_for_the_two_sides() {
    check(
        board().clock("1+0|5+3"),
        "10 w e4 => e4 [w took 10: 50 300]
         20 b e5 => e5 [b took 10: 50 293]",
    );
}
