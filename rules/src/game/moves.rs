//! Playing a move, and the ends that it can bring (docs/laws.md, "Moves" and "After every move").

use super::{Event, Game, GameInstant, Micros, Rejection, Seq};
use crate::board::{ByColor, Color, Move, Position};
use crate::verdict::{Outcome, after_move};

impl Game {
    /// `Command::PlayMove`.
    pub(super) fn decide_move(
        &self,
        at: GameInstant,
        seat: Color,
        on: Seq,
        mv: Move,
    ) -> Result<Vec<Event>, Rejection> {
        let next = self.position_after(seat, on, mv)?;
        let mut events = Vec::with_capacity(1);
        self.add_move(at, mv, &next, &mut events);
        Ok(events)
    }

    /// The position after a legal move of the side whose turn it is.
    pub(super) fn position_after(&self, seat: Color, on: Seq, mv: Move) -> Result<Position, Rejection> {
        self.must_be_turn(seat, on)?;
        if !self.position().is_legal(mv) {
            return Err(Rejection::IllegalMove);
        }
        let mut next = self.position().clone();
        next.play_unchecked(mv);
        Ok(next)
    }

    /// Checks that the command is about the position on the board and comes from the side to move.
    pub(super) fn must_be_turn(&self, seat: Color, on: Seq) -> Result<(), Rejection> {
        if on != self.position_seq() {
            return Err(Rejection::Stale);
        }
        if seat != self.turn() {
            return Err(Rejection::NotYourTurn);
        }
        Ok(())
    }

    /// Adds a legal move and what follows from it. Returns both clocks after it if the game goes on
    /// with clocks.
    pub(super) fn add_move(
        &self,
        at: GameInstant,
        mv: Move,
        next: &Position,
        events: &mut Vec<Event>,
    ) -> MoveEffect {
        let end = self.end_after(next);
        let charge = self.charge_for_move(at, end.is_some());
        events.push(Event::MovePlayed { mv, charge });
        if let Some(outcome) = end {
            events.push(Event::Ended { outcome, charge: None });
            return MoveEffect::Ended;
        }
        let Some(charge) = charge else { return MoveEffect::Continues { clocks: None } };
        let mut clocks = charge.remaining;
        if let Some(offer) = self.draw_offer_to(self.turn()).filter(|offer| offer.is_ilc) {
            let remedy = self.ilc_remedy(offer.by, None, clocks);
            if let Event::IlcRemedied { remaining, .. } = remedy {
                clocks = remaining;
            }
            events.push(remedy);
        }
        MoveEffect::Continues { clocks: Some(clocks) }
    }

    /// The automatic end of the game when `next` follows the position on the board.
    fn end_after(&self, next: &Position) -> Option<Outcome> {
        let automatic = self.setup().automatic_draws_for(next.side_to_move());
        after_move(next, || self.recorded.history.occurrences_of_next(next, &self.setup().start), automatic)
    }
}

/// What a move led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveEffect {
    /// It ended the game.
    Ended,
    /// The game goes on, with these clocks if it has any.
    Continues { clocks: Option<ByColor<Micros>> },
}
