//! What was changed about people, for nodes that keep some of it in memory.
//!
//! Deliberately absent: what is read whenever it is needed: roles, passwords, settings, rules for challenges, reports.

use zeitnot_protocol::AccountId;

use super::account::{Changed, TokenDigest};
use super::contact::Block;
use super::restriction::{Cut, Mute};

/// One change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// An account has another name, or is of another kind.
    Account(Changed),
    /// A token is an account's no more.
    Revoked {
        /// The account.
        account: AccountId,
        /// The token.
        token: TokenDigest,
    },
    /// A browser of an account was given another token in place of its last one, which is about to be revoked.
    Replaced {
        /// The account.
        account: AccountId,
        /// The token before.
        last: TokenDigest,
        /// The one in its place.
        new: TokenDigest,
    },
    /// An account is muted, in place of another mute of it.
    Muted(Mute),
    /// An account is not muted, or the mute was over.
    Unmuted(AccountId),
    /// A network is cut, in place of another cut of it.
    Cut(Cut),
    /// This network is not cut, or the cut was over.
    Uncut(String),
    /// An account has blocked another one.
    Blocked(Block),
    /// It has blocked it no more.
    Unblocked(Block),
}
