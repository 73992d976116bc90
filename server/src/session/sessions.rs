//! What all sessions of a server share.
//!
//! Deliberately absent: how one starts (`task`). Invariant: nothing here belongs to one connection.

use std::sync::Arc;

use zeitnot_protocol::{BootId, CloseCode, CloseReason, EpochId, Limits};

use super::machine::Bounds;
use crate::accounts::Accounts;
use crate::connections::Connections;
use crate::entropy::Entropy;
use crate::games::Games;
use crate::lobby::Lobby;
use crate::tasks::Tasks;
use crate::time::ServiceClock;

/// The parts of the server that a session asks, and what it tells every client.
#[derive(Debug)]
pub(crate) struct Sessions {
    pub(crate) games: Games,
    pub(crate) lobby: Arc<Lobby>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) connections: Arc<Connections>,
    pub(crate) clock: ServiceClock,
    pub(crate) entropy: Entropy,
    pub(crate) tasks: Tasks,
    pub(crate) settings: SessionSettings,
}

/// What holds for every session of one start of the server.
#[derive(Debug)]
pub(crate) struct SessionSettings {
    pub(crate) limits: Limits,
    /// The same limits as a connection counts with them.
    pub(crate) bounds: Bounds,
    /// This start.
    pub(crate) boot: BootId,
    /// This history of the data.
    pub(crate) epoch: EpochId,
}

impl SessionSettings {
    /// The settings of a server with these limits.
    pub(crate) fn new(limits: Limits, boot: BootId, epoch: EpochId) -> Self {
        Self { bounds: Bounds::of(&limits), limits, boot, epoch }
    }
}

impl Sessions {
    /// The reason in a close frame: the code, and a random time to come back after where the code has one.
    pub(super) fn close_reason(&self, code: CloseCode) -> String {
        let limits = &self.settings.limits;
        let retry_ms = self.entropy.between(limits.retry_ms_min, limits.retry_ms_max);
        CloseReason::new(code, retry_ms).to_text()
    }
}
