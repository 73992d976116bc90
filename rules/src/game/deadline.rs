//! The deadline: what comes too late, the flag that falls (6.8, 6.9), and the end of a game that both
//! players have left.
//!
//! Deliberately absent: when the deadline is (`turn_clock`, `absence`), and what a flag fall means for
//! the result (`question`).

use super::{Event, Game, GameInstant, Rejection};
use crate::verdict::{Outcome, Reason, Score};

impl Game {
    /// A result is final, and a command stamped at the flag's instant or later comes too late
    /// (6.9).
    pub(super) fn must_be_in_time(&self, at: GameInstant) -> Result<(), Rejection> {
        if self.is_over() {
            return Err(Rejection::GameOver);
        }
        if self.deadline().is_some_and(|deadline| at >= deadline) {
            return Err(Rejection::TimeIsUp);
        }
        Ok(())
    }

    /// `Input::Deadline`: the flag falls (6.9), a first move is late (profile), or both players have
    /// been away for too long.
    pub(super) fn decide_deadline(&self, at: GameInstant) -> Result<Vec<Event>, Rejection> {
        let deadline = self.deadline().ok_or(Rejection::NothingDue)?;
        if at < deadline {
            return Err(Rejection::NothingDue);
        }
        if self.turn_deadline().is_none_or(|flag| deadline < flag) {
            return Ok(vec![self.both_away(deadline)]);
        }
        let charge = self.charge_to_flag();
        Ok(vec![if self.running().is_some() {
            Event::FlagFell { seat: self.turn(), charge }
        } else {
            let outcome = Outcome { score: Score::NoResult, reason: Reason::FirstMoveLimit, proof: None };
            Event::Ended { outcome, charge }
        }])
    }
}
