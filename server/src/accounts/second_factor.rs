//! The second factor of an account: setting it, asking for it, and taking it away.
//!
//! An owner has up to three things: the password, the device that shows codes, and recovery codes. Two of them get in,
//! whichever they are; who has lost two of them needs an admin.
//!
//! Invariants: a second factor counts from its first right code on; a code works once; nobody is asked for it who has not
//! shown the password or a recovery code, so nobody else hears whether an account has one. Tries are counted where the
//! password or the recovery code is.
//!
//! Deliberately absent: what a code is (`totp`).

use zeitnot_protocol::AccountId;

use super::{AccountError, Accounts, Client, Known, read, recovery, totp};
use crate::storage::{FactorSecret, PasswordHash, SecondFactor};
use crate::time::unix_now_ms;

/// A second factor that is to be confirmed, as its owner is shown it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NewFactor {
    /// To be typed into an app.
    pub(crate) secret: String,
    /// The same as a link.
    pub(crate) uri: String,
}

/// What is taken as the second thing that an owner shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Takes {
    /// A code of the device, or a recovery code, which is used up.
    CodeOrRecovery,
    /// A code of the device: a recovery code was shown already.
    Code,
}

impl Accounts {
    /// Begins to set a second factor for the account of `client`. It counts when it is confirmed.
    pub(crate) async fn begin_second_factor(
        &self,
        client: &Client,
        password: &str,
    ) -> Result<NewFactor, AccountError> {
        let (known, _) = self.verified_owner(client, password).await?;
        let name = known.person.name.ok_or(AccountError::NotRegistered)?;
        let secret = FactorSecret(self.random());
        let begun = self.store.begin_second_factor(known.person.account, secret).await;
        if begun.map_err(|_| AccountError::Unavailable)? {
            Ok(NewFactor { secret: totp::written(secret), uri: totp::uri(secret, name.as_str()) })
        } else {
            Err(AccountError::HasSecondFactor)
        }
    }

    /// Confirms the second factor of the account of `client` by a code of it.
    pub(crate) async fn confirm_second_factor(
        &self,
        client: &Client,
        code: &str,
    ) -> Result<(), AccountError> {
        let known = self.counted_owner(client)?;
        match read(self.store.second_factor(known.person.account)).await? {
            None => Err(AccountError::NoSecondFactor),
            Some(SecondFactor { set_unix_ms: Some(_), .. }) => Err(AccountError::HasSecondFactor),
            Some(factor) => self.use_code(known.person.account, factor, code).await,
        }
    }

    /// Takes the second factor of the account of `client` away.
    pub(crate) async fn remove_second_factor(
        &self,
        client: &Client,
        password: &str,
        offered: Option<&str>,
    ) -> Result<(), AccountError> {
        let (known, _) = self.fully_verified_owner(client, password, offered).await?;
        if self.forget_second_factor(known.person.account).await? {
            Ok(())
        } else {
            Err(AccountError::NoSecondFactor)
        }
    }

    /// Forgets the second factor of an account; whether there was one.
    pub(crate) async fn forget_second_factor(&self, account: AccountId) -> Result<bool, AccountError> {
        self.store.remove_second_factor(account).await.map_err(|_| AccountError::Unavailable)
    }

    /// As [`verified_owner`](Accounts::verified_owner), and the second factor if the account has one: for what could take
    /// the account away from its owner.
    pub(super) async fn fully_verified_owner(
        &self,
        client: &Client,
        password: &str,
        offered: Option<&str>,
    ) -> Result<(Known, PasswordHash), AccountError> {
        let (known, verified) = self.verified_owner(client, password).await?;
        self.pass_second_factor(known.person.account, offered, Takes::CodeOrRecovery).await?;
        Ok((known, verified))
    }

    /// Asks whoever has shown one thing for the second one, if the account has a second factor.
    pub(super) async fn pass_second_factor(
        &self,
        account: AccountId,
        offered: Option<&str>,
        takes: Takes,
    ) -> Result<(), AccountError> {
        let factor = read(self.store.second_factor(account)).await?;
        let Some(factor) = factor.filter(|factor| factor.set_unix_ms.is_some()) else { return Ok(()) };
        let offered = offered.ok_or(AccountError::SecondFactorNeeded)?;
        match recovery::digest_of(offered).filter(|_| takes == Takes::CodeOrRecovery) {
            None => self.use_code(account, factor, offered).await,
            Some(code) => {
                let used = self.store.use_recovery_code(account, code).await;
                right_if(used.map_err(|_| AccountError::Unavailable)?)
            }
        }
    }

    /// Uses a code up, which confirms a second factor that was not.
    async fn use_code(
        &self,
        account: AccountId,
        factor: SecondFactor,
        offered: &str,
    ) -> Result<(), AccountError> {
        let (secret, now_ms) = (factor.secret, unix_now_ms());
        let offered = totp::read(offered).ok_or(AccountError::WrongSecondFactor)?;
        let step = totp::step_of(secret, offered, now_ms, factor.used_step);
        let step = step.ok_or(AccountError::WrongSecondFactor)?;
        let used = self.store.use_second_factor(account, secret, step, now_ms).await;
        right_if(used.map_err(|_| AccountError::Unavailable)?)
    }
}

fn right_if(is_right: bool) -> Result<(), AccountError> {
    if is_right { Ok(()) } else { Err(AccountError::WrongSecondFactor) }
}
