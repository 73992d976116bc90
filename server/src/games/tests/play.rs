//! A game from its start to its end: who is told what, in which order, and how the clocks run.

use std::time::Duration;

use zeitnot_protocol::{Code, ServerMessage};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Event, Micros, Profile, TimeControl};
use zeitnot_rules::verdict::{Reason, Score};

use super::Table;
use super::table::{blitz, conn, plain, play, setup};
use crate::connections::NoticeKind;
use crate::games::inputs::GameInput;
use crate::games::machine::Closing;

const SECOND: Duration = Duration::from_secs(1);

fn online() -> Table {
    Table::seated(&setup(Profile::fide_online(), blitz()))
}

#[test]
fn a_move_is_published_then_the_next_player_is_told_then_the_mover() {
    let mut table = online();
    table.send(1, play(1, "e2e4"));
    assert_eq!(table.frames.len(), 1);
    assert!(table.frames[0].text().starts_with(r#"{"t":"move","#));
    let told: Vec<_> = table.told.iter().map(|told| (told.to, told.after)).collect();
    assert_eq!(told, [(conn(2), 2), (conn(1), 2)], "the player to move comes first, both behind event 2");
    let [ServerMessage::Turn(turn)] = &table.messages(2)[..] else { panic!("Black is told its turn") };
    assert_eq!((turn.on, turn.legal.len()), (2, 20));
    assert_eq!(table.expect_done(1), 2);
    table.check();
}

#[test]
fn every_connection_of_the_player_to_move_is_told_its_turn() {
    let mut table = online();
    table.join(3, Color::Black);
    table.join(4, Color::White);
    table.told.clear();
    table.play(1, "e2e4");
    for connection in [2, 3] {
        assert!(matches!(table.messages(connection)[..], [ServerMessage::Turn(_)]));
    }
    let other_tab: Vec<_> = table.told.iter().map(|told| told.kind.clone()).collect();
    assert_eq!(other_tab, [NoticeKind::Events], "the mover's other tab hears that there are events");
    table.check();
}

#[test]
fn the_clock_runs_from_the_instant_at_which_the_position_was_queued() {
    let mut table = online();
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    // From here White's clock runs. The journal and our own work take their time first.
    table.queueing = Duration::from_millis(300);
    table.play(1, "g1f3");
    table.queueing = Duration::ZERO;
    table.pass(Duration::from_millis(1_500));
    table.play(2, "b8c6");
    let last = table.machine.game().moves().last().unwrap().time.unwrap();
    assert_eq!(last.took, Micros::from_millis(1_500), "and not 1.8 s");
}

#[test]
fn without_a_connection_the_clock_runs_from_the_commit() {
    let mut table = online();
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table.leave(2);
    table.queueing = SECOND;
    table.play(1, "g1f3");
    table.pass(SECOND * 2);
    table.join(2, Color::Black);
    let [.., ServerMessage::Turn(turn)] = &table.messages(2)[..] else { panic!("Black is told its turn") };
    assert_eq!(turn.black_ms, Some(178_000), "no bonus before the second move, and two seconds are gone");
    table.play(2, "b8c6");
    let last = table.machine.game().moves().last().unwrap().time.unwrap();
    assert_eq!(last.took, Micros::from_secs(2));
}

#[test]
fn the_face_shows_what_the_game_shows() {
    for time_control in [
        blitz(),
        TimeControl::Unlimited,
        TimeControl::DaysPerMove { days: 2 },
        TimeControl::Clock(zeitnot_rules::board::ByColor::both(vec![zeitnot_rules::game::Period {
            moves: None,
            base: Micros::from_secs(60),
            bonus: zeitnot_rules::game::Bonus::SimpleDelay(Micros::from_secs(5)),
        }])),
    ] {
        let mut table = Table::new(&setup(Profile::fide_online(), time_control));
        table.join_at_distance(1, Color::White, Duration::from_millis(80));
        table.join_at_distance(2, Color::Black, Duration::from_millis(40));
        let began = table.now;
        for (connection, uci) in [(1, "e2e4"), (2, "e7e5"), (1, "g1f3"), (2, "b8c6")] {
            for _ in 0..7 {
                let at = zeitnot_rules::game::GameInstant(table.now.since(began).as_micros() as u64);
                assert_eq!(table.face.shown(table.now), table.machine.game().clocks_at(at));
                assert_eq!(table.face.running.map(|(seat, _)| seat), table.machine.game().running());
                table.pass(Duration::from_micros(1_234_567));
            }
            table.play(connection, uci);
        }
        table.check();
    }
}

#[test]
fn a_mate_ends_the_game_for_everybody() {
    let mut table = online();
    for (connection, uci) in [(1, "f2f3"), (2, "e7e5"), (1, "g2g4")] {
        table.play(connection, uci);
    }
    table.told.clear();
    table.play(2, "d8h4");
    assert!(table.has_ended);
    let last = table.frames.last().unwrap().text().to_owned();
    assert!(
        last.contains(r#""t":"ended""#) && last.contains(r#""0-1""#) && last.contains("checkmate"),
        "{last}"
    );
    assert_eq!(table.face.running, None);
    table.send(1, plain(Command::Resign));
    table.expect_rejected(1, Code::GameOver);
    table.check();
}

#[test]
fn a_resignation_is_two_records_the_second_by_nobody() {
    let mut table = online();
    table.send(2, plain(Command::Resign));
    assert_eq!(table.expect_done(2), 2);
    let records = table.records();
    let events = table.events();
    assert!(matches!(events[1..], [Event::Resigned { seat: Color::Black, .. }, Event::Ended { .. }]));
    assert_eq!(records.len(), 3);
    assert!(records[1].account.is_some() && records[2].account.is_none());
    let outcome = table.machine.game().outcome().unwrap();
    assert_eq!((outcome.score, outcome.reason), (Score::WhiteWins, Reason::Resignation));
    table.check();
}

#[test]
fn a_first_move_that_takes_too_long_ends_the_game_without_a_result() {
    let mut table = online();
    table.pass(Duration::from_secs(29));
    assert!(!table.has_ended);
    table.pass(Duration::from_secs(2));
    table.answer_fences();
    assert!(table.has_ended);
    assert!(table.frames.last().unwrap().text().contains("first_move_limit"));
    table.check();
}

#[test]
fn a_flag_falls_when_its_time_has_come_and_at_its_own_instant() {
    let mut table =
        Table::seated(&setup(Profile::fide_board(), TimeControl::fischer(Micros::from_secs(60), Micros(0))));
    table.pass(Duration::from_millis(61_500));
    table.answer_fences();
    assert!(table.has_ended);
    let flag = table.records().into_iter().find(|r| matches!(r.events[0], Event::FlagFell { .. })).unwrap();
    assert_eq!(flag.at.0, 60_000_000, "not when it was noticed");
    table.check();
}

#[test]
fn an_ended_game_lingers_and_then_its_actor_ends() {
    let mut table = online();
    table.send(1, plain(Command::Resign));
    table.pass(Duration::from_secs(29));
    assert_eq!(table.closed, None);
    table.send(2, plain(Command::OfferDraw));
    table.expect_rejected(2, Code::GameOver);
    table.pass(SECOND * 2);
    assert_eq!(table.closed, Some(Closing::Over));
    assert!(table.heard(1).contains(&NoticeKind::Gone));
}

#[test]
fn an_idle_game_gives_its_memory_back_once() {
    let mut table = online();
    table.play(1, "e2e4");
    table.pass(Duration::from_secs(4));
    assert_eq!(table.trims, 0);
    table.pass(Duration::from_secs(20));
    assert_eq!(table.trims, 1);
    table.play(2, "e7e5");
    table.pass(Duration::from_secs(6));
    assert_eq!(table.trims, 2);
    // A player who leaves is the last to need room for a while.
    table.leave(1);
    table.pass(Duration::from_secs(6));
    assert_eq!(table.trims, 3);
}

#[test]
fn a_stop_lets_the_append_in_flight_finish_and_decides_nothing_more() {
    let mut table = online();
    table.journal.inject([Some(crate::storage::Fault::Delayed)]);
    table.send(1, play(1, "e2e4"));
    table.handle_input(GameInput::Stop);
    table.send(2, plain(Command::Resign));
    assert_eq!(table.closed, None);
    table.release();
    assert_eq!(table.closed, Some(Closing::Stopped));
    assert_eq!(table.events().len(), 2, "the move, and no resignation");
    assert_eq!(table.expect_done(1), 2);
    table.check();
}

#[test]
fn castling_may_be_written_in_both_ways() {
    for uci in ["e1g1", "e1h1"] {
        let mut table = online();
        for (connection, uci) in
            [(1, "e2e4"), (2, "e7e5"), (1, "g1f3"), (2, "b8c6"), (1, "f1c4"), (2, "f8c5")]
        {
            table.play(connection, uci);
        }
        table.play(1, uci);
        assert!(table.frames.last().unwrap().text().contains(r#""uci":"e1g1","san":"O-O""#));
    }
}
