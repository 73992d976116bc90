//! Another node has the lobby than before, or this one: who is connected here is told to it, what of the last lobby is gone is
//! told to the sessions here, and those who waited in a pool wait again.
//!
//! Invariant: nobody waits again whose wait has led to a game.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use zeitnot_protocol::{AccountId, ChallengeGone, GameId, ServerMessage, Waiting};

use crate::accounts::Person;
use crate::cluster::wire::ToLobby;
use crate::connections::ToSession;
use crate::lobby::machine::LobbyInput;
use crate::lobby::nodes::{Across, Owner, State, WantedPlace};
use crate::lobby::shell::Lobby;
use crate::net::Address;
use crate::storage::NodeNumber;

/// Of so many accounts at once it is read whether they may wait again.
const READ_AT_ONCE: usize = 16;

impl Lobby {
    /// A node has the lobby: it is told who is connected here.
    pub(super) fn found_the_lobby(self: &Arc<Self>, across: &Across, node: NodeNumber, epoch: u64) {
        let mut state = across.state();
        // One that has slept through its own death says so still.
        if epoch < state.newest || across.owns() {
            return;
        }
        state.newest = epoch;
        let rejected = state.away.lose();
        let lost = state.away.begin();
        state.owner = Owner::Other(node);
        across.ask(node, ToLobby::Arrive);
        for (account, connection, address) in self.parts.connections.tabs() {
            across.ask(node, self.connection(account, connection, address));
        }
        across.ask(node, ToLobby::Arrived);
        drop(state);
        self.reject_all(&rejected);
        self.enter_again(lost);
    }

    /// The lobby of before is gone, and this one has told what is there: sessions are told what is not, and which games have
    /// begun meanwhile.
    pub(super) fn tell_what_is_gone(&self, across: &Across) {
        let (gone, unsure) = across.state().away.has_told_all();
        for (account, challenge) in gone {
            // On the node that has the lobby nobody has told what is there.
            if !across.owns() || self.machine().challenge(challenge).is_none() {
                let gone = ChallengeGone { challenge, game: None, declined: None };
                self.tell_account(account, &ServerMessage::ChallengeGone(gone));
            }
        }
        self.look_for_games(&unsure);
    }

    /// Games that have begun while nobody told of them are found in storage.
    fn look_for_games(&self, accounts: &HashSet<AccountId>) {
        for account in accounts {
            for outbox in self.parts.connections.outboxes(*account) {
                self.parts.games.tell_of_unknown(*account, Vec::new(), &outbox);
            }
        }
    }

    /// Who waited in a pool waits again, unless the wait has led to a game.
    pub(super) fn enter_again(self: &Arc<Self>, (accounts, beginning): (Vec<AccountId>, u64)) {
        let lobby = Arc::clone(self);
        self.parts.tasks.spawn(async move {
            let enter = |account| lobby.account_enters_again(account, beginning);
            stream::iter(accounts).for_each_concurrent(READ_AT_ONCE, enter).await;
        });
    }

    async fn account_enters_again(self: &Arc<Self>, account: AccountId, beginning: u64) {
        let begun = self.parts.games.unknown_of(account).await;
        let person = self.parts.accounts.person(account).await.ok().flatten();
        match (begun.as_deref(), person) {
            (Ok([]), Some(person)) => self.place_again(person, beginning),
            (Ok([game, ..]), _) => {
                self.look_for_games(&HashSet::from([account]));
                self.waits_nowhere(account, beginning, Some(*game));
            }
            (Ok([]), None) | (Err(_), _) => self.waits_nowhere(account, beginning, None),
        }
    }

    /// Asks for a place, if it is still to be asked for.
    fn place_again(self: &Arc<Self>, person: Person, beginning: u64) {
        let Some(across) = self.nodes.get() else { return };
        let (account, connections) = (person.account, &self.parts.connections);
        let who = connections.latest(person);
        let Some(address) = connections.address_of(account) else { return };
        if across.owns() {
            return self.wait_again(across, who, address, |state| state.away.lost(account, beginning));
        }
        let state = across.state();
        if let Some((node, WantedPlace(pool))) =
            state.owner.elsewhere().zip(state.away.lost(account, beginning))
        {
            across.ask(node, ToLobby::Place { who: who.into(), address: address.ip(), pool });
        }
    }

    /// Tells the connections here that the account waits nowhere, if they have not been told of a place since.
    fn waits_nowhere(&self, account: AccountId, beginning: u64, game: Option<GameId>) {
        let Some(across) = self.nodes.get() else { return };
        let _nothing_is_decided = self.machine();
        let mut state = across.state();
        if state.away.lost(account, beginning).is_some() {
            state.away.waits(account, None);
            self.tell_account(account, &ServerMessage::Waiting(Waiting { pool: None, game }));
        }
    }

    /// In this lobby an account waits as it did in one that is gone: where `wants` says, or nowhere. Without that nothing
    /// happens.
    pub(super) fn wait_again(
        self: &Arc<Self>,
        across: &Across,
        by: Person,
        address: Address,
        wants: impl FnOnce(&State) -> Option<WantedPlace>,
    ) {
        // Nothing is decided between the look and the place.
        let mut machine = self.machine();
        let wanted = wants(&across.state());
        if let Some(WantedPlace(pool)) = wanted {
            self.handle_locked(&mut machine, LobbyInput::WaitAgain { by, address, pool });
        }
    }

    /// The account's last connection here closed: nobody waits for it. Another one may have opened since.
    pub(in crate::lobby) fn forget_lost_place(&self, account: AccountId) {
        let Some(across) = self.nodes.get() else { return };
        let mut state = across.state();
        if !self.parts.connections.is_here(account) {
            state.away.left(account);
        }
    }

    /// Tells the connections of an account that are here.
    fn tell_account(&self, account: AccountId, message: &ServerMessage) {
        let text = ToSession::message(message);
        self.parts.connections.tell(account, None, || ToSession::Text(Arc::clone(&text)));
    }
}
