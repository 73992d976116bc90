//! What is kept beside games: accounts, the digests of their tokens, open challenges.
//!
//! Deliberately absent: what an account is called while it has no name, and the tokens themselves
//! (`accounts`); what the terms of a challenge mean (`lobby`).

use std::fmt;

use zeitnot_protocol::{AccountId, ChallengeId, GameId};
use zeitnot_rules::game::PlayerName;

/// An account with the name that it has chosen, if it has chosen one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Person {
    /// The account.
    pub account: AccountId,
    /// Its name.
    pub name: Option<PlayerName>,
}

/// The SHA-256 of a token. A look-up by digest leaks nothing about the token by its timing. `Debug`
/// does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenDigest(pub [u8; 32]);

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
}
