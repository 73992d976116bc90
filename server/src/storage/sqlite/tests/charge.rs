//! What the running turn of a game has taken, as a restart finds it: through segments, second
//! crashes and pauses.

use std::sync::Arc;
use std::time::Duration;

use zeitnot_rules::game::Micros;

use super::harness::{Harness, ONE_SEGMENT, game, moved, started};
use crate::storage::sqlite::committer::SegmentSettings;
use crate::storage::sqlite::requests::Request;
use crate::storage::{EffectToken, TurnTime};

const TICK: Duration = Duration::from_millis(100);

/// Time passes with the commits of a server where nobody plays.
fn idle(harness: &mut Harness, span: Duration) {
    for _ in 0..span.as_millis() / TICK.as_millis() {
        harness.pass(TICK);
        if harness.loaded.committer.has_work(harness.now) {
            harness.run(&mut Vec::new());
        }
    }
}

fn spent(harness: &Harness) -> Micros {
    let found = harness.loaded.found.live.iter().find(|found| found.game == game(1));
    found.unwrap().spent
}

#[track_caller]
fn check(spent: Micros, ran: Duration, interruptions: u32) {
    let (spent, ran) = (Duration::from_micros(spent.0), ran);
    assert!(spent <= ran, "{spent:?} is more than {ran:?}");
    assert!(ran - spent <= Duration::from_secs(2) * interruptions, "{spent:?} is too little for {ran:?}");
}

fn goes_on(harness: &mut Harness) {
    let time = TurnTime::Runs { spent: spent(harness) };
    harness.run(&mut vec![Request::Turn { game: game(1), time }]);
}

#[test]
fn an_interrupted_turn_is_charged_and_the_downtime_is_not() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1))]);
    idle(&mut harness, Duration::from_secs(20));
    harness.commit(vec![moved(game(1), 2)]);
    let ran = Duration::from_millis(9_900);
    idle(&mut harness, ran);
    let mut harness = harness.crash();
    check(spent(&harness), ran, 1);
    // The second process dies before anybody is back: nothing more is charged.
    let first = spent(&harness);
    idle(&mut harness, Duration::from_secs(15));
    let mut harness = harness.crash();
    assert_eq!(spent(&harness), first);
    // In the third one the turn goes on.
    idle(&mut harness, Duration::from_secs(4));
    goes_on(&mut harness);
    idle(&mut harness, Duration::from_secs(6));
    let harness = harness.crash();
    check(spent(&harness), ran + Duration::from_secs(6), 2);
    assert!(spent(&harness) > first);
}

#[test]
fn a_turn_that_begins_late_is_not_charged_for_the_way_to_it() {
    let mut harness = Harness::new(ONE_SEGMENT);
    let effect = Arc::new(EffectToken::default());
    harness.effect = Some(Arc::clone(&effect));
    harness.commit(vec![started(game(1))]);
    harness.effect = None;
    // The disk is slow, or the actor is: the answer takes 3 s to have its effect.
    idle(&mut harness, Duration::from_secs(3));
    drop(effect);
    let ran = Duration::from_secs(5);
    idle(&mut harness, ran);
    check(spent(&harness.crash()), ran, 1);
}

#[test]
fn a_server_that_stops_before_a_turn_begins_charges_nothing_for_it() {
    let mut harness = Harness::new(ONE_SEGMENT);
    let effect = Arc::new(EffectToken::default());
    harness.effect = Some(Arc::clone(&effect));
    harness.commit(vec![started(game(1))]);
    idle(&mut harness, Duration::from_secs(3));
    harness.run(&mut vec![Request::StopTurns]);
    assert_eq!(spent(&harness.crash()), Micros::ZERO);
}

#[test]
fn a_carried_row_holds_the_time_so_far() {
    for rows in 3..30 {
        let mut harness = Harness::new(SegmentSettings { rows, carried_per_commit: 1 });
        harness.commit(vec![started(game(1)), started(game(2))]);
        harness.commit(vec![moved(game(1), 2)]);
        let ran = Duration::from_millis(21_300);
        idle(&mut harness, ran);
        let mut harness = harness.crash();
        check(spent(&harness), ran, 1);
        idle(&mut harness, Duration::from_secs(10));
        goes_on(&mut harness);
        idle(&mut harness, Duration::from_secs(12));
        let mut harness = harness.crash();
        check(spent(&harness), ran + Duration::from_secs(12), 2);
        // A move begins another turn.
        harness.commit(vec![moved(game(1), 3)]);
        let harness = harness.crash();
        assert_eq!(spent(&harness), Micros::ZERO);
    }
}

#[test]
fn what_is_no_move_does_not_begin_the_turn_anew() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1))]);
    idle(&mut harness, Duration::from_secs(10));
    let offer = zeitnot_rules::game::Event::DrawOffered { by: zeitnot_rules::board::Color::White };
    harness.commit(vec![crate::storage::Record { events: vec![offer], ..moved(game(1), 2) }]);
    idle(&mut harness, Duration::from_secs(5));
    check(spent(&harness.crash()), Duration::from_secs(15), 1);
}

#[test]
fn a_stop_charges_up_to_its_begin_and_no_further() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.commit(vec![started(game(1))]);
    idle(&mut harness, Duration::from_millis(10_050));
    harness.pass(Duration::from_millis(50));
    harness.run(&mut vec![Request::StopTurns, Request::StopTurns]);
    idle(&mut harness, Duration::from_secs(8));
    let spent = Duration::from_micros(spent(&harness.crash()).0);
    let ran = Duration::from_millis(10_050);
    assert!(
        spent <= ran + Duration::from_millis(50) && ran - spent < Duration::from_millis(1_300),
        "{spent:?}"
    );
}

#[test]
fn there_are_no_heartbeats_without_live_games() {
    let mut harness = Harness::new(ONE_SEGMENT);
    harness.pass(Duration::from_secs(60));
    assert!(!harness.loaded.committer.has_work(harness.now));
    harness.commit(vec![started(game(1))]);
    harness.pass(Duration::from_secs(1));
    assert!(harness.loaded.committer.has_work(harness.now));
}
