//! Choosing a name: `set_name`.
//!
//! Each naming is a write that waits for the disk, and a message to every connection of the account,
//! so there are only so many a minute; one that is not a name costs nothing.
//!
//! Invariants: a name is durable before anybody is told of it; every connection of the account,
//! also one that is just coming in, is told the name that was given last, and so is the lobby.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, Code, SetName};
use zeitnot_rules::game::PlayerName;

use super::person::wanted_name;
use super::{AccountError, Accounts, Person, Requester};
use crate::storage::{Changed, day_of};
use crate::time::unix_now_ms;

impl Accounts {
    /// Answers `set_name` when the returned future has ended; the name is asked for when this
    /// returns, so that of two commands of one connection the later one is done later. Once the
    /// name is durable `changed` is called, and then every connection of the account is told.
    /// Neither happens when a later change of the account came first.
    pub(crate) fn set_name(
        &self,
        requester: Requester,
        wanted: &SetName,
        changed: impl FnOnce(Person) + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        let (id, account) = (wanted.id, requester.person.account);
        let allowed = wanted_name(&wanted.name).map_err(|error| (Code::BadName, Some(error.to_string())));
        let allowed = allowed.and_then(|name| match self.namings.spend(account, 1, self.clock.now()) {
            Ok(()) => Ok(name),
            Err(_) => Err((Code::TooFast, None)),
        });
        let naming = allowed.map(|name| self.rename(account, name));
        let (connections, clock) = (Arc::clone(&self.connections), self.clock.clone());
        async move {
            let naming = match naming {
                Ok(naming) => naming,
                Err((code, message)) => return requester.reject(id, code, message),
            };
            match naming.await {
                Ok(Changed { person, number }) => {
                    connections.changed(person, number, clock.now(), || changed(person));
                    requester.done(id);
                }
                Err(code) => requester.reject(id, code, None),
            }
        }
    }

    /// Gives an account another name, however often that was done. `changed` is called before connections are told.
    pub(crate) async fn rename_by_admin(
        &self,
        person: Person,
        text: &str,
        changed: impl FnOnce(Person),
    ) -> Result<(), AccountError> {
        let name = wanted_name(text).map_err(AccountError::BadName)?;
        let renamed = self.rename(person.account, name).await;
        let Changed { person, number } = renamed.map_err(|code| match code {
            Code::NameTaken => AccountError::NameTaken,
            _ => AccountError::Unavailable,
        })?;
        self.connections.changed(person, number, self.clock.now(), || changed(person));
        Ok(())
    }

    /// Gives an account a name in place of the one it had. It is asked for when this returns, and
    /// durable when the future has ended.
    ///
    /// # Errors
    /// [`Code::NameTaken`], or [`Code::Unavailable`] when it is not known whether it was written.
    pub(super) fn rename(
        &self,
        account: AccountId,
        name: PlayerName,
    ) -> impl Future<Output = Result<Changed, Code>> + Send + use<> {
        let naming = self.store.rename(account, name, day_of(unix_now_ms()));
        async move { naming.await.map_err(|_| Code::Unavailable)?.ok_or(Code::NameTaken) }
    }
}
