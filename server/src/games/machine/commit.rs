//! From a decision to events that everybody knows: append, commit, evolve, publish, notify.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, CommandId};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Event, Fact, GameInstant};

use super::presence::Connection;
use super::timers::{LINGER, READ_AGAIN, TRIM_AFTER, Timer};
use super::{Closing, GameEffects, GameMachine, GameStage, Publication, Reply, TaskRequest};
use crate::connections::{ConnectionId, NoticeKind};
use crate::games::board_summary::last_move;
use crate::games::event_messages;
use crate::games::snapshot::{self, RatingChanges};
use crate::seeded_bugs::bug;
use crate::storage::heartbeat::begins_turn;
use crate::storage::{AppendAnswer, AppendError, ReadError, Record, Tail, TurnTime};
use crate::time::ServiceInstant;

/// A record on its way into the journal.
#[derive(Debug)]
pub(super) struct Pending {
    record: Arc<Record>,
    reply: Option<Reply>,
    /// Whether an earlier try may have written it.
    is_uncertain: bool,
}

impl GameMachine {
    /// Appends events that no command led to: a deadline, a verdict.
    pub(super) fn append(&mut self, events: Vec<Event>, at: GameInstant, effects: &mut GameEffects) {
        let record = self.record(events, at, None, None);
        self.append_record(record, None, effects);
    }

    /// Appends the events that a player's command led to.
    pub(super) fn append_for(
        &mut self,
        seat: Color,
        connection: ConnectionId,
        id: Option<CommandId>,
        events: Vec<Event>,
        at: GameInstant,
        effects: &mut GameEffects,
    ) {
        let record = self.record(events, at, Some(self.account(seat)), id);
        let reply = Reply { connection, id: id.map(Box::new), seq: record.first_seq };
        self.append_record(record, Some(reply), effects);
    }

    fn record(
        &self,
        events: Vec<Event>,
        at: GameInstant,
        account: Option<AccountId>,
        command: Option<CommandId>,
    ) -> Record {
        Record { game: self.id, first_seq: self.game.seq() + 1, at, account, command, events }
    }

    fn append_record(&mut self, record: Record, reply: Option<Reply>, effects: &mut GameEffects) {
        let record = Arc::new(record);
        bug!(EvolveBeforeCommit => self.evolve(&record, effects));
        bug!(OkBeforeDurable => self.notify_done(reply.as_ref(), effects));
        bug!(IncrementOnTheLastMove => let record = self.with_last_increment(record));
        effects.push_back(TaskRequest::Append { after: self.offset, record: Arc::clone(&record) }.into());
        self.stage = GameStage::Appending(Pending { record, reply, is_uncertain: false });
    }

    /// The journal has answered.
    pub(super) fn appended(&mut self, answer: AppendAnswer, at: ServiceInstant, effects: &mut GameEffects) {
        let pending = self.take_pending();
        bug!(ConflictIgnored => let answer = self.without_conflict(answer));
        match answer {
            Ok(offset) => {
                self.offset = offset;
                self.commit(pending, at, effects);
            }
            Err(AppendError::Conflict) if !pending.is_uncertain => self.reset(Closing::Conflict, effects),
            // After an uncertain try a conflict may be with that try.
            Err(AppendError::Unknown | AppendError::Conflict) => self.read_tail(pending, effects),
            Err(AppendError::Failed(why)) => self.reset(Closing::JournalFailed(why), effects),
        }
    }

    fn take_pending(&mut self) -> Pending {
        match std::mem::replace(&mut self.stage, GameStage::Open) {
            GameStage::Appending(pending)
            | GameStage::Reading(pending)
            | GameStage::ReadingLater(pending) => pending,
            GameStage::Open
            | GameStage::TurnStarting(_)
            | GameStage::Resting
            | GameStage::Rejecting(_)
            | GameStage::Closed => {
                panic!("an answer of the journal nobody asked for")
            }
        }
    }

    fn read_tail(&mut self, pending: Pending, effects: &mut GameEffects) {
        effects.push_back(TaskRequest::ReadTail { from: pending.record.first_seq }.into());
        self.stage = GameStage::Reading(Pending { is_uncertain: true, ..pending });
    }

    /// The tail of a game whose last append is uncertain: the record is there, or it is not and is
    /// tried again.
    pub(super) fn tail_read(
        &mut self,
        tail: Result<Tail, ReadError>,
        at: ServiceInstant,
        effects: &mut GameEffects,
    ) {
        let pending = self.take_pending();
        let Ok(tail) = tail else {
            self.timers.arm(Timer::ReadTail, at + READ_AGAIN);
            self.stage = GameStage::ReadingLater(pending);
            return;
        };
        bug!(AppendedAgainAfterUnknown => let tail = self.misread(tail));
        match tail.records.as_slice() {
            [] => {
                effects.push_back(
                    TaskRequest::Append { after: self.offset, record: Arc::clone(&pending.record) }.into(),
                );
                self.stage = GameStage::Appending(pending);
            }
            [written] if *written == pending.record => {
                self.offset = tail.last;
                self.commit(pending, at, effects);
            }
            _ => self.reset(Closing::Conflict, effects),
        }
    }

    /// Asks what the end of a rated game has done to ratings: the store has written that with the end.
    pub(super) fn ask_ratings(&self, effects: &mut GameEffects) {
        if self.game.setup().rated {
            effects.push_back(TaskRequest::ReadRatings.into());
        }
    }

