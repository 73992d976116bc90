//! Questions and late answers: when the machine asks, what it does not wait for, and what it asks
//! again.

use std::time::Duration;

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, GameSetup, Profile, Question, QuestionKind};
use zeitnot_rules::notation::fen;
use zeitnot_rules::verdict::{Reason, Score};

use super::Table;
use super::table::{blitz, plain, setup, verdict_on};
use crate::games::inputs::{GameInput, VerdictAnswer};
use crate::games::machine::{GameEffect, GameEffects, TaskRequest};
use crate::storage::Fault;

/// After Kf2 it is dead; before, nobody looks.
const BLOCKED: &str = "8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 w - - 0 1";

fn from(fen: &str, profile: Profile) -> GameSetup {
    GameSetup { start: fen::parse(fen).unwrap(), ..setup(profile, blitz()) }
}

/// A game whose questions the test answers.
fn held(profile: Profile) -> Table {
    let mut table = Table::seated(&from(BLOCKED, profile));
    table.held = Some(Vec::new());
    table
}

/// The questions since the last look.
fn asked(table: &mut Table) -> Vec<Question> {
    table.held.as_mut().map(std::mem::take).unwrap_or_default()
}

fn names(questions: &[Question]) -> Vec<(u32, bool)> {
    questions.iter().map(|question| (question.about, question.kind == QuestionKind::DeadPosition)).collect()
}

#[track_caller]
fn ended_with(table: &Table, score: Score, reason: Reason) {
    let outcome = table.machine.game().outcome().unwrap();
    assert_eq!((outcome.score, outcome.reason), (score, reason));
    table.check();
}

#[test]
fn each_position_is_asked_about_once_and_the_game_goes_on() {
    let mut table = held(Profile::fide_online());
    table.play(1, "e3f2");
    assert_eq!(names(&asked(&mut table)), [(2, true)]);
    // An event that makes no position asks nothing.
    table.send(1, plain(Command::OfferDraw));
    assert_eq!(names(&asked(&mut table)), []);
    table.play(2, "e7d7");
    let about = table.machine.game().position_seq();
    assert_eq!(names(&asked(&mut table)), [(about, true)]);
    assert!(!table.has_ended);
    table.check();
}

#[test]
fn a_late_answer_ends_the_game_also_plies_later() {
    let mut table = held(Profile::fide_online());
    table.play(1, "e3f2");
    let first = asked(&mut table).remove(0);
    table.play(2, "e7d7");
    table.handle_input(verdict_on(&first));
    assert!(table.has_ended);
    ended_with(&table, Score::Draw, Reason::DeadPosition);
    // The answer to the other one comes too late.
    let second = asked(&mut table).remove(0);
    table.handle_input(verdict_on(&second));
    table.check();
}

#[test]
fn an_answer_that_comes_while_an_append_is_in_flight_is_not_lost() {
    let mut table = held(Profile::fide_online());
    table.play(1, "e3f2");
    let first = asked(&mut table).remove(0);
    table.journal.inject([Some(Fault::Delayed)]);
    let on = table.machine.game().position_seq();
    table.send(2, super::table::play(on, "e7d7"));
    table.handle_input(verdict_on(&first));
    assert!(!table.has_ended);
    table.release();
    ended_with(&table, Score::Draw, Reason::DeadPosition);
}

#[test]
fn after_a_restart_the_position_on_the_board_is_asked_about_again() {
    let mut table = held(Profile::fide_online());
    table.play(1, "e3f2");
    table.play(2, "e7d7");
    // Taken up, its questions are answered at once.
    let table = table.recovered(Duration::from_secs(9));
    assert!(table.has_ended);
    ended_with(&table, Score::Draw, Reason::DeadPosition);
}

#[test]
fn after_a_restart_an_end_without_its_verdict_is_asked_about_again() {
    let mut table = held(Profile::fide_online());
    table.play(1, "e3d2");
    asked(&mut table);
    table.send(2, plain(Command::Resign));
    let questions = asked(&mut table);
    assert_eq!(names(&questions), [(3, false)]);
    let table = table.recovered(Duration::from_secs(9));
    ended_with(&table, Score::Draw, Reason::Resignation);
}

#[test]
fn where_a_resignation_loses_it_waits_for_whether_the_game_had_ended_before() {
    let mut table = held(Profile::us_chess());
    table.play(1, "e3f2");
    let dead = asked(&mut table).remove(0);
    table.send(2, plain(Command::Resign));
    assert_eq!(names(&asked(&mut table)), [], "first the position");
    table.handle_input(verdict_on(&dead));
    ended_with(&table, Score::Draw, Reason::DeadPosition);
}

#[test]
fn where_a_resignation_loses_and_the_position_stays_undecided_it_loses() {
    let mut table = held(Profile::us_chess());
    table.play(1, "e3f2");
    let dead = asked(&mut table).remove(0);
    table.send(2, plain(Command::Resign));
    asked(&mut table);
    table.handle_input(GameInput::Verdict(VerdictAnswer { about: dead.about, outcome: None }));
    let end = asked(&mut table);
    assert_eq!(names(&end), [(3, false)]);
    table.handle_input(verdict_on(&end[0]));
    ended_with(&table, Score::WhiteWins, Reason::Resignation);
}

#[test]
fn where_a_resignation_loses_a_restart_asks_about_the_position_first() {
    let mut table = held(Profile::us_chess());
    table.play(1, "e3f2");
    table.send(2, plain(Command::Resign));
    let table = table.recovered(Duration::from_secs(9));
    ended_with(&table, Score::Draw, Reason::DeadPosition);
}

#[test]
fn a_start_is_asked_about_too() {
    let mut table = Table::new(&from(&BLOCKED.replace(" w ", " b "), Profile::fide_online()));
    let mut effects = GameEffects::new();
    table.machine.begin(&mut effects);
    let is_question = |effect: &GameEffect| matches!(effect, GameEffect::Task(TaskRequest::AskVerdict(question)) if question.about == 1);
    assert!(effects.iter().any(is_question));
    table.join(1, Color::White);
    table.check();
}
