//! Accounts: guests for now, each named by a token.
//!
//! In the data folder, or in memory beside a journal in memory. [`Accounts::create_guest`] returns when the account is
//! durable, so nobody is shown a token that a restart forgets. Nothing is cached: a token is looked up where it is kept.
//!
//! Deliberately absent: who is connected (that is the session directory's) and limits per address (HTTP's).

mod token;

use std::sync::Arc;

use dashmap::{DashMap, DashSet};
use zeitnot_protocol::{AccountId, PlayerView};

pub(crate) use token::Token;
use token::TokenHash;

use crate::journal::ReadError;
use crate::journal::sqlite::Store;
use crate::time::unix_now_ms;

/// The most accounts kept in memory, about 200 bytes each. Guests are limited per address and minute; this is the bound
/// for all addresses together. In the data folder the disk is the bound.
const ACCOUNTS_MAX: usize = 1_000_000;

/// Why an account could not be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum AccountError {
    /// There are as many as the store holds.
    #[error("there are {ACCOUNTS_MAX} accounts already")]
    Full,
    /// The data folder takes nothing now.
    #[error("the data folder takes nothing now")]
    Unavailable,
}

/// Accounts cannot be read now. That says nothing about whether there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("accounts cannot be read now")]
pub(crate) struct AccountsUnavailable;

/// All accounts.
#[derive(Debug)]
pub(crate) enum Accounts {
    /// They last.
    Stored(Arc<Store>),
    /// They are gone with the process.
    InMemory(InMemory),
}

/// See [`Accounts::InMemory`].
#[derive(Debug, Default)]
pub(crate) struct InMemory {
    by_token: DashMap<TokenHash, AccountId>,
    known: DashSet<AccountId>,
}

impl Accounts {
    /// Makes a guest account. When this returns the account is durable.
    ///
    /// # Errors
    /// Why nobody may be shown the token.
    pub(crate) async fn create_guest(&self, account: AccountId, token: &Token) -> Result<(), AccountError> {
        match self {
            Self::Stored(store) => {
                let TokenHash(hash) = token.hash();
                let created = store.create_account(account, hash, unix_now_ms()).await;
                created.map_err(|_| AccountError::Unavailable)
            }
            Self::InMemory(memory) => {
                if memory.known.len() >= ACCOUNTS_MAX {
                    return Err(AccountError::Full);
                }
                memory.known.insert(account);
                memory.by_token.insert(token.hash(), account);
                Ok(())
            }
        }
    }

    /// The account of a token's text; `None` when no account has it.
    ///
    /// # Errors
    /// When that cannot be found out now: the token may be good.
    pub(crate) async fn by_token(&self, text: &str) -> Result<Option<AccountId>, AccountsUnavailable> {
        let Some(token) = Token::parse(text) else { return Ok(None) };
        match self {
            Self::Stored(store) => {
                let TokenHash(hash) = token.hash();
                store.account_of_token(hash).await.map_err(|error| unavailable(&error))
            }
            Self::InMemory(memory) => Ok(memory.by_token.get(&token.hash()).map(|account| *account)),
        }
    }

    /// Takes a token away from its account: it names nobody any more. When this returns that is durable. `None` when no
    /// account has it.
    ///
    /// # Errors
    /// When that cannot be done now: the token may still be good.
    pub(crate) async fn revoke(&self, text: &str) -> Result<Option<AccountId>, AccountsUnavailable> {
        let Some(token) = Token::parse(text) else { return Ok(None) };
        match self {
            Self::Stored(store) => {
                let TokenHash(hash) = token.hash();
                let found = store.account_of_token(hash).await.map_err(|error| unavailable(&error))?;
                if found.is_some() {
                    store.revoke_token(hash).await.map_err(|_| AccountsUnavailable)?;
                }
                Ok(found)
            }
            Self::InMemory(memory) => Ok(memory.by_token.remove(&token.hash()).map(|(_, account)| account)),
        }
    }

    /// Whether there is such an account.
    ///
    /// # Errors
    /// When that cannot be found out now.
    pub(crate) async fn exists(&self, account: AccountId) -> Result<bool, AccountsUnavailable> {
        match self {
            Self::Stored(store) => store.account_exists(account).await.map_err(|error| unavailable(&error)),
            Self::InMemory(memory) => Ok(memory.known.contains(&account)),
        }
    }
}

fn unavailable(error: &ReadError) -> AccountsUnavailable {
    tracing::warn!(%error, "accounts cannot be read");
    AccountsUnavailable
}

/// Crockford's base 32 in capitals: no letter that looks like a digit.
const NAME_LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The name of a guest: made from the account's random bits, so it is the same wherever it is shown again.
#[must_use]
pub(crate) fn guest_name(account: AccountId) -> String {
    let mut name = String::from("Guest-");
    for place in (0..5).rev() {
        let letter = (account.as_u128() >> (5 * place)) as usize & 31;
        name.push(char::from(NAME_LETTERS[letter]));
    }
    name
}

/// A player as others see one.
#[must_use]
pub(crate) fn player_view(account: AccountId) -> PlayerView {
    PlayerView { account, name: guest_name(account) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_guest_is_found_by_its_token_only() {
        let accounts = Accounts::InMemory(InMemory::default());
        let (guest, token) = (AccountId::from_u128(7), Token::from_random([7; token::TOKEN_BYTES]));
        accounts.create_guest(guest, &token).await.unwrap();
        assert_eq!(accounts.by_token(&token.reveal()).await, Ok(Some(guest)));
        assert_eq!(accounts.by_token(&Token::from_random([8; token::TOKEN_BYTES]).reveal()).await, Ok(None));
        assert_eq!(accounts.by_token("").await, Ok(None));
        assert_eq!(accounts.exists(guest).await, Ok(true));
        assert_eq!(accounts.exists(AccountId::from_u128(8)).await, Ok(false));
        assert_eq!(accounts.revoke(&token.reveal()).await, Ok(Some(guest)));
        assert_eq!(accounts.revoke(&token.reveal()).await, Ok(None));
        assert_eq!(accounts.by_token(&token.reveal()).await, Ok(None));
    }

    #[test]
    fn a_name_has_five_letters_of_the_accounts_low_bits() {
        assert_eq!(guest_name(AccountId::from_u128(0)), "Guest-00000");
        assert_eq!(guest_name(AccountId::from_u128(u128::MAX)), "Guest-ZZZZZ");
        assert_eq!(guest_name(AccountId::from_u128(0b00001_00010_00011_00100_00101)), "Guest-12345");
    }
}
