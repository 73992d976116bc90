//! docs/laws.md, "Profiles": giving time.

use crate::script::check;
use crate::table::{board, casual, online, us};

#[test]
fn casual_allows_giving_time() {
    check(
        casual(),
        "0 play e4 e5
         10 b give 15 => gift b 195 180
         10 clocks => 185 180
         10 due => 195
         20 w Nf3 => Nf3 [w took 20: 177 180]
         30 w give 60 => gift w 177 240
         30 clocks => 177 230",
    );
}

#[test]
fn the_others_know_none() {
    for table in [online(), board(), us()] {
        check(table, "0 play e4 e5\n1 w give 15 => !NotInProfile");
    }
}

#[test]
fn the_giver_acts_alone_and_at_any_time() {
    check(
        casual(),
        "0 w give 15 => gift w 180 195\n0 b give 15 => gift b 195 195\n0 play e4 e5\n1 w give 15 => gift w 195 210",
    );
}

#[test]
fn one_to_sixty_seconds_at_once() {
    check(
        casual(),
        "0 w give 0 => !BadAmount
         0 w give 0.999999 => !BadAmount
         0 w give 60.000001 => !BadAmount
         0 w give 1 => gift w 180 181
         0 w give 60 => gift w 180 241",
    );
}

#[test]
fn at_most_an_hour_in_a_game() {
    let mut script = String::new();
    for nth in 1..=60 {
        script += &format!("0 w give 60 => gift w 180 {}\n", 180 + 60 * nth);
    }
    script += "0 w give 1 => !BadAmount\n0 b give 60 => gift b 240 3780";
    check(casual(), &script);
}

#[test]
fn no_given_time_takes_a_clock_over_its_limit() {
    check(
        casual(),
        "0 arbiter set 3599990 60 => arbiter 3599990 60
         0 b give 11 => !BadAmount
         0 b give 10 => gift b 3600000 60",
    );
}

#[test]
fn there_is_nothing_to_give_without_a_real_time_clock() {
    check(casual().clock("none"), "0 w give 15 => !NotInProfile");
    check(casual().clock("1d"), "0 w give 15 => !NotInProfile");
}

#[test]
fn what_was_given_is_kept_by_a_takeback() {
    check(
        casual(),
        "0 play e4 e5
         0 w give 60 => gift w 180 240
         0 b takeback => takeback b 1
         0 w takeback-yes => taken-back 1
         0 clocks => 180 240",
    );
}
