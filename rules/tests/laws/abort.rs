//! docs/laws.md, "How a game ends" and "Profiles": abort and the first-move limit.

use zeitnot_rules::board::Color;

use crate::script::check;
use crate::table::{board, casual, online, us};

#[test]
fn either_player_may_abort_until_each_has_moved() {
    for table in [online(), casual()] {
        for seat in ["w", "b"] {
            check(table.clone(), &format!("3 {seat} abort => end * aborted [w took 3: 180 180]"));
            check(table.clone(), &format!("0 play e4\n3 {seat} abort => end * aborted [b took 3: 180 180]"));
            check(table.clone(), &format!("0 play e4 e5\n3 {seat} abort => !TooLateToAbort"));
        }
    }
}

#[test]
fn fide_board_and_us_chess_know_no_abort() {
    for table in [board(), us()] {
        check(table, "0 w abort => !NotInProfile\n0 b abort => !NotInProfile");
    }
}

#[test]
fn abort_needs_no_clock() {
    check(online().clock("none"), "500 b abort => end * aborted");
}

#[test]
fn a_first_move_that_takes_30_s_ends_the_game_without_a_result() {
    for table in [online(), casual()] {
        check(
            table.clone(),
            "0 due => 30
             29.999999 deadline => !NothingDue
             30 w e4 => !TimeIsUp
             30 deadline => end * first-move-limit [w took 30: 180 180]",
        );
        check(
            table,
            "0 play e4
             0 due => 30
             29.999999 b e5 => e5 [b took 29.999999: 180 180]",
        );
    }
}

#[test]
fn each_first_move_has_30_s_of_its_own() {
    check(
        online(),
        "20 w e4 => e4\n20 due => 50\n50 deadline => end * first-move-limit [b took 30: 180 180]",
    );
}

#[test]
fn a_person_against_a_program_has_30_min_for_a_first_move_unless_the_game_is_rated() {
    for table in [online(), casual()] {
        for program in Color::ALL {
            let against = table.clone().bot(program);
            check(against.clone(), "0 due => 1800\n1000 w e4 => e4 [w took 1000: 180 180]\n1000 due => 2800");
            check(against, "1800 deadline => end * first-move-limit [w took 1800: 180 180]");
        }
        check(table.clone().bot(Color::White).bot(Color::Black), "0 due => 30");
        let mut rated = table.bot(Color::Black);
        rated.setup.rated = true;
        check(rated, "0 due => 30");
    }
}

#[test]
fn a_first_move_limit_asks_for_no_verdict() {
    check(online(), "30 deadline => end * first-move-limit\n30 b e7e5 => !GameOver");
}

#[test]
fn no_first_move_limit_over_the_board() {
    for table in [board(), us()] {
        check(table, "0 due => 180\n31 w e4 => e4");
    }
}

#[test]
fn no_first_move_limit_without_a_clock() {
    check(online().clock("none"), "0 due => none\n5000 w e4 => e4");
}

#[test]
fn the_first_move_limit_stands_also_when_the_base_is_shorter() {
    check(online().clock("0.25+0"), "0 due => 30\n20 w e4 => e4 [w took 20: 15 15]");
}

#[test]
fn a_carried_first_move_has_the_rest_of_its_30_s() {
    check(
        online().starts_by_hand(),
        "0 carried 12
         5 start
         5 due => 23",
    );
}
