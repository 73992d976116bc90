//! Who takes what comes over the bus: games, or the lobby.

use std::sync::Arc;

use super::{BusEvent, BusUser};
use crate::cluster::link::LinkEvent;
use crate::cluster::wire::is_about_lobby;

/// Hands each event to whom it concerns.
#[derive(Debug)]
pub(crate) struct Router {
    pub(crate) games: Arc<dyn BusUser>,
    pub(crate) lobby: Arc<dyn BusUser>,
}

impl BusUser for Router {
    fn take(&self, event: BusEvent) {
        match &event {
            BusEvent::Link(_, LinkEvent::Message(bytes)) if is_about_lobby(bytes) => self.lobby.take(event),
            BusEvent::Link(_, LinkEvent::Message(_)) => self.games.take(event),
            // Mirrors of games come before the lobby that speaks of them.
            _ => {
                self.games.take(event.clone());
                self.lobby.take(event);
            }
        }
    }
}
