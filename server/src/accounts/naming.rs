//! Choosing a name: `set_name`.
//!
//! Invariants: a name is durable before anybody is told of it; every connection of the account,
//! also one that is just coming in, is told the name that was given last, and so is the lobby.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use zeitnot_protocol::{AccountId, Code, SetName};
use zeitnot_rules::game::PlayerName;

use super::person::wanted_name;
use super::{Accounts, Requester};

/// Why an account does not have the name that it wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum NameError {
    /// Another account has it.
    #[error("another account has this name")]
    Taken,
    /// It is not known whether it was written.
    #[error("the store takes nothing now")]
    Unavailable,
}

impl Accounts {
    /// Answers `set_name` when the returned future has ended; the name is asked for when this
    /// returns, so that of two commands of one connection the later one is done later. Once the
    /// name is durable `renamed` is called, and then every connection of the account is told.
    /// Neither happens when a later naming of the account came first.
    pub(crate) fn set_name(
        &self,
        requester: Requester,
        wanted: &SetName,
        renamed: impl FnOnce(AccountId, PlayerName) + Send + 'static,
    ) -> BoxFuture<'static, ()> {
        let (id, account) = (wanted.id, requester.account);
        let name = match wanted_name(&wanted.name) {
            Ok(name) => name,
            Err(error) => {
                requester.reject(id, Code::BadName, Some(error.to_string()));
                return std::future::ready(()).boxed();
            }
        };
        let (naming, connections, clock) =
            (self.rename(account, name), Arc::clone(&self.connections), self.clock.clone());
        async move {
            match naming.await {
                Ok(number) => {
                    connections.rename(account, name, number, clock.now(), || renamed(account, name));
                    requester.done(id);
                }
                Err(NameError::Taken) => requester.reject(id, Code::NameTaken, None),
                Err(NameError::Unavailable) => requester.reject(id, Code::Unavailable, None),
            }
        }
        .boxed()
    }

    /// Gives an account a name in place of the one it had. It is asked for when this returns, and
    /// durable when the future has ended. Of two namings of one account the one with the higher
    /// number stands.
    pub(super) fn rename(
        &self,
        account: AccountId,
        name: PlayerName,
    ) -> BoxFuture<'static, Result<u64, NameError>> {
        let naming = self.store.rename(account, name);
        async move { naming.await.map_err(|_| NameError::Unavailable)?.ok_or(NameError::Taken) }.boxed()
    }
}
