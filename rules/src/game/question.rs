//! The verdict that is still missing, as a question that can be answered anywhere.
//!
//! A flag fall, a resignation and an absence claim stop the clocks at once; who wins depends on whether the other side
//! could still checkmate, and that may need a search. The question holds everything the search needs, so it can be answered
//! on another thread, and its answer comes back as [`Input::Answer`](super::Input::Answer).

use super::state::{Stage, Stop};
use super::{FlagRule, Game, ResignationRule, Seq};
use crate::board::{Color, Position};
use crate::verdict::{Outcome, Proof, Reason, cannot_checkmate, draw_on_time};

/// An open question about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The seq of the event that raised it: what the answer names.
    pub about: Seq,
    /// The position on the board.
    pub position: Position,
    /// What happened, and the rule that decides it.
    pub kind: QuestionKind,
}

/// What raised a question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QuestionKind {
    /// A flag fell.
    FlagFall {
        /// Whose.
        flagged: Color,
        /// 6.9 or 14E.
        rule: FlagRule,
    },
    /// A player resigned.
    Resignation {
        /// Who.
        resigned: Color,
        /// 5.1.2 or plain loss.
        rule: ResignationRule,
    },
    /// A player claimed the win against an absent opponent.
    Abandonment {
        /// The one who was gone.
        absent: Color,
    },
}

impl Question {
    /// The verdict: the opponent wins, or it is a draw because the opponent cannot checkmate by any series of legal moves,
    /// or by 14E. `None` when nothing follows and the game goes on, which none of today's questions allows.
    ///
    /// Bounded: today it looks at the material only.
    #[must_use]
    pub fn answer(&self) -> Option<Outcome> {
        Some(match self.kind {
            QuestionKind::FlagFall { flagged, rule: FlagRule::Article6_9 } => {
                self.win_or_draw(!flagged, Reason::FlagFall)
            }
            QuestionKind::FlagFall { flagged, rule: FlagRule::Us14E } => {
                if self.proof_against(!flagged).is_none() && draw_on_time(&self.position, flagged) {
                    Outcome::draw(Reason::FlagFall)
                } else {
                    self.win_or_draw(!flagged, Reason::FlagFall)
                }
            }
            QuestionKind::Resignation { resigned, rule: ResignationRule::Article5_1_2 } => {
                self.win_or_draw(!resigned, Reason::Resignation)
            }
            QuestionKind::Resignation { resigned, rule: ResignationRule::Loses } => {
                Outcome::win(!resigned, Reason::Resignation)
            }
            QuestionKind::Abandonment { absent } => self.win_or_draw(!absent, Reason::Abandonment),
        })
    }

    fn win_or_draw(&self, winner: Color, reason: Reason) -> Outcome {
        match self.proof_against(winner) {
            Some(proof) => Outcome { proof: Some(proof), ..Outcome::draw(reason) },
            None => Outcome::win(winner, reason),
        }
    }

    fn proof_against(&self, color: Color) -> Option<Proof> {
        cannot_checkmate(&self.position, color)
    }
}

impl Game {
    /// The open question: present from a flag fall, a resignation or an absence claim for the win until the end.
    #[must_use]
    pub fn question(&self) -> Option<Question> {
        let Stage::Stopped { about, why } = self.recorded.stage else { return None };
        let profile = &self.setup().profile;
        let kind = match why {
            Stop::FlagFall { seat } => QuestionKind::FlagFall { flagged: seat, rule: profile.flag },
            Stop::Resignation { seat } => {
                QuestionKind::Resignation { resigned: seat, rule: profile.resignation }
            }
            Stop::AbsenceClaim { by } => QuestionKind::Abandonment { absent: !by },
        };
        Some(Question { about, position: self.position().clone(), kind })
    }
}
