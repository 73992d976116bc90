//! A game that nobody follows comes to rest, and goes on where it would be.

use std::time::Duration;

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Event, Micros, Profile, TimeControl};
use zeitnot_rules::verdict::Reason;

use super::table::{Table, blitz, play, setup};
use crate::games::inputs::GameInput;
use crate::games::machine::{Closing, REST_AFTER};
use crate::storage::WriteError;
use crate::time::ServiceInstant;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// A game with days per move after two moves, which both have left.
fn left_alone(time_control: TimeControl) -> Table {
    let mut table = Table::seated(&setup(Profile::casual(), time_control));
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table.pass(Duration::from_secs(60));
    table.leave(1);
    table.pass(Duration::from_secs(30));
    table.leave(2);
    table
}

fn days() -> TimeControl {
    TimeControl::DaysPerMove { days: 2 }
}

#[test]
fn a_game_that_both_have_left_comes_to_rest_after_a_while() {
    let mut table = left_alone(days());
    table.pass(REST_AFTER.saturating_sub(Duration::from_millis(1)));
    assert_eq!(table.closed, None);
    table.pass(Duration::from_millis(1));
    assert_eq!(table.closed, Some(Closing::Rests));
    let [mark] = table.marks[..] else { panic!("{:?}", table.marks) };
    assert_eq!(mark.took, Micros::from_secs(690), "of White's turn");
    assert_eq!(mark.away_since.black.since(mark.away_since.white), Micros::from_secs(30));
    assert_eq!(mark.due.since(mark.at), Micros::from_secs(2 * 24 * 3600 - 690));
}

#[test]
fn whoever_follows_it_keeps_it_in_memory() {
    let mut table = left_alone(days());
    table.handle_input(GameInput::Watchers(1));
    table.pass(REST_AFTER * 3);
    assert_eq!(table.closed, None);
    table.handle_input(GameInput::Watchers(0));
    table.pass(REST_AFTER.saturating_sub(Duration::from_millis(1)));
    table.join(3, Color::Black);
    table.pass(REST_AFTER * 3);
    assert_eq!(table.closed, None);
    table.leave(3);
    table.pass(REST_AFTER);
    assert_eq!(table.closed, Some(Closing::Rests));
}

#[test]
fn a_woken_game_stands_where_it_would_have_stood() {
    let mut stayed = left_alone(days());
    stayed.handle_input(GameInput::Watchers(1));
    let mut rested = left_alone(days());
    rested.pass(REST_AFTER);
    assert_eq!(rested.closed, Some(Closing::Rests));
    stayed.pass(REST_AFTER + DAY);
    let mut woken = rested.woken(DAY);
    assert_eq!(woken.machine.game().recorded(), stayed.machine.game().recorded());
    assert_eq!(woken.machine.clock_reading(), stayed.machine.clock_reading());
    woken.join(4, Color::White);
    stayed.join(4, Color::White);
    woken.play(4, "g1f3");
    stayed.play(4, "g1f3");
    assert_eq!(woken.events(), stayed.events());
    woken.check();
}

#[test]
fn the_flag_of_a_game_at_rest_falls_at_its_own_instant() {
    let mut rested = left_alone(days());
    rested.pass(REST_AFTER);
    let due = rested.marks[0].due;
    // It is woken long after that.
    let mut woken = rested.woken(DAY * 5);
    woken.pass(Duration::ZERO);
    let records = woken.records();
    let flag = records.iter().find(|record| matches!(record.events[0], Event::FlagFell { .. })).unwrap();
    assert_eq!(flag.at, due);
    let charge = flag.events[0].charge().unwrap();
    assert_eq!(charge.took, Micros::from_secs(2 * 24 * 3600));
}

#[test]
fn a_command_that_was_read_before_the_rest_is_charged_until_it_was_read() {
    let mut rested = left_alone(days());
    rested.pass(REST_AFTER);
    let took = rested.marks[0].took;
    let read = ServiceInstant(rested.now.0 - 20_000);
    let mut woken = rested.woken(Duration::from_millis(10));
    woken.join(4, Color::White);
    let on = woken.machine.game().position_seq();
    woken.send_stamped(4, read, play(on, "g1f3"));
    woken.expect_done(4);
    let charge = *woken.events().last().unwrap().charge().unwrap();
    assert_eq!(charge.took, took.saturating_sub(Micros::from_millis(20)));
    woken.check();
}

#[test]
fn a_game_without_a_clock_ends_30_days_after_both_have_left() {
    let mut rested = left_alone(TimeControl::Unlimited);
    rested.pass(REST_AFTER);
    let mark = rested.marks[0];
    assert_eq!(mark.due.since(mark.away_since.black), Micros::from_secs(30 * 24 * 3600));
    // A spectator in between changes nothing.
    let mut woken = rested.woken(DAY * 20);
    woken.handle_input(GameInput::Watchers(1));
    woken.handle_input(GameInput::Watchers(0));
    woken.pass(REST_AFTER);
    assert_eq!((woken.closed.as_ref(), woken.marks[0].due), (Some(&Closing::Rests), mark.due));
    let mut woken = woken.woken(DAY * 10);
    woken.pass(Duration::ZERO);
    let Event::Ended { outcome, .. } = woken.events().pop().unwrap() else { panic!("it goes on") };
    assert_eq!(outcome.reason, Reason::BothAway);
    assert!(woken.has_ended);
    woken.check();
}

#[test]
fn a_player_who_came_back_has_30_days_again() {
    let mut rested = left_alone(TimeControl::Unlimited);
    rested.pass(REST_AFTER);
    let mut woken = rested.woken(DAY * 29);
    woken.join(4, Color::White);
    woken.leave(4);
    woken.pass(REST_AFTER);
    let mark = woken.marks[0];
    assert_eq!(mark.due.since(mark.at), Micros::from_secs(30 * 24 * 3600 - 600));
}

#[test]
fn a_game_that_waits_for_its_turn_does_not_rest() {
    // A recovered game waits for its player for 30 s.
    let mut table = left_alone(blitz()).recovered(DAY);
    table.machine.set_rest_after(Duration::from_secs(20), table.now);
    table.pass(Duration::from_secs(29));
    assert_eq!(table.marks, []);
    table.pass(Duration::from_secs(12));
    assert_eq!(table.closed, Some(Closing::Rests));
}

#[test]
fn a_game_that_has_ended_does_not_rest() {
    let mut table = left_alone(blitz());
    table.pass(Duration::from_secs(400));
    assert!(table.has_ended);
    assert_eq!((table.closed.as_ref(), table.marks.len()), (Some(&Closing::Over), 0));
}

#[test]
fn a_store_without_room_keeps_it_in_memory_and_one_that_is_silent_has_it_recovered() {
    for (answer, closed) in [
        (Ok(false), None),
        (Err(WriteError("a test")), Some(Closing::JournalFailed(WriteError("a test").to_string()))),
    ] {
        let mut table = left_alone(days());
        table.rests = Some(answer);
        table.pass(REST_AFTER);
        assert_eq!((table.marks.len(), table.closed), (1, closed));
    }
}

#[test]
fn what_comes_while_it_comes_to_rest_waits() {
    let mut table = left_alone(days());
    (table.holds_rest, table.rests) = (true, Some(Ok(false)));
    table.pass(REST_AFTER);
    assert!(!table.machine.takes_more());
    table.handle_input(GameInput::Rested(Ok(false)));
    assert!(table.machine.takes_more());
    table.join(4, Color::White);
    table.play(4, "g1f3");
    table.check();
}
