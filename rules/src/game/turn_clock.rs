//! The running turn: when it started, how it is timed, and when its deadline is.
//!
//! Deliberately absent: what the turn costs when it ends; that is `charge`.
//!
//! Invariant: before a turn has started no clock runs and nothing is due.

use super::lag::Spent;
use super::state::{Game, Stage, days_per_move};
use super::time_control::Bonus;
use super::transient::{Fact, Presence, TurnCarried, TurnStart};
use super::{GameInstant, Micros, TimeControl, clock, lag};
use crate::board::{ByColor, Color};

/// The longest time for a side's first move where a profile has a soft start. It holds where there
/// is a real-time clock: with days per move the days run from the start, and without a clock there
/// is no limit (our choice).
const FIRST_MOVE_LIMIT: Micros = Micros::from_secs(30);

/// The same where nobody waits: see [`GameSetup::is_practice`](super::GameSetup::is_practice).
const PRACTICE_FIRST_MOVE_LIMIT: Micros = Micros::from_secs(30 * 60);

/// How the running turn is timed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Timing {
    /// No clock.
    None,
    /// A side's first move with a soft start: the clock does not run, and the move has a limit of
    /// its own.
    FirstMove,
    /// Days per move.
    Days(Micros),
    /// A running clock with what the move gives.
    Clock(Bonus),
}

impl Game {
    /// Takes note of a fact. The only writer of transient state.
    pub fn observe(&mut self, fact: Fact) {
        let turn = self.recorded.turn;
        match fact {
            Fact::TurnStarted { at } if self.awaits_turn_start() => {
                let allowance = self.allowance_now();
                self.transient.started = Some(TurnStart { turn, at, allowance });
            }
            Fact::TurnStarted { .. } => {}
            Fact::TurnCarried { spent } => self.transient.carried = Some(TurnCarried { turn, spent }),
            Fact::TurnStopped { at } => {
                if self.turn_start().is_some() {
                    let spent = self.turn_took(at);
                    self.transient.carried = Some(TurnCarried { turn, spent });
                    self.transient.started = None;
                }
            }
            Fact::Present { seat, .. } => self.transient.presence[seat] = Presence::Here,
            Fact::Absent { seat, at } => {
                if self.transient.presence[seat].away_since().is_none() {
                    self.transient.presence[seat] = Presence::Away { since: at };
                }
            }
            Fact::RoundTrip { seat, smoothed } => self.transient.round_trip[seat] = smoothed,
        }
    }

    /// Whether a turn waits for its [`Fact::TurnStarted`]: until then no clock runs and nothing is
    /// due.
    #[must_use]
    pub fn awaits_turn_start(&self) -> bool {
        !self.is_over() && self.turn_start().is_none()
    }

    /// The next instant at which [`Input::Deadline`](super::Input::Deadline) has an effect: that of
    /// [`Game::turn_deadline`], or both players have been away for too long. `None` when neither is
    /// to come, and when the game is over.
    #[must_use]
    pub fn deadline(&self) -> Option<GameInstant> {
        let both = [self.turn_deadline(), self.both_away_at()];
        both.into_iter().flatten().min()
    }

    /// When the flag of the side to move falls, or its first move is late. `None` without a clock,
    /// before the turn has started, and when the game is over.
    #[must_use]
    pub fn turn_deadline(&self) -> Option<GameInstant> {
        if self.is_over() {
            return None;
        }
        let start = self.turn_start()?;
        Some(start.at + self.turn_limit(start.allowance)?.saturating_sub(self.carried(start.allowance)))
    }

    /// When the running turn began; after an interruption, when it would have begun without one. `None` while it stands.
    #[must_use]
    pub fn turn_began(&self) -> Option<GameInstant> {
        self.turn_start().map(|start| start.at.saturating_sub(self.carried(start.allowance)))
    }

    /// What the running turn has taken until `at`, before anything is forgiven.
    #[must_use]
    pub fn turn_took(&self, at: GameInstant) -> Micros {
        self.spent_until(at).took
    }

    /// Whose clock is running. `None` without clocks, before the turn has started, during a first
    /// move that the clock does not count, and when the game is over.
    #[must_use]
    pub fn running(&self) -> Option<Color> {
        if self.is_over() || self.turn_start().is_none() {
            return None;
        }
        match self.timing() {
            Timing::Days(_) | Timing::Clock(_) => Some(self.turn()),
            Timing::None | Timing::FirstMove => None,
        }
    }

