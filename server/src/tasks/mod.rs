//! The one way to start a task: tracked, so that a stop waits for all of them. And whether tasks get their turns in time.
//!
//! Deliberately absent: what stopping means for each. Tasks watch [`Tasks::stopping`], or their owners
//! tell them.

#[cfg(test)]
mod gate;
mod overload;

use std::future::Future;
use std::sync::Arc;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

#[cfg(test)]
pub(crate) use gate::Gate;
pub use overload::{Overload, Overloaded};

/// All tasks of one server. Clones are the same set.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    tracker: TaskTracker,
    stopping: CancellationToken,
    overload: Arc<Overload>,
    /// What the tasks of a simulated process stand behind.
    #[cfg(test)]
    gate: Option<Gate>,
}

impl Tasks {
    /// Tasks that run while this gate is open.
    #[cfg(test)]
    pub(crate) fn behind(gate: Gate) -> Self {
        Self { gate: Some(gate), ..Self::default() }
    }

    /// Starts a task on the current runtime.
    ///
    /// # Panics
    /// Outside a runtime.
    pub fn spawn<F>(&self, task: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        #[cfg(test)]
        if let Some(gate) = &self.gate {
            return self.tracker.spawn(gate.before(task));
        }
        self.tracker.spawn(task)
    }

    /// Is cancelled when the server stops.
    #[must_use]
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Whether the server stops: then nothing is begun any more.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.stopping.is_cancelled()
    }

    /// Whether tasks get their turns in time, and the gate for what waits while they do not.
    #[must_use]
    pub fn overload(&self) -> &Arc<Overload> {
        &self.overload
    }

    /// Asks all to stop.
    pub fn stop(&self) {
        self.stopping.cancel();
        self.tracker.close();
    }

    /// Ends when [`Tasks::stop`] was called and every task has ended.
    pub async fn ended(&self) {
        self.tracker.wait().await;
    }

    /// How many tasks run.
    #[must_use]
    pub fn count(&self) -> usize {
        self.tracker.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn ended_waits_for_every_task() {
        let tasks = Tasks::default();
        let stopping = tasks.stopping().clone();
        let task = tasks.spawn(async move {
            stopping.cancelled().await;
            7
        });
        assert_eq!(tasks.count(), 1);
        tasks.stop();
        tasks.ended().await;
        assert_eq!(tasks.count(), 0);
        assert_eq!(task.await.unwrap(), 7);
    }
}
