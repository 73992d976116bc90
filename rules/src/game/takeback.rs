//! Taking moves back by consent, where the profile allows it.
//!
//! Position, castling rights, counters and repetition go back to what they were. The clocks do not:
//! they stay as they are shown. A takeback offer is for the position in which it was made and ends
//! with it (our choice); each side has one such offer in a position.

use super::turn_clock::Timing;
use super::{Charge, Event, Game, GameInstant, Rejection, Seq, TakebackOffer};
use crate::board::{ByColor, Color};

impl Game {
    /// `Command::OfferTakeback`.
    pub(super) fn decide_takeback_offer(&self, seat: Color) -> Result<Vec<Event>, Rejection> {
        if !self.setup().profile.friendly {
            return Err(Rejection::NotInProfile);
        }
        if self.moves_of(seat) == 0 {
            return Err(Rejection::NothingToTakeBack);
        }
        if self.offers().takeback.is_some() || self.offers().takeback_used[seat] {
            return Err(Rejection::AlreadyOffered);
        }
        self.may_add_extra()?;
        // If it is the player's turn, the opponent has already answered the move to be taken back.
        let plies = if seat == self.turn() { 2 } else { 1 };
        Ok(vec![Event::TakebackOffered { by: seat, plies }])
    }

    /// `Command::AcceptTakeback`.
    pub(super) fn decide_takeback(
        &self,
        at: GameInstant,
        seat: Color,
        seq: Seq,
    ) -> Result<Vec<Event>, Rejection> {
        let offer = self.answered_takeback(seat, seq)?;
        Ok(vec![Event::TakenBack { plies: offer.plies, charge: self.charge_for_takeback(at) }])
    }

    /// `Command::DeclineTakeback`.
    pub(super) fn decide_takeback_decline(&self, seat: Color, seq: Seq) -> Result<Vec<Event>, Rejection> {
        self.answered_takeback(seat, seq)?;
        Ok(vec![Event::TakebackDeclined { by: seat }])
    }

    fn answered_takeback(&self, seat: Color, seq: Seq) -> Result<TakebackOffer, Rejection> {
        let offer = self.offers().takeback.filter(|offer| offer.by != seat).ok_or(Rejection::NoOffer)?;
        if offer.seq == seq { Ok(offer) } else { Err(Rejection::Stale) }
    }

    /// The running turn is charged up to here. With days per move, the turn that begins gets its
    /// full days.
    fn charge_for_takeback(&self, at: GameInstant) -> Option<Charge> {
        let mut charge = self.charge_until(at)?;
        if let Timing::Days(allotted) = self.timing() {
            charge.remaining = ByColor::both(allotted);
        }
        Some(charge)
    }
}
