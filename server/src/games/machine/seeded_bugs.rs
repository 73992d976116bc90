//! What the game machine does wrong when a test has seeded a bug in it.

use std::sync::Arc;

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Bonus, Command, Event, Fact, GameInstant, Micros, Seq, TimeControl};

use super::{GameEffects, GameMachine, Reply};
use crate::connections::NoticeKind;
use crate::games::answers::Answers;
use crate::games::{Act, SeatCommand};
use crate::seeded_bugs::{SeededBug, is_seeded};
use crate::storage::{Record, Tail};

/// A cursor that skips an event when there is more than one.
pub(in crate::games) fn skips_one(cursor: Seq, head: Seq) -> Seq {
    if is_seeded(SeededBug::RingOffByOne) && cursor + 1 < head { cursor + 1 } else { cursor }
}

/// The answers that are found again in a game's records.
pub(super) fn kept_answers(answers: Answers) -> Answers {
    if is_seeded(SeededBug::AnswersOnlyInMemory) { Answers::default() } else { answers }
}

impl GameMachine {
    /// The command as if it were about the position on the board, when that bug is seeded.
    pub(super) fn replayed_by_a_bug(&self, command: SeatCommand) -> SeatCommand {
        match command.act {
            Act::Move { uci, .. } if is_seeded(SeededBug::ReplayAfterTakeback) => {
                SeatCommand { act: Act::Move { on: self.game.position_seq(), uci }, ..command }
            }
            _ => command,
        }
    }

    /// What is done too early when a record is sent to the journal, and what is wrong in it.
    pub(super) fn spoilt(
        &mut self,
        record: Arc<Record>,
        reply: Option<&Reply>,
        effects: &mut GameEffects,
    ) -> Arc<Record> {
        if let Some(reply) = reply.filter(|_| is_seeded(SeededBug::OkBeforeDurable)) {
            let kind = NoticeKind::Done { id: reply.id.map(Box::new), seq: reply.seq };
            self.notify(reply.connection, kind, effects);
        }
        if is_seeded(SeededBug::TurnStartsBeforeCommit) {
            self.turn_sent_at = Some(record.at);
        }
        let ends = record.events.iter().any(|event| matches!(event, Event::Ended { .. }));
        if !(ends && is_seeded(SeededBug::IncrementOnTheLastMove)) {
            return record;
        }
        let mut record = Record::clone(&record);
        if let Some(Event::MovePlayed { charge: Some(charge), .. }) = record.events.first_mut() {
            charge.remaining[charge.seat] += self.increment(charge.seat);
        }
        Arc::new(record)
    }

    fn increment(&self, seat: Color) -> Micros {
        match &self.game.setup().time_control {
            TimeControl::Clock(sides) => match sides[seat][0].bonus {
                Bonus::Increment(increment) => increment,
                _ => Micros::ZERO,
            },
            TimeControl::DaysPerMove { .. } | TimeControl::Unlimited => Micros::ZERO,
        }
    }

    /// The tail as if nothing of the uncertain record was in it: it goes behind itself once more.
    pub(super) fn misread(&mut self, tail: Tail) -> Tail {
        if !is_seeded(SeededBug::AppendedAgainAfterUnknown) {
            return tail;
        }
        self.offset = tail.last;
        Tail { records: Vec::new(), ..tail }
    }

    /// Whether another tab of the player who ended the game hears nothing.
    pub(super) fn forgets_tab(&self, reply: Option<&Reply>, seat: Color) -> bool {
        let ended_it = reply.is_some_and(|reply| self.seat_of(reply.connection) == Some(seat));
        is_seeded(SeededBug::SecondTabNotTold) && ended_it
    }

    /// As if the turn had gone on while there was no server.
    pub(super) fn charge_downtime(&mut self) {
        if is_seeded(SeededBug::DowntimeCharged) {
            self.game.observe(Fact::TurnCarried { spent: Micros::from_millis(700) });
        }
    }

    /// Whether the deadline of a game that is over is kept.
    pub(super) fn keeps_deadline(&self) -> bool {
        is_seeded(SeededBug::DeadlineAfterTheEnd) && self.game.is_over()
    }

    /// The flag of a game that is over.
    pub(super) fn flag_after_the_end(&mut self, deadline: GameInstant, effects: &mut GameEffects) {
        self.deadline = None;
        if !self.game.has_ended() {
            self.append(vec![Event::FlagFell { seat: self.game.turn(), charge: None }], deadline, effects);
        }
    }

    /// Whether an offer that is no longer open is answered once more.
    pub(super) fn answers_again(&self, seat: Color, command: &SeatCommand) -> bool {
        let declines = matches!(command.act, Act::Plain(Command::DeclineDraw { .. }));
        is_seeded(SeededBug::OfferAnsweredTwice) && declines && self.is_here(seat)
    }

    pub(super) fn second_answer(&self, seat: Color) -> Vec<Event> {
        debug_assert!(!self.game.is_over(), "a command was refused for another reason");
        vec![Event::DrawDeclined { by: seat }]
    }
}
