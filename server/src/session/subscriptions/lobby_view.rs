//! How much of the lobby a session has written: a cursor in the updates that all subscribers share.
//!
//! Deliberately absent: the commands that enter and leave the lobby (`session::lobby`).

use zeitnot_protocol::CommandId;

use crate::lobby::Subscription;

/// How much of the lobby a session has written, while it is in the lobby.
#[derive(Debug)]
pub(crate) struct LobbyView {
    /// Dropping it leaves the lobby.
    _subscription: Subscription,
    /// The last update written; `None`: the whole lobby is due.
    pub(in crate::session) cursor: Option<u32>,
    /// The id of the command that the whole lobby answers.
    pub(in crate::session) id: Option<CommandId>,
    /// Whether there may be something to write.
    pub(in crate::session) is_due: bool,
}

impl LobbyView {
    /// A session that has entered with the command of this id. The whole lobby is due.
    pub(in crate::session) fn new(subscription: Subscription, id: Option<CommandId>) -> Self {
        Self { _subscription: subscription, cursor: None, id, is_due: true }
    }
}
