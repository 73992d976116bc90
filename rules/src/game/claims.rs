//! Claims of a draw by repetition or move count (articles 9.2, 9.3, 9.5), on the board or with the
//! intended move.
//!
//! A claim counts as a draw offer (9.1.2.3): a wrong claim accepts the opponent's open offer, or
//! makes an offer where one is allowed.

use super::moves::MoveEffect;
use super::{
    AdjustmentCause, ClaimRule, Event, Game, GameInstant, Micros, Rejection, Seq, WrongClaimRule, clock,
};
use crate::board::{ByColor, Color, Move, Position};
use crate::verdict::{CLAIM_QUIET_PLIES, CLAIM_REPETITIONS, Outcome, Reason};

/// With at least this much time for 60 moves, a wrong claim costs what it costs in standard chess.
const STANDARD_CHESS: Micros = Micros::from_secs(60 * 60);

impl Game {
    /// `Command::ClaimDraw`.
    pub(super) fn decide_claim(
        &self,
        at: GameInstant,
        seat: Color,
        on: Seq,
        intended: Option<Move>,
    ) -> Result<Vec<Event>, Rejection> {
        let profile = &self.setup().profile;
        let knows = |claim: ClaimRule| match intended {
            None => claim != ClaimRule::None,
            Some(_) => claim == ClaimRule::WithMove,
        };
        if !knows(profile.repetition.claim) && !knows(profile.quiet_plies.claim) {
            return Err(Rejection::NotInProfile);
        }
        self.must_be_turn(seat, on)?;
        if self.recorded.claimed_on == Some(on) {
            return Err(Rejection::AlreadyClaimed);
        }
        let next = intended.map(|mv| self.position_after(seat, on, mv)).transpose()?;
        let found = match &next {
            None => self.claim_on_board(),
            Some(next) => self.claim_with_move(next),
        };
        let mut events = vec![Event::DrawClaimed { by: seat, intended, found }];
        match (found, intended.zip(next)) {
            (Some(reason), _) => {
                events.push(Event::Ended { outcome: Outcome::draw(reason), charge: self.charge_until(at) });
            }
            (None, None) => self.add_wrong_claim(at, seat, &mut events),
            (None, Some((mv, next))) => self.add_wrong_claim_with_move(at, seat, mv, &next, &mut events),
        }
        Ok(events)
    }

    /// What can be claimed about the position after the intended move.
    fn claim_with_move(&self, next: &Position) -> Option<Reason> {
        let profile = &self.setup().profile;
        let knows = |claim: ClaimRule| claim == ClaimRule::WithMove;
        if knows(profile.repetition.claim)
            && self.recorded.history.occurrences_of_next(next, &self.setup().start) >= CLAIM_REPETITIONS
        {
            return Some(Reason::ThreefoldRepetition);
        }
        let quiet = next.halfmove_clock() >= CLAIM_QUIET_PLIES;
        (knows(profile.quiet_plies.claim) && quiet).then_some(Reason::FiftyMoves)
    }

    fn add_wrong_claim(&self, at: GameInstant, by: Color, events: &mut Vec<Event>) {
        if self.draw_offer_to(by).is_some() && self.both_have_moved() {
            let outcome = Outcome::draw(Reason::Agreement);
            events.push(Event::Ended { outcome, charge: self.charge_until(at) });
            return;
        }
        events.extend(self.wrong_claim_bonus(by, self.clocks()));
        if self.may_offer_draw(by).is_ok() {
            events.push(Event::DrawOffered { by });
        }
    }

    /// The intended move is played at the claim's stamp; if the game goes on, the bonus and the
    /// offer follow.
    fn add_wrong_claim_with_move(
        &self,
        at: GameInstant,
        by: Color,
        mv: Move,
        next: &Position,
        events: &mut Vec<Event>,
    ) {
        let MoveEffect::Continues { clocks } = self.add_move(at, mv, next, events) else { return };
        events.extend(self.wrong_claim_bonus(by, clocks));
        let mut offers = *self.offers();
        offers.after_move(by);
        let (plies, moves) = (self.ply_count() + 1, self.moves_of(by) + 1);
        let may_open = offers.may_open_draw(by, plies, moves, &self.setup().profile);
        if may_open.and_then(|()| self.may_add_extra()).is_ok() {
            events.push(Event::DrawOffered { by });
        }
    }

    /// The opponent's bonus for a wrong claim (9.5.3), added to `clocks`; none without real-time
    /// clocks.
    fn wrong_claim_bonus(&self, by: Color, clocks: Option<ByColor<Micros>>) -> Option<Event> {
        if !self.has_real_time() {
            return None;
        }
        let amount = match self.setup().profile.wrong_claim {
            WrongClaimRule::None => return None,
            WrongClaimRule::Fixed(amount) => amount,
            WrongClaimRule::Fide if self.is_standard_chess() => Micros::from_secs(120),
            WrongClaimRule::Fide => Micros::from_secs(60),
        };
        let mut remaining = clocks?;
        remaining[!by] = clock::add(remaining[!by], amount);
        Some(Event::TimeAdjusted { cause: AdjustmentCause::WrongClaim { by }, remaining })
    }

    /// Base + 60 x increment or delay is 60 min or more, for the side that has more.
    fn is_standard_chess(&self) -> bool {
        self.setup().time_control.longest_estimate(60).is_some_and(|time| time >= STANDARD_CHESS)
    }
}
