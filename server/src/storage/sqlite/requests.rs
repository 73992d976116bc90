//! What the writer is asked for. Everything that is taken from the queue at once is one
//! transaction.

use std::sync::Arc;

use tokio::sync::oneshot;
use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::game::PlayerName;

use crate::storage::append::EffectWatch;
use crate::storage::{AppendAnswer, JournalOffset, OpenChallenge, Record, TokenDigest, TurnTime};

/// Something to be written.
#[derive(Debug)]
pub(crate) enum Request {
    /// Append a record; the first of a game removes the challenge of its id. `effect` sees whether
    /// the answer has had its effect.
    Append {
        after: JournalOffset,
        record: Arc<Record>,
        answer: oneshot::Sender<AppendAnswer>,
        effect: EffectWatch,
    },
    /// Note that a turn was interrupted or goes on.
    Turn { game: GameId, time: TurnTime },
    /// Keep an account with its token.
    Account { account: AccountId, token: TokenDigest, created_unix_ms: u64, answer: oneshot::Sender<()> },
    /// Forget a token: it proves no account any more.
    RevokeToken { token: TokenDigest, answer: oneshot::Sender<()> },
    /// Give an account a name. The answer is the number of this naming, or `None` when another
    /// account has the name.
    Rename { account: AccountId, name: PlayerName, answer: oneshot::Sender<Option<u64>> },
    /// Keep a challenge.
    OpenChallenge(Box<OpenChallenge>, oneshot::Sender<()>),
    /// Remove a challenge.
    CloseChallenge(ChallengeId, oneshot::Sender<()>),
    /// The server begins to stop: the running turns are charged up to here and no further.
    StopTurns,
    /// Nothing: answered when everything before it is durable.
    Flush(oneshot::Sender<()>),
}

/// An answer that is sent when the transaction is durable.
#[derive(Debug)]
pub(super) enum Completion {
    Appended(oneshot::Sender<AppendAnswer>, AppendAnswer),
    Renamed(oneshot::Sender<Option<u64>>, Option<u64>),
    Done(oneshot::Sender<()>),
}

impl Completion {
    /// Answers. A receiver that is gone does not matter.
    pub(super) fn send(self) {
        match self {
            Self::Appended(sender, answer) => drop(sender.send(answer)),
            Self::Renamed(sender, number) => drop(sender.send(number)),
            Self::Done(sender) => drop(sender.send(())),
        }
    }
}
