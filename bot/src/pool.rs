//! The threads that think: few, of low priority, for all games of a process.
//!
//! Each has a searcher of its own and takes the question that has waited longest. While many wait, each
//! gets less time, so that the last one is not forgotten. Deliberately absent: tokio's threads, on which
//! nobody thinks.
//!
//! Invariants: at most [`MOST_WAITING`] questions wait. A question that nobody waits for any more is
//! stopped, or never begun. The threads end with the last clone of the pool.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::line::Line;
use crate::matches::Budget;
use crate::search::{Found, Level, Limits, Searcher, Stop};
use crate::stopwatch::Stopwatch;

/// The questions that may wait: more games than a process plays.
pub const MOST_WAITING: usize = 4_096;

/// The table of each thread, in bytes.
const TABLE_BYTES: usize = 8 << 20;

/// The longest that a thread thinks about one move while nobody else waits.
const LONGEST: Duration = Duration::from_secs(5);

/// What all that wait get together: one of many gets its share of this, whatever its clock says.
const ROUND: Duration = Duration::from_secs(2);

/// What a level looks at for a move at most: a game among many takes no more than this.
const MOST_NODES: u64 = 1_500_000;

/// What is asked.
struct Question {
    level: Level,
    line: Line,
    budget: Budget,
    /// What a move loses on its way.
    overhead: Duration,
    seed: u64,
    asked: Stopwatch,
    stop: Stop,
    answer: oneshot::Sender<Option<Found>>,
}

#[derive(Default)]
struct Waiting {
    questions: VecDeque<Question>,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    more: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next question, and how many wait behind it; `None` when the pool is closed.
    fn take(&self) -> Option<(Question, usize)> {
        let mut waiting = self.lock();
        loop {
            if waiting.closed {
                return None;
            }
            if let Some(question) = waiting.questions.pop_front() {
                return Some((question, waiting.questions.len()));
            }
            waiting = self.more.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Closes the pool when the last handle is gone.
struct Owner {
    shared: Arc<Shared>,
}

impl Drop for Owner {
    fn drop(&mut self) {
        let mut waiting = self.shared.lock();
        waiting.closed = true;
        waiting.questions.clear();
        self.shared.more.notify_all();
    }
}

/// The threads that think. Clones are the same pool.
#[derive(Clone)]
pub struct Pool {
    owner: Arc<Owner>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("waiting", &self.owner.shared.lock().questions.len()).finish()
    }
}

/// Asks a search to stop when nobody waits for its answer.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.request();
    }
}

impl Pool {
    /// Starts so many threads, at least one. Each calls `begin` first: there it lowers its priority.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start(threads: usize, begin: fn()) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let owner = Arc::new(Owner { shared: Arc::clone(&shared) });
        for number in 0..threads.max(1) {
            let shared = Arc::clone(&shared);
            std::thread::Builder::new().name(format!("thinker-{number}")).spawn(move || {
                begin();
                work(&shared);
            })?;
        }
        Ok(Self { owner })
    }

    /// The move that a level plays; `None` when there is no legal one, or too many questions wait. To drop
    /// the future stops the search.
    pub async fn choose(
        &self,
        level: Level,
        line: &Line,
        budget: Budget,
        overhead: Duration,
        seed: u64,
    ) -> Option<Found> {
        let (stop, asked) = (Stop::default(), Stopwatch::start());
        let (answer, found) = oneshot::channel();
        let line = line.clone();
        let question = Question { level, line, budget, overhead, seed, asked, stop: stop.clone(), answer };
        let _stop = StopOnDrop(stop);
        {
            let mut waiting = self.owner.shared.lock();
            if waiting.questions.len() >= MOST_WAITING {
                return None;
            }
            waiting.questions.push_back(question);
        }
        self.owner.shared.more.notify_one();
        found.await.ok().flatten()
    }
}

fn work(shared: &Shared) {
    let mut searcher = Searcher::new(TABLE_BYTES);
    while let Some((question, behind)) = shared.take() {
        if question.stop.is_requested() {
            continue;
        }
        let limits = limits(&question, behind, question.asked.elapsed());
        let Question { level, line, seed, stop, answer, .. } = question;
        let found = level.choose(&mut searcher, &line, &limits, seed, &stop);
        if answer.send(found).is_err() {
            tracing::trace!("nobody waits for the answer any more");
        }
    }
}

