//! The secret that proves an account: 32 random bytes, shown once, kept as a digest. A token is
//! checked here, by looking its digest up.
//!
//! The bytes are drawn by `entropy` and passed in. Tokens are never logged: `Debug` does not show
//! the content, and [`Token::reveal`] is the only way to the text.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use zeitnot_protocol::{AccountId, Code};

use super::{Accounts, Person, read};
use crate::net::Address;
use crate::storage::TokenDigest;

/// Random bytes in a token: far beyond guessing, whatever the number of tries.
pub(crate) const TOKEN_BYTES: usize = 32;

/// A token as its owner has it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Token([u8; TOKEN_BYTES]);

impl Token {
    /// The token of random bytes.
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
        TokenDigest(Sha256::digest(self.0).into())
    }
}

impl Accounts {
    /// The account of a token's text, for a client at `address`; `None` when no account has it.
    ///
    /// # Errors
    /// [`Code::Unavailable`] or [`Code::TooManyBadTokens`]: the token may be good then.
    pub(crate) async fn by_token(&self, text: &str, address: Address) -> Result<Option<Person>, Code> {
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
    pub(crate) async fn by_cookie(&self, text: &str) -> Result<Option<Person>, Code> {
        let Some(token) = Token::parse(text) else { return Ok(None) };
        read(self.store.account_by_token(token.digest())).await
    }

    /// Takes a token away from its account, so that it proves nothing any more. When this returns
    /// that is durable, and the account's connections are told to close.
    ///
    /// # Errors
    /// [`Code::Unavailable`]: the token may still be good then.
    pub(crate) async fn revoke(&self, account: AccountId, text: &str) -> Result<(), Code> {
        let Some(token) = Token::parse(text) else { return Ok(()) };
        self.store.revoke_token(token.digest()).await.map_err(|_| Code::Unavailable)?;
        self.connections.revoke(account, self.clock.now());
        Ok(())
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
        let TokenDigest(digest) = Token::from_random([0; TOKEN_BYTES]).digest();
        assert_eq!(digest[..4], [0x66, 0x68, 0x7a, 0xad]);
    }
}
