//! What admins put in force until an instant: accounts that are muted, networks that are cut.
//!
//! Deliberately absent: what a network is and who is in it (`net`), and when somebody is asked (`accounts`, `http`).

use zeitnot_protocol::AccountId;

/// The most accounts that are muted at a time. All of them are in memory, about 50 bytes each.
pub const MUTES_MAX: usize = 10_000;

/// The most networks that are cut at a time: each new request is compared with all of them.
pub const CUTS_MAX: usize = 1_000;

/// An account that is muted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mute {
    /// The account.
    pub account: AccountId,
    /// When it ends, in milliseconds since 1970.
    pub until_unix_ms: u64,
}

/// A network that nothing is answered to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// The network, as text.
    pub network: String,
    /// When it ends, in milliseconds since 1970.
    pub until_unix_ms: u64,
}

/// All that is in force.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Restrictions {
    /// The muted accounts.
    pub mutes: Vec<Mute>,
    /// The networks that are cut.
    pub cuts: Vec<Cut>,
}
