//! docs/laws.md, "Clocks": days per move.

use crate::script::check;
use crate::table::{all, board, casual, online};

const DAY: &str = "86400";

#[test]
fn each_move_has_its_days_from_the_opponents_move() {
    for table in all() {
        check(
            table.clock("2d"),
            "0 clocks => 172800 172800
             0 running => w
             100000 w e4 => e4 [w took 100000: 172800 172800]
             100000 due => 272800
             272799.999999 b e5 => e5 [b took 172799.999999: 172800 172800]",
        );
    }
}

#[test]
fn exactly_d_days_is_a_flag() {
    for table in all() {
        check(
            table.clock("1d"),
            &format!(
                "0 due => {DAY}
                 {DAY} w e4 => !TimeIsUp
                 {DAY} deadline => flag w [w took {DAY}: 0 {DAY}]
                 {DAY} answer => end 0-1 flag"
            ),
        );
    }
}

#[test]
fn a_first_move_has_its_days_too() {
    check(online().clock("3d"), "0 due => 259200\n100 w e4 => e4\n100 due => 259300");
}

#[test]
fn no_credit() {
    check(
        online().clock("1d"),
        "0 rtt b 1
         0 rtt w 1
         0 play e4 e5 Nf3
         5 b Nc6 => Nc6 [b took 5: 86400 86400]
         5 bank => 0
         5 due => 86405",
    );
}

#[test]
fn no_absence_claim() {
    check(online().clock("1d"), "0 play e4 e5\n0 away b\n80000 w absent win => !NotInProfile");
    check(casual().clock("1d"), "0 play e4 e5\n0 away b\n80000 w absent draw => !NotInProfile");
}

#[test]
fn what_stops_the_clock_is_charged() {
    check(
        board().clock("1d"),
        "0 play e4 e5
         400 w resign => resign w [w took 400: 86000 86400]
         900 clocks => 86000 86400",
    );
}

#[test]
fn a_move_that_ends_the_game_gets_no_new_days() {
    let mate = board().clock("1d").fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    check(mate, "400 w Ra8 => Ra8# [w took 400: 86000 86400]; end 1-0 checkmate");
}

#[test]
fn a_takeback_begins_a_turn_with_its_days() {
    check(
        casual().clock("1d"),
        "0 play e4 e5
         400 b takeback => takeback b 1
         500 w takeback-yes => taken-back 1 [w took 500: 86400 86400]
         500 due => 86900",
    );
}

#[test]
fn abort_is_possible_without_a_first_move_limit() {
    check(online().clock("1d"), "40000 w abort => end * aborted [w took 40000: 46400 86400]");
}
