//! What owners have granted programs, until the programs show their codes: OAuth 2 with PKCE (RFC 7636).
//!
//! Deliberately absent: what a code proves, and the token for it (`accounts`).
//!
//! Invariant: a code that was shown once is forgotten, whatever came of it.

use std::collections::HashMap;
use std::sync::Mutex;

use zeitnot_protocol::{AccountId, Scopes};

use super::account::TokenDigest;
use crate::sync::unpoisoned;

/// How long a code is good, in milliseconds: a browser brings it at once.
pub const CODE_LASTS_MS: u64 = 60_000;

/// Codes at a time.
pub const CODES_MAX: usize = 1_000;

/// Those of one account. The oldest of more goes.
pub const CODES_PER_ACCOUNT_MAX: usize = 8;

/// The hash of a program's secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodeChallenge(pub [u8; 32]);

/// What the owner of an account has granted a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Granted {
    /// The owner's.
    pub account: AccountId,
    /// What the program calls itself.
    pub client: String,
    /// Where its answer goes.
    pub redirect: String,
    /// What its secret is known by.
    pub challenge: CodeChallenge,
    /// What the token will allow.
    pub scopes: Scopes,
}

#[derive(Debug)]
struct Kept {
    granted: Granted,
    until_unix_ms: u64,
}

/// The codes of a store that has them in memory: after a restart the program asks again.
#[derive(Debug, Default)]
pub(super) struct CodesInMemory(Mutex<HashMap<TokenDigest, Kept>>);

impl CodesInMemory {
    /// See [`AuthorizationStore::keep_code`](super::AuthorizationStore::keep_code).
    pub(super) fn keep(&self, code: TokenDigest, granted: Granted, at_unix_ms: u64) -> bool {
        let mut codes = unpoisoned(self.0.lock());
        codes.retain(|_, kept| kept.until_unix_ms > at_unix_ms);
        let own = codes.iter().filter(|(_, kept)| kept.granted.account == granted.account);
        let oldest =
            own.clone().min_by_key(|(code, kept)| (kept.until_unix_ms, code.0)).map(|(code, _)| *code);
        if let Some(oldest) = oldest.filter(|_| own.count() >= CODES_PER_ACCOUNT_MAX) {
            codes.remove(&oldest);
        }
        if codes.len() >= CODES_MAX {
            return false;
        }
        codes.insert(code, Kept { granted, until_unix_ms: at_unix_ms + CODE_LASTS_MS });
        true
    }

    /// See [`AuthorizationStore::take_code`](super::AuthorizationStore::take_code).
    pub(super) fn take(&self, code: TokenDigest, at_unix_ms: u64) -> Option<Granted> {
        let kept = unpoisoned(self.0.lock()).remove(&code)?;
        (kept.until_unix_ms > at_unix_ms).then_some(kept.granted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(number: usize) -> TokenDigest {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_be_bytes());
        TokenDigest(digest)
    }

    fn granted(account: usize) -> Granted {
        let (client, redirect) = (String::new(), String::new());
        let account = AccountId::from_u128(account as u128);
        Granted { account, client, redirect, challenge: CodeChallenge([0; 32]), scopes: Scopes::NONE }
    }

    #[test]
    fn an_account_has_few_codes_and_all_together_many() {
        let codes = CodesInMemory::default();
        for number in 0..2 * CODES_PER_ACCOUNT_MAX {
            assert!(codes.keep(code(number), granted(0), 1));
        }
        assert_eq!(codes.0.lock().unwrap().len(), CODES_PER_ACCOUNT_MAX);
        let accounts =
            (1..2 * CODES_MAX).filter(|&account| codes.keep(code(1_000 + account), granted(account), 1));
        assert_eq!(accounts.count(), CODES_MAX - CODES_PER_ACCOUNT_MAX);
        assert_eq!(codes.0.lock().unwrap().len(), CODES_MAX);
    }
}
