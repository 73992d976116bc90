//! The names that players have chosen, as a game records them.
//!
//! The form of a name is decided here, because a record must stay readable. Which account has which
//! name, and which names are reserved, is decided by the server.
//!
//! Invariant: every name has 2 to 20 characters, which are ASCII letters, digits, `-` and `_`; the
//! first is a letter.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The most characters of a name.
const CHARS_MAX: usize = 20;
/// The fewest characters of a name.
const CHARS_MIN: usize = 2;

/// Why a text is not a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum PlayerNameError {
    /// Too short or too long.
    #[error("a name has 2 to 20 characters")]
    Length,
    /// The first character is not a letter.
    #[error("a name begins with a letter")]
    First,
    /// A character that is not allowed in names.
    #[error("a name has only the letters a to z and A to Z, digits, - and _")]
    Character,
}

/// A name that a player has chosen. Plain data of fixed size.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlayerName {
    // Unused bytes are 0, so that the derived comparisons are right.
    text: [u8; CHARS_MAX],
    length: u8,
}

impl PlayerName {
    /// The characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text[..usize::from(self.length)]).expect("only ASCII gets in")
    }
}

impl FromStr for PlayerName {
    type Err = PlayerNameError;

    fn from_str(text: &str) -> Result<Self, PlayerNameError> {
        // Characters first: the error for an umlaut must not be about the length in bytes.
        if !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')) {
            return Err(PlayerNameError::Character);
        }
        if !(CHARS_MIN..=CHARS_MAX).contains(&text.len()) {
            return Err(PlayerNameError::Length);
        }
        if !text.as_bytes()[0].is_ascii_alphabetic() {
            return Err(PlayerNameError::First);
        }
        let mut name = Self { text: [0; CHARS_MAX], length: text.len() as u8 };
        name.text[..text.len()].copy_from_slice(text.as_bytes());
        Ok(name)
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerName({})", self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_name_is() {
        for good in ["ab", "Rook_And_Roll", "a-", "Z9", "abcdefghijklmnopqrst"] {
            let name: PlayerName = good.parse().unwrap();
            assert_eq!((name.as_str(), name.to_string()), (good, good.to_owned()));
        }
        let read = |text: &str| text.parse::<PlayerName>().unwrap_err();
        for short_or_long in ["", "a", "abcdefghijklmnopqrstu"] {
            assert_eq!(read(short_or_long), PlayerNameError::Length);
        }
        for first in ["9a", "-a", "_a"] {
            assert_eq!(read(first), PlayerNameError::First);
        }
        for character in ["a b", "a.b", "ä", "König", "a\0", " ab", "ab\n"] {
            assert_eq!(read(character), PlayerNameError::Character);
        }
    }
}
