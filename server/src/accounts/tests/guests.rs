//! Guests, their tokens and their names.

use std::net::IpAddr;

use zeitnot_protocol::{AccountId, Code, Limits, Scopes};
use zeitnot_rules::game::PlayerName;

use super::super::token::TOKEN_BYTES;
use super::super::*;
use crate::storage::MemoryStore;

pub(crate) fn in_memory() -> Accounts {
    Accounts {
        store: Arc::new(MemoryStore::default()),
        connections: Arc::new(Connections::new(1)),
        addresses: Addresses::new(&Limits::STANDARD),
        namings: Allowances::per_minute(Limits::STANDARD.names_per_account_per_minute),
        attempts: Attempts::new(&Limits::STANDARD),
        mutes: Mutes::default(),
        blocks: Blocks::default(),
        computers: Computers::default(),
        reporting: Reporting::default(),
        hashing: Hashing::in_place(),
        entropy: Entropy::from_seed(1),
        clock: ServiceClock::of_runtime(),
    }
}

#[tokio::test]
async fn a_guest_is_found_by_its_token_only() {
    let (accounts, here) = (in_memory(), Address::from(IpAddr::from([192, 0, 2, 1])));
    let (guest, token) = (AccountId::from_u128(7), Token::from_random([7; TOKEN_BYTES]));
    let known =
        Known { person: Person::guest(guest), token: token.digest(), scopes: Scopes::SESSION, until: None };
    accounts.create(guest, &token).await.unwrap();
    assert_eq!(accounts.by_token(&token.reveal(), here).await, Ok(Some(known)));
    let other = Token::from_random([8; TOKEN_BYTES]).reveal();
    assert_eq!(accounts.by_token(&other, here).await, Ok(None));
    assert_eq!(accounts.by_token("", here).await, Ok(None));
    assert_eq!(accounts.person(guest).await, Ok(Some(Person::guest(guest))));
    assert_eq!(accounts.person(AccountId::from_u128(8)).await, Ok(None));
    accounts.sign_out(known).await.unwrap();
    assert_eq!(accounts.by_token(&token.reveal(), here).await, Ok(None));
}

#[tokio::test(start_paused = true)]
async fn after_too_many_bad_tokens_of_an_address_none_is_looked_up_for_a_while() {
    let (accounts, here) = (in_memory(), Address::from(IpAddr::from([192, 0, 2, 1])));
    let (guest, token) = (AccountId::from_u128(7), Token::from_random([7; TOKEN_BYTES]));
    let known =
        Known { person: Person::guest(guest), token: token.digest(), scopes: Scopes::SESSION, until: None };
    accounts.create(guest, &token).await.unwrap();
    for _ in 0..Limits::STANDARD.bad_tokens_per_address_per_minute {
        assert!(accounts.by_token(&token.reveal(), here).await.is_ok(), "a good one counts as nothing");
        assert_eq!(accounts.by_token("bad", here).await, Ok(None));
    }
    assert_eq!(accounts.by_token(&token.reveal(), here).await, Err(Code::TooManyBadTokens));
    let elsewhere = Address::from(IpAddr::from([192, 0, 2, 2]));
    assert_eq!(accounts.by_token(&token.reveal(), elsewhere).await, Ok(Some(known)));
    tokio::time::advance(std::time::Duration::from_secs(1)).await;
    assert_eq!(accounts.by_token(&token.reveal(), here).await, Ok(Some(known)));
}

#[tokio::test]
async fn a_name_has_one_account_and_an_account_one_name() {
    let accounts = in_memory();
    let name = |text: &str| text.parse::<PlayerName>().unwrap();
    let [one, two] = [1, 2].map(AccountId::from_u128);
    for (number, account) in [(1, one), (2, two)] {
        accounts.create(account, &Token::from_random([number; TOKEN_BYTES])).await.unwrap();
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
