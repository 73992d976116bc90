//! Accounts in memory, with their tokens and names.
//!
//! Invariant: no two accounts have the same name, whatever the case of its letters.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use dashmap::DashMap;
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use crate::storage::{Changed, Kind, Person, TokenDigest, WriteError};
use crate::sync::unpoisoned;

/// The most accounts, about 200 bytes each. Guests are limited per address and minute; this is the
/// bound for all addresses together.
const ACCOUNTS_MAX: usize = 1_000_000;

/// All accounts.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    by_token: DashMap<TokenDigest, AccountId>,
    /// All accounts, with their kinds.
    known: DashMap<AccountId, Kind>,
    names: Mutex<Names>,
}

/// Both directions, under one lock.
#[derive(Debug, Default)]
struct Names {
    of_account: HashMap<AccountId, PlayerName>,
    /// By the name in small letters.
    owners: HashMap<String, AccountId>,
    /// How many changes there were.
    changes: u64,
}

impl Accounts {
    fn names(&self) -> MutexGuard<'_, Names> {
        unpoisoned(self.names.lock())
    }

    pub(super) fn create(&self, account: AccountId, token: TokenDigest) -> Result<(), WriteError> {
        if self.known.len() >= ACCOUNTS_MAX {
            return Err(WriteError("it holds as many accounts as it may"));
        }
        self.known.insert(account, Kind::Guest);
        self.by_token.insert(token, account);
        Ok(())
    }

    pub(super) fn get(&self, id: AccountId) -> Option<Person> {
        self.person(&self.names(), id)
    }

    fn person(&self, names: &Names, account: AccountId) -> Option<Person> {
        let kind = *self.known.get(&account)?;
        Some(Person { account, kind, name: names.of_account.get(&account).copied() })
    }

    /// The account as a change of it leaves it.
    fn changed(&self, names: &mut Names, account: AccountId) -> Option<Changed> {
        names.changes += 1;
        Some(Changed { person: self.person(names, account)?, number: names.changes })
    }

    pub(super) fn by_token(&self, token: TokenDigest) -> Option<Person> {
        let account = self.by_token.get(&token).map(|account| *account)?;
        self.get(account)
    }

    pub(super) fn by_name(&self, name: PlayerName) -> Option<Person> {
        let names = self.names();
        self.person(&names, *names.owners.get(&name.as_str().to_ascii_lowercase())?)
    }

    pub(super) fn rename(&self, account: AccountId, name: PlayerName) -> Option<Changed> {
        let mut names = self.names();
        if !self.known.contains_key(&account) {
            return None;
        }
        let key = name.as_str().to_ascii_lowercase();
        if names.owners.get(&key).is_some_and(|owner| *owner != account) {
            return None;
        }
        if let Some(before) = names.of_account.insert(account, name) {
            names.owners.remove(&before.as_str().to_ascii_lowercase());
        }
        names.owners.insert(key, account);
        self.changed(&mut names, account)
    }

    pub(super) fn set_kind(&self, account: AccountId, kind: Kind) -> Option<Changed> {
        let mut names = self.names();
        *self.known.get_mut(&account)? = kind;
        self.changed(&mut names, account)
    }

    pub(super) fn revoke_token(&self, token: TokenDigest) {
        self.by_token.remove(&token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_only_so_many_accounts() {
        let accounts = Accounts::default();
        for number in 0..ACCOUNTS_MAX {
            accounts.known.insert(AccountId::from_u128(number as u128), Kind::Guest);
        }
        let one_more = accounts.create(AccountId::from_u128(u128::MAX), TokenDigest([1; 32]));
        assert!(one_more.is_err());
        assert_eq!(accounts.known.len(), ACCOUNTS_MAX);
    }
}
