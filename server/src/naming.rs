//! Choosing a name: `set_name`.
//!
//! Invariants: a name is durable before anybody hears of it; every connection of the account, also one that is just coming
//! in, knows the name that was given last, and so does the lobby.

use std::sync::Arc;

use zeitnot_protocol::{Code, SetName};

use crate::accounts::{NameError, Requester, wanted_name};
use crate::server::Server;

/// Answers `set_name`. Of two from one connection the later is done later.
pub(crate) fn set_name(server: &Arc<Server>, requester: Requester, wanted: &SetName) {
    let (id, account) = (wanted.id, requester.account);
    let name = match wanted_name(&wanted.name) {
        Ok(name) => name,
        Err(error) => return requester.reject(id, Code::BadName, Some(error.to_string())),
    };
    if !server.is_ready() {
        return requester.reject(id, Code::Unavailable, None);
    }
    let (naming, server_of_task) = (server.accounts.rename(account, name), Arc::clone(server));
    server.tasks.spawn(async move {
        let server = server_of_task;
        match naming.await {
            Ok(number) => {
                let lobby = || server.lobby.renamed(account, name);
                server.connections.rename(account, name, number, server.clock.now(), lobby);
                requester.done(id);
            }
            Err(NameError::Taken) => requester.reject(id, Code::NameTaken, None),
            Err(NameError::Unavailable) => requester.reject(id, Code::Unavailable, None),
        }
    });
}
