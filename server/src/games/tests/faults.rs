//! A journal that conflicts, fails, is slow, or does not know: nothing is lost, doubled, or told
//! too early.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use zeitnot_protocol::Code;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Event, Micros, Profile, TimeControl};

use super::Table;
use super::table::{blitz, plain, play, setup};
use crate::connections::NoticeKind;
use crate::games::inputs::GameInput;
use crate::games::machine::Closing;
use crate::seeded_bugs::{SeededBug, Seeding};
use crate::storage::{Fault, WriteError};
use crate::time::ServiceInstant;

fn online() -> Table {
    Table::seated(&setup(Profile::fide_online(), blitz()))
}

#[test]
fn no_move_is_published_before_it_is_durable() {
    let mut table = online();
    table.journal.inject([Some(Fault::Delayed)]);
    table.send(1, play(1, "e2e4"));
    assert!(table.frames.is_empty() && table.told.is_empty());
    assert_eq!(table.machine.game().ply_count(), 0, "reads show what is durable");
    table.release();
    assert_eq!(table.frames.len(), 1);
    assert_eq!(table.expect_done(1), 2);
    table.check();
}

#[test]
fn an_event_that_is_published_before_its_commit_is_caught() {
    let _seeding = Seeding::with(SeededBug::EvolveBeforeCommit);
    let mut table = online();
    table.journal.inject([Some(Fault::Delayed)]);
    table.send(1, play(1, "e2e4"));
    assert!(table.violations.iter().any(|violation| violation.contains("is not durable")));
}

#[test]
fn commands_that_come_during_an_append_wait_with_their_stamps() {
    let mut table = online();
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table.journal.inject([Some(Fault::Delayed)]);
    table.send(2, plain(Command::OfferDraw));
    let offered = table.now;
    table.pass(Duration::from_secs(5));
    table.send_stamped(1, offered + Duration::from_secs(1), play(3, "g1f3"));
    table.pass(Duration::from_secs(30));
    table.release();
    let time = table.machine.game().moves().last().unwrap().time.unwrap();
    assert_eq!(time.took, Micros::from_secs(1), "the wait is charged to nobody");
    assert_eq!(table.expect_done(1), 5);
    table.check();
}

#[test]
fn a_rejection_is_told_when_the_state_is_certain_to_be_the_newest() {
    let mut table = online();
    table.holds_confirm = true;
    table.send(1, play(1, "e2e5"));
    table.send(1, play(1, "e2e4"));
    assert!(table.told.is_empty() && table.frames.is_empty(), "nothing is decided meanwhile");
    table.handle_input(GameInput::Confirmed(Ok(())));
    table.expect_rejected(1, Code::IllegalMove);
    assert_eq!(table.frames.len(), 1, "what came after it is decided then");
    table.check();
}

#[test]
fn a_command_is_not_rejected_while_the_state_may_be_an_old_one() {
    let mut table = online();
    table.holds_confirm = true;
    // Another process has played on: there is an event 3 that this one does not know.
    table.send(1, play(3, "g1f3"));
    table.handle_input(GameInput::Confirmed(Err(WriteError("this process was declared dead"))));
    table.expect_rejected(1, Code::Unavailable);
    table.check();
}

#[test]
fn nothing_is_to_be_confirmed_after_the_end() {
    let mut table = online();
    table.holds_confirm = true;
    table.send(2, plain(Command::Abort));
    table.heard(1);
    table.send(1, play(1, "e2e4"));
    table.expect_rejected(1, Code::GameOver);
    table.check();
}

#[test]
fn whoever_has_left_is_not_told_of_a_rejection() {
    let mut table = online();
    table.holds_confirm = true;
    table.send(1, play(1, "e2e5"));
    table.leave(1);
    table.handle_input(GameInput::Confirmed(Ok(())));
    assert_eq!(table.answer(1), None);
    table.check();
}

#[test]
fn a_deadline_that_passes_during_an_append_comes_after_what_was_stamped_before_it() {
    let time_control = TimeControl::fischer(Micros::from_secs(60), Micros(0));
    let mut table = Table::seated(&setup(Profile::fide_board(), time_control));
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table.journal.inject([Some(Fault::Delayed)]);
    table.send(1, plain(Command::OfferDraw));
    let deadline = table.face.running.unwrap().1;
    table.pass(Duration::from_secs(90));
    table.send_stamped(1, ServiceInstant(deadline.0 - 1), play(3, "g1f3"));
    table.release();
    table.answer_fences();
    assert!(table.events().iter().any(|event| matches!(event, Event::MovePlayed { .. })));
    assert_eq!(table.machine.game().ply_count(), 3);
    assert!(!table.has_ended);
    table.check();
}

#[test]
fn a_conflict_stops_the_actor_and_the_sessions_come_back() {
    let mut table = online();
    table.journal.inject([Some(Fault::Conflict)]);
    table.send(1, play(1, "e2e4"));
    assert_eq!(table.closed, Some(Closing::Conflict));
    assert!(table.frames.is_empty());
    for connection in [1, 2] {
        assert_eq!(table.heard(connection), [NoticeKind::Reset]);
    }
    table.check();
}

