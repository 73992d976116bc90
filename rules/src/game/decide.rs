//! What an input leads to: the entry point to every rule.
//!
//! What holds for all commands, that they come before the deadline, is in `deadline`; the rule of each
//! command is in the module of its subject.

use super::state::{Stage, Stop};
use super::{Command, Event, Game, GameInstant, Input, Rejection, Seq};
use crate::board::Color;
use crate::verdict::{Outcome, Reason, Score};

impl Game {
    /// What `input` at `at` leads to: at least one event to record, or why there is none.
    ///
    /// Only reads, draws no random number, and takes microseconds at most. Decide inputs in the
    /// order of their stamps, and [`Input::Deadline`] after all inputs that are stamped before it.
    ///
    /// # Errors
    /// The [`Rejection`] that says why the input changes nothing.
    pub fn decide(&self, at: GameInstant, input: &Input) -> Result<Vec<Event>, Rejection> {
        match input {
            Input::Player { seat, command } => {
                self.must_be_in_time(at)?;
                self.decide_command(at, *seat, command)
            }
            Input::Arbiter(act) => {
                self.must_be_in_time(at)?;
                self.decide_act(at, act)
            }
            Input::Deadline => self.decide_deadline(at),
            Input::Answer { about, outcome } => self.decide_answer(at, *about, outcome.as_ref()),
        }
    }

    fn decide_command(
        &self,
        at: GameInstant,
        seat: Color,
        command: &Command,
    ) -> Result<Vec<Event>, Rejection> {
        let normalized = |mv| self.variant().normalized(mv, self.position());
        match *command {
            Command::PlayMove { on, mv } => self.decide_move(at, seat, on, normalized(mv)),
            Command::Resign => Ok(vec![Event::Resigned { seat, charge: self.charge_until(at) }]),
            Command::OfferDraw => self.decide_draw_offer(at, seat),
            Command::AcceptDraw { offer } => self.decide_draw_acceptance(at, seat, offer),
            Command::DeclineDraw { offer } => self.decide_draw_decline(at, seat, offer),
            Command::ClaimDraw { on, intended } => self.decide_claim(at, seat, on, intended.map(normalized)),
            Command::ClaimAbsence { wish } => self.decide_absence_claim(at, seat, wish),
            Command::Abort => self.decide_abort(at),
            Command::OfferTakeback => self.decide_takeback_offer(seat),
            Command::AcceptTakeback { offer } => self.decide_takeback(at, seat, offer),
            Command::DeclineTakeback { offer } => self.decide_takeback_decline(seat, offer),
            Command::GiveTime { amount } => self.decide_give_time(seat, amount),
            Command::AskIlc => self.decide_ilc(at, seat),
        }
    }

    /// `Command::Abort`: until both sides have moved (profile).
    fn decide_abort(&self, at: GameInstant) -> Result<Vec<Event>, Rejection> {
        if !self.setup().profile.soft_start {
            return Err(Rejection::NotInProfile);
        }
        if self.both_have_moved() {
            return Err(Rejection::TooLateToAbort);
        }
        let outcome = Outcome { score: Score::NoResult, reason: Reason::Aborted, proof: None };
        Ok(vec![Event::Ended { outcome, charge: self.charge_until(at) }])
    }

    /// `Input::Answer`: the verdict that was missing, or a dead position found late.
    ///
    /// If a position of the game was dead, every later position is dead too, and the game ended
    /// when the first one arose (5.2.2). That holds even if it is found plies later, or after a
    /// flag fall or resignation.
    fn decide_answer(
        &self,
        at: GameInstant,
        about: Seq,
        outcome: Option<&Outcome>,
    ) -> Result<Vec<Event>, Rejection> {
        let outcome = outcome.ok_or(Rejection::NothingDue)?;
        let is_asked = match self.recorded.stage {
            Stage::Ended(_) => return Err(Rejection::NothingDue),
            Stage::Stopped { about: asked, why } => asked == about && outcome.reason == why.reason(),
            Stage::Playing => false,
        };
        let is_found_late = is_dead_draw(outcome) && self.is_in_current_line(about);
        if !is_asked && !is_found_late {
            return Err(Rejection::NothingDue);
        }
        let charge = if self.is_over() { None } else { self.charge_until(at) };
        Ok(vec![Event::Ended { outcome: outcome.clone(), charge }])
    }

    /// Whether this event produced the position on the board or an earlier one in the history.
    fn is_in_current_line(&self, seq: Seq) -> bool {
        seq == 1 || seq == self.position_seq() || self.recorded.history.goes_through(seq)
    }
}

fn is_dead_draw(outcome: &Outcome) -> bool {
    outcome.reason == Reason::DeadPosition && outcome.score == Score::Draw
}

impl Stop {
    /// The reason of the end that follows.
    pub(super) fn reason(self) -> Reason {
        match self {
            Self::FlagFall { .. } => Reason::FlagFall,
            Self::Resignation { .. } => Reason::Resignation,
            Self::AbsenceClaim { .. } => Reason::Abandonment,
        }
    }
}
