//! When the machine needs a tick without another input. Timers are data: the task arms one timer,
//! for [`GameMachine::wake`].
//!
//! Invariant: timers are armed, stopped and fired through [`TimerTable`] alone, and fire in the
//! order of [`Timer::ALL`].

use std::time::Duration;

use super::{Closing, GameEffects, GameMachine, GameStage, TaskRequest};
use crate::connections::NoticeKind;
use crate::time::ServiceInstant;

/// How long a game that has ended still answers late readers.
pub(super) const LINGER: Duration = Duration::from_secs(30);
/// How long the player to move has to come back to a recovered game before the turn goes on.
pub(super) const RECOVERY_PATIENCE: Duration = Duration::from_secs(30);
/// A game in which nothing happens for this long gives back memory.
pub(super) const TRIM_AFTER: Duration = Duration::from_secs(5);
/// A game that nobody follows for this long comes to rest.
pub(crate) const REST_AFTER: Duration = Duration::from_secs(600);
/// Between two tries to read a tail.
pub(super) const READ_AGAIN: Duration = Duration::from_millis(200);

/// What a machine waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum Timer {
    /// The turn of a recovered game goes on without its player.
    StartTurn,
    /// The tail is read again.
    ReadTail,
    /// Connections that have not answered the fence are given up.
    Fence,
    /// The number of spectators is published.
    Watchers,
    /// Expected players who have not joined count as away.
    Expected,
    /// Players whose connections were on a lost node are awaited no longer.
    Lost,
    /// Memory is given back.
    Trim,
    /// The game comes to rest, if nobody follows it.
    Rest,
    /// The actor of a game that has ended ends.
    Linger,
    /// The game's deadline. It fires nothing itself: the machine decides after every input what is
    /// due.
    Deadline,
}

impl Timer {
    /// All of them, in the order in which they fire.
    const ALL: [Self; 10] = [
        Self::StartTurn,
        Self::ReadTail,
        Self::Fence,
        Self::Watchers,
        Self::Expected,
        Self::Lost,
        Self::Trim,
        Self::Rest,
        Self::Linger,
        Self::Deadline,
    ];
}

/// When each timer is due, in half the room of options: every live game has a table.
#[derive(Debug)]
pub(super) struct TimerTable([ServiceInstant; Timer::ALL.len()]);

impl Default for TimerTable {
    fn default() -> Self {
        Self([ServiceInstant::NEVER; Timer::ALL.len()])
    }
}

impl TimerTable {
    pub(super) fn arm(&mut self, timer: Timer, at: ServiceInstant) {
        self.0[timer as usize] = at;
    }

    pub(super) fn stop(&mut self, timer: Timer) {
        self.arm(timer, ServiceInstant::NEVER);
    }

    /// Arms a timer, or stops it.
    pub(super) fn set(&mut self, timer: Timer, at: Option<ServiceInstant>) {
        self.arm(timer, at.unwrap_or(ServiceInstant::NEVER));
    }

    fn is_armed(&self, timer: Timer) -> bool {
        self.0[timer as usize] != ServiceInstant::NEVER
    }

    /// Whether a timer is due. It is stopped then.
    fn take_due(&mut self, timer: Timer, at: ServiceInstant) -> bool {
        let is_due = self.0[timer as usize] <= at;
        if is_due {
            self.stop(timer);
        }
        is_due
    }
}

impl GameMachine {
    /// When [`GameInput::Tick`](super::GameInput::Tick) has something to do.
    pub(crate) fn wake(&self) -> Option<ServiceInstant> {
        let is_open = matches!(self.stage, GameStage::Open);
        let counts = |timer: &Timer| match timer {
            // Whatever is due while an append is in flight is looked at when the answer comes.
            Timer::Deadline => is_open && self.fence.is_none(),
            Timer::Fence => is_open && self.fence.is_some(),
            _ => true,
        };
        let due = Timer::ALL.into_iter().filter(counts).map(|timer| self.timers.0[timer as usize]);
        due.min().filter(|&due| due != ServiceInstant::NEVER)
    }

    /// Whether nothing has happened since memory was given back.
    pub(crate) fn is_trimmed(&self) -> bool {
        !self.timers.is_armed(Timer::Trim)
    }

    /// Fires every timer that is due.
    pub(super) fn tick(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        for timer in Timer::ALL {
            let waits = match timer {
                Timer::Deadline => true,
                Timer::Linger => !matches!(self.stage, GameStage::Open),
                _ => false,
            };
            if !waits && self.timers.take_due(timer, at) {
                self.fire(timer, at, effects);
            }
        }
    }

    fn fire(&mut self, timer: Timer, at: ServiceInstant, effects: &mut GameEffects) {
        match timer {
            Timer::StartTurn => {
                self.start_turn(at);
                self.note_resumed_turn(effects);
            }
            Timer::ReadTail => self.read_again(effects),
            Timer::Fence => self.give_up_silent(at, effects),
            Timer::Watchers => self.publish_watchers(at, effects),
            Timer::Expected => self.expect_no_longer(at, effects),
            Timer::Lost => self.await_no_longer(at, effects),
            Timer::Rest => self.rest(at, effects),
            Timer::Trim => {
                self.answers.trim();
                self.waiting.shrink_to_fit();
                self.connections.shrink_to_fit();
                effects.push_back(TaskRequest::Trim.into());
            }
            Timer::Linger => {
                self.notify_all(&NoticeKind::Gone, effects);
                self.close(Closing::Over, effects);
            }
            Timer::Deadline => {}
        }
    }
}
