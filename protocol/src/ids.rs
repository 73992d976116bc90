//! Ids on the wire: of games, challenges, accounts, commands, starts of the server and histories of
//! its data.
//!
//! All are plain values without heap memory. They are made from numbers that are passed in: this
//! crate draws none.
//!
//! Invariant: every value is well-formed. A text that is not is rejected with a typed error where
//! it is read.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;
use uuid::Uuid;

/// Characters in a [`GameId`], [`ChallengeId`], [`BootId`] or [`EpochId`]: 71 bits.
pub const ID_CHARS: usize = 12;
/// The most characters in a [`CommandId`].
pub const COMMAND_ID_CHARS: usize = 32;

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The text is not an id of 12 characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ParseIdError {
    /// Too short or too long.
    #[error("an id has 12 characters")]
    Length,
    /// A character other than a letter or a digit.
    #[error("an id has only ASCII letters and digits")]
    Character,
}

/// The text is not a [`CommandId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ParseCommandIdError {
    /// Empty, or too long.
    #[error("a command id has 1 to 32 characters")]
    Length,
    /// A control character, or not ASCII.
    #[error("a command id has only printable ASCII characters")]
    Character,
}

/// The text is not an [`AccountId`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("an account is a UUID with hyphens, as in 01935d2e-7f6b-7c3a-9a40-5b8c6d7e8f90")]
pub struct ParseAccountIdError;

fn base62(mut number: u128) -> [u8; ID_CHARS] {
    let mut text = [0; ID_CHARS];
    for place in text.iter_mut().rev() {
        *place = BASE62[(number % 62) as usize];
        number /= 62;
    }
    text
}

/// Reads a string without allocating and hands it to `FromStr`.
struct Text<T> {
    expected: &'static str,
    parsed: std::marker::PhantomData<T>,
}

impl<T> Visitor<'_> for Text<T>
where
    T: FromStr,
    T::Err: fmt::Display,
{
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Deserialises a string type by its `FromStr`.
pub(crate) fn from_text<'de, D, T>(deserializer: D, expected: &'static str) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
    T::Err: fmt::Display,
{
    deserializer.deserialize_str(Text { expected, parsed: std::marker::PhantomData })
}

macro_rules! base62_id {
    ($(#[$doc:meta])* $name:ident, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
        pub struct $name([u8; ID_CHARS]);

        impl $name {
            /// The id of a number drawn by lot. Only its remainder by 62 to the 12th counts.
            #[must_use]
            pub fn from_random(number: u128) -> Self {
                Self(base62(number))
            }

            /// The 12 letters and digits.
            #[must_use]
            pub fn as_str(&self) -> &str {
                std::str::from_utf8(&self.0).expect("only ASCII letters and digits get in")
            }

            /// The same as bytes, for records.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; ID_CHARS] {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                let bytes = text.as_bytes().try_into().map_err(|_| ParseIdError::Length)?;
                if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                    Ok(Self(bytes))
                } else {
                    Err(ParseIdError::Character)
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                from_text(deserializer, $expected)
            }
        }
    };
}

base62_id! {
    /// A game: 12 letters and digits.
    GameId, "a game's id of 12 letters and digits"
}
base62_id! {
    /// A challenge: 12 letters and digits.
    ChallengeId, "a challenge's id of 12 letters and digits"
}
base62_id! {
    /// One start of the server: 12 letters and digits, another one after each restart.
    BootId, "12 letters and digits"
}
base62_id! {
    /// One history of the server's data: 12 letters and digits, another one after data were
    /// restored from a copy.
    EpochId, "12 letters and digits"
}

impl From<ChallengeId> for GameId {
    /// A game has the id of the challenge that it came from. One link leads to both, and a repeated
    /// acceptance finds the game.
    fn from(challenge: ChallengeId) -> Self {
        Self(challenge.0)
    }
}

/// An account: a UUID.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
pub struct AccountId(u128);

impl AccountId {
    /// The account of a UUID's 128 bits.
    #[must_use]
    pub const fn from_u128(number: u128) -> Self {
        Self(number)
    }

    /// The UUID's 128 bits.
    #[must_use]
    pub const fn as_u128(self) -> u128 {
        self.0
    }
}

impl From<Uuid> for AccountId {
    fn from(uuid: Uuid) -> Self {
        Self(uuid.as_u128())
    }
}

impl FromStr for AccountId {
    type Err = ParseAccountIdError;

    /// Accepts only the hyphenated form, so that an account has one spelling, apart from the case
    /// of its letters.
    fn from_str(text: &str) -> Result<Self, ParseAccountIdError> {
        if text.len() != uuid::fmt::Hyphenated::LENGTH {
            return Err(ParseAccountIdError);
        }
        Uuid::try_parse(text).map(Self::from).map_err(|_| ParseAccountIdError)
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Uuid::from_u128(self.0).hyphenated().fmt(f)
    }
}

impl fmt::Debug for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AccountId({self})")
    }
}

impl Serialize for AccountId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
        serializer.serialize_str(Uuid::from_u128(self.0).hyphenated().encode_lower(&mut text))
    }
}

impl<'de> Deserialize<'de> for AccountId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, "an account's UUID")
    }
}

/// A client's own name for a command: 1 to 32 printable ASCII characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
pub struct CommandId {
    // Unused bytes are 0, so that the derived comparisons are right.
    text: [u8; COMMAND_ID_CHARS],
    length: u8,
}

impl CommandId {
    /// The characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text[..usize::from(self.length)]).expect("only printable ASCII gets in")
    }
}

impl FromStr for CommandId {
    type Err = ParseCommandIdError;

    fn from_str(text: &str) -> Result<Self, ParseCommandIdError> {
        if text.is_empty() || text.len() > COMMAND_ID_CHARS {
            return Err(ParseCommandIdError::Length);
        }
        if !text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return Err(ParseCommandIdError::Character);
        }
        let mut id = Self { text: [0; COMMAND_ID_CHARS], length: text.len() as u8 };
        id.text[..text.len()].copy_from_slice(text.as_bytes());
        Ok(id)
    }
}

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CommandId({:?})", self.as_str())
    }
}

impl Serialize for CommandId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for CommandId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer, "a command id of 1 to 32 printable ASCII characters")
    }
}