#[test]
fn a_journal_that_fails_stops_the_actor() {
    let mut table = online();
    table.journal.inject([Some(Fault::Failed)]);
    table.send(1, play(1, "e2e4"));
    assert!(matches!(table.closed, Some(Closing::JournalFailed(_))));
    assert_eq!(table.heard(1), [NoticeKind::Reset]);
    table.check();
}

#[test]
fn an_unknown_outcome_is_settled_by_reading_the_tail() {
    for fault in [Fault::UnknownKept, Fault::UnknownLost] {
        let mut table = online();
        table.journal.inject([Some(fault)]);
        table.send(1, play(1, "e2e4"));
        assert_eq!(table.expect_done(1), 2);
        table.play(2, "e7e5");
        assert_eq!(table.events().len(), 3, "neither lost nor doubled");
        table.check();
    }
}

#[test]
fn a_record_that_arrives_after_its_retry_was_begun_is_adopted() {
    // The first try is unknown and not there yet. The retry is delayed. Then both arrive, the first
    // one first.
    let mut table = online();
    table.journal.inject([Some(Fault::UnknownLate), Some(Fault::Delayed)]);
    table.send(1, play(1, "e2e4"));
    assert_eq!(table.answer(1), None, "frozen");
    table.send(2, plain(Command::Resign));
    assert!(table.frames.is_empty(), "and nothing is decided meanwhile");
    table.release();
    assert_eq!(table.expect_done(1), 2);
    let events = table.events();
    let moves = events.iter().filter(|event| matches!(event, Event::MovePlayed { .. })).count();
    assert_eq!(moves, 1);
    assert!(table.has_ended, "then the resignation is decided");
    table.check();
}

#[test]
fn unknown_again_and_again_is_settled_in_the_end() {
    let mut table = online();
    table.journal.inject([Some(Fault::UnknownLost), Some(Fault::UnknownLost), Some(Fault::UnknownKept)]);
    table.send(1, play(1, "e2e4"));
    assert_eq!(table.expect_done(1), 2);
    assert_eq!(table.events().len(), 2);
    table.check();
}

#[test]
fn faults_in_random_places_lose_and_double_nothing() {
    for seed in 0..300_u64 {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut table = Table::seated(&setup(Profile::casual(), blitz()));
        let mut accepted = Vec::new();
        for ply in 0..40 {
            let fault = match rng.random_range(0..8) {
                0 => Some(Fault::Delayed),
                1 => Some(Fault::UnknownKept),
                2 => Some(Fault::UnknownLost),
                3 => Some(Fault::UnknownLate),
                _ => None,
            };
            table.journal.inject([fault]);
            let connection = 1 + ply % 2;
            let command = play(table.machine.game().position_seq(), &table.random_move(&mut rng));
            for _ in 0..rng.random_range(1..=2) {
                table.send(connection, command.clone());
            }
            table.pass(Duration::from_millis(rng.random_range(0..2_000)));
            table.release();
            let seq = table.answer(connection).unwrap_or_else(|| panic!("seed {seed}: no answer")).unwrap();
            accepted.push(seq);
            table.check();
            if table.has_ended {
                break;
            }
        }
        let played = table.events().iter().filter(|event| matches!(event, Event::MovePlayed { .. })).count();
        assert_eq!(played, accepted.len(), "seed {seed}");
    }
}

#[test]
fn a_recovered_game_waits_for_the_player_to_move() {
    let mut table = Table::seated(&setup(Profile::fide_board(), blitz()));
    table.play(1, "e2e4");
    let mut table = table.recovered(Duration::from_secs(7200));
    table.join(3, Color::White);
    table.pass(Duration::from_secs(20));
    assert_eq!(table.face.running, None, "Black is not back");
    table.join(4, Color::Black);
    assert_eq!(table.face.running.map(|(seat, _)| seat), Some(Color::Black));
    table.pass(Duration::from_secs(2));
    table.play(4, "e7e5");
    let time = table.machine.game().moves().last().unwrap().time.unwrap();
    assert_eq!(time.took, Micros::from_secs(2), "downtime is charged to nobody");
    table.check();
}

#[test]
fn a_recovered_game_goes_on_after_half_a_minute_without_its_player() {
    let mut table = Table::seated(&setup(Profile::fide_board(), blitz()));
    table.play(1, "e2e4");
    let mut table = table.recovered(Duration::from_secs(1));
    table.pass(Duration::from_secs(29));
    assert_eq!(table.face.running, None);
    table.pass(Duration::from_secs(1));
    assert_eq!(table.face.running.map(|(seat, _)| seat), Some(Color::Black));
}

#[test]
fn a_verdict_that_was_missing_is_asked_for_again() {
    let mut table = online();
    table.journal.inject([None, Some(Fault::Failed)]);
    table.send(1, plain(Command::Resign));
    assert!(matches!(table.closed, Some(Closing::JournalFailed(_))));
    assert!(matches!(table.events()[..], [_, Event::Resigned { .. }]));
    let table = table.recovered(Duration::from_secs(1));
    assert!(table.has_ended);
    assert!(matches!(table.events()[..], [_, Event::Resigned { .. }, Event::Ended { .. }]));
    table.check();
}
