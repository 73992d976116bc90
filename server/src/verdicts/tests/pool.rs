//! The threads: answers come, a long search holds nobody up, a stop ends everything at once.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use zeitnot_protocol::GameId;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Answer, FlagRule, Question, QuestionKind, ResignationRule};
use zeitnot_rules::notation::fen;
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

use crate::time::ServiceClock;
use crate::verdicts::answer_cache::AnswerCache;
use crate::verdicts::search::guarded;
use crate::verdicts::{LINE_PLIES_MAX, Verdicts, given};

/// Nothing that a test waits for takes this long.
const GUARD: Duration = Duration::from_secs(60);

/// Dead, and only a search of more than a second shows it.
const HARD: &str = "1bB5/k7/r7/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 w - - 0 1";
const BLOCKED: &str = "8/2b1k3/7p/p1p1p1pP/PpP1P1P1/1P1BK3/8/8 b - - 0 1";

fn pool() -> Verdicts {
    Verdicts::start(NonZeroUsize::new(1), ServiceClock::start().unwrap()).unwrap()
}

fn question(text: &str, kind: QuestionKind) -> Box<Question> {
    Box::new(Question { about: 5, position: fen::parse(text).unwrap(), kind })
}

fn ask(pool: &Verdicts, number: u128, question: Box<Question>) -> Receiver<Answer> {
    let (send, receive) = sync_channel(1);
    let reply = move |answer| send.send(answer).unwrap_or_default();
    pool.ask(GameId::from_random(number), question, Box::new(reply));
    receive
}

#[track_caller]
fn proof(receive: &Receiver<Answer>) -> Option<Proof> {
    receive.recv_timeout(GUARD).unwrap().outcome.and_then(|outcome| outcome.proof)
}

#[test]
fn a_dead_position_is_found_beside_a_long_search() {
    let pool = pool();
    let long = ask(&pool, 1, question(HARD, QuestionKind::DeadPosition));
    let short = ask(&pool, 2, question(BLOCKED, QuestionKind::DeadPosition));
    assert_eq!(proof(&short), Some(Proof::Static));
    assert_eq!(long.try_recv().ok(), None, "the only thread was in it");
}

#[test]
fn what_was_found_is_known() {
    let pool = pool();
    let first = ask(&pool, 1, question(BLOCKED, QuestionKind::DeadPosition));
    let answer = first.recv_timeout(GUARD).unwrap();
    // Other counters, the same position: answered before anything is queued.
    let later = BLOCKED.replace("0 1", "40 90");
    let again = ask(&pool, 2, question(&later, QuestionKind::DeadPosition));
    assert_eq!(again.try_recv().unwrap(), answer);
}

#[test]
fn positions_that_differ_in_more_than_counters_are_not_the_same_question() {
    let mut known = AnswerCache::default();
    let with = question("4k3/8/8/8/8/8/8/4K2R w K - 0 1", QuestionKind::DeadPosition);
    let without = question("4k3/8/8/8/8/8/8/4K2R w - - 0 1", QuestionKind::DeadPosition);
    let other_turn = question("4k3/8/8/8/8/8/8/4K2R b K - 0 1", QuestionKind::DeadPosition);
    let flagged = QuestionKind::FlagFall { flagged: Color::White, rule: FlagRule::Article6_9 };
    let other_kind = question("4k3/8/8/8/8/8/8/4K2R w K - 0 1", flagged);
    let answer = Answer { outcome: None, undecided: Some(3) };
    drop(known.keep(&with, answer.clone()));
    assert_eq!(known.find(&with).map(|(found, _)| found), Some(answer));
    for question in [without, other_turn, other_kind] {
        assert!(known.find(&question).is_none());
    }
}

#[test]
fn a_plain_loss_and_bare_kings_are_answered_at_once() {
    let pool = pool();
    let loses = QuestionKind::Resignation { resigned: Color::White, rule: ResignationRule::Loses };
    let lost = ask(&pool, 1, question(HARD, loses)).try_recv().unwrap();
    assert_eq!(lost.outcome, Some(Outcome::win(Color::Black, Reason::Resignation)));
    let resigns = QuestionKind::Resignation { resigned: Color::White, rule: ResignationRule::Article5_1_2 };
    let drawn = ask(&pool, 1, question("4k3/8/8/8/8/8/8/4K2R w - - 0 1", resigns)).try_recv().unwrap();
    let outcome = drawn.outcome.unwrap();
    assert_eq!((outcome.score, outcome.proof), (Score::Draw, Some(Proof::Material)));
}

#[test]
fn a_forgotten_game_gets_no_answer_and_a_stop_ends_the_search() {
    let pool = pool();
    let forgotten = ask(&pool, 1, question(HARD, QuestionKind::DeadPosition));
    pool.forget(GameId::from_random(1));
    // The reply is dropped with the search.
    assert_eq!(forgotten.recv_timeout(GUARD), Err(RecvTimeoutError::Disconnected));
    let stopped = ask(&pool, 2, question(HARD, QuestionKind::DeadPosition));
    pool.stop();
    assert_eq!(stopped.recv_timeout(GUARD), Err(RecvTimeoutError::Disconnected));
    let late = ask(&pool, 3, question(BLOCKED, QuestionKind::DeadPosition));
    assert_eq!(late.recv_timeout(GUARD), Err(RecvTimeoutError::Disconnected));
}

#[test]
fn a_bug_in_a_search_leaves_the_question_undecided() {
    let flagged = QuestionKind::FlagFall { flagged: Color::White, rule: FlagRule::Article6_9 };
    let searched = guarded(&question(HARD, flagged), || panic!("a test broke this search"));
    assert!(searched.is_decided(), "it is not tried again");
    let win = Some(Outcome::win(Color::Black, Reason::FlagFall));
    assert_eq!((searched.answer.outcome, searched.answer.undecided), (win, Some(0)));
}

#[test]
fn a_line_that_is_too_long_is_given_empty() {
    let position = fen::parse("4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap();
    let mv = position.legal_moves()[0];
    let answer = |plies| {
        let proof = Some(Proof::Helpmate { line: vec![mv; plies] });
        let outcome = Some(Outcome { proof, ..Outcome::win(Color::White, Reason::FlagFall) });
        match given(Answer { outcome, undecided: None }).outcome.unwrap().proof {
            Some(Proof::Helpmate { line }) => line.len(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(answer(LINE_PLIES_MAX), LINE_PLIES_MAX);
    assert_eq!(answer(LINE_PLIES_MAX + 1), 0);
}
