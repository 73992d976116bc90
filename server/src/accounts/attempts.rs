//! Who asks for something about an account, how often somebody may try a password, and what goes wrong.
//!
//! Tries are counted for each address, and for each address and name together: so nobody can keep the owner of a name out
//! by trying wrong passwords for it from elsewhere. Whoever shows a token of the account is not counted by name at all.

use std::time::Duration;

use zeitnot_protocol::{Code, Limits};
use zeitnot_rules::game::PlayerName;

use super::hashing::TooMany;
use super::password::BadPassword;
use super::person::BadName;
use super::{Accounts, Known, Person, Token};
use crate::net::{Address, Allowances};
use crate::storage::{Grant, NewToken, TokenDigest, TokenKind};
use crate::time::unix_now_ms;

/// A client that asks for something.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    /// Where it is.
    pub(crate) address: Address,
    /// The account that it has a token of.
    pub(crate) known: Option<Known>,
    /// Whether that token came as a cookie: then a new one takes its place.
    pub(crate) has_cookie: bool,
    /// What it calls itself.
    pub(crate) label: String,
}

impl Client {
    /// The cookie that a new one replaces.
    pub(super) fn replaced(&self) -> Option<TokenDigest> {
        self.known.filter(|_| self.has_cookie).map(|known| known.token)
    }
}

/// Somebody who has signed in.
#[derive(Debug)]
pub(crate) struct SignedIn {
    pub(crate) person: Person,
    /// To be shown this once.
    pub(crate) token: Token,
}

/// Why nothing was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AccountError {
    /// Nobody can have this name.
    BadName(BadName),
    /// Somebody has this name, or had it when the account was closed.
    NameTaken,
    /// Nobody can have this password.
    BadPassword(BadPassword),
    /// No account has this name and this password.
    WrongPassword,
    /// No account has this name and this recovery code.
    WrongCode,
    /// The account has a second factor, which was not shown.
    SecondFactorNeeded,
    /// It is no code of the second factor now, or was used already.
    WrongSecondFactor,
    /// The account has a second factor already.
    HasSecondFactor,
    /// The account has no second factor.
    NoSecondFactor,
    /// The account is no admin.
    NotAdmin,
    /// The account is an admin.
    IsAdmin,
    /// The account is not registered.
    NotRegistered,
    /// The account is registered already.
    AlreadyRegistered,
    /// The account has played rated games as a person.
    HasRatedGames,
    /// The account has as many API tokens as it may.
    TooManyTokens,
    /// There were too many tries; the next one is allowed after this time.
    TooManyAttempts(Duration),
    /// As many reports wait as there may be.
    TooManyReports,
    /// It has blocked as many others as one may, or all together have.
    TooManyBlocks,
    /// The address has made too many accounts.
    TooManyGuests,
    /// Too many wait for a hash.
    Busy,
    /// The store does not answer.
    Unavailable,
    /// What is kept is not as it was written.
    Damaged,
}

impl From<TooMany> for AccountError {
    fn from(TooMany: TooMany) -> Self {
        Self::Busy
    }
}

impl From<Code> for AccountError {
    fn from(code: Code) -> Self {
        match code {
            Code::Damaged => Self::Damaged,
            _ => Self::Unavailable,
        }
    }
}

/// How often somebody may try.
#[derive(Debug)]
pub(crate) struct Attempts {
    of_address: Allowances<Address>,
    of_name: Allowances<(Address, PlayerName)>,
}

impl Attempts {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            of_address: Allowances::per_minute(limits.sign_ins_per_address_per_minute),
            of_name: Allowances::per_hour(limits.sign_ins_per_name_per_hour),
        }
    }
}

impl Accounts {
    /// Counts something that takes a hash.
    pub(super) fn count_attempt(&self, address: Address) -> Result<(), AccountError> {
        let now = self.clock.now();
        self.attempts.of_address.spend(address, 1, now).map_err(|wait| {
            self.addresses.note_limited(address, "too_many_attempts", now);
            AccountError::TooManyAttempts(wait)
        })
    }

    /// Counts a try for a name.
    pub(super) fn count_attempt_for(&self, address: Address, name: PlayerName) -> Result<(), AccountError> {
        let name = name.as_str().to_ascii_lowercase().parse().unwrap_or(name);
        let spent = self.attempts.of_name.spend((address, name), 1, self.clock.now());
        spent.map_err(AccountError::TooManyAttempts)
    }

    /// A new token for a browser.
    pub(super) fn new_session(&self, label: &str) -> (Token, NewToken) {
        let token = Token::draw(&self.entropy);
        let (kind, made_unix_ms) = (TokenKind::Session, unix_now_ms());
        let (digest, label, grant) = (token.digest(), label.to_owned(), Grant::SESSION);
        let kept = NewToken { digest, kind, made_unix_ms, label, grant };
        (token, kept)
    }

    /// A browser of the account holds another token from now on, and others are forgotten.
    pub(super) fn tokens_changed(
        &self,
        person: Person,
        replaced: Option<TokenDigest>,
        new: TokenDigest,
        ended: &[TokenDigest],
    ) {
        if let Some(last) = replaced {
            self.connections.replace(person.account, last, new);
        }
        self.connections.revoke(person.account, ended, self.clock.now());
    }
}
