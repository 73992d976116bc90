//! What a node tells all others. Any of it may be lost: the database says the same, later.

use serde::{Deserialize, Serialize};
use zeitnot_protocol::GameId;

use crate::cluster::node::{Boot, Node};

/// Something for every node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Announcement {
    /// The node lives.
    Heartbeat {
        from: Node,
        /// How long ago the database last answered it.
        database_ms: u32,
        /// Nodes that it has seen declared dead, the last ones. They may not know yet.
        dead: Vec<Boot>,
    },
    /// Something is new in the database.
    Hint { from: Node, hint: Hint },
}

/// What is new in the database, for those who would find it with their next look.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Hint {
    /// These games are owned by the sender now.
    Claimed(Vec<GameId>),
    /// These games may be claimed.
    Released(Vec<GameId>),
}
