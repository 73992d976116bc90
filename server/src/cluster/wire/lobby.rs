//! What a node and the node that has the lobby of all tell each other.
//!
//! Messages of the protocol travel as their text: their form leaves out what is not there, which this encoding cannot.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use zeitnot_protocol::{AccountId, ChallengeId, CommandId, GameId, PoolId};

use crate::storage::{Block, Kind, Person};

/// A message about the lobby, as links carry it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum LobbyMessage {
    ToOwner(ToLobby),
    FromOwner(FromLobby),
}

/// From a node to the one that has the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum ToLobby {
    /// The first message on every link: what was said before counts no more.
    Arrive,
    /// An account has one more connection there.
    Connected(SentConnection),
    /// It has none there any more.
    Left(AccountId),
    /// All connections were told of.
    Arrived,
    /// An account has waited in a lobby that is gone, and is to wait there now, or nowhere. Where it waits is the answer.
    Place {
        who: SentPerson,
        address: IpAddr,
        pool: Option<PoolId>,
    },
    Command(LobbyCommand),
    /// An account's name or kind is this from now on.
    Changed(SentPerson),
    /// An account has blocked another one, or blocks it no more.
    Blocked {
        by: AccountId,
        whom: AccountId,
        is_blocked: bool,
    },
    /// The games in progress there, as the text of a `lobby`. What the lobby shows is the answer.
    Look(String),
    /// What is known of a challenge is the answer.
    Find {
        number: u64,
        challenge: ChallengeId,
    },
    /// Which of these accounts have a connection on any node is the answer.
    WhoIsHere {
        number: u64,
        accounts: Vec<AccountId>,
    },
    /// Bots that have a connection on any node are the answer, at most so many.
    BotsHere {
        number: u64,
        most: u32,
    },
}

impl ToLobby {
    /// An account has blocked another one, or blocks it no more.
    pub(crate) fn blocked(Block { by, whom }: Block, is_blocked: bool) -> Self {
        Self::Blocked { by, whom, is_blocked }
    }
}

/// From the node that has the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum FromLobby {
    /// The lobby is here, and so many nodes have had it.
    Here { epoch: u64 },
    /// The answer to [`ToLobby::Arrived`]: every open challenge that concerns an account there was told.
    Arrived,
    /// For one connection, as it is.
    Tell { connection: u64, text: String },
    /// For all connections of an account but one.
    TellAll { account: AccountId, except: Option<u64>, text: String },
    /// A game of theirs has begun.
    Seat { account: AccountId, except: Option<u64>, game: GameId },
    /// The command of this id has led to that game.
    SeatAndAnswer { connection: u64, id: Option<CommandId>, game: GameId },
    /// What the lobby shows, as the text of a `lobby`.
    View(String),
    /// A challenge, as text; with the name of a code if it is not open.
    Found { number: u64, code: Option<String>, challenge: Option<String> },
    /// These accounts have a connection.
    AreHere { number: u64, accounts: Vec<AccountId> },
}

/// A connection of an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SentConnection {
    pub(crate) account: AccountId,
    pub(crate) connection: u64,
    pub(crate) address: IpAddr,
    pub(crate) is_bot: bool,
    pub(crate) playing: Playing,
}

/// What an account plays, as far as a node knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Playing {
    /// So many games of it have not ended.
    pub(crate) live: u32,
    /// One of them has clocks.
    pub(crate) with_clocks: bool,
}

/// A command of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LobbyCommand {
    pub(crate) connection: u64,
    pub(crate) who: SentPerson,
    pub(crate) address: IpAddr,
    pub(crate) playing: Playing,
    /// It always has an id.
    pub(crate) text: String,
}

/// A [`Person`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct SentPerson {
    account: AccountId,
    kind: u8,
    name: Option<String>,
}

impl From<Person> for SentPerson {
    fn from(Person { account, kind, name }: Person) -> Self {
        Self { account, kind: kind as u8, name: name.map(|name| name.to_string()) }
    }
}

impl SentPerson {
    /// `None` for what no account can be.
    pub(crate) fn read(&self) -> Option<Person> {
        let name = self.name.as_deref().map(str::parse).transpose().ok()?;
        Some(Person { account: self.account, kind: Kind::of_number(self.kind.into())?, name })
    }
}
