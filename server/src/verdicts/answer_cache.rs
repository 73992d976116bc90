//! Answers that were found, by the whole position and what was asked: players who repeat moves pay once.
//!
//! Two halves: what is asked for again moves to the young half, and when that is full the old one is
//! dropped. Invariants: an answer is only given for exactly the same position (pieces, turn, castling
//! rights, en passant) and the same question; an undecided answer is kept only if no larger search
//! would have been made.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use zeitnot_rules::board::Position;
use zeitnot_rules::game::{Answer, Question, QuestionKind};

/// How many answers a half holds: together some megabytes at worst.
const HALF: usize = 2_048;

/// What was asked, without the counters, on which no answer depends.
#[derive(Clone, Debug)]
struct CacheKey {
    position: Position,
    kind: QuestionKind,
}

impl PartialEq for CacheKey {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.position.same_position(&other.position)
    }
}

impl Eq for CacheKey {}

impl Hash for CacheKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.zobrist().hash(state);
        self.kind.hash(state);
    }
}

impl From<&Question> for CacheKey {
    fn from(question: &Question) -> Self {
        Self { position: question.position.clone(), kind: question.kind }
    }
}

/// The answers.
#[derive(Debug, Default)]
pub(super) struct AnswerCache {
    young: HashMap<CacheKey, Answer>,
    old: HashMap<CacheKey, Answer>,
}

impl AnswerCache {
    /// The answer to a question, if it was found before.
    pub(super) fn find(&mut self, question: &Question) -> Option<Answer> {
        let key = CacheKey::from(question);
        if let Some(answer) = self.young.get(&key) {
            return Some(answer.clone());
        }
        let answer = self.old.remove(&key)?;
        self.put(key, answer.clone());
        Some(answer)
    }

    /// Remembers an answer.
    pub(super) fn keep(&mut self, question: &Question, answer: Answer) {
        self.put(CacheKey::from(question), answer);
    }

    fn put(&mut self, key: CacheKey, answer: Answer) {
        if self.young.len() >= HALF {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, answer);
    }
}
