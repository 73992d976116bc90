//! The threads: each takes the next question, searches, and hands the answer over. They decide nothing.
//!
//! While a thread is in a later round it looks between two slices whether a first round waits, and
//! does that one first: with a single thread, too, no question waits for the end of a long search.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use zeitnot_protocol::GameId;
use zeitnot_rules::game::{Answer, Question};

use super::answer_cache::AnswerCache;
use super::scheduler::{Scheduler, Task};
use super::search::{Searched, search, undecided};
use super::{Reply, given};
use crate::process::{Priority, lower_priority};
use crate::sync::unpoisoned;
use crate::telemetry::metrics;
use crate::time::{ServiceClock, ServiceInstant};

/// A reply that a game waits for, and since when.
struct PendingReply {
    reply: Reply,
    since: ServiceInstant,
}

struct State {
    scheduler: Scheduler<PendingReply>,
    answers: AnswerCache,
}

/// What the threads share.
pub(super) struct Pool {
    state: Mutex<State>,
    news: Condvar,
    is_stopping: AtomicBool,
    clock: ServiceClock,
}

impl Pool {
    /// Starts the threads.
    pub(super) fn start(threads: usize, clock: ServiceClock) -> io::Result<Arc<Self>> {
        let state = State { scheduler: Scheduler::new(), answers: AnswerCache::default() };
        let pool = Arc::new(Self {
            state: Mutex::new(state),
            news: Condvar::new(),
            is_stopping: AtomicBool::new(false),
            clock,
        });
        for number in 1..=threads {
            let shared = Arc::clone(&pool);
            let thread = std::thread::Builder::new().name(format!("verdicts-{number}"));
            thread.spawn(move || shared.work()).inspect_err(|_| pool.stop())?;
        }
        Ok(pool)
    }

    /// Nothing that panics runs while the lock is held, but for a bug in the queue.
    fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    pub(super) fn ask(&self, game: GameId, question: Box<Question>, reply: Reply) {
        let pending = PendingReply { reply, since: self.clock.now() };
        let mut state = self.state();
        if let Some((answer, _forgotten)) = state.answers.find(&question) {
            drop(state);
            metrics().verdicts_known.increment(1);
            return self.answer(pending, answer);
        }
        if self.is_stopping() {
            return;
        }
        let evicted = state.scheduler.ask(game, question, pending);
        metrics().verdicts_waiting.set(state.scheduler.waiting() as f64);
        drop(state);
        self.news.notify_one();
        if let Some(task) = evicted {
            self.answer(task.reply, undecided(&task.question));
        }
    }

    pub(super) fn forget(&self, game: GameId) {
        let mut state = self.state();
        state.scheduler.forget(game);
        metrics().verdicts_waiting.set(state.scheduler.waiting() as f64);
    }

    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.state().scheduler.clear();
        self.news.notify_all();
    }

    fn work(&self) {
        lower_priority(Priority::Spare);
        while let Some(task) = self.next() {
            self.search(task);
        }
    }

    /// Waits for a question; `None` at the stop.
    fn next(&self) -> Option<Task<PendingReply>> {
        let mut state = self.state();
        loop {
            if self.is_stopping() {
                return None;
            }
            if let Some(task) = state.scheduler.take(false) {
                metrics().verdicts_waiting.set(state.scheduler.waiting() as f64);
                return Some(task);
            }
            state = unpoisoned(self.news.wait(state));
        }
    }

    /// A first round that waits, if there is one.
    fn next_first_round(&self) -> Option<Task<PendingReply>> {
        self.state().scheduler.take(true)
    }

    fn search(&self, task: Task<PendingReply>) {
        let keep_going = || {
            while !task.is_first_round()
                && let Some(small) = self.next_first_round()
            {
                self.search(small);
            }
            !self.is_stopping() && task.is_wanted()
        };
        let searched = search(&task.question, task.bound(), &keep_going);
        self.finish(task, searched);
    }

    fn finish(&self, task: Task<PendingReply>, searched: Searched) {
        let Searched { answer, looked_at, .. } = &searched;
        metrics().verdict_nodes.increment(*looked_at);
        // A search that was cancelled has no answer.
        let is_worth_keeping =
            searched.is_sound && (answer.undecided.is_none() || task.is_last_round() && task.is_wanted());
        let to_keep = is_worth_keeping.then(|| answer.clone());
        let mut state = self.state();
        let forgotten = to_keep.map(|answer| state.answers.keep(&task.question, answer));
        let done = state.scheduler.finish(task, *looked_at, searched.is_decided());
        let has_work = state.scheduler.waiting() > 0;
        metrics().verdicts_waiting.set(state.scheduler.waiting() as f64);
        drop(state);
        // This thread may have to wait for its turn, and a game for the lock.
        drop(forgotten);
        if has_work {
            self.news.notify_one();
        }
        if let Some(task) = done
            && !self.is_stopping()
        {
            self.answer(task.reply, searched.answer);
        }
    }

    fn answer(&self, pending: PendingReply, answer: Answer) {
        let PendingReply { reply, since } = pending;
        metrics().verdict_seconds.record(self.clock.now().since(since).as_secs_f64());
        reply(given(answer));
    }
}
