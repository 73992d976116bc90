//! docs/laws.md, "How a game ends": the ends by a player's word, and what a side that cannot
//! checkmate gets.

use crate::script::check;
use crate::table::{all, board, casual, online, us};

/// White has the queen, Black a bare king.
const QUEEN: &str = "k7/8/8/8/8/8/8/K5Q1 w - - 0 1";
/// White has a lone knight, Black the queen: nobody but Black can checkmate.
const KNIGHT_V_QUEEN: &str = "k6q/8/8/8/8/8/8/K5N1 w - - 0 1";

#[test]
fn resignation_the_opponent_wins() {
    for table in all() {
        check(
            table.clock("3+0"),
            "0 play e4 e5
             4 w resign => resign w [w took 4: 176 180]
             4 answer => end 0-1 resignation",
        );
    }
}

#[test]
fn one_may_resign_on_the_opponents_turn() {
    check(
        board(),
        "0 play e4 e5
         4 b resign => resign b [w took 4: 178 182]
         4 answer => end 1-0 resignation",
    );
}

#[test]
fn one_may_resign_before_the_first_move() {
    for table in all() {
        check(table, "1 b resign => resign b\n1 answer => end 1-0 resignation");
    }
}

#[test]
fn resignation_is_a_draw_if_the_opponent_cannot_checkmate() {
    for table in [online(), board(), casual()] {
        check(
            table.clone().fen(QUEEN),
            "1 w resign => resign w\n1 answer => end 1/2-1/2 resignation by material",
        );
        check(table.clone().fen(QUEEN), "1 b resign => resign b\n1 answer => end 1-0 resignation");
        check(
            table.fen(KNIGHT_V_QUEEN),
            "1 b resign => resign b\n1 answer => end 1/2-1/2 resignation by material",
        );
    }
}

#[test]
fn resignation_loses_under_us_chess() {
    check(us().fen(QUEEN), "1 w resign => resign w\n1 answer => end 0-1 resignation");
}

#[test]
fn after_a_resignation_only_the_verdict_comes() {
    check(
        casual(),
        "0 play e4 e5
         1 w offer => offer w
         1 b takeback => takeback b 1
         2 w resign => resign w
         2 offers => none
         2 running => none
         2 due => none
         9 clocks => 178 180
         9 b resign => !GameOver
         9 w g1f3 => !GameOver
         9 b accept 4 => !GameOver
         9 arbiter declare 1-0 => !GameOver
         9 deadline => !NothingDue
         9 answer 6 none => !NothingDue
         9 answer => end 0-1 resignation
         9 answer 6 none => !NothingDue",
    );
}

#[test]
fn agreement_is_a_draw() {
    for table in all() {
        check(
            table.clock("3+0"),
            "0 play e4 e5
             3 w offer => offer w
             5 b accept => end 1/2-1/2 agreement [w took 5: 175 180]",
        );
    }
}

#[test]
fn agreement_only_after_both_sides_have_made_a_move() {
    for table in all() {
        check(
            table,
            "0 b offer => offer b
             0 w accept => !BothMustMove
             0 w offer => !BothMustMove
             0 play e4
             0 offers => none",
        );
    }
}

#[test]
fn an_offer_made_before_ones_first_move_can_be_accepted_after_it() {
    check(
        board(),
        "0 play e4
         0 b offer => offer b
         0 w accept => !BothMustMove
         0 play e5
         0 offers => draw b 3
         0 w accept => end 1/2-1/2 agreement",
    );
}

#[test]
fn flag_fall_the_opponent_wins() {
    for table in all() {
        check(
            table.clock("3+0"),
            "0 play e4 e5
             180 deadline => flag w [w took 180: 0 180]
             180 answer => end 0-1 flag",
        );
    }
}

#[test]
fn flag_fall_is_a_draw_if_the_opponent_cannot_checkmate() {
    for table in [online(), board(), casual()] {
        // Both sides have made their first moves, so that the clocks run everywhere.
        check(
            table.clone().clock("3+0").fen(QUEEN),
            "0 play Kb2 Kb8
             180 deadline => flag w
             180 answer => end 1/2-1/2 flag by material",
        );
        check(
            table.clock("3+0").fen(KNIGHT_V_QUEEN),
            "0 play Kb1 Kb8 Kc1
             180 deadline => flag b
             180 answer => end 1/2-1/2 flag by material",
        );
    }
}
