//! docs/laws.md, "Clocks": what a time control may be, and how fast a game is.

use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Bonus, Micros, Period, Speed, TimeControl, TimeControlError};

use crate::table::time_control;

#[track_caller]
fn check_valid(time_control: &TimeControl, expected: Result<(), TimeControlError>) {
    assert_eq!(time_control.validate(), expected, "{time_control:?}");
}

#[test]
fn a_clock_has_one_to_eight_periods() {
    check_valid(&TimeControl::Clock(ByColor::both(Vec::new())), Err(TimeControlError::PeriodCount));
    check_valid(&time_control(&["1/1+0"; 8].join(",")), Ok(()));
    check_valid(&time_control(&["1/1+0"; 9].join(",")), Err(TimeControlError::PeriodCount));
}

#[test]
fn every_period_but_the_last_has_a_number_of_moves() {
    check_valid(&time_control("40/90+30,30+30"), Ok(()));
    check_valid(&time_control("40/90+30,20/30+30"), Ok(()));
    check_valid(&time_control("90+30,30+30"), Err(TimeControlError::Moves));
    check_valid(&time_control("0/90+30,30+30"), Err(TimeControlError::Moves));
    check_valid(&time_control("200/90+30,30+30"), Ok(()));
    check_valid(&time_control("201/90+30,30+30"), Err(TimeControlError::Moves));
    check_valid(&time_control("40/90+30,0/30+30"), Err(TimeControlError::Moves));
}

#[test]
fn a_base_is_at_most_24_hours_and_the_first_gives_some_time() {
    check_valid(&time_control("1440+0"), Ok(()));
    check_valid(&time_control("1441+0"), Err(TimeControlError::Base));
    check_valid(&time_control("0+5"), Err(TimeControlError::Base));
    check_valid(&time_control("40/90+30,0+30"), Ok(()));
}

#[test]
fn a_bonus_is_at_most_an_hour() {
    for kind in ["", "s", "b"] {
        check_valid(&time_control(&format!("5+3600{kind}")), Ok(()));
        check_valid(&time_control(&format!("5+3601{kind}")), Err(TimeControlError::Bonus));
    }
}

#[test]
fn days_per_move_are_one_to_thirty() {
    check_valid(&time_control("1d"), Ok(()));
    check_valid(&time_control("30d"), Ok(()));
    check_valid(&time_control("0d"), Err(TimeControlError::Days));
    check_valid(&time_control("31d"), Err(TimeControlError::Days));
    check_valid(&time_control("none"), Ok(()));
}

#[test]
fn each_side_is_looked_at() {
    check_valid(&time_control("5+0|0+0"), Err(TimeControlError::Base));
    check_valid(&time_control("0+0|5+0"), Err(TimeControlError::Base));
}

#[track_caller]
fn check_speed(text: &str, speed: Speed) {
    assert_eq!(time_control(text).speed(), speed, "{text}");
}

#[test]
fn speed_is_by_base_and_40_increments_or_delays() {
    check_speed("2+1", Speed::Bullet);
    check_speed("1+2", Speed::Bullet);
    check_speed("3+0", Speed::Blitz);
    check_speed("1+3", Speed::Blitz);
    check_speed("1+3s", Speed::Blitz);
    check_speed("1+3b", Speed::Blitz);
    check_speed("7+1", Speed::Blitz);
    check_speed("8+0", Speed::Rapid);
    check_speed("4+6", Speed::Rapid);
    check_speed("24+1", Speed::Rapid);
    check_speed("25+0", Speed::Classical);
    check_speed("5+30", Speed::Classical);
    check_speed("3d", Speed::Correspondence);
    check_speed("none", Speed::Correspondence);
}

#[test]
fn speed_is_by_the_side_that_has_more() {
    check_speed("1+0|10+0", Speed::Rapid);
    check_speed("10+0|1+0", Speed::Rapid);
}

#[test]
fn every_base_counts_once_and_every_move_its_own_periods_bonus() {
    let estimate = |text: &str, moves| time_control(text).estimate(Color::White, moves);
    assert_eq!(estimate("5+3", 40), Some(Micros::from_secs(300 + 120)));
    assert_eq!(estimate("20/10+0,5+3", 40), Some(Micros::from_secs(900 + 60)));
    assert_eq!(estimate("20/10+2,10/5+3", 40), Some(Micros::from_secs(900 + 40 + 60)));
    assert_eq!(estimate("3d", 40), None);
    assert_eq!(estimate("none", 40), None);
}

#[test]
fn fischer_is_one_period_for_both() {
    let period = |bonus| Period { moves: None, base: Micros::from_secs(180), bonus };
    let clock = |bonus| TimeControl::Clock(ByColor::both(vec![period(bonus)]));
    let two = Micros::from_secs(2);
    assert_eq!(TimeControl::fischer(Micros::from_secs(180), two), clock(Bonus::Increment(two)));
    assert_eq!(TimeControl::fischer(Micros::from_secs(180), Micros::ZERO), clock(Bonus::None));
}
