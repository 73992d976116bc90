//! Answers that were found, by the whole position and what was asked: players who repeat moves pay once.
//!
//! Two halves: what is asked for again moves to the young half, and when that is full the old one is
//! dropped. Invariants: an answer is only given for exactly the same position (pieces, turn, castling
//! rights, en passant) and the same question; an undecided answer is kept only if no larger search
//! would have been made.

use std::collections::HashMap;

use zeitnot_rules::board::Position;
use zeitnot_rules::game::{Answer, Question, QuestionKind};

/// How many answers a half holds: together some megabytes at worst.
const HALF: usize = 2_048;

/// The hash of the position, and what was asked of it. No answer depends on the counters.
type CacheKey = (u64, QuestionKind);

/// Answers that are forgotten. To be dropped after the lock of the cache is given up: there may be thousands.
#[derive(Debug, Default)]
#[must_use = "it takes time to drop, which nobody should wait for"]
pub(super) struct Forgotten {
    _answers: HashMap<CacheKey, (Position, Answer)>,
}

/// The answers, each with its position: of two positions with one hash the later is remembered.
#[derive(Debug, Default)]
pub(super) struct AnswerCache {
    young: HashMap<CacheKey, (Position, Answer)>,
    old: HashMap<CacheKey, (Position, Answer)>,
}

impl AnswerCache {
    /// The answer to a question, if it was found before.
    pub(super) fn find(&mut self, question: &Question) -> Option<(Answer, Forgotten)> {
        let key = key(question);
        let is_same = |(position, _): &&(Position, Answer)| position.same_position(&question.position);
        if let Some((_, answer)) = self.young.get(&key).filter(is_same) {
            return Some((answer.clone(), Forgotten::default()));
        }
        let (_, answer) = self.old.remove(&key).filter(|found| is_same(&found))?;
        let forgotten = self.keep(question, answer.clone());
        Some((answer, forgotten))
    }

    /// Remembers an answer.
    pub(super) fn keep(&mut self, question: &Question, answer: Answer) -> Forgotten {
        let mut forgotten = Forgotten::default();
        if self.young.len() >= HALF {
            let old = std::mem::replace(&mut self.old, std::mem::take(&mut self.young));
            forgotten = Forgotten { _answers: old };
        }
        self.young.insert(key(question), (question.position.clone(), answer));
        forgotten
    }
}

fn key(question: &Question) -> CacheKey {
    (question.position.zobrist(), question.kind)
}
