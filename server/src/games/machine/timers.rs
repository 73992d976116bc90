//! When the machine has to be looked at again without an input. Timers are data: whoever runs it arms one timer.

use std::time::Duration;

use super::{Closing, GameEffect, GameEffects, GameMachine, GameStage};
use crate::connections::NoticeKind;
use crate::time::ServiceInstant;

/// How long a game that has ended still answers late readers.
pub(super) const LINGER: Duration = Duration::from_secs(30);
/// How long the player to move has to come back to a game that was taken up before the turn goes on.
pub(super) const RECOVERY_PATIENCE: Duration = Duration::from_secs(30);
/// A game in which nothing happens for this long is at rest.
const REST_AFTER: Duration = Duration::from_secs(5);
/// Between two tries to read a tail.
pub(super) const READ_AGAIN: Duration = Duration::from_millis(200);

/// The timers that are armed.
#[derive(Debug, Default)]
pub(super) struct Timers {
    /// The turn of a game that was taken up goes on.
    pub(super) start_turn_at: Option<ServiceInstant>,
    /// The tail is read again.
    pub(super) read_again_at: Option<ServiceInstant>,
    /// Memory is given back.
    rest_at: Option<ServiceInstant>,
    /// The actor of a game that has ended ends.
    pub(super) linger_until: Option<ServiceInstant>,
}

impl Timers {
    /// Something happened: the game is not at rest.
    pub(super) fn busy(&mut self, at: ServiceInstant) {
        self.rest_at = Some(at + REST_AFTER);
    }
}

impl GameMachine {
    /// When [`GameInput::Tick`](super::GameInput::Tick) has something to do.
    pub(crate) fn wake(&self) -> Option<ServiceInstant> {
        let timers = &self.timers;
        let deadline = match (&self.stage, &self.fence) {
            (GameStage::Open, Some(fence)) => Some(fence.give_up),
            (GameStage::Open, None) => self.deadline.map(|deadline| deadline.service),
            // What is due then is looked at when the answer comes.
            _ => None,
        };
        let due = [
            deadline,
            timers.start_turn_at,
            timers.read_again_at,
            timers.rest_at,
            timers.linger_until,
            self.spectators.publish_at(),
            self.expected.until(),
        ];
        due.into_iter().flatten().min()
    }

    pub(super) fn tick(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        let is_due = |timer: Option<ServiceInstant>| timer.is_some_and(|due| due <= at);
        if is_due(self.timers.start_turn_at) {
            self.start_turn(at);
            self.note_resumed_turn(effects);
            effects.push_back(self.update_summary());
        }
        if is_due(self.timers.read_again_at) {
            self.read_again(effects);
        }
        self.give_up_silent(at, effects);
        self.publish_spectators(at, effects);
        self.expect_no_longer(at, effects);
        if is_due(self.timers.rest_at) {
            self.timers.rest_at = None;
            self.answers.trim();
            self.waiting.shrink_to_fit();
            self.connections.shrink_to_fit();
            effects.push_back(GameEffect::Trim);
        }
        if is_due(self.timers.linger_until) && matches!(self.stage, GameStage::Open) {
            self.notify_all(&NoticeKind::Gone, effects);
            self.close(Closing::Over, effects);
        }
    }
}
