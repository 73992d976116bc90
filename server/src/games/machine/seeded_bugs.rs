//! What the game machine does wrong when a test has seeded a bug in it. Each function is called by
//! one `bug!` line.

use std::sync::Arc;

use zeitnot_protocol::ServerMessage;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Bonus, Command, Event, Fact, GameInstant, Micros, Rejection, TimeControl};

use super::timers::Timer;
use super::{GameEffects, GameMachine, Reply};
use crate::connections::{ConnectionId, Frame, NoticeKind};
use crate::games::{SeatCommand, snapshot};
use crate::storage::{AppendAnswer, AppendError, Record, Tail};

impl GameMachine {
    /// The move as if it were about the position on the board.
    pub(super) fn on_current_position(&self, command: SeatCommand) -> SeatCommand {
        match command.command {
            Command::PlayMove { mv, .. } => {
                SeatCommand { command: Command::PlayMove { on: self.game.position_seq(), mv }, ..command }
            }
            _ => command,
        }
    }

    /// `ok` before the record is durable.
    pub(super) fn notify_done(&self, reply: Option<&Reply>, effects: &mut GameEffects) {
        if let Some(reply) = reply {
            let done = NoticeKind::Done { id: reply.id.clone(), seq: reply.seq };
            self.notify(reply.connection, done, effects);
        }
    }

    /// The record with an increment for a move that ends the game.
    pub(super) fn with_last_increment(&self, record: Arc<Record>) -> Arc<Record> {
        if !record.events.iter().any(|event| matches!(event, Event::Ended { .. })) {
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

    /// A conflict as a success after the last record that is known.
    pub(super) fn without_conflict(&self, answer: AppendAnswer) -> AppendAnswer {
        match answer {
            Err(AppendError::Conflict) => Ok(self.offset),
            answer => answer,
        }
    }

    /// The turn starts although its record is only just durable.
    pub(super) fn start_turn_before_commit(&mut self, at: GameInstant) {
        if self.game.awaits_turn_start() {
            self.game.observe(Fact::TurnStarted { at });
        }
    }

    /// The tail as if nothing of the uncertain record was in it, so that it is appended after
    /// itself once more.
    pub(super) fn misread(&mut self, mut tail: Tail) -> Tail {
        self.offset = tail.last;
        tail.records = Vec::new();
        tail
    }

    /// Whether this is another tab of the player whose command is answered.
    pub(super) fn is_other_tab(&self, reply: Option<&Reply>, connection: ConnectionId, seat: Color) -> bool {
        reply.is_some_and(|reply| {
            reply.connection != connection && self.seat_of(reply.connection) == Some(seat)
        })
    }

    /// The turn as if it had gone on while there was no server.
    pub(super) fn charge_downtime(&mut self) {
        self.game.observe(Fact::TurnCarried { spent: Micros::from_millis(700) });
    }

    /// Lets the flag of a game that is over fall. Whether it is over.
    pub(super) fn flag_after_the_end(&mut self, deadline: GameInstant, effects: &mut GameEffects) -> bool {
        if !self.game.is_over() {
            return false;
        }
        self.deadline = None;
        self.timers.stop(Timer::Deadline);
        if !self.game.has_ended() {
            self.append(vec![Event::FlagFell { seat: self.game.turn(), charge: None }], deadline, effects);
        }
        true
    }

    /// The decision, but a draw offer that is no longer open can be declined once more.
    pub(super) fn answered_again(
        &self,
        decision: Result<Vec<Event>, Rejection>,
        seat: Color,
        command: &SeatCommand,
    ) -> Result<Vec<Event>, Rejection> {
        match (decision, &command.command) {
            (Err(Rejection::NoOffer), Command::DeclineDraw { .. }) if self.is_here(seat) => {
                debug_assert!(!self.game.is_over(), "a command was rejected for another reason");
                Ok(vec![Event::DrawDeclined { by: seat }])
            }
            (decision, _) => decision,
        }
    }

    /// A snapshot whose cursor stands one event too far.
    pub(super) fn snapshot_one_event_further(&self) -> Frame {
        Frame::new(self.game.seq() + 1, &ServerMessage::Snapshot(snapshot::snapshot(self.id, &self.game)))
    }
}
