//! Lag compensation: how much of a turn is forgiven for the network.
//!
//! Each side has a *bank* of time. Every move adds the round trip that the server counts to it, and
//! the *credit* of a turn, the time that is forgiven, is taken from it. The *allowance* is the most
//! that is forgiven in a turn, and is fixed when the turn starts (`turn_clock`). It is half more than
//! the round trip, because lines jitter; over several turns the bank forgives what the line took, and
//! no more. So a client that makes its line look slower gains at most what the bank holds at the start
//! and, with each move, what it adds to the round trip, up to [`REFILL_MAX`].
//!
//! Deliberately absent: measuring round trips, which the server does.
//!
//! Invariant: what a charge leaves in the bank is recorded with it. Only [`LagPlan::start`] is worked
//! out in a replay, so it stays as it is; everything else may change between versions.

use super::{Micros, TimeControl};
use crate::board::Color;

/// What a turn took, and how much of it is forgiven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spent {
    pub(super) took: Micros,
    pub(super) credit: Micros,
}

impl Spent {
    /// `credit` is what the turn took, up to the allowance that was fixed at its start.
    pub(super) fn new(took: Micros, allowance: Micros) -> Self {
        Self { took, credit: took.min(allowance) }
    }

    /// What counts against the clock: `e` in docs/laws.md.
    pub(super) fn counted(self) -> Micros {
        self.took.saturating_sub(self.credit)
    }
}

/// The longest time forgiven in one turn.
pub(super) const ALLOWANCE_MAX: Micros = Micros::from_secs(1);

/// The most that a move adds to the bank: what a line of 400 ms that loses 2 % of its packets needs. A
/// slower line loses the rest. A higher value helps only such a line, and a client that imitates one:
/// the server cannot tell them apart (docs/laws.md).
const REFILL_MAX: Micros = Micros::from_millis(430);

/// How much a side's bank may hold under a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LagPlan {
    /// What is in the bank when the game begins.
    start: Micros,
    /// What a move adds at most.
    refill: Micros,
}

impl LagPlan {
    /// The plan for a side. `None` without a clock or with days per move: nothing is forgiven
    /// there.
    pub(super) fn of(time_control: &TimeControl, seat: Color) -> Option<Self> {
        let share = Micros(time_control.expected_length(seat)?.0 / 1_000 * 4);
        let start = (share + Micros::from_millis(150)).min(Micros::from_secs(1)).saturating_mul(3);
        let refill = (share + Micros::from_millis(190)).min(REFILL_MAX);
        Some(Self { start, refill })
    }

    /// What is in the bank when the game begins.
    pub(super) fn start(self) -> Micros {
        self.start
    }

    /// The bank after a move with this credit. A move adds no more than the measured round trip.
    pub(super) fn after_move(self, bank: Micros, credit: Micros, round_trip: Option<Micros>) -> Micros {
        let refill = self.refill.min(round_trip.unwrap_or(Micros::ZERO));
        let ceiling = self.refill.saturating_mul(7);
        (bank.saturating_sub(credit) + refill).min(ceiling)
    }
}

/// What is forgiven in a turn that starts now.
pub(super) fn allowance(bank: Micros, round_trip: Option<Micros>) -> Micros {
    let round_trip = round_trip.unwrap_or(Micros::ZERO);
    (round_trip + Micros(round_trip.0 / 2)).min(ALLOWANCE_MAX).min(bank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(base: u64, increment: u64) -> LagPlan {
        let time_control = TimeControl::fischer(Micros::from_secs(base), Micros::from_secs(increment));
        LagPlan::of(&time_control, Color::White).expect("there is a clock")
    }

    #[test]
    fn the_refill_follows_the_time_control() {
        // 0.004 x 15 + 0.19 = 0.25.
        assert_eq!(plan(15, 0).refill, Micros::from_millis(250));
        // 0.004 x 60 + 0.19 = 0.43, which is the most.
        assert_eq!(plan(60, 0).refill, Micros::from_millis(430));
        assert_eq!(plan(180, 2).refill, Micros::from_millis(430));
    }

    /// Records do not hold it, and old ones must replay to the same banks.
    #[test]
    fn the_bank_at_the_start_stays_as_it_was_in_every_version() {
        // 3 x (0.004 x 60 + 0.15).
        assert_eq!(plan(60, 0).start(), Micros::from_millis(1_170));
        // 3 x (0.004 x 180 + 0.15).
        assert_eq!(plan(180, 0).start(), Micros::from_millis(2_610));
        // 0.004 x (180 + 40 x 2) + 0.15 = 1.19, at most 1.
        assert_eq!(plan(180, 2).start(), Micros::from_secs(3));
    }

    #[test]
    fn without_a_clock_there_is_no_plan() {
        assert_eq!(LagPlan::of(&TimeControl::Unlimited, Color::White), None);
        assert_eq!(LagPlan::of(&TimeControl::DaysPerMove { days: 1 }, Color::White), None);
    }

    #[test]
    fn the_bank_pays_the_credit_and_fills_to_its_ceiling() {
        let plan = plan(60, 0);
        let long = Some(Micros::from_secs(5));
        assert_eq!(plan.after_move(Micros(1_000), Micros(400), None), Micros(600));
        assert_eq!(plan.after_move(Micros(1_000), Micros(400), Some(Micros(50))), Micros(650));
        assert_eq!(plan.after_move(Micros(0), Micros(0), long), Micros::from_millis(430));
        assert_eq!(plan.after_move(Micros::from_secs(100), Micros(0), long), Micros::from_millis(3_010));
    }

    #[test]
    fn the_allowance_is_half_more_than_the_round_trip_at_most_a_second_or_the_bank() {
        let second = Micros::from_secs(1);
        assert_eq!(allowance(Micros::from_secs(3), Some(Micros(70))), Micros(105));
        assert_eq!(allowance(Micros::from_secs(3), Some(Micros::from_secs(2))), second);
        assert_eq!(allowance(Micros(30), Some(Micros(70))), Micros(30));
        assert_eq!(allowance(Micros::from_secs(3), None), Micros::ZERO);
    }
}
