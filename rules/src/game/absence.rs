//! Claiming the win, or a draw, against an absent opponent after a grace period (article 6.7 and
//! profile).
//!
//! Presence is a transient fact; only the claim is recorded. Without a clock, or with days per
//! move, there is no claim.

use super::{AbsenceWish, Event, Game, GameInstant, Micros, Rejection, Speed};
use crate::board::Color;
use crate::verdict::{Outcome, Reason};

impl Game {
    /// `Command::ClaimAbsence`.
    pub(super) fn decide_absence_claim(
        &self,
        at: GameInstant,
        by: Color,
        wish: AbsenceWish,
    ) -> Result<Vec<Event>, Rejection> {
        if self.absence_grace().is_none() {
            return Err(Rejection::NotInProfile);
        }
        if self.absence_claimable_at(by).is_none_or(|from| at < from) {
            return Err(Rejection::NotAbsent);
        }
        let mut events = vec![Event::AbsenceClaimed { by, wish, charge: self.charge_until(at) }];
        if wish == AbsenceWish::Draw {
            events.push(Event::Ended { outcome: Outcome::draw(Reason::Abandonment), charge: None });
        }
        Ok(events)
    }

    /// How long the opponent must be absent before a claim (our choice); `None` where there is no
    /// claim.
    pub(super) fn absence_grace(&self) -> Option<Micros> {
        if !self.setup().profile.absence_claim {
            return None;
        }
        match self.setup().time_control.speed() {
            Speed::Bullet => Some(Micros::from_secs(30)),
            Speed::Blitz => Some(Micros::from_secs(60)),
            Speed::Rapid | Speed::Classical => Some(Micros::from_secs(120)),
            Speed::Correspondence => None,
        }
    }
}
