//! Signing in and out, and the list of the devices that are signed in.
//!
//! Invariants: a wrong password and a name that no account has get the same answer after the same work: one look-up and one
//! comparison of hashes, and nothing about a second factor is read before the password is right; whoever signs in holds a
//! new token.

use zeitnot_rules::game::PlayerName;

use super::password::Password;
use super::second_factor::Takes;
use super::{AccountError, Accounts, Client, Known, SignedIn, read};
use crate::storage::{Credential, KeptToken, PasswordHash, Which};

impl Accounts {
    /// Signs a client in to the account of a name, which needs its second factor too if it has one.
    pub(crate) async fn sign_in(
        &self,
        client: &Client,
        name: &str,
        password: &str,
        second_factor: Option<&str>,
    ) -> Result<SignedIn, AccountError> {
        self.count_attempt(client.address)?;
        let found = self.credential_for(client, name).await?;
        let (person, password) = self.verified(client, found, password).await?;
        self.pass_second_factor(person.account, second_factor, Takes::CodeOrRecovery).await?;
        let (token, kept) = self.new_session(&client.label);
        // A cookie of another account stays what it is: only the browser forgets it.
        let is_own = client.known.is_some_and(|known| known.person.account == person.account);
        let replaced = client.replaced().filter(|_| is_own);
        let new = kept.digest;
        let signed_in = self.store.sign_in(person.account, password, kept, replaced).await;
        let ended = signed_in.map_err(|_| AccountError::Unavailable)?.ok_or(AccountError::WrongPassword)?;
        self.tokens_changed(person, replaced, new, &ended);
        Ok(SignedIn { person, token })
    }

    /// The account that somebody names who has yet to prove it, with its password. A client that shows a token of that
    /// account is not counted by its name.
    pub(super) async fn credential_for(
        &self,
        client: &Client,
        name: &str,
    ) -> Result<Option<Credential>, AccountError> {
        let Ok(name) = name.parse::<PlayerName>() else { return Ok(None) };
        let found = read(self.store.credential_by_name(name)).await?;
        let account = found.as_ref().map(|found| found.person.account);
        if client.known.is_none_or(|known| Some(known.person.account) != account) {
            self.count_attempt_for(client.address, name)?;
        }
        Ok(found)
    }

    /// The account, if that is its password, with the hash that was compared.
    pub(super) async fn verified(
        &self,
        client: &Client,
        found: Option<Credential>,
        password: &str,
    ) -> Result<(super::Person, PasswordHash), AccountError> {
        let (person, hash) = found.map(|found| (found.person, found.password)).unzip();
        let hash: Option<PasswordHash> = hash.flatten();
        let is_right = self.hashing.verify(client.address, Password::offered(password), hash.clone()).await?;
        person.zip(hash).filter(|_| is_right).ok_or(AccountError::WrongPassword)
    }

    /// The account of a client that has signed in, which tries something that can be guessed.
    pub(super) fn counted_owner(&self, client: &Client) -> Result<Known, AccountError> {
        let known = client.known.filter(|known| known.person.kind.is_registered());
        let known = known.ok_or(AccountError::NotRegistered)?;
        self.count_attempt(client.address)?;
        let Some(name) = known.person.name else { return Err(AccountError::NotRegistered) };
        self.count_attempt_for(client.address, name)?;
        Ok(known)
    }

    /// The account of a client that has signed in, if this is its password.
    pub(super) async fn verified_owner(
        &self,
        client: &Client,
        password: &str,
    ) -> Result<(Known, PasswordHash), AccountError> {
        let known = self.counted_owner(client)?;
        let found = read(self.store.credential(known.person.account)).await?;
        let (_, hash) = self.verified(client, found, password).await?;
        Ok((known, hash))
    }

    /// Forgets all tokens of the account, that of the request and those of programs too.
    pub(crate) async fn sign_out_everywhere(&self, known: Known) -> Result<(), AccountError> {
        Ok(self.revoke(known.person.account, Which::All).await.map(drop)?)
    }

    /// Forgets the token that is shown by this id; `false` when the account has no such token.
    pub(crate) async fn end_session(&self, known: Known, id: &str) -> Result<bool, AccountError> {
        Ok(self.revoke(known.person.account, Which::ShownAs(id.to_owned())).await? > 0)
    }

    /// The sessions of the account, the one that was used last first.
    pub(crate) async fn sessions(&self, known: Known) -> Result<Vec<KeptToken>, AccountError> {
        Ok(self.sessions_and_api_tokens(known).await?.0)
    }

    /// All tokens of the account, the one that was used last first.
    pub(super) async fn tokens(&self, known: Known) -> Result<Vec<KeptToken>, AccountError> {
        self.store.tokens(known.person.account).await.map_err(|_| AccountError::Unavailable)
    }
}
