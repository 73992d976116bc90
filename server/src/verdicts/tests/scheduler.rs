//! The queue: what is next, what takes whose place, what a game may ask for.

use zeitnot_protocol::GameId;
use zeitnot_rules::board::{Color, Position};
use zeitnot_rules::game::{FlagRule, Question, QuestionKind, Seq};

use crate::verdicts::node_limits::{ALLOWANCE_MAX, BOUNDS, REFILL};
use crate::verdicts::scheduler::{Scheduler, Task};

fn game(number: u128) -> GameId {
    GameId::from_random(number)
}

fn question(about: Seq, kind: QuestionKind) -> Box<Question> {
    Box::new(Question { about, position: Position::standard(), kind })
}

fn dead(about: Seq) -> Box<Question> {
    question(about, QuestionKind::DeadPosition)
}

fn flag(about: Seq) -> Box<Question> {
    question(about, QuestionKind::FlagFall { flagged: Color::White, rule: FlagRule::Article6_9 })
}

/// What is asked: the game's number and the event's.
type Name = (u128, Seq);

#[derive(Debug)]
struct Table(Scheduler<Name>);

impl Table {
    fn new() -> Self {
        Self(Scheduler::new())
    }

    fn ask(&mut self, number: u128, question: Box<Question>) -> Option<Name> {
        let name = (number, question.about);
        self.0.ask(game(number), question, name).map(|task| task.reply)
    }

    #[track_caller]
    fn take(&mut self) -> Task<Name> {
        self.0.take(false).unwrap()
    }

    /// Takes the next question, uses up its bound and finds nothing. Gives its name, and whether it was answered.
    fn fail(&mut self) -> Option<(Name, bool)> {
        let task = self.0.take(false)?;
        let (name, bound) = (task.reply, u64::from(task.bound()));
        Some((name, self.0.finish(task, bound, false).is_some()))
    }

    fn names(&mut self) -> Vec<Name> {
        std::iter::from_fn(|| self.0.take(false)).map(|task| task.reply).collect()
    }
}

#[test]
fn ends_come_before_positions_and_older_questions_first() {
    let mut table = Table::new();
    table.ask(1, dead(7));
    table.ask(2, dead(3));
    table.ask(3, flag(9));
    table.ask(4, flag(2));
    assert_eq!(table.names(), [(3, 9), (4, 2), (1, 7), (2, 3)]);
}

#[test]
fn a_newer_question_takes_the_place_of_the_one_that_waits() {
    let mut table = Table::new();
    table.ask(1, dead(7));
    table.ask(2, dead(3));
    table.ask(1, dead(8));
    assert_eq!(table.0.waiting(), 2);
    assert_eq!(table.names(), [(2, 3), (1, 8)]);
}

#[test]
fn one_question_of_a_game_is_searched_at_a_time() {
    let mut table = Table::new();
    table.ask(1, dead(7));
    let first = table.take();
    table.ask(1, dead(8));
    assert!(table.0.take(false).is_none());
    assert!(first.is_wanted(), "a late answer is still right");
    // Undecided: the newer question goes on in its place.
    assert!(table.0.finish(first, 5_000, false).is_none());
    let second = table.take();
    assert_eq!((second.reply, second.bound()), ((1, 8), BOUNDS[0]));
    // Decided: both are answered.
    table.ask(1, dead(9));
    assert_eq!(table.0.finish(second, 10, true).unwrap().reply, (1, 8));
    assert_eq!(table.names(), [(1, 9)]);
}

#[test]
fn an_end_makes_the_search_about_a_position_useless() {
    let mut table = Table::new();
    table.ask(1, dead(7));
    let first = table.take();
    table.ask(1, flag(8));
    assert!(!first.is_wanted());
    assert!(table.0.finish(first, 10, true).is_none(), "nobody waits for it");
    assert_eq!(table.names(), [(1, 8)]);
}

#[test]
fn large_rounds_come_behind_all_small_ones() {
    let mut table = Table::new();
    table.ask(1, dead(7));
    assert_eq!(table.fail(), Some(((1, 7), false)));
    table.ask(2, dead(3));
    assert_eq!(table.0.take(true).unwrap().reply, (2, 3));
    assert!(table.0.take(true).is_none(), "only a later round waits");
    let task = table.take();
    assert_eq!((task.reply, task.bound()), ((1, 7), BOUNDS[1]));
}

