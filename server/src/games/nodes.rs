//! What the registry offers about other nodes: it is connected to them, and lists the games that are followed here of theirs.
//!
//! Deliberately absent: mirrors and remote sessions themselves (`across_nodes`).
//!
//! Invariant: a game counts as live for its players on a node that has its actor or a mirror of it.

use std::sync::{Arc, Weak};

use zeitnot_protocol::GameId;

use super::across_nodes::{Across, FromBus, Links, LocalGames, WaitingCommand};
use super::machine::GameMachine;
use super::registry::Shared;
use super::replay::ReplayedGame;
use super::{GameHandle, Games};
use crate::cluster::BusUser;
use crate::entropy::Entropy;
use crate::storage::{GameStore, NodeNumber};
use crate::tasks::Tasks;
use crate::time::ServiceClock;

impl Games {
    /// Lets sessions of this node follow games of others, and the other way round. What it answers is to be told what comes
    /// over the bus. To be called once, before anybody asks for games.
    pub(crate) fn connect(
        &self,
        own: NodeNumber,
        links: Arc<dyn Links>,
        entropy: Entropy,
    ) -> Arc<dyn BusUser> {
        let games: Weak<Shared> = Arc::downgrade(self.shared());
        let across = self.shared().across.get_or_init(|| Across::new(own, links, entropy, games));
        Arc::new(FromBus(Arc::clone(across)))
    }

    /// A command that was read is kept until its game is found, if that may be with another node: a flag waits for it as long as
    /// this value is there.
    pub(crate) fn command_waits(&self, game: GameId) -> Option<WaitingCommand> {
        self.shared().across().map(|across| WaitingCommand::new(across, game))
    }
}

impl LocalGames for Shared {
    fn basis(&self) -> (&Arc<dyn GameStore>, &ServiceClock, &Tasks) {
        (&self.store, &self.clock, &self.tasks)
    }

    fn actor_of(&self, game: GameId) -> Option<GameHandle> {
        self.actor(game)
    }

    /// It is live for its players.
    fn found_elsewhere(&self, mirror: &GameHandle) {
        if !mirror.has_ended() {
            self.list(mirror.id(), mirror.players());
        }
    }

    fn ended_elsewhere(&self, mirror: &GameHandle) {
        self.chats.ended(mirror.id(), mirror.players(), self.clock.now());
        self.unlist(mirror.id(), mirror.players());
    }

    fn tell_end(self: Arc<Self>, ended: ReplayedGame) {
        if self.actor(ended.id).is_none() {
            self.run(GameMachine::recovered(ended, self.clock.now()));
        }
    }

    /// The game is live for its players here only if it has an actor here.
    fn mirror_ended(&self, mirror: &GameHandle) {
        if self.actor(mirror.id()).is_none() {
            self.unlist(mirror.id(), mirror.players());
            // Nothing more comes about it, not even its end.
            if !mirror.has_ended()
                && self.across().is_some_and(|across| across.chats.forget_owner(mirror.id()))
            {
                self.chats.forget(mirror.id());
            }
        }
    }
}
