//! What this node knows of the lobby that it has together with others: who has it, and what each side keeps of the other.
//!
//! | file | what |
//! |---|---|
//! | `guests` | on the node that has the lobby: which accounts are connected to other nodes |
//! | `away` | on another node: which commands are not answered, and what was shown |
//!
//! Invariant: what is sent while `state` is locked arrives in that order. The machine is never locked after it.
//!
//! Deliberately absent: what is done with all that (`across_nodes`).

mod away;
mod guests;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use zeitnot_protocol::{AccountId, Challenge as ChallengeView, Code, GameId, PoolId};

use super::lobby_view::LobbyView;
use super::machine::Request;
use crate::cluster::wire::{self, FromLobby, LinkMessage, LobbyMessage, ToLobby};
use crate::connections::ConnectionId;
use crate::games::Links;
use crate::net::Address;
use crate::storage::NodeNumber;
use crate::sync::unpoisoned;
use away::Away;
pub(super) use away::WantedPlace;
pub(super) use guests::Guest;
use guests::Guests;

/// What is known of a challenge: itself if it is open, else why it is not, and its terms.
pub(crate) type Known = (Option<Code>, Option<ChallengeView>);

/// What the owner has answered to a question.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Answer {
    Challenge(Box<Known>),
    AreHere(Vec<AccountId>),
}

/// Questions that the owner has not answered: each is of one HTTP request.
pub(super) const QUESTIONS_MAX: usize = 1_024;

/// Who has the lobby, as this node knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// Nobody who can be reached.
    Nobody,
    Own {
        epoch: u64,
    },
    Other(NodeNumber),
}

impl Owner {
    /// The other node that has it.
    pub(super) fn elsewhere(self) -> Option<NodeNumber> {
        if let Self::Other(node) = self { Some(node) } else { None }
    }
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) owner: Owner,
    /// The highest epoch that was said or taken.
    pub(super) newest: u64,
    /// The nodes with which there is a link.
    pub(super) open: HashSet<NodeNumber>,
    /// Of the owner: who is connected to other nodes, and which games are in progress there.
    pub(super) guests: Guests,
    pub(super) looks: HashMap<NodeNumber, LobbyView>,
    /// Of another node: what its sessions wait for, and what the lobby showed last.
    pub(super) away: Away,
    pub(super) view: Option<LobbyView>,
    pub(super) questions: HashMap<u64, oneshot::Sender<Answer>>,
    pub(super) last_question: u64,
}

/// The lobby's place among several nodes.
#[derive(Debug)]
pub(super) struct Across {
    links: Arc<dyn Links>,
    state: Mutex<State>,
    /// This node has the lobby.
    pub(super) owns: CancellationToken,
}

impl Across {
    /// With nobody known who has the lobby.
    pub(super) fn new(links: Arc<dyn Links>) -> Self {
        let state = State {
            owner: Owner::Nobody,
            newest: 0,
            open: HashSet::new(),
            guests: Guests::default(),
            looks: HashMap::new(),
            away: Away::default(),
            view: None,
            questions: HashMap::new(),
            last_question: 0,
        };
        Self { links, state: Mutex::new(state), owns: CancellationToken::new() }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    fn send(&self, to: NodeNumber, message: LobbyMessage) {
        self.links.send(to, wire::message(&LinkMessage::Lobby(message)));
    }

    /// Tells a node without the lobby.
    pub(super) fn say(&self, to: NodeNumber, said: FromLobby) {
        self.send(to, LobbyMessage::FromOwner(said));
    }

    /// Tells the owner.
    pub(super) fn ask(&self, owner: NodeNumber, said: ToLobby) {
        self.send(owner, LobbyMessage::ToOwner(said));
    }

    pub(super) fn owns(&self) -> bool {
        self.owns.is_cancelled()
    }

    /// The nodes on which an account has a connection, beside this one.
    fn nodes_of(&self, account: AccountId) -> Vec<NodeNumber> {
        self.state().guests.of(account).map(|(node, _)| node).collect()
    }

    /// Something was decided about where an account waits.
    pub(super) fn settle(&self, account: AccountId) {
        let mut state = self.state();
        state.guests.settle(account);
        state.away.settle(account);
    }

    /// The connections of an account are told where it waits.
    pub(super) fn tell_place(&self, account: AccountId, pool: Option<PoolId>) {
        let mut state = self.state();
        state.guests.settle(account);
        state.away.waits(account, pool);
    }

    /// Tells a connection of another node.
    pub(super) fn tell(&self, node: NodeNumber, to: ConnectionId, text: String) {
        self.say(node, FromLobby::Tell { connection: to.number(), text });
    }

    /// Tells all connections of an account that are of other nodes, but one.
    pub(super) fn tell_all(
        &self,
        account: AccountId,
        except: Option<ConnectionId>,
        said: impl Fn(Option<u64>) -> FromLobby,
    ) {
        for node in self.nodes_of(account) {
            let except = except.filter(|except| except.node() == Some(node)).map(ConnectionId::number);
            self.say(node, said(except));
        }
    }

    /// Seats a connection of another node at the game to which its command has led.
    pub(super) fn seat_and_answer(&self, node: NodeNumber, request: &Request, game: GameId) {
        let connection = request.connection.number();
        self.say(node, FromLobby::SeatAndAnswer { connection, id: request.id, game });
    }

    /// Whether an account is connected to another node.
    pub(super) fn is_connected(&self, account: AccountId) -> bool {
        self.state().guests.of(account).next().is_some()
    }

    /// So many bots that are connected to other nodes.
    pub(super) fn bots(&self, most: usize) -> Vec<AccountId> {
        self.state().guests.bots().take(most).collect()
    }

    /// Where a connection of another node comes from.
    pub(super) fn address_of(&self, account: AccountId) -> Option<Address> {
        self.state().guests.of(account).next().map(|(_, guest)| guest.address)
    }

    /// So many live games its nodes know of an account.
    pub(super) fn live_games(&self, account: AccountId) -> usize {
        self.state().guests.of(account).map(|(_, guest)| guest.playing.live as usize).max().unwrap_or(0)
    }

    /// Whether its nodes know a game with clocks that the account plays.
    pub(super) fn plays_with_clocks(&self, account: AccountId) -> bool {
        self.state().guests.of(account).any(|(_, guest)| guest.playing.with_clocks)
    }

    /// How many people are connected to other nodes only.
    pub(super) fn people(&self, is_here: impl Fn(AccountId) -> bool) -> usize {
        self.state().guests.people(is_here)
    }

    /// The games in progress of other nodes.
    pub(super) fn looks(&self) -> HashMap<NodeNumber, LobbyView> {
        self.state().looks.clone()
    }

    /// Tells the owner, if there is one.
    pub(super) fn tell_owner(&self, said: ToLobby) {
        let state = self.state();
        if let Some(node) = state.owner.elsewhere() {
            self.ask(node, said);
        }
    }

    /// The owner has answered a question.
    pub(super) fn answered(&self, number: u64, answer: Answer) {
        if let Some(asks) = self.state().questions.remove(&number) {
            // Nobody may wait for it any more.
            drop(asks.send(answer));
        }
    }

    pub(super) fn view(&self) -> Option<LobbyView> {
        self.state().view.clone()
    }
}
