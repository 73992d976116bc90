//! An owner's fence at a mirror. When the deadline has come on this node, too, every session with a seat is asked; when all have
//! answered, all that they had read before the deadline has been sent, and the owner gets the answer of the whole node.
//!
//! So the sessions of which the owner has not been told yet are asked as well. A session that has read a command and waits until the
//! game is found here has no seat yet: the answer waits for it ([`super::MirrorInput::AllTaken`]).
//!
//! Invariant: the answer to an earlier question counts for nothing.

use crate::connections::{ConnectionId, FENCE_PATIENCE};
use crate::time::ServiceInstant;

/// A fence without an answer.
#[derive(Debug)]
pub(super) struct MirrorFence {
    /// What the owner calls it.
    pub(super) number: u32,
    /// When the deadline comes here.
    pub(super) due: ServiceInstant,
    /// Nobody is asked before.
    question: Option<Question>,
}

#[derive(Debug)]
struct Question {
    /// What the sessions' answers name.
    number: u32,
    give_up: ServiceInstant,
    silent: Vec<ConnectionId>,
}

impl MirrorFence {
    pub(super) fn new(number: u32, due: ServiceInstant) -> Self {
        Self { number, due, question: None }
    }

    /// When something is to be done about it.
    pub(super) fn wake(&self) -> ServiceInstant {
        self.question.as_ref().map_or(self.due, |question| question.give_up)
    }

    pub(super) fn is_due(&self, at: ServiceInstant) -> bool {
        self.question.is_none() && self.due <= at
    }

    /// These have to answer from `at` on.
    pub(super) fn ask(&mut self, number: u32, silent: Vec<ConnectionId>, at: ServiceInstant) {
        self.question = Some(Question { number, give_up: at + FENCE_PATIENCE, silent });
    }

    /// One more connection has to answer, if any have: the number of the question.
    pub(super) fn ask_too(&mut self, connection: ConnectionId) -> Option<u32> {
        let question = self.question.as_mut()?;
        question.silent.push(connection);
        Some(question.number)
    }

    /// A connection has answered this question.
    pub(super) fn answered(&mut self, connection: ConnectionId, number: u32) {
        if self.question.as_ref().is_some_and(|question| question.number == number) {
            self.left(connection);
        }
    }

    /// A connection is gone.
    pub(super) fn left(&mut self, connection: ConnectionId) {
        if let Some(question) = &mut self.question {
            question.silent.retain(|silent| *silent != connection);
        }
    }

    /// Who has not answered, when that has lasted too long.
    pub(super) fn given_up(&mut self, at: ServiceInstant) -> Vec<ConnectionId> {
        let late = self.question.as_mut().filter(|question| question.give_up <= at);
        late.map(|question| std::mem::take(&mut question.silent)).unwrap_or_default()
    }

    /// Whether all have answered.
    pub(super) fn is_complete(&self) -> bool {
        self.question.as_ref().is_some_and(|question| question.silent.is_empty())
    }
}
