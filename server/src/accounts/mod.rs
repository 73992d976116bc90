//! Accounts: guests for now, each named by a token.
//!
//! In memory. What a caller sees is what a durable store will give: [`Accounts::create_guest`] returns when the account
//! is durable, so nobody is shown a token that a restart forgets.
//!
//! Deliberately absent: who is connected (that is the session directory's) and limits per address (HTTP's).

mod token;

use dashmap::{DashMap, DashSet};
use zeitnot_protocol::{AccountId, PlayerView};

pub(crate) use token::Token;
use token::TokenHash;

/// The most accounts kept in memory, about 200 bytes each. Guests are limited per address and minute; this is the bound
/// for all addresses together.
const ACCOUNTS_MAX: usize = 1_000_000;

/// Why an account could not be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum AccountError {
    /// There are as many as the store holds.
    #[error("there are {ACCOUNTS_MAX} accounts already")]
    Full,
}

/// All accounts.
#[derive(Debug, Default)]
pub(crate) struct Accounts {
    by_token: DashMap<TokenHash, AccountId>,
    known: DashSet<AccountId>,
}

impl Accounts {
    /// Makes a guest account. When this returns the account is durable.
    ///
    /// # Errors
    /// [`AccountError::Full`]; then nothing was made.
    pub(crate) async fn create_guest(&self, account: AccountId, token: &Token) -> Result<(), AccountError> {
        if self.known.len() >= ACCOUNTS_MAX {
            return Err(AccountError::Full);
        }
        self.known.insert(account);
        self.by_token.insert(token.hash(), account);
        Ok(())
    }

    /// The account of a token's text; `None` when no account has it.
    pub(crate) async fn by_token(&self, text: &str) -> Option<AccountId> {
        let token = Token::parse(text)?;
        self.by_token.get(&token.hash()).map(|account| *account)
    }

    /// Takes a token away from its account: it names nobody any more. When this returns that is durable. `None` when no
    /// account has it.
    pub(crate) async fn revoke(&self, text: &str) -> Option<AccountId> {
        let token = Token::parse(text)?;
        self.by_token.remove(&token.hash()).map(|(_, account)| account)
    }

    /// Whether there is such an account.
    pub(crate) async fn exists(&self, account: AccountId) -> bool {
        self.known.contains(&account)
    }
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
        let accounts = Accounts::default();
        let (guest, token) = (AccountId::from_u128(7), Token::from_random([7; token::TOKEN_BYTES]));
        accounts.create_guest(guest, &token).await.unwrap();
        assert_eq!(accounts.by_token(&token.reveal()).await, Some(guest));
        assert_eq!(accounts.by_token(&Token::from_random([8; token::TOKEN_BYTES]).reveal()).await, None);
        assert_eq!(accounts.by_token("").await, None);
        assert!(accounts.exists(guest).await);
        assert_eq!(accounts.revoke(&token.reveal()).await, Some(guest));
        assert_eq!(accounts.revoke(&token.reveal()).await, None);
        assert_eq!(accounts.by_token(&token.reveal()).await, None);
        assert!(!accounts.exists(AccountId::from_u128(8)).await);
    }

    #[test]
    fn a_name_has_five_letters_of_the_accounts_low_bits() {
        assert_eq!(guest_name(AccountId::from_u128(0)), "Guest-00000");
        assert_eq!(guest_name(AccountId::from_u128(u128::MAX)), "Guest-ZZZZZ");
        assert_eq!(guest_name(AccountId::from_u128(0b00001_00010_00011_00100_00101)), "Guest-12345");
    }
}
