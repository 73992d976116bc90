//! How often an account may make challenges, seeks and rematches: in all, and to one other account.
//!
//! Each of them is told to others, and most are written to storage. A challenge that a limit on open
//! ones rejects costs nothing here, nor does one of the last run.

use zeitnot_protocol::{AccountId, Limits};

use super::Challenge;
use crate::net::Allowances;
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;

/// What was made lately.
#[derive(Debug)]
pub(super) struct Rates {
    by_account: Allowances<AccountId>,
    /// By owner and addressee.
    by_pair: Allowances<(AccountId, AccountId)>,
}

impl Rates {
    /// Nothing was made lately.
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            by_account: Allowances::per_minute(limits.challenges_per_account_per_minute),
            by_pair: Allowances::per_minute(limits.challenges_per_pair_per_minute),
        }
    }

    /// Whether the owner may make this challenge now, which is counted then.
    pub(super) fn may_make(&self, challenge: &Challenge, at: ServiceInstant) -> bool {
        bug!(RateNotKept => return true);
        let owner = challenge.owner.account;
        let pair = challenge.to.map(|to| (owner, to));
        // What is rejected costs nothing, so the one is asked before the other is spent.
        self.by_account.has_left(&owner, at)
            && pair.is_none_or(|pair| self.by_pair.spend(pair, 1, at).is_ok())
            && self.by_account.spend(owner, 1, at).is_ok()
    }
}
