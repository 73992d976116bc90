//! What actors are given and what they do: nothing is visible before it is durable, and the live
//! state is that of the records.

use zeitnot_protocol::GameId;
use zeitnot_rules::game::{Event, GameSetup};

use super::book::{Joined, Turn};
use super::{Book, Checker, Fault, holds};
use crate::connections::NoticeKind;
use crate::games::inputs::{GameInput, Join};
use crate::games::machine::{GameEffect, GameMachine, Publication, TaskRequest};
use crate::storage::Record;
use crate::time::ServiceInstant;

/// How long a recovered game waits for the player to move.
const RECOVERY_PATIENCE_US: u64 = 30_000_000;

impl Checker {
    /// A game begins: its first record is durable.
    pub(in crate::simulation) fn begins(
        &mut self,
        setup: &GameSetup,
        first: &std::sync::Arc<Record>,
        now: ServiceInstant,
    ) {
        self.books.insert(first.game, Book::new(setup, first));
        self.turn_started(first.game, now);
    }

    /// An actor is given an input.
    pub(in crate::simulation) fn input(&mut self, game: GameId, input: &GameInput, now: ServiceInstant) {
        let awake = self.awake;
        let book = self.books.get_mut(&game).expect("every game has its books");
        match input {
            GameInput::Join(Join { connection, seat, round_trip }) => {
                let round_trip = round_trip.map(|micros| micros.0);
                book.joined.push(Joined { connection: *connection, seat: *seat, round_trip });
            }
            GameInput::Leave { connection } => book.leaves(*connection),
            GameInput::RoundTrip { connection, smoothed } => {
                let joined = book.joined.iter_mut().find(|joined| joined.connection == *connection);
                if let Some(joined) = joined {
                    joined.round_trip = Some(smoothed.0);
                }
            }
            GameInput::Tick => {
                let is_time = |recovered: ServiceInstant| now.0 >= recovered.0 + RECOVERY_PATIENCE_US;
                let has_waited = book.recovered.is_some_and(is_time);
                if has_waited && book.turn.start.is_none() && !book.is_stopped && !book.has_ended {
                    self.coverage.hit("recovery: the turn went on without its player");
                    book.start_turn(now, awake);
                }
            }
            _ => {}
        }
    }

    /// The position was queued for the player to move, or there was nobody to queue it for.
    pub(in crate::simulation) fn turn_started(&mut self, game: GameId, now: ServiceInstant) {
        let awake = self.awake;
        self.books.get_mut(&game).expect("every game has its books").start_turn(now, awake);
    }

    /// An actor is about to do this.
    pub(in crate::simulation) fn effect(&mut self, game: GameId, effect: &GameEffect, now: ServiceInstant) {
        let awake = self.awake;
        self.with_book(game, |book, coverage| match effect {
            GameEffect::Task(TaskRequest::Append { record, .. }) => {
                // A record of an actor that is gone may come to light after the game was recovered:
                // this one will conflict.
                let is_overtaken = record.first_seq <= book.last_seq();
                if !is_overtaken && book.decided.last().is_none_or(|(last, _)| last != record) {
                    book.check_decision(record, now, awake)?;
                    let round_trip = book.round_trip(book.game.turn()).unwrap_or(0);
                    book.decided.push((std::sync::Arc::clone(record), round_trip));
                    if book.is_saved_from_flag(record, now) {
                        coverage.hit("fence: a move in hand beat the flag");
                    }
                }
                Ok(())
            }
            GameEffect::Publish(Publication::Event(frame)) => {
                holds(frame.seq() <= book.last_seq(), Fault::NotDurable, || {
                    format!("{frame:?} was published, and {} is durable", book.last_seq())
                })
            }
            GameEffect::Publish(Publication::Notice { connection, kind, .. }) => {
                if let NoticeKind::Done { seq, .. } = kind {
                    holds(*seq <= book.last_seq(), Fault::NotDurable, || {
                        format!("ok for {seq}, and {} is durable", book.last_seq())
                    })?;
                    if book.last_when_recovered.is_some_and(|last| *seq <= last) {
                        coverage.hit("recovery: the ok came from the records");
                    }
                }
                let looked = book.answered(*connection, kind);
                if matches!(kind, NoticeKind::Silent) {
                    book.leaves(*connection);
                }
                looked
            }
            _ => Ok(()),
        });
    }

