//! docs/laws.md, "Time and order": what comes before the flag and what after.

use crate::script::check;
use crate::table::{all, board, casual, online};

#[test]
fn what_is_stamped_strictly_before_the_flag_is_handled_first() {
    for table in all() {
        let table = table.clock("3+0");
        let moved = "0 play e4 e5\n179.999999 w Nf3 => Nf3 [w took 179.999999: 0.000001 180]";
        check(table.clone(), moved);
        let resigned = "0 play e4 e5\n179.999999 b resign => resign b [w took 179.999999: 0.000001 180]";
        check(table.clone(), resigned);
        let agreed = "0 play e4 e5\n0 b offer => offer b\n179.999999 w accept => end 1/2-1/2 agreement";
        check(table, agreed);
    }
    let thrice = "0 play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    check(
        board().clock("3+0"),
        &format!("{thrice}\n179.999999 w claim => claim w right; end 1/2-1/2 threefold"),
    );
}

#[test]
fn what_is_stamped_at_the_flags_instant_or_later_is_rejected_and_the_flag_stands() {
    for table in all() {
        for late in ["180", "180.000001", "999"] {
            check(
                table.clone().clock("3+0"),
                &format!(
                    "0 play e4 e5
                     0 b offer => offer b
                     {late} w Nf3 => !TimeIsUp
                     {late} w a1a8 => !TimeIsUp
                     {late} w accept => !TimeIsUp
                     {late} w decline => !TimeIsUp
                     {late} w resign => !TimeIsUp
                     {late} b resign => !TimeIsUp
                     {late} w claim => !TimeIsUp
                     {late} w offer => !TimeIsUp
                     {late} w absent win => !TimeIsUp
                     {late} b takeback => !TimeIsUp
                     {late} b give 15 => !TimeIsUp
                     {late} arbiter declare 1-0 => !TimeIsUp
                     {late} arbiter add w 60 => !TimeIsUp
                     {late} deadline => flag w [w took 180: 0 180]"
                ),
            );
        }
    }
}

#[test]
fn a_mate_stamped_before_the_flag_wins() {
    check(
        board().clock("3+0"),
        "0 play f3 e5 g4
         179.999999 b Qh4 => Qh4# [b took 179.999999: 180 0.000001]; end 0-1 checkmate
         180 deadline => !NothingDue",
    );
}

#[test]
fn a_mate_stamped_at_the_flags_instant_comes_too_late() {
    check(
        board().clock("3+0"),
        "0 play f3 e5 g4
         180 b Qh4 => !TimeIsUp
         180 deadline => flag b
         180 b Qh4 => !GameOver
         180 answer => end 1-0 flag",
    );
}

#[test]
fn the_flag_falls_at_exactly_its_instant_whenever_it_is_put_in() {
    check(
        online().clock("3+0"),
        "0 play e4 e5
         0 due => 180
         179.999999 deadline => !NothingDue
         500 deadline => flag w [w took 180: 0 180]
         500 clocks => 0 180",
    );
}

#[test]
fn after_the_flag_only_the_verdict_comes() {
    check(
        casual().clock("3+0"),
        "0 play e4 e5
         0 b offer => offer b
         180 deadline => flag w
         180 offers => none
         180 due => none
         180 running => none
         180 deadline => !NothingDue
         180 w accept 4 => !GameOver
         180 b resign => !GameOver
         180 arbiter declare 1-0 => !GameOver
         180 answer 5 none => !NothingDue
         180 answer => end 0-1 flag
         180 answer 5 none => !NothingDue
         180 clocks => 0 180",
    );
}

#[test]
fn one_microsecond_is_enough_and_none_is_a_flag() {
    check(
        board().clock("3+0"),
        "0 play e4 e5
         179.999999 w Nf3 => Nf3 [w took 179.999999: 0.000001 180]
         180 b Nc6 => Nc6
         180 due => 180.000001
         180 w Bc4 => Bc4 [w took 0: 0.000001 179.999999]
         181 b Bc5 => Bc5
         181.000001 w O-O => !TimeIsUp
         181.000001 deadline => flag w",
    );
}

#[test]
fn only_the_side_to_move_is_flagged() {
    check(
        board().clock("1+0|9+0"),
        "0 play e4
         300 due => 540
         300 deadline => !NothingDue
         300 b e5 => e5
         300 due => 360",
    );
}
