//! What the running turn of a game has taken, as a restart finds it: through segments, second crashes and pauses.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_rules::game::Micros;

use super::desk::{Desk, ONE_SEGMENT, game, moved, started};
use crate::storage::TurnTime;
use crate::storage::sqlite::committer::SegmentSettings;
use crate::storage::sqlite::requests::Request;

const TICK: Duration = Duration::from_millis(100);

/// Time passes with the commits of a server where nobody plays.
fn idle(desk: &mut Desk, span: Duration) {
    for _ in 0..span.as_millis() / TICK.as_millis() {
        desk.pass(TICK);
        if desk.loaded.committer.has_work(desk.now) {
            desk.run(&mut Vec::new());
        }
    }
}

fn spent(desk: &Desk) -> Micros {
    let found = desk.loaded.found.live.iter().find(|found| found.game == game(1));
    found.unwrap().spent
}

#[track_caller]
fn check(spent: Micros, ran: Duration, interruptions: u32) {
    let (spent, ran) = (Duration::from_micros(spent.0), ran);
    assert!(spent <= ran, "{spent:?} is more than {ran:?}");
    assert!(ran - spent <= Duration::from_secs(2) * interruptions, "{spent:?} is too little for {ran:?}");
}

fn goes_on(desk: &mut Desk) {
    let time = TurnTime::Runs { spent: spent(desk) };
    desk.run(&mut vec![Request::Turn { game: game(1), time }]);
}

#[test]
fn an_interrupted_turn_is_charged_and_the_downtime_is_not() {
    let mut desk = Desk::new(ONE_SEGMENT);
    desk.commit(vec![started(game(1))]);
    idle(&mut desk, Duration::from_secs(20));
    desk.commit(vec![moved(game(1), 2)]);
    let ran = Duration::from_millis(9_900);
    idle(&mut desk, ran);
    let mut desk = desk.crash();
    check(spent(&desk), ran, 1);
    // The second process dies before anybody is back: nothing more is charged.
    let first = spent(&desk);
    idle(&mut desk, Duration::from_secs(15));
    let mut desk = desk.crash();
    assert_eq!(spent(&desk), first);
    // In the third one the turn goes on.
    idle(&mut desk, Duration::from_secs(4));
    goes_on(&mut desk);
    idle(&mut desk, Duration::from_secs(6));
    let desk = desk.crash();
    check(spent(&desk), ran + Duration::from_secs(6), 2);
    assert!(spent(&desk) > first);
}

#[test]
fn a_turn_that_begins_late_is_not_charged_for_the_way_to_it() {
    let mut desk = Desk::new(ONE_SEGMENT);
    let kept = Arc::new(());
    desk.kept = Some(Arc::clone(&kept));
    desk.commit(vec![started(game(1))]);
    desk.kept = None;
    // The disk is slow, or the actor is: the answer takes 3 s to have its effect.
    idle(&mut desk, Duration::from_secs(3));
    drop(kept);
    let ran = Duration::from_secs(5);
    idle(&mut desk, ran);
    check(spent(&desk.crash()), ran, 1);
}

#[test]
fn a_server_that_stops_before_a_turn_begins_charges_nothing_for_it() {
    let mut desk = Desk::new(ONE_SEGMENT);
    let kept = Arc::new(());
    desk.kept = Some(Arc::clone(&kept));
    desk.commit(vec![started(game(1))]);
    idle(&mut desk, Duration::from_secs(3));
    desk.run(&mut vec![Request::LastBeat]);
    assert_eq!(spent(&desk.crash()), Micros::ZERO);
}

#[test]
fn a_carried_row_holds_the_time_so_far() {
    for rows in 3..30 {
        let mut desk = Desk::new(SegmentSettings { rows, carried_per_commit: 1 });
        desk.commit(vec![started(game(1)), started(game(2))]);
        desk.commit(vec![moved(game(1), 2)]);
        let ran = Duration::from_millis(21_300);
        idle(&mut desk, ran);
        let mut desk = desk.crash();
        check(spent(&desk), ran, 1);
        idle(&mut desk, Duration::from_secs(10));
        goes_on(&mut desk);
        idle(&mut desk, Duration::from_secs(12));
        let mut desk = desk.crash();
        check(spent(&desk), ran + Duration::from_secs(12), 2);
        // A move begins another turn.
        desk.commit(vec![moved(game(1), 3)]);
        let desk = desk.crash();
        assert_eq!(spent(&desk), Micros::ZERO);
    }
}

#[test]
fn what_is_no_move_does_not_begin_the_turn_anew() {
    let mut desk = Desk::new(ONE_SEGMENT);
    desk.commit(vec![started(game(1))]);
    idle(&mut desk, Duration::from_secs(10));
    let offer = zeitnot_rules::game::Event::DrawOffered { by: zeitnot_rules::board::Color::White };
    desk.commit(vec![crate::storage::Record { events: vec![offer], ..moved(game(1), 2) }]);
    idle(&mut desk, Duration::from_secs(5));
    check(spent(&desk.crash()), Duration::from_secs(15), 1);
}

#[test]
fn a_stop_charges_up_to_its_begin_and_no_further() {
    let mut desk = Desk::new(ONE_SEGMENT);
    desk.commit(vec![started(game(1))]);
    idle(&mut desk, Duration::from_millis(10_050));
    desk.pass(Duration::from_millis(50));
    desk.run(&mut vec![Request::LastBeat, Request::LastBeat]);
    idle(&mut desk, Duration::from_secs(8));
    let spent = Duration::from_micros(spent(&desk.crash()).0);
    let ran = Duration::from_millis(10_050);
    assert!(
        spent <= ran + Duration::from_millis(50) && ran - spent < Duration::from_millis(1_300),
        "{spent:?}"
    );
}

#[test]
fn there_are_no_heartbeats_without_live_games() {
    let mut desk = Desk::new(ONE_SEGMENT);
    desk.pass(Duration::from_secs(60));
    assert!(!desk.loaded.committer.has_work(desk.now));
    desk.commit(vec![started(game(1))]);
    desk.pass(Duration::from_secs(1));
    assert!(desk.loaded.committer.has_work(desk.now));
}
