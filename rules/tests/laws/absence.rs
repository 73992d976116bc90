//! docs/laws.md, "Profiles": claims against an absent opponent.

use crate::script::check;
use crate::table::{board, casual, online, us};

#[test]
fn the_grace_is_30_s_in_bullet_60_s_in_blitz_120_s_else() {
    for table in [online(), casual()] {
        // Base + 40 x increment: under 180, under 480, under 1,500, and more.
        for (clock, grace) in [
            ("1+2", 30),
            ("2+1", 30),
            ("3+0", 60),
            ("3+2", 60),
            ("7+1", 60),
            ("8+0", 120),
            ("10+5", 120),
            ("90+30", 120),
        ] {
            check(
                table.clone().clock(clock),
                &format!(
                    "0 play e4 e5
                     1 away b
                     {grace}.999999 w absent win => !NotAbsent
                     {}.000000 w absent draw => absence w draw; end 1/2-1/2 abandonment",
                    grace + 1
                ),
            );
        }
    }
}

#[test]
fn a_claimed_win_is_a_win() {
    check(
        online(),
        "0 play e4 e5 Nf3
         5 away b
         70 w absent win => absence w win [b took 70: 182 110]
         70 due => none
         70 b Nc6 => !GameOver
         70 w absent draw => !GameOver
         70 answer => end 1-0 abandonment",
    );
}

#[test]
fn a_claimed_win_is_a_draw_if_the_claimant_cannot_checkmate() {
    check(
        online().fen("k7/8/8/8/8/8/8/K5Q1 w - - 0 1"),
        "0 play Kb2 Kb8
         1 away w
         61 b absent win => absence b win
         61 answer => end 1/2-1/2 abandonment by material",
    );
}

#[test]
fn a_claimed_draw_is_a_draw() {
    check(
        casual(),
        "0 play e4 e5
         1 away w
         61 b absent draw => absence b draw [w took 61: 119 180]; end 1/2-1/2 abandonment",
    );
}

#[test]
fn an_opponent_who_is_there_cannot_be_claimed() {
    check(
        online().clock("10+0"),
        "0 play e4 e5
         300 w absent win => !NotAbsent
         300 here b
         400 w absent win => !NotAbsent
         400 away w
         599 w absent win => !NotAbsent",
    );
}

#[test]
fn who_comes_back_has_a_new_grace() {
    check(
        online().clock("10+0"),
        "0 play e4 e5
         0 away b
         119 here b
         130 away b
         131 w absent win => !NotAbsent
         249.999999 w absent win => !NotAbsent
         250 w absent win => absence w win",
    );
}

#[test]
fn the_grace_runs_from_the_first_instant_of_an_absence() {
    check(
        online().clock("10+0"),
        "0 play e4 e5
         0 away b
         60 away b
         120 w absent win => absence w win",
    );
}

#[test]
fn over_the_board_the_clock_decides() {
    for table in [board(), us()] {
        check(table, "0 play e4 e5\n0 away b\n170 w absent win => !NotInProfile");
    }
}

#[test]
fn no_clock_no_absence_claim() {
    for table in [online(), casual()] {
        check(table.clock("none"), "0 play e4 e5\n0 away b\n9999 w absent draw => !NotInProfile");
    }
}

#[test]
fn presence_is_not_recorded() {
    let here = check(online(), "0 play e4 e5");
    let away = check(online(), "0 play e4 e5\n5 away b\n6 here w");
    assert_eq!(here.recorded(), away.recorded());
}

#[test]
fn a_no_show_can_be_claimed_too() {
    check(online().clock("1+0"), "0 away b\n29 w e4 => e4\n30 w absent win => absence w win");
}

#[test]
fn a_game_that_both_have_left_ends_after_30_days() {
    for table in [online(), casual()] {
        check(
            table.clock("none"),
            "0 play e4 e5
             5 away w
             7 away b
             7 due => 2592007
             2592006.999999 deadline => !NothingDue
             2592007 deadline => end * both-away",
        );
    }
}

#[test]
fn it_goes_on_when_one_of_them_comes_back() {
    check(
        online().clock("none"),
        "0 play e4
         5 away w
         7 away b
         100 here w
         100 due => none
         200 away w
         200 due => 2592200",
    );
}

#[test]
fn the_flag_falls_before_that() {
    check(
        online().clock("1+0"),
        "0 play e4 e5
         0 away w
         0 away b
         0 due => 60",
    );
    check(online().clock("14d"), &format!("0 away w\n0 away b\n0 due => {}", 14 * 24 * 3600));
}