    /// An actor has handled an input: where it stands after the last durable event, its state is
    /// that of the records.
    pub(in crate::simulation) fn after_input(&mut self, game: GameId, machine: &GameMachine) {
        self.with_book(game, |book, _| {
            let is_level = machine.game().seq() == book.last_seq();
            holds(!is_level || machine.game().recorded() == book.game.recorded(), Fault::StateDiffers, || {
                format!("after {}", book.last_seq())
            })
        });
    }

    /// The actor of a game is gone at `now`: its turn is interrupted.
    pub(in crate::simulation) fn interrupted(&mut self, game: GameId, now: ServiceInstant) {
        self.actor_is_gone(game);
        let book = self.books.get_mut(&game).expect("every game has its books");
        let had = book.turn.start.map_or(0, |start| now.0.saturating_sub(start.at.0));
        book.turn =
            Turn { start: None, interrupted: Some(book.turn.interrupted.unwrap_or(0) + had), ..book.turn };
        book.joined.clear();
        book.recovered = None;
    }

    /// The actor of a game is gone, and its turn goes on.
    pub(in crate::simulation) fn rests(&mut self, game: GameId) {
        self.actor_is_gone(game);
    }

    /// The process is gone at `now`, and the turn of a game at rest stands still.
    pub(in crate::simulation) fn interrupted_at_rest(&mut self, game: GameId, now: ServiceInstant) {
        self.interrupted(game, now);
        let book = self.books.get_mut(&game).expect("every game has its books");
        book.turn.stops_at_rest += 1;
    }

    /// A process has begun that finds the game at rest: its turn goes on.
    pub(in crate::simulation) fn goes_on_at_rest(&mut self, game: GameId) {
        let awake = self.awake;
        let book = self.books.get_mut(&game).expect("every game has its books");
        book.start_turn(ServiceInstant::default(), awake);
    }

    /// The game was woken: its turn has gone on.
    pub(in crate::simulation) fn woken(&mut self, game: GameId, now: ServiceInstant, machine: &GameMachine) {
        self.actor_is_gone(game);
        let book = self.books.get_mut(&game).expect("every game has its books");
        book.turn.interrupted.get_or_insert(0);
        book.forgive_as_interrupted();
        book.last_when_recovered = Some(book.last_seq());
        let seat = machine.game().turn();
        let took = machine.game().turn_took(machine.instant(now));
        let right = book.turn_took(now);
        self.with_book(game, |_, _| {
            let is_right = right.contains(&took.0);
            holds(is_right, Fault::WrongTime, || format!("{seat:?} is woken with {took}, not with {right:?}"))
        });
        self.after_input(game, machine);
    }

    /// The game was recovered from its records.
    pub(in crate::simulation) fn recovered(
        &mut self,
        game: GameId,
        now: ServiceInstant,
        machine: &GameMachine,
    ) {
        // What came while there was no actor was answered from the journal.
        self.actor_is_gone(game);
        let book = self.books.get_mut(&game).expect("every game has its books");
        book.recovered = Some(now);
        // Also a turn that never began counts as one that was interrupted: the recovery cannot
        // tell them apart.
        book.turn.interrupted.get_or_insert(0);
        book.last_when_recovered = Some(book.last_seq());
        self.after_input(game, machine);
    }
}

impl Book {
    pub(super) fn leaves(&mut self, connection: crate::connections::ConnectionId) {
        self.joined.retain(|joined| joined.connection != connection);
    }

    /// Whether a move was decided after its deadline had passed, because it was read before.
    fn is_saved_from_flag(&self, record: &Record, now: ServiceInstant) -> bool {
        let is_move = matches!(record.events[0], Event::MovePlayed { .. });
        is_move && self.deadline().is_some_and(|deadline| now >= deadline)
    }
}