/// What a question gets that has waited for `waited`, with so many others behind it.
fn limits(question: &Question, behind: usize, waited: Duration) -> Limits {
    let us = question.line.position().side_to_move();
    let limits = match question.budget {
        Budget::Nodes(nodes) => Limits::nodes(nodes),
        Budget::Time(time) => Limits { hard: Some(time), ..Limits::NONE },
        Budget::Clocks { left, increment } => {
            Limits::clock(left[us].saturating_sub(waited), increment, question.overhead)
        }
    };
    let others = u32::try_from(behind).unwrap_or(u32::MAX).saturating_add(1);
    let share = if behind == 0 { LONGEST } else { ROUND / others };
    let least = |limit: Option<Duration>| Some(limit.map_or(share, |limit| limit.min(share)));
    Limits { nodes: limits.nodes.min(MOST_NODES), soft: limits.soft, hard: least(limits.hard), ..limits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::JoinSet;
    use zeitnot_rules::board::{ByColor, Position};
    use zeitnot_rules::game::Variant;

    fn line() -> Line {
        Line::new(Position::standard(), Variant::Standard)
    }

    fn pool() -> Pool {
        Pool::start(2, || ()).expect("threads")
    }

    async fn choose(pool: &Pool, budget: Budget) -> Option<Found> {
        pool.choose(Level::HIGHEST, &line(), budget, Duration::ZERO, 0).await
    }

    #[tokio::test]
    async fn many_questions_are_all_answered() {
        let pool = pool();
        let mut asked = JoinSet::new();
        for seed in 0..200 {
            let pool = pool.clone();
            let nodes = Budget::Nodes(200);
            asked
                .spawn(async move { pool.choose(Level::LOWEST, &line(), nodes, Duration::ZERO, seed).await });
        }
        let mut answered = 0;
        while let Some(found) = asked.join_next().await {
            let found = found.expect("no panic").expect("a move");
            assert!(line().position().is_legal(found.mv));
            answered += 1;
        }
        assert_eq!(answered, 200);
    }

    /// Polls a future once.
    async fn poll_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        std::future::poll_fn(|cx| {
            std::task::Poll::Ready(match std::pin::Pin::new(&mut *future).poll(cx) {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }

    #[tokio::test]
    async fn a_question_that_is_dropped_frees_its_thread() {
        let pool = Pool::start(1, || ()).expect("a thread");
        let endless = Budget::Time(Duration::from_secs(3_600));
        {
            let line = line();
            let mut question = Box::pin(pool.choose(Level::HIGHEST, &line, endless, Duration::ZERO, 0));
            assert!(poll_once(&mut question).await.is_none());
        }
        assert!(choose(&pool, Budget::Nodes(50)).await.is_some());
    }

    #[test]
    fn what_waits_longer_or_with_more_others_gets_less() {
        let left = ByColor::both(Duration::from_secs(60));
        let question = |budget| Question {
            level: Level::HIGHEST,
            line: line(),
            budget,
            overhead: Duration::ZERO,
            seed: 0,
            asked: Stopwatch::start(),
            stop: Stop::default(),
            answer: oneshot::channel().0,
        };
        let clocks = question(Budget::Clocks { left, increment: Duration::ZERO });
        let hard =
            |behind, waited| limits(&clocks, behind, Duration::from_secs(waited)).hard.expect("a limit");
        assert!(hard(0, 50) < hard(0, 0));
        assert_eq!(hard(199, 0), Duration::from_millis(10));
        assert_eq!(hard(0, 60), Duration::ZERO);
        let unlimited = question(Budget::Time(Duration::from_secs(3_600)));
        assert_eq!(limits(&unlimited, 0, Duration::ZERO).hard, Some(LONGEST));
        assert_eq!(limits(&question(Budget::Nodes(7)), 0, Duration::ZERO).nodes, 7);
    }
}
