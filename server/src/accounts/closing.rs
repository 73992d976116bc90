//! Closing an account, and what is kept about one.
//!
//! A closed account stays as the id that its games name. Its tokens, password, second factor, recovery codes and name are gone, and nobody
//! is given the name again.
//!
//! Deliberately absent: the games. They show the names that they began with, as they are their opponents' too.

use zeitnot_protocol::AccountId;

use super::{AccountError, Accounts, ChallengeRules, Client, Known, Person, Settings, read};
use crate::storage::{AccountFacts, KeptToken, PasswordHash, Report};

/// All that is kept about an account beside its games and its open challenges.
#[derive(Debug)]
pub(crate) struct Export {
    pub(crate) facts: AccountFacts,
    pub(crate) sessions: Vec<KeptToken>,
    pub(crate) api_tokens: Vec<KeptToken>,
    pub(crate) blocked: Vec<AccountId>,
    pub(crate) challenge_rules: ChallengeRules,
    pub(crate) settings: Settings,
    pub(crate) reports: Vec<Report>,
}

impl Accounts {
    /// Closes the account of `client`. `changed` is called before its connections are closed.
    pub(crate) async fn close(
        &self,
        client: &Client,
        password: &str,
        second_factor: Option<&str>,
        changed: impl FnOnce(Person),
    ) -> Result<(), AccountError> {
        let (known, verified) = self.fully_verified_owner(client, password, second_factor).await?;
        self.close_whose(known.person.account, Some(verified), changed).await
    }

    /// Closes a registered account, whatever its password.
    pub(crate) async fn close_by_admin(
        &self,
        account: AccountId,
        changed: impl FnOnce(Person),
    ) -> Result<(), AccountError> {
        self.close_whose(account, None, changed).await
    }

    async fn close_whose(
        &self,
        account: AccountId,
        verified: Option<PasswordHash>,
        changed: impl FnOnce(Person),
    ) -> Result<(), AccountError> {
        let closed =
            self.store.close_account(account, verified).await.map_err(|_| AccountError::Unavailable)?;
        let (change, ended) = closed.ok_or(AccountError::WrongPassword)?;
        let person = change.person;
        self.connections.changed(person, change.number, self.clock.now(), || changed(person));
        self.blocks.forget(account);
        self.connections.revoke(account, &ended, self.clock.now());
        Ok(())
    }

    /// What is kept about an account in numbers.
    pub(crate) async fn facts(&self, known: Known) -> Result<AccountFacts, AccountError> {
        read(self.store.facts(known.person.account)).await?.ok_or(AccountError::Unavailable)
    }

    /// What is kept about an account.
    pub(crate) async fn export(&self, known: Known) -> Result<Export, AccountError> {
        let facts = self.facts(known).await?;
        let (sessions, api_tokens) = self.sessions_and_api_tokens(known).await?;
        let account = known.person.account;
        let (blocked, challenge_rules) = (self.blocks.of(account), self.challenge_rules(account).await?);
        let reports = self.store.reports_by(account).await.map_err(|_| AccountError::Unavailable)?;
        let settings = self.settings(account).await?;
        Ok(Export { facts, sessions, api_tokens, blocked, challenge_rules, settings, reports })
    }
}
