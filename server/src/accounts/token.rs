//! The secret that proves an account: 32 random bytes, shown once, kept as a digest. A token is
//! checked here, by looking its digest up.
//!
//! Tokens are never logged: `Debug` does not show the content, and [`Token::reveal`] is the only way to
//! the text. No text begins with `-`, since programs take a token as an argument.

use std::fmt;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use zeitnot_protocol::{AccountId, Code, Scopes};

use super::{Accounts, Person, read};
use crate::entropy::Entropy;
use crate::net::Address;
use crate::storage::{self, Proved, Which, day_of};
use crate::time::{ServiceInstant, unix_now_ms};

/// Random bytes in a token: far beyond guessing, whatever the number of tries.
pub(crate) const TOKEN_BYTES: usize = 32;

/// A token as its owner has it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token([u8; TOKEN_BYTES]);

impl Token {
    /// A new token. A program that is called as `program --token TEXT` takes a text that begins with `-` for another
    /// option, so one in 64 is drawn again.
    pub(crate) fn draw(entropy: &Entropy) -> Self {
        loop {
            let token = Self(entropy.token());
            if !token.reveal().starts_with('-') {
                return token;
            }
        }
    }

    /// The token of these bytes.
    #[cfg(test)]
    pub(crate) const fn from_random(bytes: [u8; TOKEN_BYTES]) -> Self {
        Self(bytes)
    }

    /// Reads a token: 43 characters of unpadded base64url (RFC 4648, section 5). `None` when it is
    /// not one.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        Some(Self(bytes.try_into().ok()?))
    }

    /// The text for its owner, and for nobody else.
    pub(crate) fn reveal(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// What is stored in its place.
    pub(crate) fn digest(&self) -> TokenDigest {
        storage::TokenDigest(Sha256::digest(self.0).into())
    }
}

/// What is stored in place of a token.
pub(crate) type TokenDigest = storage::TokenDigest;

/// Who holds a token: as it is stored.
pub(crate) type TokenKind = storage::TokenKind;

/// A token as it is made.
pub(crate) type NewToken = storage::NewToken;

/// A token as it is stored, with what its owner is shown of it.
pub(crate) type KeptToken = storage::KeptToken;

/// An account, and the token that proved it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    pub(crate) person: Person,
    pub(crate) token: TokenDigest,
    /// What the token may be used for.
    pub(crate) scopes: Scopes,
    /// When it expires; `None`: never.
    pub(crate) until: Option<ServiceInstant>,
}

impl Accounts {
    /// The account of a token's text, for a client at `address`; `None` when no account has it.
    ///
    /// # Errors
    /// [`Code::Unavailable`] or [`Code::TooManyBadTokens`]: the token may be good then.
    pub(crate) async fn by_token(&self, text: &str, address: Address) -> Result<Option<Known>, Code> {
        if !self.addresses.may_name_token(address, self.clock.now()) {
            return Err(Code::TooManyBadTokens);
        }
        let found = self.by_cookie(text).await?;
        if found.is_none() {
            self.addresses.named_bad_token(address, self.clock.now());
        }
        Ok(found)
    }

    /// The account of a token's text that came as a cookie; `None` when no account has it. One that is bad does not
    /// count: a browser shows the cookie that it once got, a whole school does after a copy was restored, and what its
    /// requests cost is bounded elsewhere.
    ///
    /// # Errors
    /// [`Code::Unavailable`]: the token may be good then.
    pub(crate) async fn by_cookie(&self, text: &str) -> Result<Option<Known>, Code> {
        let Some(token) = Token::parse(text).map(|token| token.digest()) else { return Ok(None) };
        let Some(Proved { person, used_day, grant }) = read(self.store.account_by_token(token)).await? else {
            return Ok(None);
        };
        let now_ms = unix_now_ms();
        if grant.is_over(now_ms) {
            return Ok(None);
        }
        let left = grant.until_unix_ms.map(|until| Duration::from_millis(until - now_ms));
        let until = left.map(|left| self.clock.now() + left);
        let today = day_of(now_ms);
        if used_day < today {
            // Nobody waits for it: a day that is not noted is noted with the next use.
            drop(self.store.note_use(person.account, token, today));
        }
        Ok(Some(Known { person, token, scopes: grant.scopes, until }))
    }

    /// Takes tokens away from their account, so that they prove nothing any more. When this returns
    /// that is durable, and the connections that came in with them are told to close. The answer is
    /// how many.
    ///
    /// # Errors
    /// [`Code::Unavailable`]: the tokens may still be good then.
    pub(super) async fn revoke(&self, account: AccountId, which: Which) -> Result<usize, Code> {
        let ended = self.store.revoke_tokens(account, which).await.map_err(|_| Code::Unavailable)?;
        self.connections.revoke(account, &ended, self.clock.now());
        Ok(ended.len())
    }

    /// Takes the token of a request away from its account.
    ///
    /// # Errors
    /// [`Code::Unavailable`]: the token may still be good then.
    pub(crate) async fn sign_out(&self, Known { person, token, .. }: Known) -> Result<(), Code> {
        self.revoke(person.account, Which::One(token)).await.map(drop)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_shows() {
        let token = Token::from_random([0xfb; TOKEN_BYTES]);
        let text = token.reveal();
        assert_eq!(text.len(), 43);
        assert!(
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'),
            "{text}"
        );
        assert_eq!(Token::parse(&text), Some(token));
    }

    #[test]
    fn an_argument_may_be_a_token() {
        let entropy = Entropy::from_seed(1);
        let texts: Vec<String> = (0..2_000).map(|_| Token::draw(&entropy).reveal()).collect();
        assert!(texts.iter().all(|text| !text.starts_with('-')));
        assert!(texts.iter().any(|text| text.starts_with('_') || text[1..].contains('-')));
    }

    #[test]
    fn rejects_what_is_not_one() {
        let text = Token::from_random([7; TOKEN_BYTES]).reveal();
        for bad in ["", "x", &text[1..], &format!("{text}A"), &format!("{text}="), &text.replace('w', "+")] {
            assert_eq!(Token::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn shows_nothing_in_logs() {
        let token = Token::from_random([7; TOKEN_BYTES]);
        assert_eq!(format!("{token:?} {:?}", token.digest()), "Token(secret) TokenDigest(secret)");
    }

    #[test]
    fn the_digest_is_sha_256_of_the_bytes() {
        // FIPS 180-4 over 32 zero bytes.
        let storage::TokenDigest(digest) = Token::from_random([0; TOKEN_BYTES]).digest();
        assert_eq!(digest[..4], [0x66, 0x68, 0x7a, 0xad]);
    }
}
