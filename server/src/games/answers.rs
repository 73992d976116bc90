//! The last answers of each seat, so that sending a command again is always safe.
//!
//! A repetition has the `id` of an earlier command, or names the same thing: a move or a claim
//! names the event that made its position, an answer to an offer names the offer, and neither
//! number comes again. It gets the first `ok` once more and changes nothing. Rejected commands are
//! not kept: they changed nothing, so deciding them anew is right.
//!
//! Invariant: the answers are a function of the records alone, so a recovered game gives the same
//! ones.

use zeitnot_protocol::{AccountId, CommandId, Limits};
use zeitnot_rules::board::{ByColor, CastlingSide, Color, Move, PackedMove};
use zeitnot_rules::game::{Command, Event, Game, Seq, Variant};
use zeitnot_rules::verdict::Reason;

use super::SeatCommand;
use crate::storage::Record;

/// How many answers are kept for a seat.
const KEPT: usize = Limits::STANDARD.answers_kept as usize;

/// The answers of both seats, 12 bytes each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Answers {
    of_seats: ByColor<Vec<Answer>>,
    /// The ids of those commands that had one, with the answer's seq.
    ids: Vec<(Seq, CommandId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Answer {
    /// The first event of the record: what `ok` says.
    seq: Seq,
    target: Target,
}

/// What a command named: an offer, or the event that made the position of a move or a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Nothing,
    Move(Seq, PackedMove),
    /// Castling in standard chess, which may also be written as the king onto its goal.
    Castling(Seq, PackedMove),
    Claim(Seq, Option<PackedMove>),
    ClaimWithCastling(Seq, PackedMove),
    AcceptedDraw(Seq),
    DeclinedDraw(Seq),
    AcceptedTakeback(Seq),
    DeclinedTakeback(Seq),
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
        let answers = &mut self.of_seats[seat];
        if answers.len() == KEPT {
            let oldest = answers.remove(0).seq;
            self.ids.retain(|(seq, _)| *seq != oldest);
        }
        let seq = record.first_seq;
        answers.push(Answer { seq, target });
        self.ids.extend(record.command.map(|id| (seq, id)));
    }

    /// The first event of what this command led to when it was sent before.
    pub(super) fn find(&self, seat: Color, command: &SeatCommand) -> Option<Seq> {
        let answers = &self.of_seats[seat];
        let is_of_seat = |seq| answers.iter().any(|answer| answer.seq == seq);
        let has_id = |id| self.ids.iter().rev().find(|(seq, known)| *known == id && is_of_seat(*seq));
        let with_id = command.id.and_then(has_id);
        let same = answers.iter().rev().find(|answer| answer.target.matches(&command.command, seat));
        with_id.map(|(seq, _)| *seq).max(same.map(|answer| answer.seq))
    }

    /// Gives back room that is not needed.
    pub(super) fn trim(&mut self) {
        for seat in Color::ALL {
            self.of_seats[seat].shrink_to_fit();
        }
        self.ids.shrink_to_fit();
    }
}

impl Target {
    fn matches(self, command: &Command, seat: Color) -> bool {
        match (self, command) {
            (Self::Move(seq, mv), Command::PlayMove { on, mv: again }) => seq == *on && mv.unpack() == *again,
            (Self::Claim(seq, mv), Command::ClaimDraw { on, intended: again }) => {
                seq == *on && mv.map(PackedMove::unpack) == *again
            }
            (Self::Castling(seq, mv), Command::PlayMove { on, mv: again })
            | (Self::ClaimWithCastling(seq, mv), Command::ClaimDraw { on, intended: Some(again) }) => {
                seq == *on && is_castling(mv, *again, seat)
            }
            (Self::AcceptedDraw(seq), Command::AcceptDraw { offer })
            | (Self::DeclinedDraw(seq), Command::DeclineDraw { offer })
            | (Self::AcceptedTakeback(seq), Command::AcceptTakeback { offer })
            | (Self::DeclinedTakeback(seq), Command::DeclineTakeback { offer }) => seq == *offer,
            _ => false,
        }
    }
}

/// Whether `again` is this castling of `seat` in standard chess, in one of the two ways of writing
/// it.
fn is_castling(mv: PackedMove, again: Move, seat: Color) -> bool {
    let mv = mv.unpack();
    let onto_goal = Move { to: CastlingSide::of(mv).king_goal(seat), ..mv };
    again == mv || again == onto_goal
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
    let castles = |mv| game.variant() == Variant::Standard && game.position().castling_side(mv).is_some();
    match first {
        Event::MovePlayed { mv, .. } if castles(*mv) => Target::Castling(on, (*mv).into()),
        Event::MovePlayed { mv, .. } => Target::Move(on, (*mv).into()),
        Event::DrawClaimed { intended: Some(mv), .. } if castles(*mv) => {
            Target::ClaimWithCastling(on, (*mv).into())
        }
        Event::DrawClaimed { intended, .. } => Target::Claim(on, intended.map(PackedMove::from)),
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
