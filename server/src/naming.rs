//! Choosing a name: `set_name`.
//!
//! Invariants: a name is durable before anybody hears of it; every connection of the account, also one that is just coming
//! in, knows the name that was given last, and so does the lobby.

use std::sync::Arc;

use zeitnot_protocol::{Code, OkAnswer, ServerMessage, SetName};

use crate::accounts::{NameError, wanted_name};
use crate::lobby::Asker;
use crate::server::Server;

/// Answers `set_name`.
pub(crate) async fn set_name(server: Arc<Server>, asker: Asker, wanted: SetName) {
    match rename(&server, &asker, &wanted.name).await {
        Ok(()) => asker.say(&ServerMessage::Ok(OkAnswer { id: wanted.id, game: None, seq: None })),
        Err((code, message)) => asker.refuse(wanted.id, code, message),
    }
}

async fn rename(server: &Server, asker: &Asker, text: &str) -> Result<(), (Code, Option<String>)> {
    if !server.is_ready() {
        return Err((Code::Unavailable, None));
    }
    let name = wanted_name(text).map_err(|error| (Code::BadName, Some(error.to_string())))?;
    let account = asker.account;
    let number = server.accounts.rename(account, name).await.map_err(|error| match error {
        NameError::Taken => (Code::NameTaken, None),
        NameError::Unavailable => (Code::Unavailable, None),
    })?;
    let now = server.clock.now();
    server.directory.rename(account, name, number, now, || server.lobby.renamed(account, name));
    Ok(())
}