    /// What the end has done to ratings is known: everybody is told.
    pub(super) fn ratings_read(&mut self, changes: Option<RatingChanges>, effects: &mut GameEffects) {
        let Some(changes) = changes else { return };
        let frame = snapshot::rated_frame(self.id, &self.game, &changes);
        self.ratings = Some(Box::new(changes));
        effects.push_back(Publication::Rated(frame.clone()).into());
        self.notify_all(&NoticeKind::Message(frame), effects);
    }

    /// Time to try again to read the tail.
    pub(super) fn read_again(&mut self, effects: &mut GameEffects) {
        if matches!(self.stage, GameStage::ReadingLater(_)) {
            let pending = self.take_pending();
            self.read_tail(pending, effects);
        }
    }

    /// The record is durable: it becomes the state, and everybody is notified.
    fn commit(&mut self, pending: Pending, at: ServiceInstant, effects: &mut GameEffects) {
        let Pending { record, reply, .. } = pending;
        // Evolved before only when a test seeded that bug.
        let fen = if self.game.seq() < record.first_seq { self.evolve(&record, effects) } else { None };
        self.timers.arm(Timer::Trim, at + TRIM_AFTER);
        if !self.game.awaits_turn_start() {
            return self.notify_rest(reply, None, at, effects);
        }
        let mover = self.game.turn();
        self.stand_if_lost(at, effects);
        if self.stands(at) {
            // It still waits for its player.
            return self.notify_rest(reply, None, at, effects);
        }
        if self.is_here(mover) {
            self.notify_turn(fen, at, |connection| connection.seat == mover, effects);
        }
        effects.push_back(TaskRequest::StampTurn.into());
        self.stage = GameStage::TurnStarting(reply);
    }

    /// Folds a record. The FEN of the position on the board, if it was written on the way.
    fn evolve(&mut self, record: &Record, effects: &mut GameEffects) -> Option<String> {
        self.answers.note(&self.game, record);
        if record.events.iter().any(begins_turn) {
            self.interrupted = None;
            self.timers.stop(Timer::StartTurn);
        }
        let mut fen = None;
        for event in &record.events {
            if let Event::MovePlayed { mv, .. } = event {
                self.last_move =
                    Some(event_messages::wire_uci(*mv, self.game.position(), self.game.variant()));
            }
            let frame = event_messages::evolve_into_frame(self.id, &mut self.game, event, &mut fen);
            if let Event::TakenBack { .. } = event {
                self.last_move = last_move(&self.game);
            }
            if self.game.has_ended() {
                // First, so that a session that is notified of the end finds the game ended.
                effects.push_back(Publication::Ended.into());
            }
            effects.push_back(Publication::Event(frame).into());
        }
        bug!(TurnStartsBeforeCommit => self.start_turn_before_commit(record.at));
        self.find_deadline();
        fen
    }

    /// The turn's message is on its way since `at`; with no connection of the player to move, this
    /// is when the record was durable.
    pub(super) fn turn_queued(&mut self, at: ServiceInstant, effects: &mut GameEffects) {
        let GameStage::TurnStarting(reply) = std::mem::replace(&mut self.stage, GameStage::Open) else {
            panic!("no turn was being started");
        };
        self.start_turn(at);
        self.note_resumed_turn(effects);
        self.notify_rest(reply, Some(self.game.turn()), at, effects);
    }

    /// From here the clock runs, if a turn waits for it.
    pub(super) fn start_turn(&mut self, at: ServiceInstant) {
        self.timers.stop(Timer::StartTurn);
        if self.game.awaits_turn_start() {
            self.runs_since = at;
        }
        self.game.observe(Fact::TurnStarted { at: self.axis.game(at) });
        self.find_deadline();
    }

    /// Notes what the interrupted turn had taken: the next recovery must know it too. The clock runs
    /// again, which no event says.
    pub(super) fn note_resumed_turn(&mut self, effects: &mut GameEffects) {
        if let Some(spent) = self.interrupted.take() {
            effects.push_back(TaskRequest::NoteTurn(TurnTime::Runs { spent }).into());
            effects.push_back(self.summary());
            effects.push_back(Publication::ClockStarted.into());
            self.notify_all(&NoticeKind::Events, effects);
        }
    }

    /// Notifies everybody who does not know yet: the connection that waits for `ok`, the other
    /// sessions, the spectators.
    fn notify_rest(
        &mut self,
        mut reply: Option<Reply>,
        told: Option<Color>,
        at: ServiceInstant,
        effects: &mut GameEffects,
    ) {
        effects.push_back(self.summary());
        let after = self.game.seq();
        for &Connection { id: connection, seat, .. } in &self.connections {
            bug!(SecondTabNotTold => if self.is_other_tab(reply.as_ref(), connection, seat) { continue });
            let kind = match &mut reply {
                Some(reply) if reply.connection == connection => {
                    NoticeKind::Done { id: reply.id.take(), seq: reply.seq }
                }
                _ if told == Some(seat) => continue,
                _ => NoticeKind::Events,
            };
            effects.push_back(Publication::Notice { connection, after, kind }.into());
        }
        if self.is_followed_by_others() {
            effects.push_back(Publication::NotifySpectators.into());
        }
        if self.game.has_ended() {
            self.timers.arm(Timer::Linger, at + LINGER);
            self.ask_ratings(effects);
        }
        self.ask_verdicts(effects);
    }
}
