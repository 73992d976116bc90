//! Games at rest in a simulation: how they come to rest, and who wakes them.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, GameId};

use super::World;
use super::world::What;
use crate::games::replay::ReplayedGame;
use crate::storage::{JournalOffset, RestMark, RestingGame, WriteError};
use crate::time::ServiceInstant;

/// How often it is looked which games are due.
const LOOK_EVERY: u64 = 400_000;

impl World {
    /// The disk has got to a game that is to come to rest.
    pub(super) fn comes_to_rest(
        &mut self,
        game: GameId,
        actor: u64,
        after: JournalOffset,
        mark: RestMark,
        at: ServiceInstant,
    ) {
        let lot = if self.is_healing { 0 } else { self.dice.below(20) };
        let rests = match lot {
            // Its answer is lost.
            1 => {
                self.checker.coverage.hit("rest: unheard");
                self.disk.rest_now(game, after, mark, at);
                Err(WriteError("a fault was drawn"))
            }
            2 => Err(WriteError("a fault was drawn")),
            3 => Ok(false),
            _ => Ok(self.disk.rest_now(game, after, mark, at)),
        };
        if let Some(actor) = self.actor_of(game, actor) {
            actor.rested(rests);
            self.schedule_actor(game, 0);
        }
    }

    /// A start finds a game at rest.
    pub(super) fn found_at_rest(&mut self, game: GameId, stored: &ReplayedGame) {
        let players = stored.game.setup().players.map(AccountId::from_u128);
        self.checker.coverage.hit("rest: over a crash");
        self.process().games.shared().found_at_rest(&RestingGame { game, players });
        self.checker.goes_on_at_rest(game);
    }

    /// Runs the games that were woken.
    pub(super) fn run_woken(&mut self) {
        let (machines, now) = {
            let process = self.process();
            (process.games.shared().machines_to_run(), process.service())
        };
        for machine in machines {
            self.checker.coverage.hit("rest: woken");
            self.checker.woken(machine.id(), now, &machine);
            self.runs(machine);
        }
    }

    pub(super) fn wake_due_later(&mut self) {
        let boot = self.boots;
        self.after(LOOK_EVERY, What::WakeDue { boot });
    }

    /// Wakes the games that are due.
    pub(super) fn wake_due(&mut self) {
        let now = self.process().service();
        for game in self.disk.due_now(now + std::time::Duration::from_micros(LOOK_EVERY)) {
            self.checker.coverage.hit("rest: woken when due");
            let process = self.process();
            let shared = Arc::clone(process.games.shared());
            process.runtime.spawn(async move { shared.wake(game).await });
        }
        self.wake_due_later();
    }
}
