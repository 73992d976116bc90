//! Accounts: each is proved by a token, and has a name when it has chosen one.
//!
//! In the data folder, or in memory beside a journal in memory. [`Accounts::create_guest`] returns when the account is
//! durable, so nobody is shown a token that a restart forgets. The same holds
//! for names. Nothing is cached: a token is looked up where it is kept.
//!
//! Invariant: no two accounts have the same name, whatever the case of its letters.
//!
//! Deliberately absent: who is connected (that is the session directory's) and limits per address (HTTP's).

mod in_memory;
mod person;
mod requester;
mod token;

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

pub(crate) use in_memory::InMemory;
pub(crate) use person::Person;
pub(crate) use person::wanted_name;
pub(crate) use requester::Requester;
pub(crate) use token::Token;
use token::TokenHash;

use crate::storage::ReadError;
use crate::storage::sqlite::Store;
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

/// Why an account does not have the name that it wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum NameError {
    /// Another account has it.
    #[error("another account has this name")]
    Taken,
    /// It is not known whether it was written.
    #[error("the data folder takes nothing now")]
    Unavailable,
}

/// The answer to [`Accounts::rename`].
pub(crate) type Naming = BoxFuture<'static, Result<u64, NameError>>;

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
            Self::InMemory(memory) => memory.create(account, token.hash()),
        }
    }

    /// The account of a token's text; `None` when no account has it.
    ///
    /// # Errors
    /// When that cannot be found out now: the token may be good.
    pub(crate) async fn by_token(&self, text: &str) -> Result<Option<Person>, AccountsUnavailable> {
        let Some(token) = Token::parse(text) else { return Ok(None) };
        match self {
            Self::Stored(store) => {
                let TokenHash(hash) = token.hash();
                store.person_of_token(hash).await.map_err(|error| unavailable(&error))
            }
            Self::InMemory(memory) => Ok(memory.by_token(token.hash())),
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
                let found = store.person_of_token(hash).await.map_err(|error| unavailable(&error))?;
                if found.is_some() {
                    store.revoke_token(hash).await.map_err(|_| AccountsUnavailable)?;
                }
                Ok(found.map(|person| person.account))
            }
            Self::InMemory(memory) => Ok(memory.revoke(token.hash())),
        }
    }

    /// An account; `None` when there is no such account.
    ///
    /// # Errors
    /// When that cannot be found out now.
    pub(crate) async fn person(&self, account: AccountId) -> Result<Option<Person>, AccountsUnavailable> {
        match self {
            Self::Stored(store) => store.person(account).await.map_err(|error| unavailable(&error)),
            Self::InMemory(memory) => Ok(memory.person(account)),
        }
    }

    /// The account that has chosen this name, whatever the case of its letters. Guests' names are not chosen.
    ///
    /// # Errors
    /// When that cannot be found out now.
    pub(crate) async fn by_name(&self, text: &str) -> Result<Option<Person>, AccountsUnavailable> {
        let Ok(name) = text.parse::<PlayerName>() else { return Ok(None) };
        match self {
            Self::Stored(store) => store.person_named(name).await.map_err(|error| unavailable(&error)),
            Self::InMemory(memory) => Ok(memory.named(name)),
        }
    }

    /// Gives an account a name in place of the one it had, in the order in which this is called, and whether the returned
    /// future is waited for or not. When that is ready the name is durable. The number grows from one naming to the next: of
    /// two of one account the higher one stands.
    pub(crate) fn rename(&self, account: AccountId, name: PlayerName) -> Naming {
        match self {
            Self::Stored(store) => {
                let naming = store.rename(account, name);
                async move { naming.await.map_err(|_| NameError::Unavailable)?.ok_or(NameError::Taken) }
                    .boxed()
            }
            Self::InMemory(memory) => {
                std::future::ready(memory.rename(account, name).ok_or(NameError::Taken)).boxed()
            }
        }
    }
}

fn unavailable(error: &ReadError) -> AccountsUnavailable {
    tracing::warn!(%error, "accounts cannot be read");
    AccountsUnavailable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_guest_is_found_by_its_token_only() {
        let accounts = Accounts::InMemory(InMemory::default());
        let (guest, token) = (AccountId::from_u128(7), Token::from_random([7; token::TOKEN_BYTES]));
        accounts.create_guest(guest, &token).await.unwrap();
        assert_eq!(accounts.by_token(&token.reveal()).await, Ok(Some(Person::guest(guest))));
        assert_eq!(accounts.by_token(&Token::from_random([8; token::TOKEN_BYTES]).reveal()).await, Ok(None));
        assert_eq!(accounts.by_token("").await, Ok(None));
        assert_eq!(accounts.person(guest).await, Ok(Some(Person::guest(guest))));
        assert_eq!(accounts.person(AccountId::from_u128(8)).await, Ok(None));
        assert_eq!(accounts.revoke(&token.reveal()).await, Ok(Some(guest)));
        assert_eq!(accounts.revoke(&token.reveal()).await, Ok(None));
        assert_eq!(accounts.by_token(&token.reveal()).await, Ok(None));
    }

    #[tokio::test]
    async fn a_name_has_one_account_and_an_account_one_name() {
        let accounts = Accounts::InMemory(InMemory::default());
        let name = |text: &str| text.parse::<PlayerName>().unwrap();
        let [one, two] = [1, 2].map(AccountId::from_u128);
        for (number, account) in [(1, one), (2, two)] {
            accounts.create_guest(account, &Token::from_random([number; token::TOKEN_BYTES])).await.unwrap();
        }
        let first = accounts.rename(one, name("Castle")).await.unwrap();
        assert_eq!(accounts.rename(two, name("CASTLE")).await, Err(NameError::Taken));
        assert!(accounts.rename(one, name("castle")).await.unwrap() > first, "the case may change");
        let person = Person { account: one, name: Some(name("castle")) };
        assert_eq!(accounts.by_name("cAstle").await, Ok(Some(person)));
        assert_eq!(accounts.person(one).await, Ok(Some(person)));
        accounts.rename(one, name("Bishop")).await.unwrap();
        assert_eq!(accounts.by_name("castle").await, Ok(None));
        accounts.rename(two, name("Castle")).await.unwrap();
        assert_eq!(accounts.by_name("no name").await, Ok(None));
    }
}
