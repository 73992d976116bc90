//! Giving a game up, so that another node plays it on: nothing more is decided, and the turn stands from here on.
//!
//! An append that is in flight is awaited. Commands that wait are not decided: whoever sent them sends them again to the next
//! owner.
//!
//! Deliberately absent: which games are given up when (`games::releasing`), and that nobody owns them then (`storage`).

use zeitnot_rules::game::Micros;

use super::{Closing, GameEffects, GameMachine, TaskRequest};
use crate::storage::TurnTime;
use crate::time::ServiceInstant;

impl GameMachine {
    /// Gives the game up, at `at`. One that has ended is read from storage.
    pub(super) fn release(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        if self.game.has_ended() {
            return self.close(Closing::Over, effects);
        }
        if !self.game.is_over() {
            let spent = if self.game.awaits_turn_start() {
                self.interrupted.unwrap_or(Micros::ZERO)
            } else {
                self.game.turn_took(self.axis.game(at))
            };
            effects.push_back(TaskRequest::NoteTurn(TurnTime::Stands { spent }).into());
        }
        self.reset(Closing::Released, effects);
    }
}
