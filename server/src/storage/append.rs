//! The answer to an append, as a future that costs nothing when the answer is there at once, and
//! the token that tells when the answer has had its effect.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use super::record::JournalOffset;

/// Why a record was not appended, or may not have been.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AppendError {
    /// The game's last record is not the one named: another writer came first. The record was not
    /// appended.
    #[error("another record came first")]
    Conflict,
    /// It is not known whether the record was appended; it may still be. The game's tail shows it.
    #[error("it is unknown whether the record was written")]
    Unknown,
    /// The record was not appended, and the store takes no more.
    #[error("the store takes no records: {0}")]
    Failed(String),
}

/// What an append comes to: the offset of the record.
pub type AppendAnswer = Result<JournalOffset, AppendError>;

/// Held with an append until the answer has had its effect.
#[derive(Debug, Default)]
pub(crate) struct EffectToken(Arc<()>);

impl EffectToken {
    /// What sees whether this token is still held.
    pub(crate) fn watch(&self) -> EffectWatch {
        EffectWatch(Arc::downgrade(&self.0))
    }
}

/// Sees whether an [`EffectToken`] is still held. One of no token sees that it is not.
#[derive(Debug, Default)]
pub(crate) struct EffectWatch(Weak<()>);

impl EffectWatch {
    /// Whether the answer to the append has not had its effect yet.
    pub(crate) fn is_pending(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// An append under way. Dropping an answered `Append` signals that its effect was applied; until
/// then no heartbeat is written.
#[derive(Debug)]
pub struct Append(AppendState);

#[derive(Debug)]
enum AppendState {
    Answered(Option<AppendAnswer>),
    Waiting { answered: oneshot::Receiver<AppendAnswer>, _effect: EffectToken },
}

impl Append {
    /// An append that is answered already.
    #[must_use]
    pub fn answered(answer: AppendAnswer) -> Self {
        Self(AppendState::Answered(Some(answer)))
    }

    /// An append that will be answered through the sender, with a watch on whether the answer has
    /// had its effect. A sender that is dropped means [`AppendError::Unknown`].
    #[must_use]
    pub(crate) fn waiting() -> (oneshot::Sender<AppendAnswer>, EffectWatch, Self) {
        let (answer, answered) = oneshot::channel();
        let effect = EffectToken::default();
        let watch = effect.watch();
        (answer, watch, Self(AppendState::Waiting { answered, _effect: effect }))
    }
}

impl Future for Append {
    type Output = AppendAnswer;

    /// # Panics
    /// When it is polled again after its answer.
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<AppendAnswer> {
        match &mut self.0 {
            AppendState::Answered(answer) => Poll::Ready(answer.take().expect("an append is answered once")),
            AppendState::Waiting { answered, .. } => {
                Pin::new(answered).poll(cx).map(|answer| answer.unwrap_or(Err(AppendError::Unknown)))
            }
        }
    }
}
