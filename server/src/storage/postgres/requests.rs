//! What the journal's task is asked for, and what the task for people is.

use std::future::Future;
use std::sync::{Arc, Mutex};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::oneshot;
use zeitnot_protocol::GameId;

use super::connection::{Failure, Link};
use super::game_rows::Live;
use super::queue::Queue;
use crate::storage::completions::{Answer, answering};
use crate::storage::requests::{self, Requests};
use crate::sync::unpoisoned;

/// Why a write that was asked for has no answer.
pub(super) const NOT_ANSWERED: &str = "the writer has ended, or the database rejects it";

/// Something to be written in the journal, or whose order with the games counts.
pub(super) type Request = requests::Request<Beside>;

/// What the journal's task is asked beside what all stores are.
pub(super) enum Beside {
    /// Write this in order with the games: a challenge or a correction.
    Write(Job),
    /// This process gives these games up.
    Release { games: Vec<GameId>, answer: oneshot::Sender<()> },
    /// Say when it is certain that nobody had taken this process's games over when this was asked.
    Confirm(oneshot::Sender<()>),
    /// A game cannot be played on.
    SetAside { game: GameId, why: String, answer: oneshot::Sender<()> },
    /// This process owns these games from here on.
    Owns(Vec<(GameId, Live)>),
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
    let answer = Arc::new(Mutex::new(Some(answer)));
    let job = move |link: Arc<Link>| {
        let (writing, answer) = (act(link, with.clone()), Arc::clone(&answer));
        async move {
            let written = writing.await?;
            let tell = move || {
                let waiting = unpoisoned(answer.lock()).take();
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

impl Requests<Beside> for Queue<Request> {
    const NOT_ANSWERED: &'static str = NOT_ANSWERED;

    fn ask(&self, request: Request) -> bool {
        self.push(request)
    }

    fn ask_beyond(&self, request: Request) -> bool {
        self.push_beyond(request)
    }
}
