//! Accounts that say that they are bots.
//!
//! An account becomes a bot once and for ever, before its first rated game: so the ratings of people are those of people.
//!
//! Deliberately absent: where bots may play (`lobby`).

use zeitnot_protocol::AccountId;

use super::{AccountError, Accounts, Known, Person};
use crate::storage::BotMade;

impl Accounts {
    /// Makes the registered account of `known` a bot. Its name and its tokens stay. The caller sees to it that no game of
    /// it begins meanwhile. `changed` is called before connections are told.
    pub(crate) async fn become_bot(
        &self,
        known: Known,
        changed: impl FnOnce(Person),
    ) -> Result<Person, AccountError> {
        self.make_bot(known.person.account, changed).await
    }

    /// The same for whoever runs the server.
    pub(crate) async fn make_bot(
        &self,
        account: AccountId,
        changed: impl FnOnce(Person),
    ) -> Result<Person, AccountError> {
        let made = self.store.make_bot(account).await;
        match made.map_err(|_| AccountError::Unavailable)? {
            BotMade::As(change) => {
                let person = change.person;
                self.connections.changed(person, change.number, self.clock.now(), || changed(person));
                Ok(person)
            }
            BotMade::HasRatedGames => Err(AccountError::HasRatedGames),
            BotMade::IsAdmin => Err(AccountError::IsAdmin),
            BotMade::NotAPerson => Err(AccountError::NotRegistered),
        }
    }
}
