//! A node that has not the lobby: what it hands on to the owner, and what it takes from it.
//!
//! Deliberately absent: another owner than before (`next_owner`), and what is asked of the owner (`questions`).

use std::sync::Arc;

use zeitnot_protocol::{AccountId, ClientMessage, Code, CommandId, GameId, decode_server};

use super::questions;
use crate::cluster::wire::{FromLobby, LobbyCommand, SentConnection, ToLobby};
use crate::connections::{ConnectionId, Notice, NoticeKind, ToSession};
use crate::lobby::commands::LobbyRequest;
use crate::lobby::lobby_view::LobbyView;
use crate::lobby::machine::Request;
use crate::lobby::nodes::{Across, Answer};
use crate::lobby::shell::Lobby;
use crate::net::Address;
use crate::storage::NodeNumber;

impl Lobby {
    /// Hands a command on to the owner. Without one it is rejected.
    pub(in crate::lobby) fn hand_on(&self, across: &Across, request: Request, mut wanted: LobbyRequest) {
        let id = *wanted.id_mut().get_or_insert_with(|| self.parts.entropy.command_id());
        let Request { connection, address, by, .. } = request;
        let playing = self.playing(by.account);
        let mut state = across.state();
        let owner = state.owner;
        let Some(node) = owner.elsewhere().filter(|_| state.away.hand_on(request, id)) else {
            drop(state);
            return self.reject_all(&[request]);
        };
        if let LobbyRequest::JoinPool(_) | LobbyRequest::LeavePool(_) = wanted {
            state.away.settle(by.account);
        }
        let (connection, address, text) = (connection.0, address.ip(), ClientMessage::from(wanted).to_text());
        let command = LobbyCommand { connection, who: by.into(), address, playing, text };
        across.ask(node, ToLobby::Command(command));
    }

    pub(super) fn reject_all(&self, requests: &[Request]) {
        for request in requests {
            self.send(request.connection, &request.rejected(Code::Unavailable));
        }
    }

    /// An account has one more connection here.
    pub(in crate::lobby) fn connected_elsewhere(
        &self,
        across: &Across,
        account: AccountId,
        connection: ConnectionId,
        address: Address,
    ) {
        let state = across.state();
        if let Some(node) = state.owner.elsewhere() {
            across.ask(node, self.connection(account, connection, address));
        }
    }

    pub(super) fn connection(
        &self,
        account: AccountId,
        connection: ConnectionId,
        address: Address,
    ) -> ToLobby {
        ToLobby::Connected(SentConnection {
            account,
            connection: connection.0,
            address: address.ip(),
            is_bot: self.parts.connections.is_bot(account),
            playing: self.playing(account),
        })
    }

    /// The account's last connection here closed. Another one may have opened since, and been told of.
    pub(in crate::lobby) fn left_elsewhere(&self, across: &Across, account: AccountId) {
        let mut state = across.state();
        if self.parts.connections.is_here(account) {
            return;
        }
        state.away.left(account);
        if let Some(node) = state.owner.elsewhere() {
            across.ask(node, ToLobby::Left(account));
        }
    }

    /// The owner says something, or a node that takes itself for it.
    pub(super) fn told(self: &Arc<Self>, across: &Across, from: NodeNumber, said: FromLobby) {
        if let FromLobby::Here { epoch } = said {
            return self.found_the_lobby(across, from, epoch);
        }
        if across.state().owner.elsewhere() != Some(from) {
            return;
        }
        match said {
            FromLobby::Here { .. } => {}
            FromLobby::Arrived => self.tell_what_is_gone(across),
            FromLobby::Tell { connection, text } => self.tell_here(across, ConnectionId(connection), &text),
            FromLobby::TellAll { account, except, text } => {
                let Ok(message) = decode_server(&text) else { return };
                let is_here = |account| self.parts.connections.is_here(account);
                across.state().away.shows(Some(account), &message, is_here);
                let (text, except) = (Arc::<str>::from(text), except.map(ConnectionId));
                self.parts.connections.tell(account, except, || ToSession::Text(Arc::clone(&text)));
            }
            FromLobby::Seat { account, except, game } => {
                across.state().away.plays(account);
                let lobby = Arc::clone(self);
                self.parts.tasks.spawn(async move {
                    lobby.parts.games.follow(game, from).await;
                    let started = || ToSession::GameStarted { game, reply: None };
                    lobby.parts.connections.tell(account, except.map(ConnectionId), started);
                });
            }
            FromLobby::SeatAndAnswer { connection, id, game } => {
                self.seated(across, from, ConnectionId(connection), id, game);
            }
            FromLobby::View(text) => {
                let mut state = across.state();
                let before = state.view.take().unwrap_or_default();
                state.view = LobbyView::read(&text, &before, self.parts.clock.now()).or(Some(before));
            }
            FromLobby::Found { number, code, challenge } => {
                let known = (
                    code.and_then(|code| code.parse().ok()),
                    challenge.and_then(|text| questions::read(&text)),
                );
                across.answered(number, Answer::Challenge(Box::new(known)));
            }
            FromLobby::AreHere { number, accounts } => across.answered(number, Answer::AreHere(accounts)),
        }
    }

    fn tell_here(&self, across: &Across, to: ConnectionId, text: &str) {
        let Ok(mut message) = decode_server(text) else {
            return tracing::warn!("a message of the lobby cannot be read");
        };
        let mut state = across.state();
        state.away.answers(to, &mut message);
        let account = self.parts.connections.account_of(to);
        state.away.shows(account, &message, |account| self.parts.connections.is_here(account));
        drop(state);
        self.send(to, &message);
    }

    fn seated(
        self: &Arc<Self>,
        across: &Across,
        owner: NodeNumber,
        to: ConnectionId,
        id: Option<CommandId>,
        game: GameId,
    ) {
        let mut state = across.state();
        let request = id.and_then(|id| state.away.answered(to, id));
        if let Some(request) = &request {
            state.away.plays(request.by.account);
        }
        drop(state);
        let id = request.map_or(id, |request| request.id);
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            lobby.parts.games.follow(game, owner).await;
            let kind = NoticeKind::Done { id: id.map(Box::new), seq: 1 };
            let reply = Some(Notice { game, after: 1, kind });
            lobby.parts.connections.tell_one(to, ToSession::GameStarted { game, reply });
        });
    }
}
