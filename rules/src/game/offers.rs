//! Draw offers (article 9.1): when one may be made, what it leads to, and when it ends.
//!
//! At most one draw offer is open at a time: an offer made while the opponent's is open accepts it.
//! An offer ends when it is accepted or declined, when the opponent answers with a move, when moves
//! are taken back, and with the game. The offerer's own move does not end it, and nobody can
//! withdraw it.

use super::{Event, Game, GameInstant, Profile, Rejection, Seq};
use crate::board::{ByColor, Color};
use crate::verdict::{Outcome, Reason};

/// How many events a game may have beyond the half-moves on its board before nobody may offer or give
/// anything more in it (our choice). A takeback counts four: two events, and the half-moves that went.
/// Without this two players could take back for ever what they play, and whoever reads the game reads
/// it all. What goes through then adds a bounded number of events: moves, claims, the answer to an open
/// offer.
pub const EXTRA_EVENTS_MAX: u32 = 1_000;

/// An open draw offer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DrawOffer {
    /// The side that offers.
    pub by: Color,
    /// The seq of the event that made it. An answer names it.
    pub seq: Seq,
    /// Whether it was made by asking for insufficient losing chances. Declining it then brings the
    /// remedy.
    pub is_ilc: bool,
}

/// An open takeback offer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TakebackOffer {
    /// The side that asks.
    pub by: Color,
    /// The seq of the event that made it. An answer names it.
    pub seq: Seq,
    /// How many half-moves it would take back: 1 or 2.
    pub plies: u8,
}

/// What is recorded about offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Offers {
    /// The open draw offer.
    pub(super) draw: Option<DrawOffer>,
    /// Whether each side has offered a draw since the opponent's last move.
    pub(super) draw_used: ByColor<bool>,
    /// How many half-moves stood on the board when each side last offered a draw.
    pub(super) draw_at: ByColor<Option<u32>>,
    /// Whether each side has asked for insufficient losing chances.
    pub(super) ilc_asked: ByColor<bool>,
    /// The open takeback offer.
    pub(super) takeback: Option<TakebackOffer>,
    /// Whether each side has asked for a takeback in this position.
    pub(super) takeback_used: ByColor<bool>,
}

impl Offers {
    pub(super) const NONE: Self = Self {
        draw: None,
        draw_used: ByColor { white: false, black: false },
        draw_at: ByColor { white: None, black: None },
        ilc_asked: ByColor { white: false, black: false },
        takeback: None,
        takeback_used: ByColor { white: false, black: false },
    };

    pub(super) fn open_draw(&mut self, offer: DrawOffer, plies: u32) {
        self.draw = Some(offer);
        self.draw_used[offer.by] = true;
        self.draw_at[offer.by] = Some(plies);
    }

    pub(super) fn open_takeback(&mut self, offer: TakebackOffer) {
        self.takeback = Some(offer);
        self.takeback_used[offer.by] = true;
    }

    /// Whether `seat` may offer a draw when `plies` half-moves stand on the board, `moves` of them
    /// its own.
    pub(super) fn may_open_draw(
        &self,
        seat: Color,
        plies: u32,
        moves: u32,
        profile: &Profile,
    ) -> Result<(), Rejection> {
        if self.draw.is_some() || self.draw_used[seat] {
            return Err(Rejection::AlreadyOffered);
        }
        let apart = |last: u32| plies.saturating_sub(last) >= u32::from(profile.draw_offer.plies_apart);
        let late_enough = moves >= u32::from(profile.no_draw_offer_before_move);
        if late_enough && self.draw_at[seat].is_none_or(apart) {
            Ok(())
        } else {
            Err(Rejection::OfferTooEarly)
        }
    }

    /// A move declines the opponent's draw offer, and lets the opponent offer again.
    pub(super) fn after_move(&mut self, mover: Color) {
        if self.draw.is_some_and(|offer| offer.by != mover) {
            self.draw = None;
        }
        self.draw_used[!mover] = false;
        self.takeback = None;
        self.takeback_used = ByColor::both(false);
    }

    /// A takeback clears the offers. The plies until a side's next offer are counted from the
    /// restored position.
    pub(super) fn after_takeback(&mut self, plies: u32) {
        let draw_at = self.draw_at.map(|at| at.map(|at| at.min(plies)));
        *self = Self { draw_at, ilc_asked: self.ilc_asked, ..Self::NONE };
    }

    /// The end of the game ends every offer.
    pub(super) fn after_end(&mut self) {
        self.draw = None;
        self.takeback = None;
    }
}

impl Game {
    /// `Command::OfferDraw`.
    pub(super) fn decide_draw_offer(&self, at: GameInstant, seat: Color) -> Result<Vec<Event>, Rejection> {
        if self.draw_offer_to(seat).is_some() {
            return self.agree(at);
        }
        self.may_offer_draw(seat)?;
        Ok(vec![Event::DrawOffered { by: seat }])
    }

    /// `Command::AcceptDraw`.
    pub(super) fn decide_draw_acceptance(
        &self,
        at: GameInstant,
        seat: Color,
        seq: Seq,
    ) -> Result<Vec<Event>, Rejection> {
        self.answered_draw_offer(seat, seq)?;
        self.agree(at)
    }

    /// `Command::DeclineDraw`.
    pub(super) fn decide_draw_decline(
        &self,
        at: GameInstant,
        seat: Color,
        seq: Seq,
    ) -> Result<Vec<Event>, Rejection> {
        let offer = self.answered_draw_offer(seat, seq)?;
        let mut events = vec![Event::DrawDeclined { by: seat }];
        if offer.is_ilc {
            let charge =
                self.charge_until(at).expect("insufficient losing chances are asked for with clocks only");
            events.push(self.ilc_remedy(offer.by, Some(charge), charge.remaining));
        }
        Ok(events)
    }

    /// The open draw offer that `seat` may answer.
    pub(super) fn draw_offer_to(&self, seat: Color) -> Option<DrawOffer> {
        self.offers().draw.filter(|offer| offer.by != seat)
    }

    fn answered_draw_offer(&self, seat: Color, seq: Seq) -> Result<DrawOffer, Rejection> {
        let offer = self.draw_offer_to(seat).ok_or(Rejection::NoOffer)?;
        if offer.seq == seq { Ok(offer) } else { Err(Rejection::Stale) }
    }

    /// Both want a draw (5.2.3): possible once both sides have moved.
    pub(super) fn agree(&self, at: GameInstant) -> Result<Vec<Event>, Rejection> {
        if !self.both_have_moved() {
            return Err(Rejection::BothMustMove);
        }
        Ok(vec![Event::Ended { outcome: Outcome::draw(Reason::Agreement), charge: self.charge_until(at) }])
    }

    /// Whether `seat` may offer a draw now.
    pub(super) fn may_offer_draw(&self, seat: Color) -> Result<(), Rejection> {
        self.offers().may_open_draw(seat, self.ply_count(), self.moves_of(seat), &self.setup().profile)?;
        self.may_add_extra()
    }

    /// Whether something that is neither a move nor an end may still begin. Only asked when it would be
    /// decided: a game that has more, because it was recorded when there was no limit, is read all the
    /// same.
    pub(super) fn may_add_extra(&self) -> Result<(), Rejection> {
        let extra = self.seq() - self.ply_count();
        if extra < EXTRA_EVENTS_MAX { Ok(()) } else { Err(Rejection::TooManyOffers) }
    }
}
