//! The verdict that is still missing, as a question that can be answered anywhere.
//!
//! A flag fall, a resignation and an absence claim stop the clocks at once. The score then depends
//! on whether the other side could still checkmate, and that may need a search. The question holds
//! everything the search needs, so it can be answered on another thread, and its answer comes back
//! as [`Input::Answer`](super::Input::Answer). The same holds for a position that may be dead, but
//! there the game goes on in the meantime.

use super::state::{Stage, Stop};
use super::{FlagRule, Game, ResignationRule, Seq};
use crate::board::{Color, Position};
use crate::verdict::{
    Dead, Guard, Limits, Outcome, Proof, Reason, Score, Winnable, dead, draw_on_time, guard, winnable,
};

/// An open question about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The seq of the event that raised it. The answer names it.
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
        /// Whose flag.
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
        /// The player who is absent.
        absent: Color,
    },
    /// A position arose that may be dead (5.2.2). The game goes on.
    DeadPosition,
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The outcome, or `None` when the game goes on: what [`Input::Answer`](super::Input::Answer)
    /// takes.
    pub outcome: Option<Outcome>,
    /// How many positions a search had visited when it stopped undecided, at its limit or because
    /// it was stopped. Undecided counts as "can checkmate". `None` when everything was decided.
    pub undecided: Option<u32>,
}

impl Answer {
    const fn decided(outcome: Outcome) -> Self {
        Self { outcome: Some(outcome), undecided: None }
    }
}

impl Question {
    /// The verdict: the opponent wins, or it is a draw because the opponent cannot checkmate by any
    /// series of legal moves, or by 14E; or that the position is dead, or that nothing follows and
    /// the game goes on.
    ///
    /// May take as long as `limits` allow for each side that is asked about, so it belongs on a
    /// thread of its own. The same question with the same limit has the same answer, unless the
    /// search was stopped. A win comes with the moves that show that the opponent could checkmate,
    /// unless the rule does not ask for that or it stayed undecided.
    #[must_use]
    pub fn answer(&self, limits: &Limits<'_>) -> Answer {
        match self.kind {
            QuestionKind::FlagFall { flagged, rule: FlagRule::Article6_9 } => {
                self.win_or_draw(!flagged, Reason::FlagFall, limits)
            }
            QuestionKind::FlagFall { flagged, rule: FlagRule::Us14E } => {
                let answer = self.win_or_draw(!flagged, Reason::FlagFall, limits);
                let is_win = answer.outcome.as_ref().is_some_and(|outcome| outcome.score != Score::Draw);
                if is_win && draw_on_time(&self.position, flagged) {
                    Answer::decided(Outcome::draw(Reason::FlagFall))
                } else {
                    answer
                }
            }
            QuestionKind::Resignation { resigned, rule: ResignationRule::Article5_1_2 } => {
                self.win_or_draw(!resigned, Reason::Resignation, limits)
            }
            QuestionKind::Resignation { resigned, rule: ResignationRule::Loses } => {
                Answer::decided(Outcome::win(!resigned, Reason::Resignation))
            }
            QuestionKind::Abandonment { absent } => self.win_or_draw(!absent, Reason::Abandonment, limits),
            QuestionKind::DeadPosition => match dead(&self.position, limits) {
                Dead::Yes(proof) => Answer::decided(drawn_by(proof, Reason::DeadPosition)),
                Dead::No => Answer { outcome: None, undecided: None },
                Dead::Unknown { nodes } => Answer { outcome: None, undecided: Some(nodes) },
            },
        }
    }

    fn win_or_draw(&self, winner: Color, reason: Reason, limits: &Limits<'_>) -> Answer {
        let win = Outcome::win(winner, reason);
        match winnable(&self.position, winner, limits) {
            Winnable::CannotMate { proof } => Answer::decided(drawn_by(proof, reason)),
            Winnable::CanMate { line } => {
                Answer::decided(Outcome { proof: Some(Proof::Helpmate { line }), ..win })
            }
            Winnable::Unknown { nodes } => Answer { outcome: Some(win), undecided: Some(nodes) },
        }
    }
}

fn drawn_by(proof: Proof, reason: Reason) -> Outcome {
    Outcome { proof: Some(proof), ..Outcome::draw(reason) }
}

impl Game {
    /// The open question: present from a flag fall, a resignation or an absence claim for the win
    /// until the end.
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

    /// The question whether the position on the board is dead, where that is worth a search: while
    /// the game goes on and the [`guard`](guard()) cannot rule it out. There is one question for
    /// each position. Nothing waits for the answer, and an answer that comes several plies later is
    /// still right.
    #[must_use]
    pub fn dead_question(&self) -> Option<Question> {
        if self.is_over() || guard(self.position()) == Guard::NotDead {
            return None;
        }
        let position = self.position().clone();
        Some(Question { about: self.position_seq(), position, kind: QuestionKind::DeadPosition })
    }
}
