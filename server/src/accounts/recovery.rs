//! Another password: by the present one, or by a recovery code.
//!
//! A recovery code has 80 random bits, so its digest needs no slow hash. Whoever uses one sets a password and is signed in.
//!
//! Invariants: a new password ends every other session; a code is shown once and works once.

use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::hashing::SALT_BYTES;
use super::password::Password;
use super::second_factor::Takes;
use super::{AccountError, Accounts, Client, Person, SignedIn};
use crate::storage::CodeDigest;
use crate::time::unix_now_ms;

/// Codes that an owner is given at once.
const CODES: usize = 10;

/// Random bytes of a code: 16 letters.
const CODE_BYTES: usize = 10;

/// How long the link that an admin hands over is good.
const RESET_WITHIN: Duration = Duration::from_secs(24 * 60 * 60);

/// Crockford's base 32: no letter that looks like a digit.
const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

impl Accounts {
    /// Random bytes for a new hash.
    pub(super) fn salt(&self) -> [u8; SALT_BYTES] {
        self.random()
    }

    /// Random bytes, no more than a token has.
    pub(super) fn random<const N: usize>(&self) -> [u8; N] {
        let random = self.entropy.token();
        std::array::from_fn(|at| random[at])
    }

    /// Sets another password for the account of `client`, and ends all its other sessions.
    pub(crate) async fn change_password(
        &self,
        client: &Client,
        present: &str,
        new: &str,
    ) -> Result<(), AccountError> {
        let name = client.known.and_then(|known| known.person.name).ok_or(AccountError::NotRegistered)?;
        let new = Password::to_set(new, name.as_str()).map_err(AccountError::BadPassword)?;
        let (known, verified) = self.verified_owner(client, present).await?;
        let new = self.hashing.hash(client.address, new, self.salt()).await?;
        let account = known.person.account;
        let changed = self.store.change_password(account, verified, new, unix_now_ms(), known.token).await;
        let ended = changed.map_err(|_| AccountError::Unavailable)?.ok_or(AccountError::WrongPassword)?;
        self.connections.revoke(account, &ended, self.clock.now());
        Ok(())
    }

    /// New recovery codes for the account of `client`, in place of all that it had.
    pub(crate) async fn new_recovery_codes(
        &self,
        client: &Client,
        password: &str,
        second_factor: Option<&str>,
    ) -> Result<Vec<String>, AccountError> {
        let (known, _) = self.fully_verified_owner(client, password, second_factor).await?;
        let codes: [[u8; CODE_BYTES]; CODES] = std::array::from_fn(|_| self.random());
        let digests = codes.iter().map(digest).collect();
        let kept = self.store.set_recovery_codes(known.person.account, digests).await;
        kept.map_err(|_| AccountError::Unavailable)?;
        Ok(codes.iter().map(written).collect())
    }

    /// A code by which the owner of an account sets a new password once, within [`RESET_WITHIN`], in place of the last such
    /// code. For an admin to hand over.
    pub(crate) async fn make_reset_code(&self, person: Person) -> Result<String, AccountError> {
        let code: [u8; CODE_BYTES] = self.random();
        let until_unix_ms = unix_now_ms() + RESET_WITHIN.as_millis() as u64;
        let kept = self.store.set_reset_code(person.account, digest(&code), until_unix_ms).await;
        kept.map_err(|_| AccountError::Unavailable)?;
        Ok(written(&code))
    }

    /// Signs a client in to the account of a name by a recovery code, sets a password and ends all other sessions. A wrong
    /// code and a name that no account has get the same answer after the same work.
    pub(crate) async fn recover(
        &self,
        client: &Client,
        name: &str,
        code: &str,
        password: &str,
        second_factor: Option<&str>,
    ) -> Result<SignedIn, AccountError> {
        let password = Password::to_set(password, name).map_err(AccountError::BadPassword)?;
        self.count_attempt(client.address)?;
        let found = self.credential_for(client, name).await?;
        let password = self.hashing.hash(client.address, password, self.salt()).await?;
        let (person, code) =
            found.map(|found| found.person).zip(digest_of(code)).ok_or(AccountError::WrongCode)?;
        let account = person.account;
        let is_right = self.store.has_recovery_code(account, code, unix_now_ms()).await;
        if !is_right.map_err(|_| AccountError::Unavailable)? {
            return Err(AccountError::WrongCode);
        }
        self.pass_second_factor(account, second_factor, Takes::Code).await?;
        let (token, kept) = self.new_session(&client.label);
        let new = kept.digest;
        let recovered = self.store.recover(account, code, password, kept).await;
        let ended = recovered.map_err(|_| AccountError::Unavailable)?.ok_or(AccountError::WrongCode)?;
        self.tokens_changed(person, None, new, &ended);
        Ok(SignedIn { person, token })
    }
}

/// The digest of a code as it is typed; `None` when it is none.
pub(super) fn digest_of(text: &str) -> Option<CodeDigest> {
    read(text).map(|code| digest(&code))
}

fn digest(code: &[u8; CODE_BYTES]) -> CodeDigest {
    CodeDigest(Sha256::digest(code).into())
}

/// A code as its owner writes it down: `7GQ2-M0XK-93TB-ZRA5`.
fn written(code: &[u8; CODE_BYTES]) -> String {
    let bits = code.iter().fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
    let letters: Vec<u8> = (0..16).rev().map(|place| LETTERS[(bits >> (5 * place)) as usize & 31]).collect();
    let groups =
        letters.chunks(4).map(|group| group.iter().map(|letter| char::from(*letter)).collect::<String>());
    groups.collect::<Vec<_>>().join("-")
}

/// Reads a code, in whatever case and grouping, with what is easily misread taken for what it is.
fn read(text: &str) -> Option<[u8; CODE_BYTES]> {
    let mut bits = 0_u128;
    let letters = text.bytes().filter(|byte| !matches!(byte, b'-' | b' '));
    let mut count = 0;
    for letter in letters.map(|letter| letter.to_ascii_uppercase()) {
        let letter = match letter {
            b'O' => b'0',
            b'I' | b'L' => b'1',
            letter => letter,
        };
        let value = LETTERS.iter().position(|known| *known == letter)?;
        count += 1;
        if count > 16 {
            return None;
        }
        bits = bits << 5 | value as u128;
    }
    let bytes = bits.to_be_bytes();
    (count == 16).then(|| std::array::from_fn(|at| bytes[16 - CODE_BYTES + at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_it_was_written_also_by_hand() {
        for code in [[0; CODE_BYTES], [0xff; CODE_BYTES], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]] {
            let text = written(&code);
            assert_eq!((text.len(), read(&text)), (19, Some(code)), "{text}");
            assert_eq!(read(&text.to_lowercase().replace('-', " ")), Some(code));
        }
        assert_eq!(written(&[0xff; CODE_BYTES]), "ZZZZ-ZZZZ-ZZZZ-ZZZZ");
        assert_eq!(read("oOiI-lL00-0000-0000"), read("0011-1100-0000-0000"));
        for bad in ["", "0000-0000-0000-000", "0000-0000-0000-0000-0", "0000-0000-0000-000U", "\u{e4}"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
