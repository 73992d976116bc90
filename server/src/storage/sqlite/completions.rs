//! Giving answers: one wake-up of the runtime for a whole transaction, and from there to each who waits.
//!
//! To wake a task from another thread costs a system call each time; to wake it from a task of the same runtime costs
//! next to nothing. So a task of the runtime takes what a commit answered and passes it on. Before it runs, and after the
//! server began to stop, the writer's thread answers by itself.

use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use futures_util::task::AtomicWaker;
use tokio_util::sync::CancellationToken;

use super::requests::Outcome;

#[derive(Debug, Default)]
struct State {
    is_running: bool,
    outcomes: Vec<Outcome>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Completions {
    state: Mutex<State>,
    waker: AtomicWaker,
}

impl Completions {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing in a critical section of this file panics but by running out of memory.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives these answers. Everything is durable.
    pub(super) fn answer(&self, outcomes: &mut Vec<Outcome>) {
        if outcomes.is_empty() {
            return;
        }
        let mut state = self.state();
        if state.is_running {
            state.outcomes.append(outcomes);
            drop(state);
            self.waker.wake();
        } else {
            drop(state);
            outcomes.drain(..).for_each(Outcome::tell);
        }
    }

    /// Passes answers on until `stopping`.
    pub(super) async fn run(&self, stopping: CancellationToken) {
        self.state().is_running = true;
        let mut batch = Vec::new();
        let pass_on = poll_fn(|cx| {
            self.waker.register(cx.waker());
            std::mem::swap(&mut batch, &mut self.state().outcomes);
            batch.drain(..).for_each(Outcome::tell);
            Poll::<()>::Pending
        });
        tokio::select! {
            biased;
            () = pass_on => {}
            () = stopping.cancelled() => {}
        }
        let rest = {
            let mut state = self.state();
            state.is_running = false;
            std::mem::take(&mut state.outcomes)
        };
        rest.into_iter().for_each(Outcome::tell);
    }
}
