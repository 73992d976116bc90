//! The accounts of the computer opponent: bots that the server itself plays, one for each level.
//!
//! Each has a password that nobody knows. Its one token is made anew at each start and is kept in memory alone.
//!
//! Invariant: an account that somebody else has made is left alone, whatever its name.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::RwLock;

use zeitnot_protocol::{AccountId, Scope, Scopes};
use zeitnot_rules::game::PlayerName;

use super::password::Password;
use super::{AccountError, Accounts, Person, Token, TokenDigest};
use crate::storage::{BotMade, Grant, Kind, NewToken, Registered, Registration, TokenKind, TokenMade, Which};
use crate::sync::unpoisoned;
use crate::time::unix_now_ms;

/// What the tokens of these accounts are called. It tells them from the accounts of others.
const LABEL: &str = "the server's own computer opponent";

/// The accounts as which the server plays in this run: one for each level at most.
#[derive(Debug, Default)]
pub(crate) struct Computers(RwLock<Vec<AccountId>>);

impl Computers {
    /// Whether the server plays as this account.
    pub(crate) fn has(&self, account: AccountId) -> bool {
        unpoisoned(self.0.read()).contains(&account)
    }

    /// How many accounts these are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        unpoisoned(self.0.read()).len()
    }

    fn add(&self, account: AccountId) {
        let mut accounts = unpoisoned(self.0.write());
        if !accounts.contains(&account) {
            accounts.push(account);
        }
    }
}

impl Accounts {
    /// A token for the computer's account of this name, which is made if there is none; `None`: somebody else has the
    /// name.
    pub(crate) async fn computer(&self, name: PlayerName) -> Result<Option<Token>, AccountError> {
        let (account, old) = match self.by_name(name.as_str()).await? {
            None => (self.register_computer(name).await?, Vec::new()),
            Some(person) => {
                let tokens =
                    self.store.tokens(person.account).await.map_err(|_| AccountError::Unavailable)?;
                let own = !tokens.is_empty() && tokens.iter().all(|kept| kept.token.label == LABEL);
                let old = tokens.into_iter().map(|kept| kept.token.digest).collect();
                (own.then_some(person), old)
            }
        };
        let Some(person) = account else { return Ok(None) };
        if person.kind == Kind::Registered {
            let made = self.store.make_bot(person.account).await.map_err(|_| AccountError::Unavailable)?;
            if !matches!(made, BotMade::As(_)) {
                return Ok(None);
            }
        }
        let token = self.new_token_of_computer(person.account, old).await?;
        if token.is_some() {
            self.computers.add(person.account);
        }
        Ok(token)
    }

    /// Registers an account with a password that nobody knows; `None`: somebody has the name by now.
    async fn register_computer(&self, name: PlayerName) -> Result<Option<Person>, AccountError> {
        let account = self.entropy.account_id(unix_now_ms());
        let text = Token::draw(&self.entropy).reveal();
        let password = Password::to_set(&text, name.as_str()).map_err(AccountError::BadPassword)?;
        let here = IpAddr::from(Ipv4Addr::LOCALHOST).into();
        let password = self.hashing.hash(here, password, self.salt()).await?;
        let (_, token) = self.new_session(LABEL);
        let registration =
            Registration { account, is_new: true, name, password, token, replaces: None, ended: None };
        match self.store.register(registration).await.map_err(|_| AccountError::Unavailable)? {
            Registered::As(change, _) => Ok(Some(change.person)),
            Registered::NameTaken | Registered::NotAGuest => Ok(None),
        }
    }

    /// Keeps a new token, then forgets the old ones: a start that is interrupted leaves the account one's own.
    async fn new_token_of_computer(
        &self,
        account: AccountId,
        old: Vec<TokenDigest>,
    ) -> Result<Option<Token>, AccountError> {
        let token = Token::draw(&self.entropy);
        let scopes = Scopes::NONE.with(Scope::Read).with(Scope::Play).with(Scope::Challenge).with(Scope::Bot);
        let kept = NewToken {
            digest: token.digest(),
            kind: TokenKind::Api,
            made_unix_ms: unix_now_ms(),
            label: LABEL.to_owned(),
            grant: Grant { scopes, until_unix_ms: None },
        };
        let made = self.store.keep_api_token(account, kept).await.map_err(|_| AccountError::Unavailable)?;
        for digest in old {
            self.revoke(account, Which::One(digest)).await?;
        }
        Ok((made == TokenMade::Kept).then_some(token))
    }
}
