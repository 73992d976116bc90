//! docs/laws.md, "Clocks": simple delay and Bronstein.

use crate::script::check;
use crate::table::board;

#[test]
fn simple_delay_counts_what_is_over_it() {
    check(
        board().clock("1+5s"),
        "3 w e4 => e4 [w took 3: 60 60]
         8 b e5 => e5 [b took 5: 60 60]
         15 w Nf3 => Nf3 [w took 7: 58 60]",
    );
}

#[test]
fn with_simple_delay_the_clock_waits_before_it_counts() {
    check(board().clock("1+5s"), "3 clocks => 60 60\n5 clocks => 60 60\n6.5 clocks => 58.5 60");
}

#[test]
fn with_simple_delay_the_flag_falls_at_r_and_d() {
    check(
        board().clock("1+5s"),
        "0 due => 65
         64.999999 w e4 => e4 [w took 64.999999: 0.000001 60]
         64.999999 b e5 => e5
         64.999999 due => 70",
    );
    check(board().clock("1+5s"), "65 w e4 => !TimeIsUp\n65 deadline => flag w [w took 65: 0 60]");
}

#[test]
fn bronstein_gives_back_what_the_move_took_up_to_the_delay() {
    check(
        board().clock("1+5b"),
        "3 w e4 => e4 [w took 3: 60 60]
         8 b e5 => e5 [b took 5: 60 60]
         15 w Nf3 => Nf3 [w took 7: 58 60]",
    );
}

#[test]
fn with_bronstein_the_clock_runs_at_once() {
    check(board().clock("1+5b"), "3 clocks => 57 60");
}

#[test]
fn bronstein_is_never_above_r() {
    check(board().clock("1+5b"), "0 w e4 => e4 [w took 0: 60 60]\n1 b e5 => e5 [b took 1: 60 60]");
}

#[test]
fn with_bronstein_the_flag_falls_at_r() {
    check(
        board().clock("1+5b"),
        "0 due => 60
         59.999999 w e4 => e4 [w took 59.999999: 5.000001 60]",
    );
    check(board().clock("1+5b"), "60 w e4 => !TimeIsUp\n60 deadline => flag w [w took 60: 0 60]");
}

#[test]
fn delay_never_accumulates() {
    check(
        board().clock("1+5s"),
        "0 play e4 e5 Nf3 Nc6 Bc4 Bc5
         0 clocks => 60 60
         6 w O-O => O-O [w took 6: 59 60]",
    );
}
