//! What clients keep for an account from one device to the next: a JSON object that is theirs alone.
//!
//! Invariant: what is given back is what was set, byte by byte.
//!
//! Deliberately absent: what the settings mean. That is the page's business.

use serde_json::Map;
use serde_json::value::RawValue;
use zeitnot_protocol::AccountId;

use super::{AccountError, Accounts, Person, read};

/// What an account has that has set nothing.
const NONE: &str = "{}";

/// The most bytes that settings have: as many as a body of a request.
const SETTINGS_BYTES_MAX: usize = 4 * 1024;

/// Settings as they were set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settings(String);

impl Settings {
    /// The settings that a text is; `None` when it is no JSON object, or too long.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let is_object = serde_json::from_str::<Map<String, serde_json::Value>>(text).is_ok();
        (is_object && text.len() <= SETTINGS_BYTES_MAX).then(|| Self(text.to_owned()))
    }

    /// The object, as it is written.
    pub(crate) fn into_json(self) -> Result<Box<RawValue>, AccountError> {
        RawValue::from_string(self.0).map_err(|_| AccountError::Damaged)
    }
}

impl Accounts {
    /// The settings of an account.
    pub(crate) async fn settings(&self, account: AccountId) -> Result<Settings, AccountError> {
        let kept = read(self.store.settings(account)).await?;
        Ok(Settings(kept.unwrap_or_else(|| NONE.to_owned())))
    }

    /// Sets the settings of an account that lasts.
    pub(crate) async fn set_settings(&self, person: Person, settings: Settings) -> Result<(), AccountError> {
        if !person.kind.is_registered() {
            return Err(AccountError::NotRegistered);
        }
        self.store.set_settings(person.account, settings.0).await.map_err(|_| AccountError::Unavailable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_object_that_is_not_too_long_is_taken_and_as_it_is_written() {
        for text in ["{}", " {\"b\": [1.0, 12345678901234567890],\n\"a\":{\"x\":null}}"] {
            let settings = Settings::of(text).unwrap();
            assert_eq!(settings.into_json().unwrap().get(), text.trim());
        }
        for text in ["", "[]", "7", "null", "{\"a\":}", "{} {}", "{\"a\":1,}"] {
            assert_eq!(Settings::of(text), None, "{text}");
        }
        let of_length = |length: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(length - 8));
        assert!(Settings::of(&of_length(SETTINGS_BYTES_MAX)).is_some());
        assert_eq!(Settings::of(&of_length(SETTINGS_BYTES_MAX + 1)), None);
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000), "]".repeat(1_000));
        assert_eq!(Settings::of(&deep), None);
    }
}
