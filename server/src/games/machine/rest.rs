//! Coming to rest, and going on from there: a game that nobody follows has no actor.
//!
//! Deliberately absent: keeping such a game, and who wakes it when (`games::waking`).
//!
//! Invariants: only a game whose turn runs, and in which nothing is under way, comes to rest; its
//! turn goes on at rest as if it had stayed.

use std::time::Duration;

use zeitnot_rules::board::{ByColor, Color};
#[cfg(test)]
use zeitnot_rules::game::GameInstant;
use zeitnot_rules::game::{Fact, Micros};

use super::timers::Timer;
use super::{Axis, Closing, GameEffects, GameMachine, GameStage, TaskRequest};
use crate::games::replay::ReplayedGame;
use crate::seeded_bugs::bug;
use crate::storage::{RestMark, WriteError};
use crate::time::ServiceInstant;

impl GameMachine {
    /// A game that was woken at `at`, after its turn had gone on for `rested` since it came to rest
    /// with this mark.
    pub(crate) fn woken(stored: ReplayedGame, mark: RestMark, rested: Micros, at: ServiceInstant) -> Self {
        let mut machine = Self::new(stored, at, mark.away_since);
        bug!(TurnStandsAtRest => let rested = Micros::ZERO);
        machine.axis = Axis::new(at, mark.at + rested);
        // From where it would have begun had it run through: a command may have been read before the game came to rest.
        let ran = mark.took.min(Micros(mark.at.0));
        machine.game.observe(Fact::TurnCarried { spent: mark.took.saturating_sub(ran) });
        machine.game.observe(Fact::TurnStarted { at: mark.at.saturating_sub(ran) });
        machine.find_deadline();
        machine
    }

    /// The game's instant at an instant of the process.
    #[cfg(test)]
    pub(crate) fn instant(&self, at: ServiceInstant) -> GameInstant {
        self.axis.game(at)
    }

    /// Comes to rest once nobody has followed the game for so long, from `at` on.
    pub(crate) fn set_rest_after(&mut self, rest_after: Duration, at: ServiceInstant) {
        self.rest_after_us = rest_after.as_micros() as u64;
        self.rest_later(at);
    }

    /// Looks again, when the time has come, whether anybody follows the game.
    pub(super) fn rest_later(&mut self, at: ServiceInstant) {
        self.timers.arm(Timer::Rest, at + Duration::from_micros(self.rest_after_us));
    }

    /// Nobody may have followed the game for a while: if so, it comes to rest.
    pub(super) fn rest(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        if self.game.is_over() || self.is_followed() {
            return;
        }
        let Some(mark) = self.rest_mark(at).filter(|_| self.has_nothing_under_way()) else {
            return self.rest_later(at);
        };
        effects.push_back(TaskRequest::Rest { after: self.offset, mark, at }.into());
        self.stage = GameStage::Resting;
    }

    /// The store has answered.
    pub(super) fn rested(
        &mut self,
        rests: Result<bool, WriteError>,
        at: ServiceInstant,
        effects: &mut GameEffects,
    ) {
        self.stage = GameStage::Open;
        match rests {
            Ok(true) => self.close(Closing::Rests, effects),
            Ok(false) => self.rest_later(at),
            // The recovery finds out whether it rests.
            Err(error) => self.reset(Closing::JournalFailed(error.to_string()), effects),
        }
    }

    fn is_followed(&self) -> bool {
        !self.connections.is_empty()
            || self.expected != ByColor::default()
            || !self.lost.is_empty()
            || self.is_followed_by_others()
    }

    fn has_nothing_under_way(&self) -> bool {
        matches!(self.stage, GameStage::Open)
            && self.waiting.is_empty()
            && self.verdicts.is_empty()
            && self.fence.is_none()
            && !self.is_stopping
            && !self.is_released
    }

    /// `None` before the turn has started, and while a player is not known to be away.
    fn rest_mark(&self, at: ServiceInstant) -> Option<RestMark> {
        if self.game.awaits_turn_start() {
            return None;
        }
        let at = self.axis.game(at);
        let away_since = ByColor {
            white: self.game.away_since(Color::White)?,
            black: self.game.away_since(Color::Black)?,
        };
        Some(RestMark { at, took: self.game.turn_took(at), away_since, due: self.game.deadline()? })
    }
}
