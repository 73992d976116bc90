//! The last answers of each seat, so that sending a command again is always safe.
//!
//! A repetition has the `id` of an earlier command, or names the same thing: a move or a claim
//! names the event that made its position, an answer to an offer names the offer, and neither
//! number comes again. It gets the first `ok` once more and changes nothing. Rejected commands are
//! not kept: they changed nothing, so deciding them anew is right.
//!
//! Invariant: the answers are a function of the records alone, so a recovered game gives the same
//! ones.

use std::collections::VecDeque;

use zeitnot_protocol::{AccountId, CommandId, Limits};
use zeitnot_rules::board::{ByColor, Color, Move};
use zeitnot_rules::game::{Command, Event, Game, Seq, Variant};
use zeitnot_rules::verdict::Reason;

use super::SeatCommand;
use crate::storage::Record;

/// How many answers are kept for a seat.
const KEPT: usize = Limits::STANDARD.answers_kept as usize;

/// The answers of both seats.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Answers(ByColor<VecDeque<Answer>>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Answer {
    /// The first event of the record: what `ok` says.
    seq: Seq,
    target: Target,
    id: Option<Box<CommandId>>,
}

/// What a command named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Nothing,
    Move { on: Seq, mv: KnownMove },
    Claim { on: Seq, intended: Option<KnownMove> },
    AcceptedDraw(Seq),
    DeclinedDraw(Seq),
    AcceptedTakeback(Seq),
    DeclinedTakeback(Seq),
}

/// A move as the rules played it, and as castling may be written instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct KnownMove {
    mv: Move,
    /// Castling in standard chess, written as the king onto its goal.
    onto_goal: Option<Move>,
}

impl KnownMove {
    fn new(mv: Move, game: &Game) -> Self {
        let side = match game.variant() {
            Variant::Standard => game.position().castling_side(mv),
            Variant::Chess960 => None,
        };
        let onto_goal = side.map(|side| Move { to: side.king_goal(game.position().side_to_move()), ..mv });
        Self { mv, onto_goal }
    }

    fn is(self, mv: Move) -> bool {
        self.mv == mv || self.onto_goal == Some(mv)
    }
}

impl Answers {
    /// Notes the answer to the command that led to `record`, if a player's command did. `game` is
    /// as it was before.
    pub(super) fn note(&mut self, game: &Game, record: &Record) {
        let Some(seat) = record.account.and_then(|account| seat_of(game, account)) else { return };
        let target = target_of(game, &record.events[0]);
        if target == Target::Nothing && record.command.is_none() {
            return;
        }
        let answers = &mut self.0[seat];
        if answers.len() == KEPT {
            answers.pop_front();
        }
        answers.push_back(Answer { seq: record.first_seq, target, id: record.command.map(Box::new) });
    }

    /// The first event of what this command led to when it was sent before.
    pub(super) fn find(&self, seat: Color, command: &SeatCommand) -> Option<Seq> {
        let is_repeated = |answer: &&Answer| {
            let same_id = command.id.is_some() && answer.id.as_deref() == command.id.as_ref();
            same_id || answer.target.matches(&command.command)
        };
        self.0[seat].iter().rev().find(is_repeated).map(|answer| answer.seq)
    }

    /// Gives back room that is not needed.
    pub(super) fn trim(&mut self) {
        for seat in Color::ALL {
            self.0[seat].shrink_to_fit();
        }
    }
}

impl Target {
    fn matches(self, command: &Command) -> bool {
        match (self, command) {
            (Self::Move { on, mv }, Command::PlayMove { on: named, mv: again }) => {
                on == *named && mv.is(*again)
            }
            (Self::Claim { on, intended }, Command::ClaimDraw { on: named, intended: again }) => {
                on == *named
                    && match (intended, again) {
                        (Some(mv), Some(again)) => mv.is(*again),
                        (None, None) => true,
                        (Some(_), None) | (None, Some(_)) => false,
                    }
            }
            (Self::AcceptedDraw(seq), Command::AcceptDraw { offer })
            | (Self::DeclinedDraw(seq), Command::DeclineDraw { offer })
            | (Self::AcceptedTakeback(seq), Command::AcceptTakeback { offer })
            | (Self::DeclinedTakeback(seq), Command::DeclineTakeback { offer }) => seq == *offer,
            _ => false,
        }
    }
}

/// The seat of an account.
pub(crate) fn seat_of(game: &Game, account: AccountId) -> Option<Color> {
    Color::ALL.into_iter().find(|&seat| game.setup().players[seat] == account.as_u128())
}

/// What the command named that led to these events, of which this is the first.
fn target_of(game: &Game, first: &Event) -> Target {
    let on = game.position_seq();
    let draw_offer = game.open_draw_offer().map(|offer| offer.seq);
    let takeback = game.open_takeback().map(|offer| offer.seq);
    match first {
        Event::MovePlayed { mv, .. } => Target::Move { on, mv: KnownMove::new(*mv, game) },
        Event::DrawClaimed { intended, .. } => {
            Target::Claim { on, intended: intended.map(|mv| KnownMove::new(mv, game)) }
        }
        Event::DrawDeclined { .. } | Event::IlcRemedied { .. } => {
            draw_offer.map_or(Target::Nothing, Target::DeclinedDraw)
        }
        Event::Ended { outcome, .. } if outcome.reason == Reason::Agreement => {
            draw_offer.map_or(Target::Nothing, Target::AcceptedDraw)
        }
        Event::TakenBack { .. } => takeback.map_or(Target::Nothing, Target::AcceptedTakeback),
        Event::TakebackDeclined { .. } => takeback.map_or(Target::Nothing, Target::DeclinedTakeback),
        _ => Target::Nothing,
    }
}
