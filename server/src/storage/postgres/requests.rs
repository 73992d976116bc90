//! What the journal's task is asked for, and what the task for people is; and what the store knows of both: since when
//! the one writes, and the way back of its answers.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::oneshot;
use zeitnot_protocol::GameId;

use super::connection::{Failure, Link};
use crate::storage::append::EffectWatch;
use crate::storage::completions::{Answer, Completions, answering};
use crate::storage::{AppendAnswer, JournalOffset, Record, RestMark, StoreInstant, TurnTime, WokenGame};
use crate::time::ServiceInstant;

/// Something to be written in the journal.
pub(super) enum Request {
    /// Append a record; the first of a game removes the challenge of its id. `effect` sees whether the answer has had its
    /// effect.
    Append {
        after: JournalOffset,
        record: Arc<Record>,
        answer: oneshot::Sender<AppendAnswer>,
        effect: EffectWatch,
    },
    /// Note that a turn was interrupted or goes on.
    Turn { game: GameId, time: TurnTime },
    /// Put a live game to rest.
    Rest {
        game: GameId,
        after: JournalOffset,
        mark: RestMark,
        at: StoreInstant,
        answer: oneshot::Sender<bool>,
    },
    /// Wake a game at rest.
    Wake { game: GameId, at: StoreInstant, answer: oneshot::Sender<Option<WokenGame>> },
    /// Write something whose order with the games counts: challenges and corrections.
    Other(Job),
    /// The server begins to stop: the running turns are charged up to here and no further.
    StopTurns,
}

/// Writes something in a transaction, and says who is told of it after the commit. It may run several times.
pub(super) type Job = Box<dyn FnMut(Arc<Link>) -> BoxFuture<'static, Result<Answer, Failure>> + Send>;

/// Has something written, with the answer to it when that is durable.
pub(super) fn job<A, T, F, Fut>(with: A, act: F) -> (Job, oneshot::Receiver<T>)
where
    A: Clone + Send + 'static,
    T: Send + 'static,
    F: Fn(Arc<Link>, A) -> Fut + Send + 'static,
    Fut: Future<Output = Result<T, Failure>> + Send + 'static,
{
    let (answer, answered) = oneshot::channel();
    let answer = Arc::new(std::sync::Mutex::new(Some(answer)));
    let job = move |link: Arc<Link>| {
        let (writing, answer) = (act(link, with.clone()), Arc::clone(&answer));
        async move {
            let written = writing.await?;
            let tell = move || {
                let waiting = crate::sync::unpoisoned(answer.lock()).take();
                if let Some(waiting) = waiting {
                    answering(waiting, written)();
                }
            };
            Ok(Box::new(tell) as Answer)
        }
        .boxed()
    };
    (Box::new(job), answered)
}

/// What both sides of the store have of the journal's task.
pub(super) struct Shared {
    /// Since when the task has been busy with a statement; [`ServiceInstant::NEVER`] while it is not.
    writing_since: AtomicU64,
    /// How many changes of accounts this process has made.
    account_changes: AtomicU64,
    /// The way back of the answers.
    pub(super) completions: Completions,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            writing_since: AtomicU64::new(ServiceInstant::NEVER.0),
            account_changes: AtomicU64::new(0),
            completions: Completions::default(),
        }
    }
}

impl Shared {
    /// Since when the task has been busy with a statement.
    pub(super) fn writing_since(&self) -> Option<ServiceInstant> {
        let since = ServiceInstant(self.writing_since.load(Ordering::Relaxed));
        (since != ServiceInstant::NEVER).then_some(since)
    }

    /// The task begins a statement, or has ended it.
    pub(super) fn set_writing_since(&self, since: Option<ServiceInstant>) {
        self.writing_since.store(since.unwrap_or(ServiceInstant::NEVER).0, Ordering::Relaxed);
    }

    /// The number of a change of an account. One task makes changes, so its order is theirs.
    pub(super) fn next_change(&self) -> u64 {
        self.account_changes.fetch_add(1, Ordering::Relaxed) + 1
    }
}
