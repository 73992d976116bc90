//! Every text of the pages that the server writes itself, in one shape for all languages: a language that lacks one does not
//! compile. The words are those of the page's own catalogues (`web/src/text`).
//!
//! Deliberately absent: messages of the API, which are for programs and in English.

pub(super) mod de;
pub(super) mod en;
pub(super) mod es;
pub(super) mod fr;

use std::borrow::Cow;

use crate::http::error::ApiError;

/// A text with one place to fill: what stands before it, and after it.
pub(in crate::http) type Around = (&'static str, &'static str);

/// The texts of one language.
pub(in crate::http) struct Catalogue {
    /// The language's tag (RFC 5646).
    pub(in crate::http) tag: &'static str,
    pub(in crate::http) site: Site,
    pub(in crate::http) fields: Fields,
    pub(in crate::http) sign_in: SignIn,
    pub(in crate::http) register: Register,
    pub(in crate::http) account: Account,
    pub(in crate::http) second_factor: SecondFactor,
    pub(in crate::http) tokens: Tokens,
    pub(in crate::http) consent: Consent,
    /// What went wrong, by the code of the API; in the order of the codes.
    errors: [(&'static str, &'static str); 24],
    /// After how many seconds to try again.
    try_again_in: fn(u32) -> String,
}

/// On every page, and where there is nothing.
pub(in crate::http) struct Site {
    pub(in crate::http) play: &'static str,
    pub(in crate::http) nothing_here: &'static str,
    pub(in crate::http) no_such_address: &'static str,
}

/// Fields that several forms have.
pub(in crate::http) struct Fields {
    pub(in crate::http) name: &'static str,
    pub(in crate::http) password: &'static str,
    pub(in crate::http) present_password: &'static str,
    pub(in crate::http) new_password: &'static str,
    /// How long a password is at least.
    pub(in crate::http) password_hint: Around,
    pub(in crate::http) recovery_code: &'static str,
    pub(in crate::http) code: &'static str,
    pub(in crate::http) code_or_recovery: &'static str,
    pub(in crate::http) code_or_recovery_if_set: &'static str,
    pub(in crate::http) code_if_set: &'static str,
    pub(in crate::http) code_for_admin: &'static str,
}

/// The form to sign in.
pub(in crate::http) struct SignIn {
    pub(in crate::http) title: &'static str,
    pub(in crate::http) new_here: &'static str,
    pub(in crate::http) by_code: &'static str,
    pub(in crate::http) by_code_submit: &'static str,
}

/// The form to register.
pub(in crate::http) struct Register {
    pub(in crate::http) title: &'static str,
    /// Around the name of a guest.
    pub(in crate::http) guest: Around,
    pub(in crate::http) sign_out_others: &'static str,
    pub(in crate::http) registered_already: &'static str,
}

/// The page of an account.
pub(in crate::http) struct Account {
    pub(in crate::http) title: &'static str,
    /// Around the name.
    pub(in crate::http) you_are: Around,
    pub(in crate::http) export: &'static str,
    pub(in crate::http) devices: &'static str,
    pub(in crate::http) browser: &'static str,
    pub(in crate::http) program: &'static str,
    pub(in crate::http) here: &'static str,
    /// Around a day.
    pub(in crate::http) last_used: Around,
    pub(in crate::http) end: &'static str,
    pub(in crate::http) sign_out: &'static str,
    pub(in crate::http) sign_out_everywhere: &'static str,
    pub(in crate::http) change_password: &'static str,
    pub(in crate::http) recovery_codes: &'static str,
    pub(in crate::http) codes_left: fn(u32) -> String,
    pub(in crate::http) make_codes: &'static str,
    pub(in crate::http) codes_made: &'static str,
    pub(in crate::http) codes_once: &'static str,
    pub(in crate::http) close_title: &'static str,
    pub(in crate::http) close_text: &'static str,
    pub(in crate::http) close: &'static str,
}

/// The second factor.
pub(in crate::http) struct SecondFactor {
    pub(in crate::http) title: &'static str,
    pub(in crate::http) is_set: &'static str,
    pub(in crate::http) is_not_set: &'static str,
    pub(in crate::http) set: &'static str,
    pub(in crate::http) remove: &'static str,
    pub(in crate::http) made: &'static str,
    pub(in crate::http) key: &'static str,
    pub(in crate::http) open: &'static str,
    pub(in crate::http) first_code: &'static str,
    pub(in crate::http) confirm: &'static str,
}

