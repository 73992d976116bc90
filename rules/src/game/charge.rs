//! What the running clock is charged when a turn, or a part of it, comes to its end.
//!
//! Only reads: a [`Charge`] goes into an event, and `evolve` makes it the clocks' new state.
//! Without clocks there is none.
//!
//! Invariant: only [`Game::charge_to_flag`] leaves a clock at zero.

use super::Game;
use super::lag::{LagPlan, Spent};
use super::time_control::{Bonus, PeriodStanding};
use super::turn_clock::Timing;
use super::{Charge, GameInstant, Micros, TimeControl, clock};
use crate::board::Color;

impl Game {
    /// What a move at `at` costs. A move that ends the game gets no increment.
    pub(super) fn charge_for_move(&self, at: GameInstant, ends_game: bool) -> Option<Charge> {
        let stopped = self.charge_until(at)?;
        if ends_game {
            return Some(stopped);
        }
        let (seat, spent) = (stopped.seat, Spent { took: stopped.took, credit: stopped.credit });
        let mut charge = stopped;
        match self.timing() {
            Timing::None => return None,
            Timing::FirstMove => charge.remaining[seat] = self.with_next_base(seat, charge.remaining[seat]),
            Timing::Days(allotted) => charge.remaining[seat] = allotted,
            Timing::Clock(bonus) => {
                let before = self.clocks()?[seat];
                let earned = clock::after_move(before, bonus, spent.counted());
                charge.remaining[seat] = self.with_next_base(seat, earned);
                charge.bank = self.bank_after_move(seat, spent.credit);
            }
        }
        Some(charge)
    }

    /// What the running clock is charged when it stops at `at`, or when something else ends the
    /// uncharged part of the turn. There is no increment. At least one microsecond is left, because
    /// the input came before the flag fell.
    pub(super) fn charge_until(&self, at: GameInstant) -> Option<Charge> {
        let (clocks, seat) = (self.recorded.clocks?, self.turn());
        let spent = self.spent_until(at);
        let spent = match self.turn_limit(self.allowance()) {
            Some(limit) if spent.took >= limit => {
                Spent::new(limit.saturating_sub(Micros(1)), self.allowance())
            }
            Some(_) | None => spent,
        };
        let mut remaining = clocks.remaining;
        remaining[seat] = self.left(remaining[seat], spent.counted());
        let bank = clocks.bank[seat].saturating_sub(spent.credit);
        Some(Charge { seat, took: spent.took, credit: spent.credit, remaining, bank })
    }

    /// What the running clock is charged when its limit is reached: the flag falls, or a first move
    /// is late.
    pub(super) fn charge_to_flag(&self) -> Option<Charge> {
        let (clocks, seat) = (self.recorded.clocks?, self.turn());
        let spent = Spent::new(self.turn_limit(self.allowance())?, self.allowance());
        let mut remaining = clocks.remaining;
        remaining[seat] = self.left(remaining[seat], spent.counted());
        let bank = clocks.bank[seat].saturating_sub(spent.credit);
        Some(Charge { seat, took: spent.took, credit: spent.credit, remaining, bank })
    }

    /// What the next move of `seat` gives, by its period or by the remedy that replaced it.
    pub(super) fn bonus(&self, seat: Color) -> Bonus {
        match (self.remedy(), self.period(seat)) {
            (Some(remedy), _) => remedy[seat],
            (None, Some(standing)) => standing.period.bonus,
            (None, None) => Bonus::None,
        }
    }

    /// Where `seat` stands in its periods; `None` without real-time clocks.
    pub(super) fn period(&self, seat: Color) -> Option<PeriodStanding<'_>> {
        self.period_after(seat, self.moves_of(seat))
    }

    /// Where `seat` stands in its periods when it has made `moves` moves.
    pub(super) fn period_after(&self, seat: Color, moves: u32) -> Option<PeriodStanding<'_>> {
        match &self.setup().time_control {
            TimeControl::Clock(sides) => Some(PeriodStanding::after(&sides[seat], moves)),
            TimeControl::DaysPerMove { .. } | TimeControl::Unlimited => None,
        }
    }

    /// The clock with the base of the period that begins with the next move of `seat`, unless that
    /// base was given before.
    fn with_next_base(&self, seat: Color, remaining: Micros) -> Micros {
        let (Some(clocks), Some(next)) =
            (&self.recorded.clocks, self.period_after(seat, self.moves_of(seat) + 1))
        else {
            return remaining;
        };
        if next.number > clocks.periods_begun[seat] {
            clock::add(remaining, next.period.base)
        } else {
            remaining
        }
    }

    fn bank_after_move(&self, seat: Color, credit: Micros) -> Micros {
        match (&self.recorded.clocks, LagPlan::of(&self.setup().time_control, seat)) {
            (Some(clocks), Some(plan)) => {
                plan.after_move(clocks.bank[seat], credit, self.transient.round_trip[seat])
            }
            (None, _) | (_, None) => Micros::ZERO,
        }
    }
}
