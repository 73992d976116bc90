//! Absence: claiming the win, or a draw, against an absent opponent after a grace period (article
//! 6.7 and profile), and the end of a game that both players have left.
//!
//! Presence is a transient fact; only the claim and the end are recorded. Without a clock, or with
//! days per move, there is no claim.

use super::{AbsenceWish, Event, Game, GameInstant, Micros, Rejection, Speed};
use crate::board::Color;
use crate::verdict::{Outcome, Reason, Score};

/// How long both players may be away (our choice): a game without a clock would never end.
const BOTH_AWAY_MAX: Micros = Micros::from_secs(30 * 24 * 3600);

impl Game {
    /// Since when a player is away; `None` while the player is present.
    #[must_use]
    pub fn away_since(&self, seat: Color) -> Option<GameInstant> {
        self.transient.presence[seat].away_since()
    }

    /// When a game that both players have left ends without a result; `None` while one of them is
    /// present, and when the game is over.
    pub(super) fn both_away_at(&self) -> Option<GameInstant> {
        let last = self.away_since(Color::White)?.max(self.away_since(Color::Black)?);
        (!self.is_over()).then_some(last + BOTH_AWAY_MAX)
    }

    /// The end of a game that both players have left.
    pub(super) fn both_away(&self, at: GameInstant) -> Event {
        let outcome = Outcome { score: Score::NoResult, reason: Reason::BothAway, proof: None };
        Event::Ended { outcome, charge: self.charge_until(at) }
    }

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