    /// Both clocks as they are shown at `at`. 0 only for a flag that has fallen or is about to.
    /// `None` without clocks.
    #[must_use]
    pub fn clocks_at(&self, at: GameInstant) -> Option<ByColor<Micros>> {
        let mut clocks = self.clocks()?;
        if self.recorded.stage == Stage::Playing {
            let seat = self.turn();
            let spent =
                if self.turn_start().is_some() { self.spent_until(at) } else { self.spent_at_start() };
            clocks[seat] = self.left(clocks[seat], spent.counted());
        }
        Some(clocks)
    }

    /// What the running turn will have taken at its start, if that is now: the first thing that its
    /// clock shows.
    fn spent_at_start(&self) -> Spent {
        let allowance = self.allowance_now();
        Spent::new(self.carried(allowance), allowance)
    }

    /// What the side to move has left after `counted`, before any increment.
    pub(super) fn left(&self, remaining: Micros, counted: Micros) -> Micros {
        match self.timing() {
            Timing::None | Timing::FirstMove => remaining,
            Timing::Days(_) => clock::left(remaining, Bonus::None, counted),
            Timing::Clock(bonus) => clock::left(remaining, bonus, counted),
        }
    }

    /// What the running turn has taken until `at`, and how much of it is forgiven. Before the turn
    /// has started, only what was carried counts.
    pub(super) fn spent_until(&self, at: GameInstant) -> Spent {
        match self.turn_start() {
            None => Spent::new(self.carried(Micros::ZERO), Micros::ZERO),
            Some(start) => {
                let took = self.carried(start.allowance) + at.since(start.at);
                Spent::new(took, start.allowance)
            }
        }
    }

    /// What the running turn may take until its deadline, allowance included. `None` without a
    /// limit.
    pub(super) fn turn_limit(&self, allowance: Micros) -> Option<Micros> {
        let remaining = self.clocks()?[self.turn()];
        match self.timing() {
            Timing::None => None,
            Timing::FirstMove if self.setup().is_practice() => Some(PRACTICE_FIRST_MOVE_LIMIT),
            Timing::FirstMove => Some(FIRST_MOVE_LIMIT),
            Timing::Days(_) => Some(remaining),
            Timing::Clock(bonus) => Some(clock::flag_after(remaining, bonus, allowance)),
        }
    }

    /// What was fixed at the start of the running turn to be forgiven; zero before it has started.
    pub(super) fn allowance(&self) -> Micros {
        self.turn_start().map_or(Micros::ZERO, |start| start.allowance)
    }

    /// How the running turn is timed.
    pub(super) fn timing(&self) -> Timing {
        let seat = self.turn();
        match &self.setup().time_control {
            TimeControl::Unlimited => Timing::None,
            TimeControl::DaysPerMove { days } => Timing::Days(days_per_move(*days)),
            TimeControl::Clock(_) if self.setup().profile.soft_start && self.moves_of(seat) == 0 => {
                Timing::FirstMove
            }
            TimeControl::Clock(_) => Timing::Clock(self.bonus(seat)),
        }
    }

    fn turn_start(&self) -> Option<TurnStart> {
        self.transient.started.filter(|start| start.turn == self.recorded.turn)
    }

    fn turn_carried(&self) -> Option<TurnCarried> {
        self.transient.carried.filter(|carried| carried.turn == self.recorded.turn)
    }

    /// What the turn had taken before it was interrupted, but less than it may take. Whatever was
    /// carried, a command can be stamped before the turn goes on, and so before the flag: it must
    /// find a clock that runs.
    fn carried(&self, allowance: Micros) -> Micros {
        let Some(TurnCarried { spent, .. }) = self.turn_carried() else { return Micros::ZERO };
        self.turn_limit(allowance).map_or(spent, |limit| spent.min(limit.saturating_sub(Micros(1))))
    }

    fn allowance_now(&self) -> Micros {
        match (self.timing(), &self.recorded.clocks) {
            (Timing::Clock(_), Some(clocks)) => {
                let seat = self.turn();
                // The allowance of an interrupted turn is lost; the largest one never forgives too
                // little.
                let unknown = self.turn_carried().map(|_| lag::ALLOWANCE_MAX);
                lag::allowance(clocks.bank[seat], self.transient.round_trip[seat].or(unknown))
            }
            (Timing::None | Timing::FirstMove | Timing::Days(_), _) | (Timing::Clock(_), None) => {
                Micros::ZERO
            }
        }
    }
}
