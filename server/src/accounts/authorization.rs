//! Codes by which a program gets a token of somebody who has let it in: OAuth 2 with PKCE (RFC 7636).
//!
//! A browser carries the code from our page to the program. Whoever sees it on the way cannot use it: it is good once, for
//! a minute, and only for the one who knows the secret whose hash came with the request.
//!
//! Deliberately absent: the page on which the owner decides (`http::account`), and the call that brings the code back
//! (`lichess_api`). Codes are kept in memory: after a restart the program asks again.
//!
//! Invariant: a code that was shown once is forgotten, whatever came of it.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use zeitnot_protocol::{AccountId, Scopes};

use super::{AccountError, Accounts, NewToken, Token, TokenDigest, WantedToken};
use crate::sync::unpoisoned;
use crate::time::ServiceInstant;

/// How long a code is good: a browser brings it at once.
const CODE_LASTS: Duration = Duration::from_secs(60);

/// Codes at a time.
const CODES_MAX: usize = 1_000;

/// Those of one account. The oldest of more goes.
const CODES_PER_ACCOUNT_MAX: usize = 8;

/// How long such a token is good.
pub(crate) const TOKEN_LASTS: Duration = Duration::from_secs(365 * 86_400);

/// Letters of the secret (RFC 7636, section 4.1).
const VERIFIER_CHARS: std::ops::RangeInclusive<usize> = 43..=128;

/// The hash of a program's secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CodeChallenge([u8; 32]);

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

/// What the owner of an account has granted a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Granted {
    pub(crate) account: AccountId,
    /// What the program calls itself.
    pub(crate) client: String,
    /// Where its answer goes.
    pub(crate) redirect: String,
    pub(crate) challenge: CodeChallenge,
    pub(crate) scopes: Scopes,
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

#[derive(Debug)]
struct Kept {
    granted: Granted,
    until: ServiceInstant,
}

/// The codes that were not shown yet.
#[derive(Debug, Default)]
pub(crate) struct Codes(Mutex<HashMap<TokenDigest, Kept>>);

impl Codes {
    fn keep(&self, code: TokenDigest, granted: Granted, now: ServiceInstant) -> Result<(), AccountError> {
        let mut codes = unpoisoned(self.0.lock());
        codes.retain(|_, kept| kept.until > now);
        let own = codes.iter().filter(|(_, kept)| kept.granted.account == granted.account);
        let oldest = own.clone().min_by_key(|(_, kept)| kept.until).map(|(code, _)| *code);
        if let Some(oldest) = oldest.filter(|_| own.count() >= CODES_PER_ACCOUNT_MAX) {
            codes.remove(&oldest);
        }
        if codes.len() >= CODES_MAX {
            return Err(AccountError::Busy);
        }
        codes.insert(code, Kept { granted, until: now + CODE_LASTS });
        Ok(())
    }

    fn take(&self, code: TokenDigest, now: ServiceInstant) -> Option<Granted> {
        let kept = unpoisoned(self.0.lock()).remove(&code)?;
        (kept.until > now).then_some(kept.granted)
    }
}

impl Accounts {
    /// A code for what an owner has granted.
    pub(crate) fn grant_code(&self, granted: Granted) -> Result<String, AccountError> {
        let code = Token::draw(&self.entropy);
        self.codes.keep(code.digest(), granted, self.clock.now())?;
        Ok(code.reveal())
    }

    /// The token for a code. When this returns it is durable.
    pub(crate) async fn redeem_code(&self, shown: Redeeming<'_>) -> Result<(Token, NewToken), NotRedeemed> {
        let code = Token::parse(shown.code).ok_or(NotRedeemed::BadCode)?.digest();
        let granted = self.codes.take(code, self.clock.now()).ok_or(NotRedeemed::BadCode)?;
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

    fn granted(account: u128) -> Granted {
        Granted {
            account: AccountId::from_u128(account),
            client: "app".to_owned(),
            redirect: "https://app.example/back".to_owned(),
            challenge: CodeChallenge::parse(CHALLENGE).unwrap(),
            scopes: Scopes::NONE,
        }
    }

    fn code(number: usize) -> TokenDigest {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_be_bytes());
        crate::storage::TokenDigest(digest)
    }

    #[test]
    fn a_secret_is_known_by_its_hash() {
        let challenge = CodeChallenge::parse(CHALLENGE).unwrap();
        assert!(challenge.is_of(VERIFIER) && !challenge.is_of(&VERIFIER.replace('d', "e")));
        let short = CodeChallenge(Sha256::digest("short").into());
        assert!(!short.is_of("short"), "it could be guessed");
        assert_eq!(CodeChallenge::parse(VERIFIER.split_at(42).0), None);
    }

    #[test]
    fn a_code_is_good_once_and_for_a_minute() {
        let codes = Codes::default();
        let at = |seconds: u64| ServiceInstant(seconds * 1_000_000);
        codes.keep(code(1), granted(7), at(0)).unwrap();
        codes.keep(code(2), granted(7), at(0)).unwrap();
        assert_eq!(codes.take(code(1), at(59)), Some(granted(7)));
        assert_eq!(codes.take(code(1), at(59)), None);
        assert_eq!(codes.take(code(2), at(60)), None);
    }

    #[test]
    fn an_account_has_few_codes_and_all_together_many() {
        let codes = Codes::default();
        let at = ServiceInstant(0);
        for number in 0..=CODES_PER_ACCOUNT_MAX {
            let later = ServiceInstant(u64::try_from(number).unwrap());
            codes.keep(code(number), granted(7), later).unwrap();
        }
        assert_eq!(codes.take(code(0), at), None, "the oldest has gone");
        assert_eq!(codes.take(code(1), at), Some(granted(7)));
        let codes = Codes::default();
        for number in 0..CODES_MAX {
            codes.keep(code(number), granted(number as u128), at).unwrap();
        }
        assert_eq!(codes.keep(code(CODES_MAX), granted(u128::MAX), at), Err(AccountError::Busy));
        let later = at + CODE_LASTS;
        assert_eq!(codes.keep(code(CODES_MAX), granted(u128::MAX), later), Ok(()), "the others are over");
    }
}
