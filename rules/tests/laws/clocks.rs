//! docs/laws.md, "Clocks": how a clock counts, when it first runs, and what is shown.

use crate::script::check;
use crate::table::{all, board, casual, online, us};

#[test]
fn increment_is_added_after_each_move() {
    check(
        board(),
        "4 w e4 => e4 [w took 4: 178 180]
         5 b e5 => e5 [b took 1: 178 181]
         5.5 w Nf3 => Nf3 [w took 0.5: 179.5 181]",
    );
}

#[test]
fn time_is_counted_in_microseconds() {
    check(
        board(),
        "0.000001 w e4 => e4 [w took 0.000001: 181.999999 180]
         1.123456 b e5 => e5 [b took 1.123455: 181.999999 180.876545]",
    );
}

#[test]
fn only_the_clock_of_the_side_to_move_runs() {
    for table in all() {
        check(
            table.clock("3+0"),
            "0 play e4 e5
             0 running => w
             30 clocks => 150 180
             30 w Nf3 => Nf3
             30 running => b
             50 clocks => 150 160",
        );
    }
}

#[test]
fn clocks_start_at_base() {
    for table in all() {
        check(table.clone().clock("40/90+30,30+30"), "0 clocks => 5400 5400");
        check(table.clock("5+0|3+2"), "0 clocks => 300 180");
    }
}

#[test]
fn fide_board_and_us_chess_whites_clock_runs_from_the_start() {
    for table in [board(), us()] {
        check(
            table,
            "0 running => w
             0 due => 180
             7 clocks => 173 180
             7 w e4 => e4 [w took 7: 175 180]
             9 b e5 => e5 [b took 2: 175 180]",
        );
    }
}

#[test]
fn fide_online_and_casual_a_clock_first_runs_on_that_sides_second_move() {
    for table in [online(), casual()] {
        check(
            table,
            "0 running => none
             7 clocks => 180 180
             7 w e4 => e4 [w took 7: 180 180]
             7 running => none
             9 b e5 => e5 [b took 2: 180 180]
             9 running => w
             10 w Nf3 => Nf3 [w took 1: 181 180]
             10 running => b",
        );
    }
}

#[test]
fn a_first_move_earns_no_increment() {
    for table in [online(), casual()] {
        check(table, "0 w e4 => e4 [w took 0: 180 180]\n0 b e5 => e5 [b took 0: 180 180]");
    }
}

#[test]
fn it_is_each_sides_first_move_also_when_black_begins() {
    let black_begins = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    check(
        online().fen(black_begins),
        "1 b e5 => e5 [b took 1: 180 180]
         2 w Nf3 => Nf3 [w took 1: 180 180]
         3 b Nc6 => Nc6 [b took 1: 180 181]",
    );
    check(board().fen(black_begins), "1 b e5 => e5 [b took 1: 180 181]");
}

#[test]
fn the_move_that_ends_the_game_costs_its_time_and_earns_nothing() {
    let mate = |clock| board().clock(clock).fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    let script = |left| format!("9 w Ra8 => Ra8# [w took 9: {left} 180]; end 1-0 checkmate");
    check(mate("3+2"), &script("171"));
    check(mate("3+2b"), &script("171"));
    // What a simple delay does not count was never taken from the clock.
    check(mate("3+2s"), &script("173"));
    check(mate("1/3+2,9+2"), &script("171"));
    let dead = board().fen("7k/8/8/8/8/8/1r6/K7 w - - 0 1");
    check(dead, "9 w Kxb2 => Kxb2 [w took 9: 171 180]; end 1/2-1/2 dead by material");
}

#[test]
fn a_first_move_that_ends_the_game_costs_nothing_in_a_soft_start() {
    let mate = online().fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    check(mate, "9 w Ra8 => Ra8# [w took 9: 180 180]; end 1-0 checkmate");
}

#[test]
fn without_a_clock_nothing_is_charged_and_nothing_is_due() {
    for table in all() {
        check(
            table.clock("none"),
            "0 clocks => none
             0 due => none
             0 running => none
             9 play e4
             99999999 b e5 => e5
             99999999 deadline => !NothingDue
             99999999 due => none
             99999999 w resign => resign w",
        );
    }
}

#[test]
fn no_clock_runs_before_the_turn_has_started() {
    check(
        board().starts_by_hand(),
        "0 running => none
         0 due => none
         900 deadline => !NothingDue
         900 clocks => 180 180
         901 start
         901 running => w
         901 due => 1081
         903 w e4 => e4 [w took 2: 180 180]
         904 b e5 => e5 [b took 0: 180 182]",
    );
}

#[test]
fn a_stamp_before_the_start_of_the_turn_took_nothing() {
    check(
        board().starts_by_hand(),
        "5 start
         4 w e4 => e4 [w took 0: 182 180]",
    );
}

#[test]
fn only_the_first_start_of_a_turn_counts() {
    check(
        board().starts_by_hand(),
        "5 start
         9 start
         9 due => 185
         10 w e4 => e4 [w took 5: 177 180]",
    );
}

#[test]
fn a_carried_turn_counts_as_if_it_had_started_that_much_earlier() {
    check(
        board().starts_by_hand(),
        "0 start
         0 rtt b 0
         0 play e4
         0 carried 20
         5 start
         5 clocks => 182 160
         5 due => 165
         7 b e5 => e5 [b took 22: 182 160]
         7 start
         7 w Nf3 => Nf3 [w took 0: 184 160]",
    );
}

#[test]
fn a_stopped_turn_goes_on_with_what_it_had_taken() {
    check(
        board().starts_by_hand(),
        "0 start
         0 rtt b 0
         0 play e4
         1 start
         8 stop
         9 stop
         100 start
         100 due => 273
         102 b e5 => e5 [b took 9: 182 173]",
    );
}

#[test]
fn a_carried_turn_that_is_out_of_time_flags_right_after_its_start() {
    check(
        board().starts_by_hand(),
        "0 rtt w 0
         0 carried 500
         5 start
         5 due => 5.000001
         5 deadline => !NothingDue
         5.000001 deadline => flag w [w took 180: 0 180]",
    );
}

/// What was to be forgiven before the interruption is not known any more.
#[test]
fn a_carried_turn_without_a_measured_round_trip_is_forgiven_as_much_as_its_bank_allows() {
    check(
        board().starts_by_hand(),
        "0 start
         0 rtt w 0.1
         0 play e4
         0 carried 20
         5 start
         5 clocks => 182 161
         7 b e5 => e5 [b took 22 credit 1: 182 161]",
    );
}

#[test]
fn a_move_from_before_a_carried_turn_goes_on_finds_a_clock_that_runs() {
    for carried in ["179.999999", "180", "500"] {
        check(
            board().clock("3+0").starts_by_hand(),
            &format!(
                "0 rtt w 0
                 0 carried {carried}
                 4 clocks => 0.000001 180
                 5 start
                 4 w e4 => e4 [w took 179.999999: 0.000001 180]"
            ),
        );
        check(
            board().clock("3+0").starts_by_hand(),
            &format!("0 carried {carried}\n4 w e4 => e4 [w took 179.999999: 0.000001 180]"),
        );
    }
}

#[test]
fn a_clock_never_holds_more_than_1000_hours() {
    check(
        board(),
        "0 arbiter set 3599999 100 => arbiter 3599999 100
         0 w e4 => e4 [w took 0: 3600000 100]",
    );
}
