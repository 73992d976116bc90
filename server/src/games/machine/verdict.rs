//! Questions that need a search, and what follows from their answers (articles 5.1.2, 5.2.2, 6.9).
//!
//! A flag fall, a resignation and an absence claim for the win wait for their verdict with the
//! clocks stopped. Whether the position on the board is dead is asked beside the game, which goes
//! on: an answer that comes plies later is still right.
//!
//! Invariants: the guard looks at each position once. Where a resignation loses whatever the board
//! says, it first waits for the answer whether the game had ended before it, if that was asked. An
//! answer that fits nothing changes nothing.

use zeitnot_rules::game::{Input as RulesInput, Question, QuestionKind, ResignationRule, Seq};
use zeitnot_rules::verdict::{Guard, guard};

use super::{GameEffects, GameMachine, TaskRequest};
use crate::games::inputs::VerdictAnswer;
use crate::time::ServiceInstant;

/// What was asked about the position on the board.
#[derive(Debug, Default)]
pub(super) struct DeadPosition {
    /// The event that made the last position that was looked at; 0 before the first look.
    looked_at: Seq,
    /// The event that made the position that was asked about, until the answer comes.
    asked: Option<Seq>,
}

impl GameMachine {
    /// Asks what is open and was not asked yet.
    pub(super) fn ask_verdicts(&mut self, effects: &mut GameEffects) {
        if let Some(question) = self.question_about_position() {
            self.dead_position.asked = Some(question.about);
            effects.push_back(TaskRequest::AskVerdict(Box::new(question)).into());
        }
        self.ask_about_end(effects);
    }

    /// Asks how the game ends, unless it waits for the answer whether it had ended before.
    fn ask_about_end(&mut self, effects: &mut GameEffects) {
        let Some(question) = self.game.question() else { return };
        let is_dead_first = is_plain_loss(question.kind) && self.dead_position.asked.is_some();
        if !is_dead_first {
            effects.push_back(TaskRequest::AskVerdict(Box::new(question)).into());
        }
    }

    /// Whether the position on the board may be dead, once for each position. After a stop it only
    /// matters where it decides the score: everywhere else the verdict on the stop draws a dead
    /// position too.
    fn question_about_position(&mut self) -> Option<Question> {
        let about = self.game.position_seq();
        if self.dead_position.looked_at == about || self.game.has_ended() {
            return None;
        }
        self.dead_position.looked_at = about;
        self.dead_position.asked = None;
        match self.game.question() {
            None => self.game.dead_question(),
            Some(stop) if is_plain_loss(stop.kind) && guard(&stop.position) == Guard::Ask => {
                Some(Question { about, kind: QuestionKind::DeadPosition, ..stop })
            }
            Some(_) => None,
        }
    }

    fn waits_for_plain_loss(&self) -> bool {
        self.game.question().is_some_and(|question| is_plain_loss(question.kind))
    }

    pub(super) fn decide_verdict(
        &mut self,
        answer: VerdictAnswer,
        at: ServiceInstant,
        effects: &mut GameEffects,
    ) {
        let VerdictAnswer { about, outcome } = answer;
        let was_awaited = self.dead_position.asked.take_if(|asked| *asked == about).is_some();
        let at = self.axis.game(at);
        match self.game.decide(at, &RulesInput::Answer { about, outcome }) {
            Ok(events) => self.append(events, at, effects),
            // The game had not ended before the resignation that waits.
            Err(_) if was_awaited && self.waits_for_plain_loss() => self.ask_about_end(effects),
            // It comes too late, or says that the game goes on.
            Err(_) => {}
        }
    }
}

/// Whether a stop is lost whatever stands on the board.
fn is_plain_loss(kind: QuestionKind) -> bool {
    matches!(kind, QuestionKind::Resignation { rule: ResignationRule::Loses, .. })
}
