//! Insufficient losing chances: Guidelines III.4 of the Laws (`fide_iii4`) and rule 14H of US Chess
//! (`us14h`).
//!
//! The player to move asks for a draw, which counts as a draw offer. If the opponent declines, by
//! command or with a move, a remedy makes the game playable without an arbiter's judgement: each
//! move then gives time to both sides, and the requester pays for it.

use super::time_control::Bonus;
use super::{Charge, Event, Game, GameInstant, IlcRule, Micros, Rejection, clock};
use crate::board::{ByColor, Color};

/// The most time that a player may have left to ask.
const TIME_MAX: Micros = Micros::from_secs(120);
/// What each move gives to both sides after the remedy.
const REMEDY: Micros = Micros::from_secs(5);
/// What the opponent of the requester gets under III.4.
const OPPONENTS_BONUS: Micros = Micros::from_secs(120);

impl Game {
    /// `Command::AskIlc`.
    pub(super) fn decide_ilc(&self, at: GameInstant, seat: Color) -> Result<Vec<Event>, Rejection> {
        if self.setup().profile.ilc == IlcRule::Off {
            return Err(Rejection::NotInProfile);
        }
        if seat != self.turn() {
            return Err(Rejection::NotYourTurn);
        }
        if !self.ilc_is_possible(at, seat) {
            return Err(Rejection::IlcNotPossible);
        }
        if self.draw_offer_to(seat).is_some() {
            return self.agree(at);
        }
        self.may_offer_draw(seat)?;
        Ok(vec![Event::IlcAsked { by: seat }])
    }

    /// Possible once, in the last period without increment or delay, with at most two minutes left.
    fn ilc_is_possible(&self, at: GameInstant, seat: Color) -> bool {
        let is_sudden_death = |seat: Color| {
            self.period(seat).is_some_and(|standing| standing.is_last)
                && self.bonus(seat).amount() == Micros::ZERO
        };
        let has_little_time = self.clocks_at(at).is_some_and(|clocks| clocks[seat] <= TIME_MAX);
        Color::ALL.into_iter().all(is_sudden_death) && has_little_time && !self.offers().ilc_asked[seat]
    }

    /// What follows when the opponent of `requester` declines. `charge` is for the part of the running
    /// turn that ends here, unless a move has ended the turn; `clocks` are both clocks after it.
    pub(super) fn ilc_remedy(
        &self,
        requester: Color,
        charge: Option<Charge>,
        clocks: ByColor<Micros>,
    ) -> Event {
        let mut remaining = clocks;
        let bonus = match self.setup().profile.ilc {
            IlcRule::Us14H => {
                remaining[requester] = Micros(remaining[requester].0.div_ceil(2));
                Bonus::SimpleDelay(REMEDY)
            }
            IlcRule::FideIii4 => {
                remaining[!requester] = clock::add(remaining[!requester], OPPONENTS_BONUS);
                Bonus::Increment(REMEDY)
            }
            IlcRule::Off => unreachable!("nobody can ask where the profile does not know it"),
        };
        Event::IlcRemedied { by: requester, charge, bonus: ByColor::both(bonus), remaining }
    }
}
