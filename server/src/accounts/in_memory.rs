//! Accounts beside a journal in memory: gone with the process.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dashmap::{DashMap, DashSet};
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use super::token::TokenHash;
use super::{ACCOUNTS_MAX, AccountError, Person};

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct InMemory {
    by_token: DashMap<TokenHash, AccountId>,
    known: DashSet<AccountId>,
    names: Mutex<Names>,
}

/// Both directions, under one lock.
#[derive(Debug, Default)]
struct Names {
    of_account: HashMap<AccountId, PlayerName>,
    /// By the name in small letters.
    owners: HashMap<String, AccountId>,
    given: u64,
}

impl InMemory {
    /// Whatever panicked in here left at worst a name that nobody has.
    fn names(&self) -> MutexGuard<'_, Names> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn create(&self, account: AccountId, token: TokenHash) -> Result<(), AccountError> {
        if self.known.len() >= ACCOUNTS_MAX {
            return Err(AccountError::Full);
        }
        self.known.insert(account);
        self.by_token.insert(token, account);
        Ok(())
    }

    pub(super) fn by_token(&self, token: TokenHash) -> Option<Person> {
        let account = self.by_token.get(&token).map(|account| *account)?;
        self.person(account)
    }

    pub(super) fn revoke(&self, token: TokenHash) -> Option<AccountId> {
        self.by_token.remove(&token).map(|(_, account)| account)
    }

    pub(super) fn person(&self, account: AccountId) -> Option<Person> {
        let name = self.names().of_account.get(&account).copied();
        self.known.contains(&account).then_some(Person { account, name })
    }

    pub(super) fn named(&self, name: PlayerName) -> Option<Person> {
        let names = self.names();
        let account = *names.owners.get(&name.as_str().to_ascii_lowercase())?;
        Some(Person { account, name: names.of_account.get(&account).copied() })
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
}
