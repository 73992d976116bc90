//! What the writer is asked for. Everything that is taken from the queue at once is one transaction.

use std::sync::{Arc, Weak};

use tokio::sync::oneshot;
use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::game::PlayerName;

use crate::accounts::Person;
use crate::storage::{AppendAnswer, JournalOffset, Record, TurnTime};

/// Something to be written.
#[derive(Debug)]
pub(crate) enum Request {
    /// Append a record; the first of a game takes the challenge of its id away. `kept` lives until the answer has had its
    /// effect.
    Append {
        after: JournalOffset,
        record: Arc<Record>,
        answer: oneshot::Sender<AppendAnswer>,
        kept: Weak<()>,
    },
    /// Note that a turn was interrupted or goes on.
    Turn { game: GameId, time: TurnTime },
    /// Keep an account with its token.
    Account { account: AccountId, token_hash: [u8; 32], made_unix_ms: u64, answer: oneshot::Sender<()> },
    /// Forget a token: it names nobody any more.
    RevokeToken { token_hash: [u8; 32], answer: oneshot::Sender<()> },
    /// Give an account a name. The answer is the number of this naming, or `None` when another account has the name.
    Rename { account: AccountId, name: PlayerName, answer: oneshot::Sender<Option<u64>> },
    /// Keep a challenge.
    OpenChallenge(Box<OpenChallenge>, oneshot::Sender<()>),
    /// Take a challenge away.
    CloseChallenge(ChallengeId, oneshot::Sender<()>),
    /// The process stops taking part: the running turns are charged up to here and no further.
    LastBeat,
    /// Nothing: answered when everything before it is durable.
    Flush(oneshot::Sender<()>),
}

/// An open challenge as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenChallenge {
    /// Its name.
    pub challenge: ChallengeId,
    /// Who offers.
    pub owner: Person,
    /// The `create_challenge` that made it, as JSON.
    pub terms: String,
    /// The finished game that it offers a rematch of.
    pub rematch_of: Option<GameId>,
}

/// An answer to be given when the transaction is durable.
#[derive(Debug)]
pub(super) enum Outcome {
    Appended(oneshot::Sender<AppendAnswer>, AppendAnswer),
    Renamed(oneshot::Sender<Option<u64>>, Option<u64>),
    Done(oneshot::Sender<()>),
}

impl Outcome {
    /// Whoever has stopped waiting need not hear.
    pub(super) fn tell(self) {
        match self {
            Self::Appended(sender, answer) => drop(sender.send(answer)),
            Self::Renamed(sender, number) => drop(sender.send(number)),
            Self::Done(sender) => drop(sender.send(())),
        }
    }
}
