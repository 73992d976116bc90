//! The role of an admin: giving it, withdrawing it, and using it.
//!
//! A person's registered account has the role from the moment it is granted, and can use it while it has a second factor:
//! with a token that has the scope `admin`, which only an admin who shows a code can make.
//!
//! Invariants: an account that has lost the role has no token with that scope; no bot is an admin.
//!
//! Deliberately absent: what admins do (`admin`).

use super::second_factor::Takes;
use super::{AccountError, Accounts, Client, Known, Person, read};
use crate::storage::SecondFactor;
use crate::time::unix_now_ms;

impl Accounts {
    /// Makes an account an admin; `false` when it is not that of a registered person.
    pub(crate) async fn grant_admin(&self, person: Person) -> Result<bool, AccountError> {
        let granted = self.store.grant_admin(person.account, unix_now_ms()).await;
        granted.map_err(|_| AccountError::Unavailable)
    }

    /// Takes the role of an admin away, and the tokens that use it; `false` when the account had it not.
    pub(crate) async fn withdraw_admin(&self, person: Person) -> Result<bool, AccountError> {
        let withdrawn = self.store.withdraw_admin(person.account).await;
        let Some(ended) = withdrawn.map_err(|_| AccountError::Unavailable)? else { return Ok(false) };
        self.connections.revoke(person.account, &ended, self.clock.now());
        Ok(true)
    }

    /// Whether an account is an admin.
    pub(crate) async fn is_admin(&self, person: Person) -> Result<bool, AccountError> {
        self.store.is_admin(person.account).await.map_err(|_| AccountError::Unavailable)
    }

    /// Whether the account of a request can use the role now.
    pub(crate) async fn check_admin(&self, known: Known) -> Result<(), AccountError> {
        if !self.is_admin(known.person).await? {
            return Err(AccountError::NotAdmin);
        }
        match read(self.store.second_factor(known.person.account)).await? {
            Some(SecondFactor { set_unix_ms: Some(_), .. }) => Ok(()),
            Some(_) | None => Err(AccountError::NoSecondFactor),
        }
    }

    /// Whether `client` may make a token that uses the role: an admin who shows a code of the device.
    pub(super) async fn check_may_make_admin_token(
        &self,
        client: &Client,
        second_factor: Option<&str>,
    ) -> Result<(), AccountError> {
        let known = self.counted_owner(client)?;
        self.check_admin(known).await?;
        self.pass_second_factor(known.person.account, second_factor, Takes::Code).await
    }
}
