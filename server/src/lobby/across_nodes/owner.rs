//! The node that has the lobby: taking it, and what other nodes say and are told.

use std::sync::Arc;

use zeitnot_protocol::{ChallengeId, ServerMessage, decode_client};

use crate::cluster::wire::{FromLobby, LobbyCommand, SentConnection, ToLobby};
use crate::connections::ConnectionId;
use crate::lobby::commands::LobbyRequest;
use crate::lobby::lobby_view::LobbyView;
use crate::lobby::machine::{Facts as _, LobbyInput, Request};
use crate::lobby::nodes::{Across, Guest, Known, Owner, WantedPlace};
use crate::lobby::shell::Lobby;
use crate::net::Address;
use crate::storage::{Block, Kind, NodeNumber, Person, TakenLobby};

impl Lobby {
    /// This node has the lobby of all nodes from now on.
    pub(crate) fn take(self: &Arc<Self>, taken: &TakenLobby) {
        let Some(across) = self.nodes.get() else { return };
        // Before anybody is answered from this lobby.
        self.restore(&taken.challenges);
        let mut state = across.state();
        let rejected = state.away.lose();
        let lost = state.away.begin();
        state.owner = Owner::Own { epoch: taken.epoch };
        state.newest = taken.epoch;
        state.questions.clear();
        across.owns.cancel();
        let open = state.open.clone();
        drop(state);
        taken.challenges.iter().for_each(|open| self.take_change(open.owner));
        self.reject_all(&rejected);
        for (account, connection, address) in self.parts.connections.tabs() {
            self.handle(LobbyInput::Connected { account, connection, address });
        }
        open.into_iter().for_each(|node| across.say(node, FromLobby::Here { epoch: taken.epoch }));
        self.tell_what_is_gone(across);
        self.enter_again(lost);
    }

    /// Another node says something.
    pub(super) fn asked(self: &Arc<Self>, across: &Across, node: NodeNumber, said: ToLobby) {
        match said {
            ToLobby::Arrive => self.everybody_left(across, node),
            ToLobby::Connected(sent) => self.guest(across, node, sent),
            ToLobby::Left(account) => {
                across.state().guests.left(node, account);
                self.last_connection_closed(account);
            }
            ToLobby::Arrived => across.say(node, FromLobby::Arrived),
            ToLobby::Place { who, address, pool } => {
                let Some(by) = who.read() else { return };
                self.wait_again(across, by, address.into(), |state| {
                    let guest = state.guests.at(node, by.account)?;
                    Some(WantedPlace(pool.filter(|_| !guest.is_settled)))
                });
            }
            ToLobby::Command(command) => self.command(across, node, command),
            ToLobby::Changed(person) => {
                if let Some(person) = person.read() {
                    self.changed_by_a_node(person);
                }
            }
            ToLobby::Blocked { by, whom, is_blocked } => {
                let block = Block { by, whom };
                self.parts.accounts.blocks.take_in(block, is_blocked);
                if is_blocked {
                    self.handle(LobbyInput::Blocked(block));
                }
            }
            ToLobby::Look(text) => self.shown_to(across, node, &text),
            ToLobby::Find { number, challenge } => across.say(node, self.found(number, challenge)),
            ToLobby::WhoIsHere { number, mut accounts } => {
                accounts.retain(|account| self.is_connected(*account));
                across.say(node, FromLobby::AreHere { number, accounts });
            }
            ToLobby::BotsHere { number, most } => {
                let accounts = self.known_bots(most as usize);
                across.say(node, FromLobby::AreHere { number, accounts });
            }
        }
    }

    /// The account is this from now on, as the store says: the node with the lobby takes it in.
    pub(crate) fn changed_by_a_node(self: &Arc<Self>, person: Person) {
        if self.elsewhere().is_some() {
            return;
        }
        if let Some(across) = self.nodes.get().filter(|_| person.kind == Kind::Bot) {
            across.state().guests.note_bot(person.account);
        }
        self.handle(LobbyInput::Changed(person));
    }

    /// An account has blocked another one, as the store says: on the node with the lobby their open challenges to each other end,
    /// unless it has taken the block back since.
    pub(crate) fn blocked_by_a_node(self: &Arc<Self>, block: Block) {
        if self.elsewhere().is_none() && self.parts.accounts.blocks.are_between(block.by, block.whom) {
            self.handle(LobbyInput::Blocked(block));
        }
    }

    fn everybody_left(self: &Arc<Self>, across: &Across, node: NodeNumber) {
        let gone = across.state().guests.lose(node);
        gone.into_iter().for_each(|account| self.last_connection_closed(account));
    }

    fn guest(self: &Arc<Self>, across: &Across, node: NodeNumber, sent: SentConnection) {
        let SentConnection { account, connection, address, is_bot, playing } = sent;
        let address = Address::from(address);
        let guest = Guest { address, is_bot, playing, is_settled: false };
        across.state().guests.connected(node, account, guest);
        let connection = ConnectionId::elsewhere(node, connection);
        self.handle(LobbyInput::Connected { account, connection, address });
    }

    fn command(self: &Arc<Self>, across: &Across, node: NodeNumber, command: LobbyCommand) {
        let LobbyCommand { connection, who, address, playing, text } = command;
        let wanted = decode_client(&text).ok().and_then(LobbyRequest::of);
        let Some((by, wanted)) = who.read().zip(wanted) else {
            return tracing::warn!(%node, "a command of another node cannot be read");
        };
        across.state().guests.plays(node, by.account, playing);
        let connection = ConnectionId::elsewhere(node, connection);
        let address = address.into();
        let request = Request { connection, address, by, rating: None, id: wanted.id(), game: wanted.game() };
        self.perform(request, wanted);
    }

    /// A node shows what is played there, and is shown the lobby.
    fn shown_to(&self, across: &Across, node: NodeNumber, text: &str) {
        let now = self.parts.clock.now();
        let mut state = across.state();
        let before = state.looks.remove(&node).unwrap_or_default();
        match LobbyView::read(text, &before, now) {
            Some(look) => drop(state.looks.insert(node, look)),
            None => tracing::warn!(%node, "the games of another node cannot be read"),
        }
        drop(state);
        let view = self.look(&self.subscribers.shown(), true);
        across.say(node, FromLobby::View(ServerMessage::Lobby(view.message(None, now)).to_text()));
    }

    fn found(&self, number: u64, challenge: ChallengeId) -> FromLobby {
        let (code, challenge): Known = self.known_here(challenge);
        let challenge = challenge.map(|challenge| ServerMessage::Challenge(challenge).to_text());
        FromLobby::Found { number, code: code.map(|code| code.as_str().to_owned()), challenge }
    }
}
