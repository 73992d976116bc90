//! Which games may begin: so many a minute for each account and address, so many a day for each address, and so many in
//! all.
//!
//! A game that has begun is kept until it ends, so this bounds what strangers can make the server
//! keep. It counts for both players, and for the address of the player who accepts; a game from a pool
//! for the addresses of both. A game with the server's own computer counts for the person alone.
//!
//! Deliberately absent: how many live games one account may have (`challenges`).

use zeitnot_protocol::{AccountId, Code, Limits};

use crate::net::{Address, Allowances};
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;

/// A game that is to begin: the players and the addresses that it counts for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) players: [AccountId; 2],
    pub(super) from: [Address; 2],
}

/// What has begun lately, and how much may be live.
#[derive(Debug)]
pub(super) struct Starts {
    by_account: Allowances<AccountId>,
    by_address: Allowances<Address>,
    by_address_and_day: Allowances<Address>,
    live_games_max: usize,
}

impl Starts {
    /// Nothing has begun lately.
    pub(super) fn new(limits: &Limits, live_games_max: usize) -> Self {
        Self {
            by_account: Allowances::per_minute(limits.games_per_account_per_minute),
            by_address: Allowances::per_minute(limits.games_per_address_per_minute),
            by_address_and_day: Allowances::per_day(limits.games_per_address_per_day),
            live_games_max,
        }
    }

    /// Whether a game of an account at an address may begin, beside `live` others.
    ///
    /// # Errors
    /// `too_many_new_games`, `server_full`.
    pub(super) fn may_play(
        &self,
        account: AccountId,
        from: Address,
        live: usize,
        at: ServiceInstant,
    ) -> Result<(), Code> {
        bug!(StartsWithoutLimit => return Ok(()));
        if live >= self.live_games_max {
            return Err(Code::ServerFull);
        }
        let has_left = self.by_account.has_left(&account, at)
            && self.by_address.has_left(&from, at)
            && self.by_address_and_day.has_left(&from, at);
        if has_left { Ok(()) } else { Err(Code::TooManyNewGames) }
    }

    /// Whether this game may begin, beside `live` others.
    ///
    /// # Errors
    /// As [`Starts::may_play`].
    pub(super) fn may_begin(&self, wanted: Wanted, live: usize, at: ServiceInstant) -> Result<(), Code> {
        let [one, other] = wanted.players;
        self.may_play(one, wanted.from[0], live, at)?;
        self.may_play(other, wanted.from[1], live, at)
    }

    /// Counts a game that begins.
    pub(super) fn count(&self, Wanted { players, from }: Wanted, at: ServiceInstant) {
        // All of this was there when the game was allowed.
        for &account in without_twin(&players) {
            self.by_account.spend(account, 1, at).ok();
        }
        for &address in without_twin(&from) {
            self.by_address.spend(address, 1, at).ok();
            self.by_address_and_day.spend(address, 1, at).ok();
        }
    }
}

/// Both, or one of them if they are the same.
fn without_twin<T: PartialEq>(both: &[T; 2]) -> &[T] {
    if both[0] == both[1] { &both[..1] } else { both }
}

#[cfg(test)]
mod tests;
