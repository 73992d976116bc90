//! What is kept beside games: accounts, the digests of their tokens, open challenges.
//!
//! Deliberately absent: what an account is called while it has no name, and the tokens themselves
//! (`accounts`); what the terms of a challenge mean (`lobby`).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::game::PlayerName;

/// What kind of account it is. The numbers are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Nobody has registered it: who loses its token has lost it.
    Guest = 0,
    /// Somebody has registered it.
    Registered = 1,
    /// It is registered, and programs play with it.
    Bot = 2,
    /// Its owner has closed it: it is nobody's, and its games stay.
    Closed = 3,
}

impl Kind {
    /// Whether somebody has registered it: a person, or whoever runs the bot.
    #[must_use]
    pub const fn is_registered(self) -> bool {
        matches!(self, Self::Registered | Self::Bot)
    }

    /// The kind of a stored number; `None` when there is none.
    #[must_use]
    pub const fn of_number(number: i64) -> Option<Self> {
        match number {
            0 => Some(Self::Guest),
            1 => Some(Self::Registered),
            2 => Some(Self::Bot),
            3 => Some(Self::Closed),
            _ => None,
        }
    }
}

/// An account with the name that it has chosen, if it has chosen one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Person {
    /// The account.
    pub account: AccountId,
    /// What kind of account it is.
    pub kind: Kind,
    /// Its name.
    pub name: Option<PlayerName>,
}

impl Person {
    /// A guest without a name.
    #[must_use]
    pub const fn guest(account: AccountId) -> Self {
        Self { account, kind: Kind::Guest, name: None }
    }
}

/// What an account is after a change of its name or its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The account as it is now.
    pub person: Person,
    /// Of two changes the later has the higher one.
    pub number: u64,
}

/// The SHA-256 of a token. A look-up by digest leaks nothing about the token by its timing. `Debug`
/// does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenDigest(pub [u8; 32]);

impl TokenDigest {
    /// The id by which its owner is shown a token: a piece of the digest, of 72 bits, that proves nothing.
    #[must_use]
    pub fn shown_id(self) -> String {
        URL_SAFE_NO_PAD.encode(&self.0[..9])
    }
}

impl fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenDigest(secret)")
    }
}

/// An open challenge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenChallenge {
    /// The challenge. The game that it becomes has the same id.
    pub challenge: ChallengeId,
    /// The account that made it. Only its id is kept with the challenge; the name is the account's.
    pub owner: Person,
    /// The `create_challenge` that made it, as JSON.
    pub terms: String,
    /// The finished game that it offers a rematch of.
    pub rematch_of: Option<GameId>,
    /// Who has accepted it while its owner was away. Only its id is kept with the challenge.
    pub accepted_by: Option<Person>,
    /// When it ends.
    pub until_unix_ms: u64,
}
