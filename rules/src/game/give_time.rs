//! Giving the opponent time, where the profile allows it. It needs no consent (our choice).

use super::{AdjustmentCause, Event, Game, Micros, Rejection, TimeControl};
use crate::board::Color;

/// The least that is given at once.
pub const GIVE_TIME_MIN: Micros = Micros::from_secs(1);
/// The most that is given at once.
pub const GIVE_TIME_MAX: Micros = Micros::from_secs(60);
/// The most that one player gives in a game (our choice).
pub const GIVEN_TOTAL_MAX: Micros = Micros::from_secs(3600);

impl Game {
    /// `Command::GiveTime`.
    pub(super) fn decide_give_time(&self, by: Color, amount: Micros) -> Result<Vec<Event>, Rejection> {
        let Some(clocks) =
            self.recorded.clocks.filter(|_| self.setup().profile.friendly && self.has_real_time())
        else {
            return Err(Rejection::NotInProfile);
        };
        let mut remaining = clocks.remaining;
        remaining[!by] += amount;
        let in_range =
            (GIVE_TIME_MIN..=GIVE_TIME_MAX).contains(&amount) && clocks.given[by] + amount <= GIVEN_TOTAL_MAX;
        if !in_range || remaining[!by] > TimeControl::CLOCK_MAX {
            return Err(Rejection::BadAmount);
        }
        self.may_add_extra()?;
        Ok(vec![Event::TimeAdjusted { cause: AdjustmentCause::GiveTime { by }, remaining }])
    }
}
