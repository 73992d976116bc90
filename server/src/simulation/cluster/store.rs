//! The store of a node's games, at which the checker looks what is decided: a game appends that at once.
//!
//! Deliberately absent: anything else. All that is asked is handed on to the real store.

use std::sync::{Arc, Weak};

use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Seq;

use super::world::World;
use crate::storage::{
    Append, GameStore, JournalOffset, NodeNumber, Owner, RatingChange, Reading, Record, RestMark, Tail,
    TurnTime, WokenGame, Writing,
};
use crate::time::ServiceInstant;

/// The real store, and whose it is.
#[derive(Debug)]
pub(super) struct LookedStore {
    pub(super) store: Arc<dyn GameStore>,
    pub(super) node: NodeNumber,
    pub(super) world: Weak<World>,
}

impl GameStore for LookedStore {
    fn append(&self, after: JournalOffset, record: Arc<Record>) -> Append {
        if let Some(world) = self.world.upgrade() {
            world.checker().decided(self.node, &record);
        }
        self.store.append(after, record)
    }

    fn note_turn(&self, game: GameId, time: TurnTime) {
        self.store.note_turn(game, time);
    }

    fn stop_turns(&self) {
        self.store.stop_turns();
    }

    fn rest(&self, game: GameId, after: JournalOffset, mark: RestMark, at: ServiceInstant) -> Writing<bool> {
        self.store.rest(game, after, mark, at)
    }

    fn wake(&self, game: GameId, at: ServiceInstant) -> Writing<Option<WokenGame>> {
        self.store.wake(game, at)
    }

    fn due_games(&self, until: ServiceInstant, most: usize) -> Reading<Vec<GameId>> {
        self.store.due_games(until, most)
    }

    fn tail(&self, game: GameId, from: Seq) -> Reading<Tail> {
        self.store.tail(game, from)
    }

    fn history(&self, game: GameId) -> Reading<Tail> {
        self.store.history(game)
    }

    fn rating_changes(&self, game: GameId) -> Reading<Option<ByColor<RatingChange>>> {
        self.store.rating_changes(game)
    }

    fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    fn owner(&self, game: GameId) -> Reading<Option<Owner>> {
        self.store.owner(game)
    }

    fn confirm(&self) -> Writing<()> {
        self.store.confirm()
    }

    fn live_of(&self, account: AccountId) -> Reading<Vec<GameId>> {
        self.store.live_of(account)
    }

    fn set_aside(&self, game: GameId, why: String) -> Writing<()> {
        self.store.set_aside(game, why)
    }

    fn release(&self, games: Vec<GameId>) -> Writing<()> {
        self.store.release(games)
    }

    fn writing_since(&self) -> Option<ServiceInstant> {
        self.store.writing_since()
    }
}
