//! Passwords: how one is read, and which one can be set.
//!
//! A password is text in Unicode's form NFC, so that it is the same from every keyboard. There are no rules about what it
//! is composed of: length is what counts.
//!
//! Invariant: `Debug` does not show it.

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;
use zeitnot_protocol::Limits;

/// A password as it was typed.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Password(String);

/// Why a password cannot be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum BadPassword {
    /// Too short to withstand guessing.
    #[error("a password has at least {} characters", Limits::STANDARD.password_chars_min)]
    TooShort,
    /// Nobody types so much.
    #[error("a password has at most {} characters", Limits::STANDARD.password_chars_max)]
    TooLong,
    /// It is the first that anybody would try.
    #[error("a password is not the name of its account")]
    IsName,
}

impl Password {
    /// A password that somebody says to have. It may be any text.
    pub(super) fn offered(text: &str) -> Self {
        Self(text.nfc().collect())
    }

    /// A password for the account of this name.
    pub(super) fn to_set(text: &str, name: &str) -> Result<Self, BadPassword> {
        let Limits { password_chars_min: least, password_chars_max: most, .. } = Limits::STANDARD;
        let password = Self::offered(text);
        let chars = password.0.chars().count();
        if chars < least as usize {
            Err(BadPassword::TooShort)
        } else if chars > most as usize {
            Err(BadPassword::TooLong)
        } else if password.0.to_lowercase() == name.to_lowercase() {
            Err(BadPassword::IsName)
        } else {
            Ok(password)
        }
    }

    /// What is hashed.
    pub(super) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_letters_are_the_same_password_however_they_were_typed() {
        assert_eq!(
            Password::offered("Za\u{308}hler-Fla\u{308}che"),
            Password::offered("Z\u{e4}hler-Fl\u{e4}che")
        );
        assert_ne!(Password::offered("long enough"), Password::offered("Long enough"));
    }

    #[test]
    fn a_password_has_a_length_and_is_not_the_name() {
        let set = |text: &str| Password::to_set(text, "Castle_On_The_Hill").map(drop);
        assert_eq!(set(&"x".repeat(9)), Err(BadPassword::TooShort));
        assert_eq!(
            set(&"a\u{308}".repeat(9)),
            Err(BadPassword::TooShort),
            "nine letters, however they are written"
        );
        assert_eq!(set(&"\u{e4}".repeat(10)), Ok(()));
        assert_eq!(set(&"\u{e4}".repeat(128)), Ok(()));
        assert_eq!(set(&"x".repeat(129)), Err(BadPassword::TooLong));
        assert_eq!(set("castle_on_the_HILL"), Err(BadPassword::IsName));
        assert_eq!(set("          "), Ok(()), "what it is composed of is the owner's business");
    }

    #[test]
    fn shows_nothing_in_logs() {
        assert_eq!(format!("{:?}", Password::offered("the secret")), "Password(secret)");
    }
}
