//! Records as they become durable: one after the other without gaps, none twice, each following
//! from those before.

use std::sync::Arc;

use zeitnot_rules::board::{Color, Move};
use zeitnot_rules::game::{AbsenceWish, AdjustmentCause, Command, Event, Seq};
use zeitnot_rules::verdict::Reason;

use super::book::{Turn, is_written};
use super::{Book, Checker, Fault, Look, holds};
use crate::storage::Record;

impl Checker {
    /// A record became durable.
    pub(in crate::simulation) fn durable(&mut self, record: &Arc<Record>) {
        self.with_book(record.game, |book, coverage| {
            book.check_place(record)?;
            let decided = book.decided.iter().rev().find(|(decided, _)| decided == record);
            let round_trip = decided.map_or(0, |(_, round_trip)| *round_trip);
            for (nth, event) in record.events.iter().enumerate() {
                coverage.hit(&format!("event: {}", name(event)));
                if let Event::Ended { outcome, .. } = event {
                    coverage.hit(&format!("end: {:?}", outcome.reason));
                }
                let ends = record.events[nth + 1..].iter().any(|event| matches!(event, Event::Ended { .. }));
                book.add(record, event, ends, round_trip)?;
            }
            book.records.push(Arc::clone(record));
            Ok(())
        });
    }
}

/// The kind of an event.
fn name(event: &Event) -> String {
    let shown = format!("{event:?}");
    shown.split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

impl Book {
    fn check_place(&self, record: &Record) -> Look {
        holds(record.first_seq == self.last_seq() + 1, Fault::BrokenLog, || {
            format!("a record that begins at {} follows event {}", record.first_seq, self.last_seq())
        })?;
        let is_doubled = record.command.is_some()
            && self
                .records
                .iter()
                .any(|other| other.account == record.account && other.command == record.command);
        holds(!is_doubled, Fault::BrokenLog, || format!("{:?} was recorded twice", record.command))
    }

    /// Adds an event; `ends`: the game ends with its record.
    fn add(&mut self, record: &Record, event: &Event, ends: bool, round_trip: u64) -> Look {
        holds(!self.has_ended, Fault::SecondResult, || format!("{event:?} after the end"))?;
        let is_end = matches!(event, Event::Ended { .. });
        holds(!self.is_stopped || is_end, Fault::SecondResult, || {
            format!("{event:?} after the clocks stopped")
        })?;
        self.check_event(record, event)?;
        self.book_time(event, ends, round_trip)?;
        let mover = self.game.turn();
        self.game.evolve(event);
        self.follow(event, mover);
        self.show();
        Ok(())
    }

    fn check_event(&self, record: &Record, event: &Event) -> Look {
        let draw_from = |seat: Color| self.draw_offer.is_some_and(|(by, _)| by == seat);
        let takeback_from = |seat: Color| self.takeback_offer.is_some_and(|(by, _)| by == seat);
        let answered = |is_open: bool| {
            holds(is_open, Fault::OfferAnsweredTwice, || format!("{event:?} answers no open offer"))
        };
        match event {
            Event::MovePlayed { mv, .. } => self.check_move(record, *mv),
            Event::DrawDeclined { by } => answered(draw_from(!*by)),
            Event::TakebackDeclined { by } => answered(takeback_from(!*by)),
            Event::TakenBack { .. } => answered(self.takeback_offer.is_some()),
            Event::Ended { outcome, .. } if outcome.reason == Reason::Agreement => {
                answered(self.draw_offer.is_some())
            }
            _ => Ok(()),
        }
    }

    /// A move is legal, and its player sent it about this position.
    fn check_move(&self, record: &Record, mv: Move) -> Look {
        let (on, mover) = (self.game.position_seq(), self.account(self.game.turn()));
        holds(self.game.position().is_legal(mv), Fault::ForeignMove, || format!("{mv:?} is not legal"))?;
        let is_sent = self.reads.iter().any(|read| {
            let names_it = match &read.command {
                Command::PlayMove { on: named, mv: sent }
                | Command::ClaimDraw { on: named, intended: Some(sent) } => {
                    *named == on && is_written(*sent, mv, self.game.position())
                }
                _ => false,
            };
            names_it && read.account == mover
        });
        holds(is_sent && record.account == Some(mover), Fault::ForeignMove, || {
            format!("nobody sent {mv:?} about the position of event {on}")
        })
    }

    /// What an event leaves open, and the turn that it begins.
    fn follow(&mut self, event: &Event, mover: Color) {
        let seq: Seq = self.game.seq();
        match event {
            Event::MovePlayed { .. } => {
                self.draw_offer = self.draw_offer.filter(|(by, _)| *by == mover);
                self.takeback_offer = None;
                self.turn = Turn::default();
            }
            Event::TakenBack { .. } => {
                (self.draw_offer, self.takeback_offer) = (None, None);
                self.turn = Turn::default();
            }
            Event::IlcRemedied { .. } => self.turn = Turn::default(),
            Event::DrawOffered { by } | Event::IlcAsked { by } => self.draw_offer = Some((*by, seq)),
            Event::DrawDeclined { .. } => self.draw_offer = None,
            Event::TakebackOffered { by, .. } => self.takeback_offer = Some((*by, seq)),
            Event::TakebackDeclined { .. } => self.takeback_offer = None,
            Event::FlagFell { .. } | Event::Resigned { .. } => self.is_stopped = true,
            Event::AbsenceClaimed { wish, .. } => self.is_stopped = *wish == AbsenceWish::Win,
            Event::Ended { .. } => self.has_ended = true,
            Event::Started(_) | Event::DrawClaimed { .. } | Event::TimeAdjusted { .. } => {}
        }
    }
}

/// Who gave the time of an adjustment.
pub(super) fn giver(cause: AdjustmentCause) -> Option<Color> {
    match cause {
        AdjustmentCause::GiveTime { by } | AdjustmentCause::WrongClaim { by } => Some(by),
        _ => None,
    }
}
