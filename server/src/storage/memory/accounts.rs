//! Accounts in memory, with their tokens and names.
//!
//! Invariant: no two accounts have the same name, whatever the case of its letters.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use dashmap::{DashMap, DashSet};
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use crate::storage::{Person, TokenDigest, WriteError};
use crate::sync::unpoisoned;

/// The most accounts, about 200 bytes each. Guests are limited per address and minute; this is the
/// bound for all addresses together.
const ACCOUNTS_MAX: usize = 1_000_000;

/// All accounts.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    by_token: DashMap<TokenDigest, AccountId>,
    known: DashSet<AccountId>,
    names: Mutex<Names>,
}

/// Both directions, under one lock.
#[derive(Debug, Default)]
struct Names {
    of_account: HashMap<AccountId, PlayerName>,
    /// By the name in small letters.
    owners: HashMap<String, AccountId>,
    /// How many namings there were.
    given: u64,
}

impl Accounts {
    fn names(&self) -> MutexGuard<'_, Names> {
        unpoisoned(self.names.lock())
    }

    pub(super) fn create(&self, account: AccountId, token: TokenDigest) -> Result<(), WriteError> {
        if self.known.len() >= ACCOUNTS_MAX {
            return Err(WriteError("it holds as many accounts as it may"));
        }
        self.known.insert(account);
        self.by_token.insert(token, account);
        Ok(())
    }

    pub(super) fn get(&self, id: AccountId) -> Option<Person> {
        let name = self.names().of_account.get(&id).copied();
        self.known.contains(&id).then_some(Person { account: id, name })
    }

    pub(super) fn by_token(&self, token: TokenDigest) -> Option<Person> {
        let account = self.by_token.get(&token).map(|account| *account)?;
        self.get(account)
    }

    pub(super) fn by_name(&self, name: PlayerName) -> Option<Person> {
        let names = self.names();
        let id = *names.owners.get(&name.as_str().to_ascii_lowercase())?;
        Some(Person { account: id, name: names.of_account.get(&id).copied() })
    }

    pub(super) fn rename(&self, account: AccountId, name: PlayerName) -> Option<u64> {
        let mut names = self.names();
        let key = name.as_str().to_ascii_lowercase();
        if names.owners.get(&key).is_some_and(|owner| *owner != account) {
            return None;
        }
        if let Some(before) = names.of_account.insert(account, name) {
            names.owners.remove(&before.as_str().to_ascii_lowercase());
        }
        names.owners.insert(key, account);
        names.given += 1;
        Some(names.given)
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
            accounts.known.insert(AccountId::from_u128(number as u128));
        }
        let one_more = accounts.create(AccountId::from_u128(u128::MAX), TokenDigest([1; 32]));
        assert!(one_more.is_err());
        assert_eq!(accounts.known.len(), ACCOUNTS_MAX);
    }
}
