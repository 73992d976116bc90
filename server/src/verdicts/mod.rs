//! The pool that answers what needs a search: how a stopped game ends, and whether a position is dead.
//!
//! Few threads of low priority, so that no search holds up a move. A game that asks goes on and gets
//! the answer later, or never when nobody wants it any more. Every question is searched with a small
//! bound first, and with larger ones only after all others; a large search makes way for the small
//! ones that come meanwhile. So the worst positions known, built on purpose over and over, delay
//! nobody else.
//!
//! [`Verdicts`] is the way in. A plain state machine (`scheduler`), which knows no thread and no
//! clock, decides what is next; `answer_cache` remembers answers, `search` runs one search, `pool`
//! owns the threads.
//!
//! Invariants: one question of a game waits and one is searched, no more; a question about an end is
//! never evicted; the bound of a search is a number of positions, never time; what stays undecided
//! counts as "can checkmate", and is counted.
//!
//! Deliberately absent: chess (`zeitnot_rules::verdict`), and what follows from an answer (`games`).

mod answer_cache;
mod node_limits;
mod pool;
mod scheduler;
mod search;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use zeitnot_protocol::{GameId, Limits};
use zeitnot_rules::game::{Answer, Question, QuestionKind, ResignationRule};
use zeitnot_rules::verdict::{Limits as SearchLimits, Proof, cannot_checkmate};

use crate::telemetry::metrics;
use crate::time::ServiceClock;
use pool::Pool;

/// Takes the answer, on any thread.
pub(crate) type Reply = Box<dyn FnOnce(Answer) + Send>;

/// The longest line to checkmate that is kept as a proof: as many plies as any frame shows, so a snapshot with it fits. The
/// longest that the search found in the positions collected has 7,315. Where one is longer the proof is an empty line: in a
/// game that was not over before, no line to checkmate is empty.
const LINE_PLIES_MAX: usize = Limits::STANDARD.plies_per_frame as usize;

/// How many positions are looked at without a pool.
const IN_PLACE_NODES: u32 = 2_000;

/// More threads than this only cost memory unless a flag asks for them.
const USUAL_THREADS_MAX: usize = 2;

/// Answers questions. Clones are the same.
#[derive(Clone)]
pub struct Verdicts(Option<Arc<Handle>>);

/// The pool stops when its last handle is dropped.
struct Handle(Arc<Pool>);

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl fmt::Debug for Verdicts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdicts").field("has_pool", &self.0.is_some()).finish()
    }
}

impl Verdicts {
    /// A pool with this many threads. Without a number: all cores but one, at least one and at most two.
    ///
    /// # Errors
    /// When a thread does not start.
    pub fn start(threads: Option<NonZeroUsize>, clock: ServiceClock) -> io::Result<Self> {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = threads.map_or((cores - 1).clamp(1, USUAL_THREADS_MAX), NonZeroUsize::get);
        Ok(Self(Some(Arc::new(Handle(Pool::start(threads, clock)?)))))
    }

    /// Without threads: every question is answered where it is asked, with a small bound. For tests and simulations.
    #[must_use]
    pub fn in_place() -> Self {
        Self(None)
    }

    /// Asks for a game, in place of what it asked before. The reply may be called before this returns, later, or never: when
    /// another question of the game took its place, or nobody waits for it any more.
    pub(crate) fn ask(&self, game: GameId, question: Box<Question>, reply: Reply) {
        metrics().verdicts_asked.increment(1);
        if let Some(answer) = at_once(&question) {
            return reply(given(answer));
        }
        match &self.0 {
            Some(handle) => handle.0.ask(game, question, reply),
            None => {
                let answer = question.answer(&SearchLimits::nodes(IN_PLACE_NODES));
                reply(given(answer));
            }
        }
    }

    /// Nobody waits for an answer about this game any more.
    pub(crate) fn forget(&self, game: GameId) {
        if let Some(handle) = &self.0 {
            handle.0.forget(game);
        }
    }

    /// Abandons everything at once.
    pub(crate) fn stop(&self) {
        if let Some(handle) = &self.0 {
            handle.0.stop();
        }
    }
}

/// What needs no search, nor the static test, which may take milliseconds: a plain loss, and a winner without the material.
fn at_once(question: &Question) -> Option<Answer> {
    let loser = match question.kind {
        QuestionKind::Resignation { rule: ResignationRule::Loses, .. } => {
            return Some(question.answer(&SearchLimits::nodes(0)));
        }
        QuestionKind::Resignation { resigned: loser, .. }
        | QuestionKind::FlagFall { flagged: loser, .. }
        | QuestionKind::Abandonment { absent: loser } => loser,
        QuestionKind::DeadPosition => return None,
    };
    cannot_checkmate(&question.position, !loser)?;
    Some(question.answer(&SearchLimits::nodes(0)))
}

/// The answer that is given: counted, and with an empty line in place of one that is too long to be shown.
fn given(mut answer: Answer) -> Answer {
    let metrics = metrics();
    if answer.undecided.is_some() {
        metrics.verdicts_undecided.increment(1);
    }
    let proof = answer.outcome.as_ref().and_then(|outcome| outcome.proof.as_ref());
    match proof {
        Some(Proof::Material) => metrics.verdicts_by_material.increment(1),
        Some(Proof::Static) => metrics.verdicts_by_static_test.increment(1),
        Some(Proof::Exhaustive { .. }) => metrics.verdicts_by_search.increment(1),
        Some(Proof::Helpmate { .. }) => metrics.verdicts_by_line.increment(1),
        None if answer.outcome.is_none() && answer.undecided.is_none() => {
            metrics.verdicts_by_line.increment(1);
        }
        None => {}
    }
    if let Some(Proof::Helpmate { line }) = answer.outcome.as_mut().and_then(|outcome| outcome.proof.as_mut())
        && line.len() > LINE_PLIES_MAX
    {
        *line = Vec::new();
    }
    answer
}
