//! Answers that come from elsewhere: a dead position that is found plies later is still dead
//! (5.2.2).

use crate::script::check;
use crate::table::{board, casual, us};

#[test]
fn a_dead_position_found_late_ends_the_game() {
    check(
        board().clock("3+0"),
        "0 play e4 e5 Nf3
         7 dead 4 => end 1/2-1/2 dead [b took 7: 180 173]",
    );
}

#[test]
fn a_dead_position_found_plies_later_is_still_right() {
    check(board(), "0 play e4 e5 Nf3 Nc6 Bc4\n7 dead 2 => end 1/2-1/2 dead");
    check(board(), "0 play e4 e5 Nf3 Nc6 Bc4\n7 dead 1 => end 1/2-1/2 dead");
}

#[test]
fn a_position_that_was_taken_back_says_nothing_about_the_game() {
    check(
        casual(),
        "0 play e4 e5 Nf3
         1 w takeback => takeback w 1
         1 b takeback-yes => taken-back 1
         2 dead 4 => !NothingDue
         2 dead 5 => !NothingDue
         2 dead 3 => end 1/2-1/2 dead",
    );
}

#[test]
fn a_takeback_makes_a_position_that_can_be_asked_about() {
    check(
        casual(),
        "0 play e4 e5 Nf3
         1 w takeback => takeback w 1
         1 b takeback-yes => taken-back 1
         2 dead 6 => end 1/2-1/2 dead",
    );
}

#[test]
fn only_an_event_that_made_a_position_can_be_asked_about() {
    check(
        board(),
        "0 play e4 e5\n0 w offer => offer w\n1 dead 4 => !NothingDue\n1 dead 9 => !NothingDue\n1 dead 0 => !NothingDue",
    );
}

#[test]
fn a_dead_position_comes_before_a_flag_that_is_due() {
    // The game ended when the position arose, so it is not late. A clock at 0 would mean a flag.
    check(
        board().clock("3+0"),
        "0 play e4 e5
         200 dead 3 => end 1/2-1/2 dead [w took 179.999999: 0.000001 180]",
    );
}

#[test]
fn a_dead_position_comes_before_a_flag_or_a_resignation() {
    check(board().clock("3+0"), "0 play e4 e5\n180 deadline => flag w\n180 dead 3 => end 1/2-1/2 dead");
    check(us(), "0 play e4 e5\n9 w resign => resign w\n9 dead 3 => end 1/2-1/2 dead");
}

#[test]
fn a_position_that_is_not_dead_changes_nothing() {
    check(board(), "0 play e4 e5\n1 answer 3 none => !NothingDue\n1 w Nf3 => Nf3");
}

#[test]
fn an_answer_is_to_the_question_that_is_open() {
    check(
        board(),
        "0 play e4 e5
         1 w resign => resign w
         1 answer about 3 => !NothingDue
         1 answer about 5 => !NothingDue
         1 answer about 4 => end 0-1 resignation",
    );
}

#[test]
fn no_dead_position_is_found_after_the_end() {
    check(board(), "0 play e4 e5\n1 arbiter declare 1-0 => end 1-0 arbiter\n2 dead 3 => !NothingDue");
}

#[test]
fn a_position_that_may_be_dead_is_asked_about_while_the_game_goes_on() {
    // Before Kf2 nothing says that it is dead already: the game may start.
    let blocked = board().fen("8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 w - - 0 1");
    check(
        blocked.clone(),
        "0 play Kf2
         1 dead-answer => end 1/2-1/2 dead by static test",
    );
    check(blocked, "0 play Kf2 Kd7\n1 dead-answer => end 1/2-1/2 dead by static test");
}

#[test]
fn before_a_forced_capture_the_game_has_ended() {
    check(
        board().fen("7k/8/8/8/8/8/5q2/7K b - - 0 1"),
        "0 play Qg2\n0 dead-answer => end 1/2-1/2 dead by search",
    );
}

#[test]
fn a_position_with_room_is_not_asked_about() {
    check(board(), "0 play e4 e5\n0 dead-question => none");
    check(us().fen("k7/8/8/8/8/8/8/K5QR w - - 0 1"), "0 play Kb1\n0 dead-answer => !NothingDue");
}
