//! Accounts: each is proved by a token, and has a name when it has chosen one. A guest is an
//! account that nobody has registered.
//!
//! | file | what it is |
//! |---|---|
//! | `person` | an account as others see it; which names can be chosen |
//! | `reserved` | the names that nobody may choose |
//! | `token` | the secret that proves an account: checking it, and taking it away |
//! | `requester` | the account and the connection that a command comes from |
//! | `naming` | choosing a name |
//!
//! Accounts are kept in the [`Store`]. Nothing is cached: a token is looked up where it is kept.
//!
//! Invariants: nobody is shown a token whose account is not durable; no two accounts have the same
//! name, whatever the case of its letters.
//!
//! Deliberately absent: the sessions of an account (`connections`), and the rate of guests of an
//! address, which this module asks for but does not count.

mod naming;
mod person;
mod requester;
mod reserved;
mod token;

use std::sync::Arc;

use zeitnot_protocol::{AccountId, Code};
use zeitnot_rules::game::PlayerName;

pub(crate) use person::{Person, shown_name};
pub(crate) use requester::Requester;
pub(crate) use token::Token;

use crate::connections::Connections;
use crate::entropy::Entropy;
use crate::net::{Address, Addresses, Allowances};
use crate::storage::{AccountStore, Reading};
use crate::telemetry::metrics;
use crate::time::{ServiceClock, unix_now_ms};

/// All accounts.
#[derive(Debug)]
pub(crate) struct Accounts {
    pub(crate) store: Arc<dyn AccountStore>,
    pub(crate) connections: Arc<Connections>,
    pub(crate) addresses: Arc<Addresses>,
    /// How often an account may say `set_name`.
    pub(crate) namings: Allowances<AccountId>,
    pub(crate) entropy: Entropy,
    pub(crate) clock: ServiceClock,
}

impl Accounts {
    /// Makes a guest for a client at `address`. Its account is durable when this ends.
    ///
    /// # Errors
    /// [`Code::TooManyGuests`] or [`Code::Unavailable`]; then nothing was made.
    pub(crate) async fn create_guest(&self, address: Address) -> Result<(AccountId, Token), Code> {
        if !self.addresses.may_make_guest(address, self.clock.now()) {
            return Err(Code::TooManyGuests);
        }
        let account = self.entropy.account_id(unix_now_ms());
        let token = Token::from_random(self.entropy.token());
        self.create(account, &token).await?;
        metrics().guests.increment(1);
        Ok((account, token))
    }

    /// Makes an account without a name. When this returns the account is durable.
    ///
    /// # Errors
    /// [`Code::Unavailable`]: the token must not be shown to anybody then.
    pub(crate) async fn create(&self, account: AccountId, token: &Token) -> Result<(), Code> {
        let created = self.store.create_account(account, token.digest(), unix_now_ms()).await;
        created.map_err(|error| {
            tracing::warn!(%error, "no account can be made");
            Code::Unavailable
        })
    }

    /// An account; `None` when there is no such account.
    ///
    /// # Errors
    /// [`Code::Unavailable`] when that cannot be found out now.
    pub(crate) async fn person(&self, account: AccountId) -> Result<Option<Person>, Code> {
        read(self.store.account(account)).await
    }

    /// The account that has chosen this name, whatever the case of its letters. The names of guests
    /// are not chosen.
    ///
    /// # Errors
    /// [`Code::Unavailable`] when that cannot be found out now.
    pub(crate) async fn by_name(&self, text: &str) -> Result<Option<Person>, Code> {
        let Ok(name) = text.parse::<PlayerName>() else { return Ok(None) };
        read(self.store.account_by_name(name)).await
    }
}

