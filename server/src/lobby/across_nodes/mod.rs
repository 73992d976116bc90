//! One lobby for all nodes: one of them has it, and the sessions of the others act through that one.
//!
//! A node becomes the *owner* of the lobby with the lease in the database, and tells every node with which it has a link. The
//! others tell the owner which accounts are connected to them, and hand on the commands of their sessions. What the owner's
//! machine wants told goes to the node of a connection, or to all nodes on which an account has one.
//!
//! | file | what |
//! |---|---|
//! | `owner` | what the owner takes from other nodes, and what it tells them |
//! | `guest_node` | what a node without the lobby hands on, and takes from the owner |
//! | `questions` | what a node without the lobby asks of the owner |
//! | `next_owner` | what becomes of commands, challenges and places when the lobby is lost and found again |
//!
//! Invariants: whoever has the lobby keeps it until it is dead; a node that the others cannot reach ends for that
//! (`server`). A command is handed on once; when the link with the owner closes before the answer, it is rejected with
//! `unavailable`, and the same command sent again is answered as if it had been sent twice to one node. A place in a pool
//! that is gone with a lobby is asked for in the next one until it is told where the account waits; what was decided since
//! goes before.
//!
//! Deliberately absent: which node may have the lobby (`cluster`, `storage`); what is kept (`nodes`); what a lobby
//! decides (`machine`).

mod guest_node;
mod next_owner;
mod owner;
mod questions;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Weak};

use bytes::Bytes;
use zeitnot_protocol::AccountId;

use super::nodes::{Across, Owner};
use super::shell::Lobby;
use crate::cluster::wire::{self, FromLobby, LinkMessage, LobbyMessage, Playing};
use crate::cluster::{BusEvent, BusUser, LinkEvent};
use crate::games::Links;
use crate::storage::NodeNumber;

impl Lobby {
    /// Lets this lobby be one with those of other nodes. What it answers is to be told what comes over the bus. To be called
    /// once, before anybody asks for anything.
    pub(crate) fn connect(self: &Arc<Self>, links: Arc<dyn Links>) -> Arc<dyn BusUser> {
        let across = Across::new(links);
        assert!(self.nodes.set(across).is_ok(), "the lobby is connected once");
        self.parts.tasks.spawn(Arc::clone(self).look_elsewhere());
        Arc::new(FromBus(Arc::downgrade(self)))
    }

    /// Ends when the lobby of all nodes is here: at once for a server that is alone.
    pub(crate) async fn until_here(&self) {
        if let Some(across) = self.nodes.get() {
            across.owns.cancelled().await;
        }
    }

    /// Whether this lobby is that of several nodes.
    pub(crate) fn is_for_other_nodes(&self) -> bool {
        self.nodes.get().is_some_and(Across::owns)
    }

    /// The other nodes, if one of them has the lobby, or nobody.
    pub(super) fn elsewhere(&self) -> Option<&Across> {
        self.nodes.get().filter(|across| !across.owns())
    }

    fn closed(self: &Arc<Self>, across: &Across, node: NodeNumber) {
        let mut state = across.state();
        state.open.remove(&node);
        state.looks.remove(&node);
        let gone = state.guests.lose(node);
        let mut rejected = Vec::new();
        if state.owner.elsewhere() == Some(node) {
            state.owner = Owner::Nobody;
            state.questions.clear();
            rejected = state.away.lose();
        }
        drop(state);
        self.reject_all(&rejected);
        gone.into_iter().for_each(|account| self.last_connection_closed(account));
    }

    /// What this node's sessions show that an account plays.
    fn playing(&self, account: AccountId) -> Playing {
        let live = self.parts.games.live_count(account);
        Playing {
            live: u32::try_from(live).unwrap_or(u32::MAX),
            with_clocks: self.plays_with_clocks_here(account),
        }
    }
}

/// The lobby, as the bus knows it.
#[derive(Debug)]
struct FromBus(Weak<Lobby>);

impl BusUser for FromBus {
    fn take(&self, event: BusEvent) {
        let Some(lobby) = self.0.upgrade() else { return };
        let Some(across) = lobby.nodes.get() else { return };
        match event {
            BusEvent::Link(node, LinkEvent::Opened) => opened(across, node),
            BusEvent::Link(node, LinkEvent::Closed(..)) => lobby.closed(across, node),
            BusEvent::Link(node, LinkEvent::Message(bytes)) => match read(&bytes) {
                Some(LobbyMessage::ToOwner(said)) if across.owns() => lobby.asked(across, node, said),
                // It asks a node that it takes for the owner, and was told so once.
                Some(LobbyMessage::ToOwner(_)) => {}
                Some(LobbyMessage::FromOwner(said)) => lobby.told(across, node, said),
                None => tracing::warn!(%node, "a message of another node cannot be read"),
            },
            // The link was closed before.
            BusEvent::Gone(_) | BusEvent::Hint(..) | BusEvent::NamedDead => {}
        }
    }
}

fn opened(across: &Across, node: NodeNumber) {
    let mut state = across.state();
    state.open.insert(node);
    if let Owner::Own { epoch } = state.owner {
        across.say(node, FromLobby::Here { epoch });
    }
}

fn read(bytes: &Bytes) -> Option<LobbyMessage> {
    match wire::read(bytes) {
        Ok(LinkMessage::Lobby(message)) => Some(message),
        Ok(LinkMessage::Game(_) | LinkMessage::Chat(_)) | Err(_) => None,
    }
}
