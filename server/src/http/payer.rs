//! Who pays for a request: what it costs, and its place among those who read the archive.

use zeitnot_protocol::AccountId;

use crate::accounts::Person;
use crate::net::Address;

/// The account whose token the request shows, else its address: many people may share an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Payer {
    Account(AccountId),
    Address(Address),
}

impl Payer {
    /// Who pays for a request of this person, if its token named one, from this address.
    pub(crate) fn of(person: Option<Person>, address: Address) -> Self {
        person.map_or(Self::Address(address), |person| Self::Account(person.account))
    }
}
