//! docs/laws.md, "How a game ends" and article 12.9: an arbiter's acts.

use crate::script::check;
use crate::table::{all, board, casual, online};

#[test]
fn the_arbiter_declares_a_result() {
    for table in all() {
        for score in ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "*"] {
            check(
                table.clone().clock("3+0"),
                &format!(
                    "0 play e4 e5
                     4 arbiter declare {score} => end {score} arbiter [w took 4: 176 180]
                     5 w Nf3 => !GameOver
                     5 arbiter declare 1-0 => !GameOver"
                ),
            );
        }
    }
}

#[test]
fn the_arbiter_sets_both_clocks_as_they_are_shown() {
    check(
        board().clock("3+0"),
        "0 play e4 e5
         10 arbiter set 60 30 => arbiter 70 30
         10 clocks => 60 30
         10 due => 70
         20 w Nf3 => Nf3 [w took 20: 50 30]
         25 b Nc6 => Nc6 [b took 5: 50 25]",
    );
}

#[test]
fn the_arbiter_sets_clocks_with_a_delay_too() {
    check(
        board().clock("3+5s"),
        "0 play e4 e5
         3 arbiter set 60 30 => arbiter 60 30
         3 clocks => 60 30
         8 arbiter set 60 30 => arbiter 63 30
         8 clocks => 60 30
         8 due => 68",
    );
}

#[test]
fn the_arbiter_adds_time() {
    check(
        board().clock("3+0"),
        "0 play e4 e5\n10 arbiter add b 120 => arbiter 180 300\n10 arbiter add w 1 => arbiter 181 300\n10 clocks => 171 300",
    );
}

#[test]
fn the_arbiter_takes_time_and_flags_nobody_by_that() {
    check(
        board().clock("3+0"),
        "0 play e4 e5
         10 arbiter take b 60 => arbiter 180 120
         10 arbiter take b 500 => arbiter 180 0.000001
         10 arbiter take w 500 => arbiter 10.000001 0.000001
         10 clocks => 0.000001 0.000001
         10 due => 10.000001
         10 arbiter take w 1 => !BadAmount",
    );
}

#[test]
fn the_arbiter_is_held_to_the_range_of_a_clock() {
    check(
        board(),
        "0 arbiter set 0 60 => !BadAmount
         0 arbiter set 60 0 => !BadAmount
         0 arbiter set 3600000.000001 60 => !BadAmount
         0 arbiter set 3600000 60 => arbiter 3600000 60
         0 arbiter add w 1 => !BadAmount
         0 arbiter add b 0 => !BadAmount
         0 arbiter take b 0 => !BadAmount",
    );
}

#[test]
fn without_clocks_the_arbiter_can_only_declare() {
    check(
        board().clock("none"),
        "0 arbiter set 60 60 => !NotInProfile
         0 arbiter add w 1 => !NotInProfile
         0 arbiter take w 1 => !NotInProfile
         0 arbiter declare 0-0 => end 0-0 arbiter",
    );
}

#[test]
fn with_days_per_move_an_act_holds_for_the_move() {
    check(
        board().clock("1d"),
        "0 arbiter add w 3600 => arbiter 90000 86400
         0 due => 90000
         100 w e4 => e4 [w took 100: 86400 86400]",
    );
}

#[test]
fn an_act_needs_no_profile_and_ends_no_offer() {
    for table in [online(), casual()] {
        check(
            table,
            "0 play e4 e5\n1 w offer => offer w\n1 arbiter add w 10 => arbiter 190 180\n1 offers => draw w 4",
        );
    }
}

#[test]
fn an_act_before_the_turn_starts_counts_from_its_start() {
    check(
        board().starts_by_hand(),
        "5 arbiter set 60 60 => arbiter 60 60
         9 start
         9 due => 69",
    );
}
