//! Codes by which a program gets a token of somebody who has let it in: OAuth 2 with PKCE (RFC 7636).
//!
//! A browser carries the code from our page to the program. Whoever sees it on the way cannot use it: it is good once, for
//! a minute, and only for the one who knows the secret whose hash came with the request.
//!
//! Deliberately absent: the page on which the owner decides (`http::account`), and the call that brings the code back
//! (`lichess_api`). What was granted for a code is kept in the store, which forgets it when the code is shown.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::{AccountError, Accounts, NewToken, Token, WantedToken};
use crate::storage::{CodeChallenge, Granted};
use crate::time::unix_now_ms;

/// How long such a token is good.
pub(crate) const TOKEN_LASTS: Duration = Duration::from_secs(365 * 86_400);

/// Letters of the secret (RFC 7636, section 4.1).
const VERIFIER_CHARS: std::ops::RangeInclusive<usize> = 43..=128;

impl CodeChallenge {
    /// Reads one: 43 characters of unpadded base64url.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    fn is_of(self, verifier: &str) -> bool {
        let hash: [u8; 32] = Sha256::digest(verifier).into();
        VERIFIER_CHARS.contains(&verifier.len()) && hash == self.0
    }
}

/// What a program shows for its token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Redeeming<'r> {
    pub(crate) code: &'r str,
    pub(crate) verifier: &'r str,
    pub(crate) client: &'r str,
    pub(crate) redirect: &'r str,
}

/// Why there is no token for a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotRedeemed {
    /// The code is none, or is for somebody else, or was shown too late.
    BadCode,
    /// The account cannot be given a token.
    Account(AccountError),
}

impl Accounts {
    /// A code for what an owner has granted.
    pub(crate) async fn grant_code(&self, granted: Granted) -> Result<String, AccountError> {
        let code = Token::draw(&self.entropy);
        let keeping = self.store.keep_code(code.digest(), granted, unix_now_ms());
        if keeping.await.map_err(|_| AccountError::Unavailable)? {
            Ok(code.reveal())
        } else {
            Err(AccountError::Busy)
        }
    }

    /// The token for a code. When this returns it is durable.
    pub(crate) async fn redeem_code(&self, shown: Redeeming<'_>) -> Result<(Token, NewToken), NotRedeemed> {
        let code = Token::parse(shown.code).ok_or(NotRedeemed::BadCode)?.digest();
        let taking = self.store.take_code(code, unix_now_ms());
        let taken = taking.await.map_err(|_| NotRedeemed::Account(AccountError::Unavailable))?;
        let granted = taken.ok_or(NotRedeemed::BadCode)?;
        let Granted { account, client, redirect, challenge, scopes } = granted;
        if client != shown.client || redirect != shown.redirect || !challenge.is_of(shown.verifier) {
            return Err(NotRedeemed::BadCode);
        }
        let wanted = WantedToken { name: client, scopes, lasts: Some(TOKEN_LASTS) };
        self.keep_api_token(account, wanted).await.map_err(NotRedeemed::Account)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn a_secret_is_known_by_its_hash() {
        let challenge = CodeChallenge::parse(CHALLENGE).unwrap();
        assert!(challenge.is_of(VERIFIER) && !challenge.is_of(&VERIFIER.replace('d', "e")));
        let short = CodeChallenge(Sha256::digest("short").into());
        assert!(!short.is_of("short"), "it could be guessed");
        assert_eq!(CodeChallenge::parse(VERIFIER.split_at(42).0), None);
    }
}
