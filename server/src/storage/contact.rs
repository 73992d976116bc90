//! Who has blocked whom, and who may challenge an account.
//!
//! Deliberately absent: what follows from that (`lobby`, `games`), and what the rules say (`accounts`).

use zeitnot_protocol::AccountId;

/// Accounts that one account has blocked at most: each of its pairings and lines looks through them.
pub const BLOCKED_MAX: usize = 200;

/// Blocks of all accounts at most. All of them are in memory, about 50 bytes each.
pub const BLOCKS_MAX: usize = 500_000;

/// An account that another one has blocked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block {
    /// Who has blocked.
    pub by: AccountId,
    /// Whom.
    pub whom: AccountId,
}
