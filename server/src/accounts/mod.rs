//! Accounts: each is proved by a token, and has a name when it has chosen one. A guest is an
//! account that nobody has registered.
//!
//! | file | what it is |
//! |---|---|
//! | `person` | an account as others see it; which names can be chosen |
//! | `reserved` | the names that nobody may choose |
//! | `token` | the secret that proves an account: checking it, and taking it away |
//! | `api_tokens` | tokens that an owner makes for programs |
//! | `authorization` | the codes by which programs get a token that an owner grants |
//! | `requester` | the account and the connection that a command comes from |
//! | `mutes` | accounts that may not post for a time |
//! | `naming` | choosing a name |
//! | `password`, `hashing` | which passwords can be set; the thread that hashes and compares them |
//! | `attempts` | who asks, how often somebody may try a password, and what goes wrong |
//! | `registering` | from a guest, or nobody, to a registered account |
//! | `signing_in` | signing in and out, and the list of devices |
//! | `recovery` | another password: by the old one, or by a recovery code |
//! | `admins` | the role of an admin |
//! | `second_factor`, `totp` | the second factor: setting it and asking for it; its codes |
//! | `bots` | accounts that say that they are bots |
//! | `computers` | the bots that the server itself plays |
//! | `contacts` | who has blocked whom, and who may challenge an account |
//! | `settings` | what clients keep for an account |
//! | `reports` | what accounts report about others |
//! | `closing` | closing an account, and what is kept about one |
//!
//! Accounts are kept in the [`AccountStore`]. A token is looked up where it is kept. Mutes and blocks are in memory as well: what
//! other nodes change of them comes as a [`Change`](crate::storage::Change).
//!
//! Invariants: nobody is shown a token whose account is not durable; no two accounts have the same
//! name, whatever the case of its letters; whoever registers or signs in holds a new token, and the
//! cookie that came with the request proves that account no longer.
//!
//! Deliberately absent: the sessions of an account (`connections`), and the rate of guests of an
//! address, which this module asks for but does not count.

mod admins;
mod api_tokens;
mod attempts;
mod authorization;
mod bots;
mod closing;
mod computers;
mod contacts;
mod hashing;
mod mutes;
mod naming;
mod password;
mod person;
mod recovery;
mod registering;
mod reports;
mod requester;
mod reserved;
mod second_factor;
mod settings;
mod signing_in;
#[cfg(test)]
mod tests;
mod token;
mod totp;

use std::sync::Arc;

use zeitnot_protocol::{AccountId, Code};
use zeitnot_rules::game::PlayerName;

pub(crate) use api_tokens::WantedToken;
pub(crate) use attempts::{AccountError, Attempts, Client, SignedIn};
pub(crate) use authorization::{NotRedeemed, Redeeming, TOKEN_LASTS};
pub(crate) use closing::Export;
pub(crate) use computers::Computers;
pub(crate) use contacts::{Blocks, ChallengeRules, ChallengesFrom};
pub(crate) use hashing::Hashing;
pub(crate) use mutes::Mutes;
pub(crate) use password::BadPassword;
pub(crate) use person::{BadName, Kind, Person, shown_name};
pub(crate) use reports::{ReportReason, Reporting};
pub(crate) use requester::Requester;
pub(crate) use second_factor::NewFactor;
pub(crate) use settings::Settings;
#[cfg(test)]
pub(crate) use tests::guests::in_memory;
pub(crate) use token::{KeptToken, Known, NewToken, Token, TokenDigest, TokenKind};

use crate::connections::Connections;
use crate::entropy::Entropy;
use crate::net::{Address, Addresses, Allowances};
use crate::storage::{AccountStore, Grant, Reading};
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
    pub(crate) attempts: Attempts,
    /// Who may not post.
    pub(crate) mutes: Mutes,
    pub(crate) blocks: Blocks,
    pub(crate) computers: Computers,
    pub(crate) reporting: Reporting,
    pub(crate) hashing: Hashing,
    pub(crate) entropy: Entropy,
    pub(crate) clock: ServiceClock,
}

impl Accounts {
    /// Makes a guest for a client at `address` that calls itself `label`. Its account is durable when this
    /// ends.
    ///
    /// # Errors
    /// [`Code::TooManyGuests`] or [`Code::Unavailable`]; then nothing was made.
    pub(crate) async fn create_guest(
        &self,
        address: Address,
        kind: TokenKind,
        label: String,
    ) -> Result<(AccountId, Token), Code> {
        if !self.addresses.may_make_guest(address, self.clock.now()) {
            return Err(Code::TooManyGuests);
        }
        let made_unix_ms = unix_now_ms();
        let account = self.entropy.account_id(made_unix_ms);
        let token = Token::draw(&self.entropy);
        self.keep(
            account,
            NewToken { digest: token.digest(), kind, made_unix_ms, label, grant: Grant::SESSION },
        )
        .await?;
        metrics().guests.increment(1);
        Ok((account, token))
    }

    /// Makes an account without a name. When this returns the account is durable.
    ///
    /// # Errors
    /// [`Code::Unavailable`]: the token must not be shown to anybody then.
    async fn keep(&self, account: AccountId, token: NewToken) -> Result<(), Code> {
        self.store.create_account(account, token).await.map_err(|error| {
            tracing::warn!(%error, "no account can be made");
            Code::Unavailable
        })
    }

    /// Makes an account whose token a test knows.
    #[cfg(test)]
    pub(crate) async fn create(&self, account: AccountId, token: &Token) -> Result<(), Code> {
        self.keep(account, NewToken::shown(token.digest(), unix_now_ms())).await
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

    /// The first accounts, in the order of their names, that have chosen a name that begins so, whatever the case of its
    /// letters: at most `most`.
    ///
    /// # Errors
    /// [`Code::Unavailable`] when that cannot be found out now.
    pub(crate) async fn by_prefix(&self, prefix: PlayerName, most: usize) -> Result<Vec<Person>, Code> {
        read(self.store.accounts_by_prefix(prefix, most)).await
    }
}

async fn read<T>(reading: Reading<T>) -> Result<T, Code> {
    reading.await.map_err(|error| {
        tracing::warn!(%error, "accounts cannot be read");
        Code::Unavailable
    })
}