#[test]
fn the_last_round_of_an_end_is_answered_whatever_it_brings() {
    let mut table = Table::new();
    table.ask(1, flag(8));
    let answered: Vec<_> = std::iter::from_fn(|| table.fail()).map(|(_, answered)| answered).collect();
    assert_eq!(answered, [false, false, true]);
    // An end goes through all rounds however much its game has used.
    for about in 9..30 {
        table.ask(1, flag(about));
        assert_eq!(std::iter::from_fn(|| table.fail()).count(), BOUNDS.len());
    }
}

#[test]
fn who_used_less_is_first() {
    let mut table = Table::new();
    table.ask(1, dead(7));
    while table.fail().is_some() {}
    table.ask(1, dead(8));
    table.ask(2, dead(3));
    assert_eq!(table.names(), [(2, 3), (1, 8)]);
}

#[test]
fn a_game_that_always_asks_never_comes_between_others_and_their_answers() {
    let mut table = Table::new();
    for number in 1..=20 {
        table.ask(number, dead(1));
        table.fail();
    }
    for about in 2..200 {
        // Twenty games build a new hard position with every move; whatever waits of theirs, the newcomer is next.
        for number in 1..=20 {
            table.ask(number, dead(about));
        }
        table.fail();
        table.ask(1_000 + u128::from(about), dead(1));
        let next = table.take();
        assert_eq!(next.reply, (1_000 + u128::from(about), 1));
        table.0.finish(next, 100, true);
        assert!(table.0.waiting() <= 20);
    }
}

#[test]
fn a_game_pays_for_large_rounds_from_its_allowance() {
    let mut table = Table::new();
    let mut largest = 0;
    for about in 1..=30 {
        table.ask(1, dead(about));
        let rounds = std::iter::from_fn(|| table.fail()).count();
        largest += usize::from(rounds == BOUNDS.len());
    }
    let share = ALLOWANCE_MAX / u64::from(BOUNDS[2]);
    assert_eq!(largest as u64, share);
    // Small rounds are always made, and so is a larger one after a while.
    assert!(REFILL > u64::from(2 * BOUNDS[0]));
    let rounds: Vec<_> = (31..=40)
        .map(|about| {
            table.ask(1, dead(about));
            std::iter::from_fn(|| table.fail()).count()
        })
        .collect();
    assert!(rounds.iter().all(|&rounds| rounds >= 1) && rounds.contains(&2), "{rounds:?}");
}

#[test]
fn when_too_many_wait_the_last_in_order_is_evicted_and_never_an_end() {
    let mut table = Table(Scheduler::with_room(2));
    assert_eq!(table.ask(1, dead(1)), None);
    table.fail();
    assert_eq!(table.ask(2, flag(1)), None);
    assert_eq!(table.ask(3, dead(1)), Some((1, 1)), "a later round goes first");
    assert_eq!(table.ask(4, dead(1)), Some((4, 1)));
    assert_eq!(table.ask(5, flag(1)), Some((3, 1)));
    assert_eq!(table.ask(6, flag(1)), None);
    assert_eq!(table.names(), [(2, 1), (5, 1), (6, 1)]);
}

#[test]
fn a_forgotten_game_leaves_nothing() {
    let mut table = Table::new();
    table.ask(1, dead(1));
    let running = table.take();
    table.ask(1, dead(2));
    table.ask(2, dead(1));
    table.0.forget(game(1));
    table.0.forget(game(2));
    assert!(!running.is_wanted());
    // The same game, recovered after a failure, asks anew while the old search still runs.
    table.ask(1, dead(2));
    let again = table.take();
    assert!(table.0.finish(running, 10, true).is_none());
    assert_eq!(table.0.finish(again, 10, true).unwrap().reply, (1, 2));
    assert_eq!(table.names(), []);
}

#[test]
fn after_the_stop_nobody_waits() {
    let mut table = Table::new();
    table.ask(1, dead(1));
    let running = table.take();
    table.ask(2, dead(1));
    table.0.clear();
    assert!(!running.is_wanted());
    assert_eq!(table.0.waiting(), 0);
    assert!(table.0.finish(running, 10, true).is_none());
}