async fn read(reading: Reading<Option<Person>>) -> Result<Option<Person>, Code> {
    reading.await.map_err(|error| {
        tracing::warn!(%error, "accounts cannot be read");
        Code::Unavailable
    })
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use zeitnot_protocol::Limits;

    use super::*;
    use crate::storage::MemoryStore;

    fn in_memory() -> Accounts {
        Accounts {
            store: Arc::new(MemoryStore::default()),
            connections: Arc::new(Connections::new(1)),
            addresses: Addresses::new(&Limits::STANDARD),
            namings: Allowances::per_minute(Limits::STANDARD.names_per_account_per_minute),
            entropy: Entropy::from_seed(1),
            clock: ServiceClock::of_runtime(),
        }
    }

    #[tokio::test]
    async fn a_guest_is_found_by_its_token_only() {
        let (accounts, here) = (in_memory(), Address::from(IpAddr::from([192, 0, 2, 1])));
        let (guest, token) = (AccountId::from_u128(7), Token::from_random([7; token::TOKEN_BYTES]));
        accounts.create(guest, &token).await.unwrap();
        assert_eq!(accounts.by_token(&token.reveal(), here).await, Ok(Some(Person::guest(guest))));
        let other = Token::from_random([8; token::TOKEN_BYTES]).reveal();
        assert_eq!(accounts.by_token(&other, here).await, Ok(None));
        assert_eq!(accounts.by_token("", here).await, Ok(None));
        assert_eq!(accounts.person(guest).await, Ok(Some(Person::guest(guest))));
        assert_eq!(accounts.person(AccountId::from_u128(8)).await, Ok(None));
        accounts.revoke(guest, &token.reveal()).await.unwrap();
        assert_eq!(accounts.by_token(&token.reveal(), here).await, Ok(None));
    }

    #[tokio::test(start_paused = true)]
    async fn after_too_many_bad_tokens_of_an_address_none_is_looked_up_for_a_while() {
        let (accounts, here) = (in_memory(), Address::from(IpAddr::from([192, 0, 2, 1])));
        let (guest, token) = (AccountId::from_u128(7), Token::from_random([7; token::TOKEN_BYTES]));
        accounts.create(guest, &token).await.unwrap();
        for _ in 0..Limits::STANDARD.bad_tokens_per_address_per_minute {
            assert!(accounts.by_token(&token.reveal(), here).await.is_ok(), "a good one counts as nothing");
            assert_eq!(accounts.by_token("bad", here).await, Ok(None));
        }
        assert_eq!(accounts.by_token(&token.reveal(), here).await, Err(Code::TooManyBadTokens));
        let elsewhere = Address::from(IpAddr::from([192, 0, 2, 2]));
        assert_eq!(accounts.by_token(&token.reveal(), elsewhere).await, Ok(Some(Person::guest(guest))));
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        assert_eq!(accounts.by_token(&token.reveal(), here).await, Ok(Some(Person::guest(guest))));
    }

    #[tokio::test]
    async fn a_name_has_one_account_and_an_account_one_name() {
        let accounts = in_memory();
        let name = |text: &str| text.parse::<PlayerName>().unwrap();
        let [one, two] = [1, 2].map(AccountId::from_u128);
        for (number, account) in [(1, one), (2, two)] {
            accounts.create(account, &Token::from_random([number; token::TOKEN_BYTES])).await.unwrap();
        }
        let first = accounts.rename(one, name("Castle")).await.unwrap();
        assert_eq!(accounts.rename(two, name("CASTLE")).await, Err(Code::NameTaken));
        let second = accounts.rename(one, name("castle")).await.unwrap();
        assert!(second.number > first.number, "the case may change");
        let person = Person { name: Some(name("castle")), ..Person::guest(one) };
        assert_eq!(accounts.by_name("cAstle").await, Ok(Some(person)));
        assert_eq!(accounts.person(one).await, Ok(Some(person)));
        accounts.rename(one, name("Bishop")).await.unwrap();
        assert_eq!(accounts.by_name("castle").await, Ok(None));
        accounts.rename(two, name("Castle")).await.unwrap();
        assert_eq!(accounts.by_name("no name").await, Ok(None));
    }
}