/// Tokens for programs, on the page of an account and on their own.
pub(in crate::http) struct Tokens {
    pub(in crate::http) title: &'static str,
    pub(in crate::http) about: &'static str,
    pub(in crate::http) name: &'static str,
    pub(in crate::http) make: &'static str,
    pub(in crate::http) none: &'static str,
    /// Around the name of a token.
    pub(in crate::http) made: Around,
    pub(in crate::http) copy_now: &'static str,
    pub(in crate::http) play: &'static str,
    pub(in crate::http) challenge: &'static str,
    pub(in crate::http) bot: &'static str,
    pub(in crate::http) admin: &'static str,
    pub(in crate::http) expires: &'static str,
    pub(in crate::http) never: &'static str,
    pub(in crate::http) in_days: Around,
    /// Around a day.
    pub(in crate::http) expires_on: Around,
    pub(in crate::http) revoke: &'static str,
    pub(in crate::http) for_program: &'static str,
    /// Around the name of the account.
    pub(in crate::http) acts_as: Around,
    pub(in crate::http) bot_for_ever: &'static str,
    pub(in crate::http) all: &'static str,
    /// The scopes that programs for lichess.org ask for, in the order of `programs::SCOPES`.
    pub(in crate::http) lichess_scopes: [&'static str; 4],
}

/// The page on which an owner lets a program in.
pub(in crate::http) struct Consent {
    pub(in crate::http) title: &'static str,
    /// Between the name of the program and that of the account, and after it.
    pub(in crate::http) wants: Around,
    pub(in crate::http) allowed_to: &'static str,
    pub(in crate::http) read: &'static str,
    /// Around the address of the program.
    pub(in crate::http) led_to: Around,
    pub(in crate::http) allow: &'static str,
    pub(in crate::http) deny: &'static str,
    pub(in crate::http) cannot: &'static str,
    pub(in crate::http) mistake: &'static str,
}

impl Catalogue {
    /// What went wrong, for a person. What hardly ever comes is said as programs are told.
    pub(in crate::http) fn error(&self, error: ApiError) -> Cow<'static, str> {
        let code = error.code();
        let Some((_, text)) = self.errors.iter().find(|(known, _)| *known == code) else {
            return error.to_string().into();
        };
        match error {
            ApiError::TooManyAttempts { after_s } => {
                format!("{text} {}", (self.try_again_in)(after_s)).into()
            }
            _ => (*text).into(),
        }
    }
}

/// A time to wait in the unit that people would use: how many, and which of seconds, minutes and hours.
fn told_in(seconds: u32, units: [[&str; 2]; 3]) -> (u32, &str) {
    let (count, [one, many]) = match seconds {
        0..90 => (seconds, units[0]),
        90..5_400 => (seconds.div_ceil(60), units[1]),
        _ => (seconds.div_ceil(3_600), units[2]),
    };
    (count, if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::super::Language;
    use super::*;

    #[test]
    fn every_language_has_a_text_for_the_same_codes_in_their_order() {
        let codes = |language: Language| language.catalogue().errors.map(|(code, _)| code);
        let english = codes(Language::English);
        assert!(english.is_sorted());
        for code in english {
            assert!(ApiError::status_of(code).is_some(), "{code}");
        }
        for language in Language::ALL {
            assert_eq!(codes(language), english, "{language:?}");
        }
    }

    #[test]
    fn an_error_says_when_to_try_again() {
        let error = ApiError::TooManyAttempts { after_s: 121 };
        let told = |language: Language| language.catalogue().error(error).into_owned();
        assert_eq!(told(Language::English), "There were too many tries. Try again in 3 minutes.");
        assert_eq!(
            told(Language::German),
            "Das waren zu viele Versuche. Versuche es in 3 Minuten noch einmal."
        );
        assert_eq!(told(Language::French), "Il y a eu trop de tentatives. R\u{e9}essayez dans 3 minutes.");
        assert_eq!(
            told(Language::Spanish),
            "Ha habido demasiados intentos. Int\u{e9}ntalo de nuevo en 3 minutos."
        );
        let rare = ApiError::BadCursor;
        assert_eq!(Language::German.catalogue().error(rare), rare.to_string());
    }
}
