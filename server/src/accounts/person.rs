//! An account as others see it, and which names can be chosen.

use zeitnot_protocol::{AccountId, PlayerView};
use zeitnot_rules::game::{PlayerName, PlayerNameError};

use super::reserved::{GUEST, is_reserved};
use crate::storage;

/// What a closed account is called. Nobody can choose it: no name has a space.
const CLOSED: &str = "closed account";

/// Crockford's base 32 in capitals: no letter that looks like a digit.
const NAME_LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// An account with its kind, and the name that it has chosen, if it has chosen one: as it is stored.
pub(crate) type Person = storage::Person;

/// What kind of account it is: as it is stored.
pub(crate) type Kind = storage::Kind;

impl Person {
    /// The name that others see.
    pub(crate) fn shown_name(&self) -> String {
        if self.kind == Kind::Closed { CLOSED.to_owned() } else { shown_name(self.account, self.name) }
    }

    /// When it was made, which its id says (RFC 9562, section 5.7).
    pub(crate) fn made_unix_ms(&self) -> Option<u64> {
        let number = self.account.as_u128();
        let is_version_7 = (number >> 76) & 0xf == 7;
        is_version_7.then_some((number >> 80) as u64)
    }

    /// As others see it.
    pub(crate) fn view(&self) -> PlayerView {
        PlayerView { bot: self.kind == Kind::Bot, ..PlayerView::unrated(self.account, self.shown_name()) }
    }
}

/// The name that others see of an account that has, or had, chosen this one.
pub(crate) fn shown_name(account: AccountId, name: Option<PlayerName>) -> String {
    name.map_or_else(|| guest_name(account), |name| name.as_str().to_owned())
}

/// The name of an account that has not chosen one: made from the account's random bits, so it is the same wherever it is shown
/// again.
fn guest_name(account: AccountId) -> String {
    let mut name = String::from(GUEST);
    for place in (0..5).rev() {
        let letter = (account.as_u128() >> (5 * place)) as usize & 31;
        name.push(char::from(NAME_LETTERS[letter]));
    }
    name
}

/// Why a name cannot be chosen by anybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum BadName {
    /// It is not a name.
    #[error(transparent)]
    Invalid(#[from] PlayerNameError),
    /// Its owner would be taken for somebody else: a guest, the server, a colour.
    #[error("this name is kept for the server, and those that begin with {GUEST} for guests")]
    Reserved,
}

/// Reads a name that a client wants to have.
///
/// # Errors
/// Why no account can have it.
pub(crate) fn wanted_name(text: &str) -> Result<PlayerName, BadName> {
    let name: PlayerName = text.parse()?;
    if is_reserved(text) { Err(BadName::Reserved) } else { Ok(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guests_name_has_five_letters_of_the_accounts_low_bits() {
        let name = |number| Person::guest(AccountId::from_u128(number)).shown_name();
        assert_eq!(name(0), "Guest-00000");
        assert_eq!(name(u128::MAX), "Guest-ZZZZZ");
        assert_eq!(name(0b00001_00010_00011_00100_00101), "Guest-12345");
    }

    #[test]
    fn a_chosen_name_is_shown_as_it_was_written() {
        let name = Some("Rook_And_Roll".parse().unwrap());
        let person = Person { name, ..Person::guest(AccountId::from_u128(7)) };
        assert_eq!(person.view().name, "Rook_And_Roll");
    }

    #[test]
    fn a_name_is_as_long_as_the_limits_say() {
        let most = zeitnot_protocol::Limits::STANDARD.name_chars as usize;
        assert!(wanted_name(&"x".repeat(most)).is_ok());
        assert_eq!(wanted_name(&"x".repeat(most + 1)), Err(BadName::Invalid(PlayerNameError::Length)));
    }

    #[test]
    fn nobody_may_look_like_a_guest() {
        for reserved in ["Guest-12345", "guest-", "GUEST-x"] {
            assert_eq!(wanted_name(reserved), Err(BadName::Reserved));
        }
        assert_eq!(wanted_name("a"), Err(BadName::Invalid(PlayerNameError::Length)));
        for good in ["Guest_1", "Guests-1", "myGuest-1"] {
            assert_eq!(wanted_name(good).unwrap().as_str(), good);
        }
    }
}
