//! One search: bounded, cancelled on demand, and with its panics caught.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Answer, Question, QuestionKind};
use zeitnot_rules::notation::fen;
use zeitnot_rules::verdict::{Limits, Outcome, Reason};

use crate::telemetry::metrics;

/// How many positions lie between two looks at `keep_going`, about.
const NODES_A_LOOK: u64 = 512;

/// What came of it.
#[derive(Debug)]
pub(super) struct Searched {
    pub(super) answer: Answer,
    /// How many positions were looked at, about.
    pub(super) looked_at: u64,
    /// Whether another search may be tried.
    pub(super) is_sound: bool,
}

impl Searched {
    pub(super) fn is_decided(&self) -> bool {
        self.answer.undecided.is_none() || !self.is_sound
    }
}

/// Searches for the answer in at most `bound` positions for each side. `keep_going` is asked all few hundred positions.
pub(super) fn search(question: &Question, bound: u32, keep_going: &dyn Fn() -> bool) -> Searched {
    let looks = Cell::new(0);
    let counted = || {
        looks.set(looks.get() + 1);
        keep_going()
    };
    let limits = Limits { nodes: bound, keep_going: &counted };
    guarded(question, || {
        let answer = question.answer(&limits);
        let looked_at = answer.undecided.map_or(looks.get() * NODES_A_LOOK, u64::from);
        Searched { answer, looked_at, is_sound: true }
    })
}

/// A panic is a bug: it is reported, and the question stays undecided.
pub(super) fn guarded(question: &Question, search: impl FnOnce() -> Searched) -> Searched {
    catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|_| {
        let fen = fen::write(&question.position);
        tracing::error!(%fen, kind = ?question.kind, "a search for a verdict died of a bug: undecided");
        metrics().verdicts_failed.increment(1);
        Searched { answer: undecided(question), looked_at: 0, is_sound: false }
    })
}

/// What is answered without a search: undecided counts as "can checkmate".
pub(super) fn undecided(question: &Question) -> Answer {
    let win = |loser: Color, reason| Some(Outcome::win(!loser, reason));
    let outcome = match question.kind {
        QuestionKind::FlagFall { flagged, .. } => win(flagged, Reason::FlagFall),
        QuestionKind::Resignation { resigned, .. } => win(resigned, Reason::Resignation),
        QuestionKind::Abandonment { absent } => win(absent, Reason::Abandonment),
        QuestionKind::DeadPosition => None,
    };
    Answer { outcome, undecided: Some(0) }
}
