//! Tokens that the owner of an account makes for programs: each has a name, scopes and perhaps an end, and is shown once.
//!
//! They outlive the sessions of their owner and a change of the password; signing out everywhere and a recovery code take
//! them away with everything else.
//!
//! Deliberately absent: what a scope allows (`zeitnot_protocol::Scope`), and the list of browsers (`signing_in`).

use std::time::Duration;

use zeitnot_protocol::{AccountId, Needs, Scope, Scopes};

use super::{AccountError, Accounts, Client, Known, Token};
use crate::storage::{Grant, KeptToken, NewToken, TokenKind, TokenMade, Which};
use crate::time::unix_now_ms;

/// What an owner wants a token to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WantedToken {
    /// What the owner calls it.
    pub(crate) name: String,
    pub(crate) scopes: Scopes,
    /// How long it is good; `None`: for ever.
    pub(crate) lasts: Option<Duration>,
}

impl Accounts {
    /// Makes a token for the account of `client`. When this returns it is durable. One with the scope `admin` needs a code
    /// of the second factor.
    pub(crate) async fn make_api_token(
        &self,
        client: &Client,
        wanted: WantedToken,
        second_factor: Option<&str>,
    ) -> Result<(Token, NewToken), AccountError> {
        let known = client.known.ok_or(AccountError::NotRegistered)?;
        if wanted.scopes.allow(Needs::Scope(Scope::Admin)) {
            self.check_may_make_admin_token(client, second_factor).await?;
        }
        self.keep_api_token(known.person.account, wanted).await
    }

    /// Makes a token for an account; whoever asks has seen to the scope `admin`. When this returns it is durable.
    pub(crate) async fn keep_api_token(
        &self,
        account: AccountId,
        wanted: WantedToken,
    ) -> Result<(Token, NewToken), AccountError> {
        let (token, kept) = self.new_api_token(wanted);
        let made = self.store.keep_api_token(account, kept.clone()).await;
        match made.map_err(|_| AccountError::Unavailable)? {
            TokenMade::Kept => Ok((token, kept)),
            TokenMade::TooMany => Err(AccountError::TooManyTokens),
            TokenMade::NotAdmin => Err(AccountError::NotAdmin),
            TokenMade::NotRegistered => Err(AccountError::NotRegistered),
        }
    }

    /// A new token for a program.
    pub(super) fn new_api_token(&self, wanted: WantedToken) -> (Token, NewToken) {
        let token = Token::draw(&self.entropy);
        let made_unix_ms = unix_now_ms();
        let lasts_ms = wanted.lasts.map(|lasts| u64::try_from(lasts.as_millis()).unwrap_or(u64::MAX));
        let until_unix_ms = lasts_ms.map(|lasts| made_unix_ms.saturating_add(lasts));
        let grant = Grant { scopes: wanted.scopes, until_unix_ms };
        let (digest, kind, label) = (token.digest(), TokenKind::Api, wanted.name);
        (token, NewToken { digest, kind, made_unix_ms, label, grant })
    }

    /// The API tokens of the account that have not expired, the one that was used last first.
    pub(crate) async fn api_tokens(&self, known: Known) -> Result<Vec<KeptToken>, AccountError> {
        Ok(self.sessions_and_api_tokens(known).await?.1)
    }

    /// The sessions of the account, and its API tokens that have not expired, each with the one that was used last first.
    pub(super) async fn sessions_and_api_tokens(
        &self,
        known: Known,
    ) -> Result<(Vec<KeptToken>, Vec<KeptToken>), AccountError> {
        let tokens = self.tokens(known).await?.into_iter();
        let (mut api_tokens, sessions): (Vec<_>, Vec<_>) =
            tokens.partition(|kept| kept.token.kind == TokenKind::Api);
        let now_ms = unix_now_ms();
        api_tokens.retain(|kept| !kept.token.grant.is_over(now_ms));
        Ok((sessions, api_tokens))
    }

    /// Revokes the API token that is shown by this id; `false` when the account has no such token.
    pub(crate) async fn revoke_api_token(&self, known: Known, id: &str) -> Result<bool, AccountError> {
        let tokens = self.tokens(known).await?.into_iter().map(|kept| kept.token);
        let mut api_tokens = tokens.filter(|token| token.kind == TokenKind::Api);
        let Some(token) = api_tokens.find(|token| token.digest.shown_id() == id) else { return Ok(false) };
        Ok(self.revoke(known.person.account, Which::One(token.digest)).await? > 0)
    }
}
