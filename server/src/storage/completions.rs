//! The way back of the answers: one wake-up of the runtime for a whole transaction, and from there
//! to each waiting task.
//!
//! To wake a task from a foreign thread costs a system call each time; to wake it from a task of
//! the same runtime costs next to nothing. So a task of the runtime takes what a commit answered
//! and passes it on. While that task does not run, at a start and after the server began to stop,
//! the thread that writes sends the answers itself.

use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard};
use std::task::Poll;

use futures_util::task::AtomicWaker;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::append::AppendAnswer;
use crate::sync::unpoisoned;

/// What tells somebody of something that was written, when that is durable.
pub(super) type Answer = Box<dyn FnOnce() + Send>;

/// The answer for somebody who waits. A receiver that is gone does not matter.
pub(super) fn answering<T: Send + 'static>(waiting: oneshot::Sender<T>, answer: T) -> Answer {
    Box::new(move || drop(waiting.send(answer)))
}

/// An answer that is sent when what it answers is durable.
pub(super) enum Completion {
    Appended(oneshot::Sender<AppendAnswer>, AppendAnswer),
    Other(Answer),
}

impl Completion {
    /// The answer to a request that is waited for.
    pub(super) fn of<T: Send + 'static>(waiting: oneshot::Sender<T>, answer: T) -> Self {
        Self::Other(answering(waiting, answer))
    }

    /// Answers. A receiver that is gone does not matter.
    pub(super) fn send(self) {
        match self {
            Self::Appended(sender, answer) => drop(sender.send(answer)),
            Self::Other(answer) => answer(),
        }
    }
}

#[derive(Default)]
struct DeliveryState {
    is_running: bool,
    completions: Vec<Completion>,
}

/// Answers on their way.
#[derive(Default)]
pub(super) struct Completions {
    state: Mutex<DeliveryState>,
    waker: AtomicWaker,
}

impl Completions {
    fn state(&self) -> MutexGuard<'_, DeliveryState> {
        unpoisoned(self.state.lock())
    }

    /// Sends these answers, or has them sent by the task. What they answer is durable.
    pub(super) fn answer(&self, completions: &mut Vec<Completion>) {
        if completions.is_empty() {
            return;
        }
        let mut state = self.state();
        if state.is_running {
            state.completions.append(completions);
            drop(state);
            self.waker.wake();
        } else {
            drop(state);
            completions.drain(..).for_each(Completion::send);
        }
    }

    /// Passes answers on until `stopping`.
    pub(super) async fn run(&self, stopping: CancellationToken) {
        self.state().is_running = true;
        let mut batch = Vec::new();
        let pass_on = poll_fn(|cx| {
            self.waker.register(cx.waker());
            std::mem::swap(&mut batch, &mut self.state().completions);
            batch.drain(..).for_each(Completion::send);
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
            std::mem::take(&mut state.completions)
        };
        rest.into_iter().for_each(Completion::send);
    }
}
