//! Accounts that an admin has muted: until an instant they post in no chat.
//!
//! What is kept is in memory as well, because each line of a chat asks. An account stays muted when a guest registers or
//! chooses another name.
//!
//! Invariant: whoever is told that an account is muted, or no more, finds it so after a restart; acts come one after the
//! other.

use dashmap::DashMap;
use zeitnot_protocol::AccountId;

use super::{AccountError, Accounts, Person};
use crate::storage::Mute;
use crate::time::unix_now_ms;

/// Who is muted, and until when.
#[derive(Debug, Default)]
pub(crate) struct Mutes(DashMap<AccountId, u64>);

impl Mutes {
    /// When this account may post again, in milliseconds since 1970; `None`: now.
    pub(crate) fn until(&self, account: AccountId) -> Option<u64> {
        let until = *self.0.get(&account)?;
        (until > unix_now_ms()).then_some(until)
    }

    /// Takes in who is muted, at a start.
    pub(crate) fn restore(&self, mutes: &[Mute]) {
        for Mute { account, until_unix_ms } in mutes {
            self.0.insert(*account, *until_unix_ms);
        }
    }

    /// An account is muted, in place of another mute of it. Those that are over are forgotten.
    pub(crate) fn insert(&self, Mute { account, until_unix_ms }: Mute) {
        let now_ms = unix_now_ms();
        self.0.retain(|_, until| *until > now_ms);
        self.0.insert(account, until_unix_ms);
    }

    /// An account is muted no more.
    pub(crate) fn remove(&self, account: AccountId) {
        self.0.remove(&account);
    }
}

impl Accounts {
    /// Mutes an account until an instant, in place of another one; `false` when too many are muted.
    pub(crate) async fn mute(&self, person: Person, until_unix_ms: u64) -> Result<bool, AccountError> {
        let mute = Mute { account: person.account, until_unix_ms };
        let kept = self.store.mute(mute, unix_now_ms()).await.map_err(|_| AccountError::Unavailable)?;
        if kept {
            self.mutes.insert(mute);
        }
        Ok(kept)
    }

    /// Lets an account post again; `false` when it was not muted.
    pub(crate) async fn unmute(&self, person: Person) -> Result<bool, AccountError> {
        let was_muted = self.mutes.until(person.account).is_some();
        self.store.unmute(person.account).await.map_err(|_| AccountError::Unavailable)?;
        self.mutes.remove(person.account);
        Ok(was_muted)
    }
}
