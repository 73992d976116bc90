//! What the lobby's machine may ask: of this node, and of what the others have told.
//!
//! Deliberately absent: anything that waits.

use zeitnot_protocol::{AccountId, GameId};

use super::machine::{Challenge, Facts};
use super::shell::Lobby;
use crate::games::Origin;
use crate::net::Address;

impl Lobby {
    /// Whether a game with clocks of the account has not ended, as far as this node knows.
    pub(super) fn plays_with_clocks_here(&self, account: AccountId) -> bool {
        let mut live = self.parts.games.live_of(account).into_iter();
        live.any(|game| game.summary().has_clocks() && !game.summary().has_ended())
    }
}

impl Facts for Lobby {
    fn is_connected(&self, account: AccountId) -> bool {
        self.parts.connections.is_here(account)
            || self.nodes.get().is_some_and(|across| across.is_connected(account))
    }

    fn address_of(&self, account: AccountId) -> Option<Address> {
        let here = self.parts.connections.address_of(account);
        here.or_else(|| self.nodes.get()?.address_of(account))
    }

    fn is_own_computer(&self, account: AccountId) -> bool {
        self.parts.accounts.computers.has(account)
    }

    fn live_games(&self, account: AccountId) -> usize {
        let here = self.parts.games.live_count(account);
        self.nodes.get().map_or(here, |across| here.max(across.live_games(account)))
    }

    fn is_blocked(&self, one: AccountId, other: AccountId) -> bool {
        self.parts.accounts.blocks.are_between(one, other)
    }

    fn plays_with_clocks(&self, account: AccountId) -> bool {
        self.plays_with_clocks_here(account)
            || self.nodes.get().is_some_and(|across| across.plays_with_clocks(account))
    }

    fn all_live_games(&self) -> usize {
        self.parts.games.count()
    }

    fn game_of_same_command(&self, challenge: &Challenge) -> Option<GameId> {
        let (owner, command) = (challenge.owner.account, challenge.command);
        let is_same = |origin: &Origin| {
            command.is_some() && origin.made_by == (owner, command)
                || challenge.rematch_of.is_some() && origin.rematch_of == challenge.rematch_of
        };
        let games = self.parts.games.live_of(owner);
        games.into_iter().find(|game| game.origin().is_some_and(is_same)).map(|game| game.id())
    }

    fn coin(&self) -> bool {
        self.parts.entropy.coin()
    }

    fn game_id(&self) -> GameId {
        GameId::from(self.parts.entropy.challenge_id())
    }
}
