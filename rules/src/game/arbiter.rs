//! An arbiter's acts (article 12.9): declaring a result, and changing clocks.
//!
//! Clocks are changed as they are shown at the act's instant: what the running turn has taken so
//! far stays taken. With days per move an act holds for the move that a side makes next.

use super::{AdjustmentCause, ArbiterAct, Event, Game, GameInstant, Micros, Rejection, TimeControl};
use crate::board::{ByColor, Color};
use crate::verdict::{Outcome, Reason};

/// The least time that an act leaves, so that an act alone never makes a flag fall.
const LEFT_MIN: Micros = Micros(1);

impl Game {
    /// `Input::Arbiter`.
    pub(super) fn decide_act(&self, at: GameInstant, act: &ArbiterAct) -> Result<Vec<Event>, Rejection> {
        match *act {
            ArbiterAct::Declare(score) => {
                let outcome = Outcome { score, reason: Reason::Arbiter, proof: None };
                Ok(vec![Event::Ended { outcome, charge: self.charge_until(at) }])
            }
            ArbiterAct::SetClocks(clocks) => self.decide_clocks(at, |_| clocks),
            ArbiterAct::AddTime { seat, amount } => self.decide_clocks(at, |mut clocks| {
                clocks[seat] += amount;
                clocks
            }),
            ArbiterAct::TakeTime { seat, amount } => self.decide_clocks(at, |mut clocks| {
                clocks[seat] = clocks[seat].saturating_sub(amount).max(LEFT_MIN);
                clocks
            }),
        }
    }

    /// The act that changes the clocks as they are shown at `at`.
    fn decide_clocks(
        &self,
        at: GameInstant,
        change: impl FnOnce(ByColor<Micros>) -> ByColor<Micros>,
    ) -> Result<Vec<Event>, Rejection> {
        let (Some(recorded), Some(shown)) = (self.clocks(), self.clocks_at(at)) else {
            return Err(Rejection::NotInProfile);
        };
        let wanted = change(shown);
        let in_range = |seat: Color| (LEFT_MIN..=TimeControl::CLOCK_MAX).contains(&wanted[seat]);
        if !Color::ALL.into_iter().all(in_range) || wanted == shown {
            return Err(Rejection::BadAmount);
        }
        // Clocks are recorded as of the start of the turn, so what the turn has taken is added
        // back.
        let remaining = ByColor::from_fn(|seat| wanted[seat] + recorded[seat].saturating_sub(shown[seat]));
        Ok(vec![Event::TimeAdjusted { cause: AdjustmentCause::Arbiter, remaining }])
    }
}
