//! Folding a recorded event: the only writer of recorded state, live and in replay.
//!
//! No rule is applied here: an event says completely what happened. An event that cannot follow
//! from those before it was recorded by mistake, and panics.

use std::sync::Arc;

use super::lag::LagPlan;
use super::move_history::MoveHistory;
use super::offers::Offers;
use super::state::{Clocks, Recorded, Stage, Stop};
use super::transient::Transient;
use super::{AbsenceWish, AdjustmentCause, Charge, DrawOffer, Event, Game, GameSetup, Micros, TakebackOffer};
use crate::board::{ByColor, Move};

impl Game {
    /// The game after its first event.
    ///
    /// # Panics
    /// When `event` is not [`Event::Started`].
    #[must_use]
    pub fn from_started(event: &Event) -> Self {
        let Event::Started(setup) = event else { panic!("a game's first event is `Started`, not {event:?}") };
        let recorded = Recorded {
            seq: 1,
            on: 1,
            turn: 1,
            position: setup.start.clone(),
            history: MoveHistory::new(&setup.start),
            clocks: None,
            offers: Offers::NONE,
            claimed_on: None,
            claimed_move: None,
            stage: Stage::Playing,
            setup: Arc::new(GameSetup::clone(setup)),
        };
        let mut game = Self { recorded, transient: Transient::NOTHING };
        game.recorded.clocks = game.start_clocks().map(|remaining| game.first_clocks(remaining));
        game
    }

    fn first_clocks(&self, remaining: ByColor<Micros>) -> Clocks {
        let bank = ByColor::from_fn(|seat| {
            LagPlan::of(&self.setup().time_control, seat).map_or(Micros::ZERO, LagPlan::start)
        });
        let given = ByColor::both(Micros::ZERO);
        Clocks { remaining, bank, periods_begun: ByColor::both(1), given, remedy: None }
    }

    /// Folds the next recorded event.
    ///
    /// # Panics
    /// When `event` is a second [`Event::Started`], comes after the end, or refers to something
    /// that does not exist. Each means that the record was not made by `decide` on this game.
    pub fn evolve(&mut self, event: &Event) {
        assert!(!self.has_ended(), "nothing comes after the end, but {event:?} did");
        self.recorded.seq += 1;
        match event {
            Event::Started(_) => panic!("`Started` is the first event only"),
            Event::MovePlayed { mv, charge } => self.evolve_move(*mv, charge.as_ref()),
            Event::DrawOffered { by } => {
                self.open_draw_offer_of(DrawOffer { by: *by, seq: self.seq(), is_ilc: false });
            }
            Event::IlcAsked { by } => {
                self.recorded.offers.ilc_asked[*by] = true;
                self.open_draw_offer_of(DrawOffer { by: *by, seq: self.seq(), is_ilc: true });
            }
            Event::DrawDeclined { .. } => self.recorded.offers.draw = None,
            Event::DrawClaimed { intended, found, .. } => {
                self.recorded.claimed_on = Some(self.position_seq());
                self.recorded.claimed_move = intended.filter(|_| found.is_some());
            }
            Event::AbsenceClaimed { by, wish, charge } => {
                self.apply(charge.as_ref());
                if *wish == AbsenceWish::Win {
                    self.stop(Stop::AbsenceClaim { by: *by });
                }
            }
            Event::TakebackOffered { by, plies } => {
                let offer = TakebackOffer { by: *by, seq: self.seq(), plies: *plies };
                self.recorded.offers.open_takeback(offer);
            }
            Event::TakebackDeclined { .. } => self.recorded.offers.takeback = None,
            Event::TakenBack { plies, charge } => self.evolve_takeback(*plies, charge.as_ref()),
            Event::TimeAdjusted { cause, remaining } => self.evolve_adjustment(*cause, *remaining),
            Event::IlcRemedied { charge, bonus, remaining, .. } => {
                self.apply(charge.as_ref());
                self.clocks_mut().remedy = Some(*bonus);
                self.set_clocks(*remaining);
                self.recorded.turn = self.seq();
            }
            Event::FlagFell { seat, charge } => {
                self.apply(charge.as_ref());
                self.stop(Stop::FlagFall { seat: *seat });
            }
            Event::Resigned { seat, charge } => {
                self.apply(charge.as_ref());
                self.stop(Stop::Resignation { seat: *seat });
            }
            Event::Ended { outcome, charge } => {
                self.apply(charge.as_ref());
                self.recorded.offers.after_end();
                self.recorded.stage = Stage::Ended(outcome.clone());
            }
        }
    }

    fn evolve_move(&mut self, mv: Move, charge: Option<&Charge>) {
        let mover = self.turn();
        let seq = self.seq();
        self.recorded.position.play_unchecked(mv);
        self.recorded.history.push(mv, &self.recorded.position, seq, charge);
        self.apply(charge);
        if let Some(number) = self.period(mover).map(|standing| standing.number) {
            let begun = &mut self.clocks_mut().periods_begun[mover];
            *begun = number.max(*begun);
        }
        self.recorded.offers.after_move(mover);
        self.recorded.on = seq;
        self.recorded.turn = seq;
    }

    fn evolve_takeback(&mut self, plies: u8, charge: Option<&Charge>) {
        let Recorded { history, position, setup, .. } = &mut self.recorded;
        *position = history.take_back(plies.into(), &setup.start);
        self.apply(charge);
        if let Some(charge) = charge {
            self.set_clocks(charge.remaining);
        }
        let plies = self.ply_count();
        self.recorded.offers.after_takeback(plies);
        self.recorded.on = self.seq();
        self.recorded.turn = self.seq();
    }

    fn evolve_adjustment(&mut self, cause: AdjustmentCause, remaining: ByColor<Micros>) {
        if let AdjustmentCause::GiveTime { by } = cause {
            let clocks = self.clocks_mut();
            let amount = remaining[!by].saturating_sub(clocks.remaining[!by]);
            clocks.given[by] += amount;
        }
        self.set_clocks(remaining);
    }

    fn open_draw_offer_of(&mut self, offer: DrawOffer) {
        let plies = self.ply_count();
        self.recorded.offers.open_draw(offer, plies);
    }

    /// Stops the clocks until the verdict, and ends every offer.
    fn stop(&mut self, why: Stop) {
        self.recorded.offers.after_end();
        self.recorded.stage = Stage::Stopped { about: self.seq(), why };
    }

    /// Puts a charge on the clocks.
    fn apply(&mut self, charge: Option<&Charge>) {
        if let Some(charge) = charge {
            let clocks = self.clocks_mut();
            clocks.remaining = charge.remaining;
            clocks.bank[charge.seat] = charge.bank;
        }
    }

    /// Sets both clocks after something other than a move.
    fn set_clocks(&mut self, remaining: ByColor<Micros>) {
        self.clocks_mut().remaining = remaining;
        self.recorded.history.note_clocks(remaining);
    }

    fn clocks_mut(&mut self) -> &mut Clocks {
        self.recorded.clocks.as_mut().expect("an event about clocks belongs to a game with clocks")
    }
}
