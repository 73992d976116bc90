//! The answer to an append, as a future that costs nothing when the answer is there at once.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use super::JournalOffset;

/// Why a record was not appended, or may not have been.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AppendError {
    /// The game's last record is not the one named: somebody else wrote. The record was not appended.
    #[error("another record came first")]
    Conflict,
    /// Whether the record was appended is not known; it may still be. Reading the game's tail tells.
    #[error("it is unknown whether the record was written")]
    Unknown,
    /// The record was not appended, and this journal takes none any more.
    #[error("the journal takes no records: {0}")]
    Failed(String),
}

/// What an append comes to: the offset of the record.
pub type AppendAnswer = Result<JournalOffset, AppendError>;

/// An append under way. Whoever keeps it after its answer says that the answer has not had its effect yet.
#[derive(Debug)]
pub struct Append {
    state: State,
    _kept: Option<Arc<()>>,
}

#[derive(Debug)]
enum State {
    Answered(Option<AppendAnswer>),
    Waiting(oneshot::Receiver<AppendAnswer>),
}

impl Append {
    /// An append that is answered already.
    #[must_use]
    pub fn answered(answer: AppendAnswer) -> Self {
        Self { state: State::Answered(Some(answer)), _kept: None }
    }

    /// An append that will be answered through the sender. A sender that is dropped means [`AppendError::Unknown`].
    #[must_use]
    pub fn waiting() -> (oneshot::Sender<AppendAnswer>, Self) {
        let (sender, receiver) = oneshot::channel();
        (sender, Self { state: State::Waiting(receiver), _kept: None })
    }

    /// As [`Append::waiting`], and what tells whether the append is still kept.
    #[must_use]
    pub(super) fn waiting_and_kept() -> (oneshot::Sender<AppendAnswer>, Weak<()>, Self) {
        let (sender, receiver) = oneshot::channel();
        let kept = Arc::new(());
        (sender, Arc::downgrade(&kept), Self { state: State::Waiting(receiver), _kept: Some(kept) })
    }
}

impl Future for Append {
    type Output = AppendAnswer;

    /// # Panics
    /// When it is polled again after its answer.
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<AppendAnswer> {
        match &mut self.state {
            State::Answered(answer) => Poll::Ready(answer.take().expect("an append is answered once")),
            State::Waiting(receiver) => {
                Pin::new(receiver).poll(cx).map(|answer| answer.unwrap_or(Err(AppendError::Unknown)))
            }
        }
    }
}
