//! What proves an account: its tokens, its password and its recovery codes; and what is kept to show its owner.
//!
//! Deliberately absent: the secrets themselves. A store has digests of tokens and of codes, and the hash of a password as a
//! text that only `accounts` reads.

use std::fmt;

use sha2::{Digest as _, Sha256};
use zeitnot_protocol::{AccountId, Needs, Scopes};
use zeitnot_rules::game::PlayerName;

use super::account::{Changed, Person, TokenDigest};

/// A day, counted from 1970-01-01.
pub type Day = u32;

/// How long a guest's chosen name is kept after the day on which the guest was last seen.
pub const NAME_KEPT_DAYS: Day = 30;

/// The most sessions of one account that stay signed in. The one that was used longest ago goes.
pub const SESSIONS_MAX: usize = 64;

/// The most API tokens of one account that have not expired.
pub const API_TOKENS_MAX: usize = 32;

/// Who holds a token. The numbers are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum TokenKind {
    /// A browser, as a cookie.
    Session = 0,
    /// A program that is a guest, which was shown it.
    Shown = 1,
    /// A program, for which its owner made it.
    Api = 2,
}

impl TokenKind {
    /// The kind of a stored number; `None` when there is none.
    #[must_use]
    pub const fn of_number(number: i64) -> Option<Self> {
        match number {
            0 => Some(Self::Session),
            1 => Some(Self::Shown),
            2 => Some(Self::Api),
            _ => None,
        }
    }
}

/// What a token may be used for, and until when.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grant {
    /// What it may be used for.
    pub scopes: Scopes,
    /// When it expires, in milliseconds since 1970; `None`: never.
    pub until_unix_ms: Option<u64>,
}

impl Grant {
    /// What a browser's token, and that of a guest, may be used for.
    pub const SESSION: Self = Self { scopes: Scopes::SESSION, until_unix_ms: None };

    /// Whether it has expired.
    #[must_use]
    pub fn is_over(&self, unix_ms: u64) -> bool {
        self.until_unix_ms.is_some_and(|until| until <= unix_ms)
    }
}

/// A token to be kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewToken {
    /// What is kept in its place.
    pub digest: TokenDigest,
    /// Who holds it.
    pub kind: TokenKind,
    /// When it was made, in milliseconds since 1970.
    pub made_unix_ms: u64,
    /// What its holder called itself, or what its owner calls it.
    pub label: String,
    /// What it may be used for.
    pub grant: Grant,
}

impl NewToken {
    /// A token that a program is shown.
    #[must_use]
    pub const fn shown(digest: TokenDigest, made_unix_ms: u64) -> Self {
        Self { digest, kind: TokenKind::Shown, made_unix_ms, label: String::new(), grant: Grant::SESSION }
    }

    /// The day on which it was made.
    #[must_use]
    pub fn day(&self) -> Day {
        day_of(self.made_unix_ms)
    }
}

/// The day of an instant in milliseconds since 1970.
#[must_use]
pub fn day_of(unix_ms: u64) -> Day {
    Day::try_from(unix_ms / 86_400_000).unwrap_or(Day::MAX)
}

/// The first second of a day, since 1970.
#[must_use]
pub const fn first_second(day: Day) -> u64 {
    day as u64 * 86_400
}

/// A token as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptToken {
    /// The token.
    pub token: NewToken,
    /// When it was last used.
    pub used_day: Day,
}

/// The account that a token proves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proved {
    /// The account.
    pub person: Person,
    /// When the token was last used before, as far as it was noted.
    pub used_day: Day,
    /// What the token may be used for.
    pub grant: Grant,
}

/// What became of an API token that an owner wanted to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenMade {
    /// It is kept.
    Kept,
    /// The account has [`API_TOKENS_MAX`] of them.
    TooMany,
    /// The account is not registered.
    NotRegistered,
    /// The token has the scope `admin`, and the account is no admin.
    NotAdmin,
}

/// What became of an account that wanted to be a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BotMade {
    /// It is one from now on.
    As(Changed),
    /// It has played rated games as a person.
    HasRatedGames,
    /// It is an admin.
    IsAdmin,
    /// It is not registered, or is one already.
    NotAPerson,
}

/// Which tokens of an account are forgotten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Which {
    /// All.
    All,
    /// All sessions but this one. API tokens stay.
    AllSessionsBut(TokenDigest),
    /// This one.
    One(TokenDigest),
    /// The one that is shown by this id.
    ShownAs(String),
    /// Those that allow this.
    Allowing(Needs),
}

impl Which {
    /// Whether it is this one.
    #[must_use]
    pub fn has(&self, token: &NewToken) -> bool {
        let digest = token.digest;
        match self {
            Self::All => true,
            Self::AllSessionsBut(kept) => *kept != digest && token.kind != TokenKind::Api,
            Self::One(one) => *one == digest,
            Self::ShownAs(id) => digest.shown_id() == *id,
            Self::Allowing(what) => token.grant.scopes.allow(*what),
        }
    }
}

/// The hash of a password, with all that it takes to verify one: a PHC string. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(secret)")
    }
}

/// The SHA-256 of a recovery code. `Debug` does not show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CodeDigest(pub [u8; 32]);

impl fmt::Debug for CodeDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeDigest(secret)")
    }
}

/// What is kept of the name of an account that is closed: the SHA-256 of the name in small letters.
pub(super) fn name_digest(name: &str) -> [u8; 32] {
    Sha256::digest(name.to_ascii_lowercase()).into()
}

/// What makes an account a registered one.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The account: a guest, or one that is made by this.
    pub account: AccountId,
    /// Whether it is made by this.
    pub is_new: bool,
    /// Its name from now on.
    pub name: PlayerName,
    /// Its password.
    pub password: PasswordHash,
    /// The token of the browser that registers it.
    pub token: NewToken,
    /// The token of that browser in whose place it comes.
    pub replaces: Option<TokenDigest>,
    /// The tokens that are forgotten.
    pub ended: Option<Which>,
}

/// What became of a [`Registration`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Registered {
    /// The account, and the tokens that were forgotten.
    As(Changed, Vec<TokenDigest>),
    /// Another account has the name, or had it when it was closed.
    NameTaken,
    /// The account is no guest, or there is none.
    NotAGuest,
}

/// The password that an account has at present.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credential {
    /// The account.
    pub person: Person,
    /// Its password; `None` for one that nobody has registered.
    pub password: Option<PasswordHash>,
}

/// What is kept about an account beside its name, its tokens and its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccountFacts {
    /// When it was made, in milliseconds since 1970.
    pub made_unix_ms: u64,
    /// When it was last seen; 0 if that was never noted.
    pub seen_day: Day,
    /// When its password was set, in milliseconds since 1970; `None` for one that nobody has registered.
    pub password_set_unix_ms: Option<u64>,
    /// How many recovery codes it has left.
    pub recovery_codes: u32,
    /// When its second factor was confirmed, in milliseconds since 1970; `None` for one that has none.
    pub second_factor_set_unix_ms: Option<u64>,
    /// Whether it is an admin.
    pub is_admin: bool,
    /// When it may post again, in milliseconds since 1970, if it was muted; it may be over.
    pub muted_until_unix_ms: Option<u64>,
}
