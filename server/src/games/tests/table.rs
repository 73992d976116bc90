//! One game in virtual time: what a test does to it, what it does to its surroundings, and an
//! auditor in between.
//!
//! The auditor keeps what it finds in [`Table::violations`], so that a test can show that it would
//! catch a seeded bug.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use rand::Rng as _;
use rand::rngs::StdRng;
use zeitnot_protocol::{Code, CommandId, GameId, ServerMessage, Uci, decode_server};
use zeitnot_rules::board::{ByColor, Color, Move};
use zeitnot_rules::game::{
    Command, Event, Game, GameInstant, GameSetup, Micros, Profile, Question, Seq, TimeControl,
};
use zeitnot_rules::notation::uci;
use zeitnot_rules::verdict::Limits;

use crate::connections::{ConnectionId, Frame, NoticeKind};
use crate::games::board_summary::BoardSummary;
use crate::games::inputs::{GameInput, Join, StampedCommand, VerdictAnswer};
use crate::games::machine::{Closing, GameEffect, GameEffects, GameMachine, Publication, TaskRequest};
use crate::games::replay::ReplayedGame;
use crate::games::{ClockReading, SeatCommand};
use crate::storage::{
    Append, GameStore as _, JournalOffset, MemoryStore, Reading, Record, RestMark, Tail, TurnTime, WokenGame,
    WriteError,
};
use crate::time::ServiceInstant;

/// Something a session was told.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) to: ConnectionId,
    pub(super) after: Seq,
    pub(super) kind: NoticeKind,
}

/// One game in virtual time.
pub(super) struct Table {
    pub(super) now: ServiceInstant,
    /// How long it takes from an effect to the stamp of the turn's start.
    pub(super) queueing: Duration,
    pub(super) journal: Arc<MemoryStore>,
    pub(super) machine: GameMachine,
    pub(super) told: VecDeque<Told>,
    pub(super) turn_times: Vec<TurnTime>,
    pub(super) frames: Vec<Frame>,
    pub(super) face: ClockReading,
    pub(super) board: BoardSummary,
    pub(super) snapshots: Vec<Frame>,
    pub(super) watchers: Vec<u32>,
    pub(super) rated: Vec<Frame>,
    pub(super) trims: usize,
    /// Where the game stood when it came to rest.
    pub(super) marks: Vec<RestMark>,
    /// What it is answered then in place of the store's answer.
    pub(super) rests: Option<Result<bool, WriteError>>,
    /// The answer to that is the test's.
    pub(super) holds_rest: bool,
    /// The answer to `Confirm` is the test's.
    pub(super) holds_confirm: bool,
    pub(super) has_ended: bool,
    pub(super) closed: Option<Closing>,
    pub(super) violations: Vec<String>,
    /// Questions that wait for a test's answer, when it wants to give them.
    pub(super) held: Option<Vec<Question>>,
    appending: Option<Append>,
    reading: Option<Reading<Tail>>,
}

pub(super) fn game_id() -> GameId {
    GameId::from_random(77)
}

pub(super) fn setup(profile: Profile, time_control: TimeControl) -> GameSetup {
    let players = ByColor { white: 1, black: 2 };
    GameSetup {
        names: ByColor { white: "Rook_And_Roll".parse().ok(), black: None },
        ..GameSetup::casual(players, time_control, profile, 1_763_000_000_000)
    }
}

/// Three minutes and two seconds a move.
pub(super) fn blitz() -> TimeControl {
    TimeControl::fischer(Micros::from_secs(180), Micros::from_secs(2))
}

pub(super) fn conn(number: u64) -> ConnectionId {
    ConnectionId(number)
}

/// A move as a client writes it.
pub(super) fn parsed(uci: &str) -> Move {
    uci.parse::<Uci>().unwrap().into()
}

pub(super) fn play(on: Seq, uci: &str) -> SeatCommand {
    plain(Command::PlayMove { on, mv: parsed(uci) })
}

pub(super) fn plain(command: Command) -> SeatCommand {
    SeatCommand { id: None, command }
}

pub(super) fn named(id: &str, command: SeatCommand) -> SeatCommand {
    let id: CommandId = id.parse().unwrap();
    SeatCommand { id: Some(id), ..command }
}

impl Table {
    /// A game that has just begun.
    pub(super) fn new(setup: &GameSetup) -> Self {
        Self::with_journal(setup, MemoryStore::default())
    }

    /// A game that has just begun, and these players are on their way.
    pub(super) fn expecting(setup: &GameSetup, here: ByColor<bool>) -> Self {
        Self::begun(setup, MemoryStore::default(), here)
    }

    pub(super) fn with_journal(setup: &GameSetup, journal: MemoryStore) -> Self {
        Self::begun(setup, journal, ByColor::default())
    }

    fn begun(setup: &GameSetup, journal: MemoryStore, here: ByColor<bool>) -> Self {
        let journal = Arc::new(journal);
        let events = Game::start(setup).unwrap();
        let at = GameInstant::START;
        let record =
            Arc::new(Record { game: game_id(), first_seq: 1, at, account: None, command: None, events });
        let offset =
            now_or_never(&mut journal.append(JournalOffset::NONE, Arc::clone(&record))).unwrap().unwrap();
        let now = ServiceInstant(5_000_000);
        let machine = GameMachine::created(ReplayedGame::begun(&record, offset), now, here);
        Self::around(machine, journal, now)
    }

    /// The same game, recovered from its journal by another actor, some time later.
    pub(super) fn recovered(self, later: Duration) -> Self {
        self.recovered_after(later, Micros::ZERO)
    }

    /// The same game, woken by another actor after it has rested for so long.
    pub(super) fn woken(self, later: Duration) -> Self {
        let now = self.now + later;
        let woken = now_or_never(&mut self.journal.wake(game_id(), now)).unwrap().unwrap();
        let WokenGame { records, offset, mark, rested } = woken.expect("it rests");
        let stored = ReplayedGame::fold(&Tail { records, last: offset, correction: None }).unwrap();
        let mut table = Self::around(GameMachine::woken(stored, mark, rested, now), self.journal, now);
        let mut effects = GameEffects::new();
        table.machine.begin(&mut effects);
        table.carry_out(effects);
        table
    }

    /// The same, when the running turn had taken `spent` before the process died.
    pub(super) fn recovered_after(self, later: Duration, spent: Micros) -> Self {
        let tail = now_or_never(&mut self.journal.tail(game_id(), 1)).unwrap().unwrap();
        let now = self.now + later;
        let mut stored = ReplayedGame::fold(&tail).unwrap();
        stored.spent = spent;
        let machine = GameMachine::recovered(stored, now);
        let mut table = Self::around(machine, self.journal, now);
        let mut effects = GameEffects::new();
        table.machine.begin(&mut effects);
        table.carry_out(effects);
        table
    }

    fn around(machine: GameMachine, journal: Arc<MemoryStore>, now: ServiceInstant) -> Self {
        let (face, board) = (machine.clock_reading(), machine.board_summary());
        Self {
            now,
            queueing: Duration::ZERO,
            journal,
            machine,
            told: VecDeque::new(),
            turn_times: Vec::new(),
            frames: Vec::new(),
            face,
            board,
            snapshots: Vec::new(),
            watchers: Vec::new(),
            rated: Vec::new(),
            trims: 0,
            marks: Vec::new(),
            rests: None,
            holds_rest: false,
            holds_confirm: false,
            has_ended: false,
            closed: None,
            violations: Vec::new(),
            held: None,
            appending: None,
            reading: None,
        }
    }

    /// Puts an input in, now, and carries out what follows.
    pub(super) fn handle_input(&mut self, input: GameInput) {
        let mut effects = GameEffects::new();
        self.machine.handle(input, self.now, &mut effects);
        self.carry_out(effects);
    }

    pub(super) fn join(&mut self, connection: u64, seat: Color) {
        self.handle_input(GameInput::Join(Join { connection: conn(connection), seat, round_trip: None }));
    }

    pub(super) fn join_at_distance(&mut self, connection: u64, seat: Color, round_trip: Duration) {
        let round_trip = Some(Micros(round_trip.as_micros() as u64));
        self.handle_input(GameInput::Join(Join { connection: conn(connection), seat, round_trip }));
    }

    pub(super) fn leave(&mut self, connection: u64) {
        self.handle_input(GameInput::Leave { connection: conn(connection) });
    }

    /// A command that was read just now.
    pub(super) fn send(&mut self, connection: u64, command: SeatCommand) {
        self.send_stamped(connection, self.now, command);
    }

    pub(super) fn send_stamped(&mut self, connection: u64, stamp: ServiceInstant, command: SeatCommand) {
        self.send_measured(connection, stamp, None, command);
    }

    /// A command of which the player's node measured how long the turn had gone on.
    pub(super) fn send_measured(
        &mut self,
        connection: u64,
        stamp: ServiceInstant,
        took: Option<Micros>,
        command: SeatCommand,
    ) {
        assert!(stamp <= self.now, "a stamp lies in the past");
        let connection = conn(connection);
        // A connection that never joined is nobody, whichever seat it names.
        let seat = self.machine.seat_of(connection).unwrap_or(Color::White);
        self.handle_input(GameInput::Command(StampedCommand { connection, seat, stamp, took, command }));
    }

    /// Plays a move on the position on the board, and wants it to be accepted.
    #[track_caller]
    pub(super) fn play(&mut self, connection: u64, uci: &str) -> Seq {
        let on = self.machine.game().position_seq();
        self.send(connection, play(on, uci));
        self.expect_done(connection)
    }

    /// A legal move of the side to move, drawn by lot, in UCI.
    pub(super) fn random_move(&self, rng: &mut StdRng) -> String {
        let game = self.machine.game();
        let moves = game.position().legal_moves();
        let mv = moves[rng.random_range(0..moves.len())];
        uci::write(mv, game.position(), game.variant()).as_str().to_owned()
    }

    /// Both players with one connection each, 1 for White and 2 for Black.
    pub(super) fn seated(setup: &GameSetup) -> Self {
        let mut table = Self::new(setup);
        table.join(1, Color::White);
        table.join(2, Color::Black);
        table.told.clear();
        table
    }

    /// Lets time pass, with a tick whenever the machine asks for one.
    pub(super) fn pass(&mut self, span: Duration) {
        let until = self.now + span;
        while let Some(wake) = self.machine.wake().filter(|&wake| wake <= until && self.closed.is_none()) {
            let before = (self.now, self.frames.len());
            self.now = wake.max(self.now);
            self.handle_input(GameInput::Tick);
            let stuck =
                before == (self.now, self.frames.len()) && self.machine.wake().is_some_and(|w| w <= self.now);
            assert!(!stuck, "a tick that changes nothing must not ask for another at once");
        }
        self.now = until;
    }

    /// Answers every fence that was asked for and not answered yet.
    pub(super) fn answer_fences(&mut self) {
        let fences = self.told.iter().filter_map(|told| match told.kind {
            NoticeKind::Fence { number, .. } => Some((told.to, number)),
            _ => None,
        });
        let fences: Vec<_> = fences.collect();
        self.told.retain(|told| !matches!(told.kind, NoticeKind::Fence { .. }));
        for (connection, fence) in fences {
            self.handle_input(GameInput::Fenced { connection, fence });
        }
    }

    /// What a connection was told since the last look, without the notices that only say that there
    /// are events.
    pub(super) fn heard(&mut self, connection: u64) -> Vec<NoticeKind> {
        let mut heard = Vec::new();
        self.told.retain(|told| {
            let is_for = told.to == conn(connection);
            if is_for && !matches!(told.kind, NoticeKind::Events) {
                heard.push(told.kind.clone());
            }
            !is_for
        });
        heard
    }

    /// The messages among what a connection was told.
    pub(super) fn messages(&mut self, connection: u64) -> Vec<ServerMessage> {
        let heard = self.heard(connection);
        let framed = heard.iter().filter_map(|kind| match kind {
            NoticeKind::Message(frame) | NoticeKind::Snapshot(frame) => {
                Some(decode_server(frame.text()).unwrap())
            }
            _ => None,
        });
        framed.collect()
    }

    /// The one answer to a command that was sent: the seq that `ok` says.
    #[track_caller]
    pub(super) fn expect_done(&mut self, connection: u64) -> Seq {
        match self.answer(connection) {
            Some(Ok(seq)) => seq,
            other => panic!("expected ok, got {other:?}"),
        }
    }

    #[track_caller]
    pub(super) fn expect_rejected(&mut self, connection: u64, code: Code) {
        assert_eq!(self.answer(connection), Some(Err(code)));
    }

    /// The first answer a connection was told since the last look.
    pub(super) fn answer(&mut self, connection: u64) -> Option<Result<Seq, Code>> {
        self.heard(connection).iter().find_map(|kind| match kind {
            NoticeKind::Done { seq, .. } => Some(Ok(*seq)),
            NoticeKind::Rejected { code, .. } => Some(Err(*code)),
            _ => None,
        })
    }

    /// The records in the journal.
    pub(super) fn records(&self) -> Vec<Arc<Record>> {
        now_or_never(&mut self.journal.tail(game_id(), 1)).unwrap().unwrap().records
    }

    /// The events in the journal.
    pub(super) fn events(&self) -> Vec<Event> {
        self.records().iter().flat_map(|record| record.events.clone()).collect()
    }

    /// Lets the journal's delayed appends happen.
    pub(super) fn release(&mut self) {
        self.journal.release();
        self.poll_journal();
    }

    /// What holds at any time: the state is that of the journal.
    #[track_caller]
    pub(super) fn check(&self) {
        assert_eq!(self.violations, Vec::<String>::new());
        let events = self.events();
        assert_eq!(Game::replay(&events).recorded(), self.machine.game().recorded());
    }

    fn carry_out(&mut self, mut effects: GameEffects) {
        while let Some(effect) = effects.pop_front() {
            self.audit(&effect);
            match effect {
                GameEffect::Task(TaskRequest::Append { after, record }) => {
                    self.appending = Some(self.journal.append(after, record));
                }
                GameEffect::Task(TaskRequest::ReadTail { from }) => {
                    self.reading = Some(self.journal.tail(game_id(), from));
                }
                GameEffect::Task(TaskRequest::NoteTurn(time)) => self.turn_times.push(time),
                GameEffect::Publish(Publication::Event(frame)) => self.frames.push(frame),
                GameEffect::Publish(Publication::Summary { clock, board }) => {
                    (self.face, self.board) = (clock, *board);
                }
                GameEffect::Publish(Publication::Notice { connection, after, kind }) => {
                    self.told.push_back(Told { to: connection, after, kind });
                }
                GameEffect::Task(TaskRequest::StampTurn) => {
                    self.now = self.now + self.queueing;
                    self.machine.handle(GameInput::TurnQueued, self.now, &mut effects);
                }
                GameEffect::Task(TaskRequest::AskVerdict(question)) => match &mut self.held {
                    Some(held) => held.push(*question),
                    None => self.machine.handle(verdict_on(&question), self.now, &mut effects),
                },
                GameEffect::Publish(Publication::Snapshot(frame)) => self.snapshots.push(frame),
                GameEffect::Publish(Publication::Watchers(count)) => self.watchers.push(count),
                GameEffect::Task(TaskRequest::Confirm) => {
                    let answer = now_or_never(&mut self.journal.confirm()).unwrap();
                    if !self.holds_confirm {
                        self.machine.handle(GameInput::Confirmed(answer), self.now, &mut effects);
                    }
                }
                GameEffect::Task(TaskRequest::ReadRatings) => {
                    let changes = now_or_never(&mut self.journal.rating_changes(game_id()));
                    self.machine.handle(
                        GameInput::RatingsRead(changes.unwrap().unwrap()),
                        self.now,
                        &mut effects,
                    );
                }
                GameEffect::Publish(Publication::Rated(frame)) => self.rated.push(frame),
                GameEffect::Task(TaskRequest::Trim) => self.trims += 1,
                GameEffect::Task(TaskRequest::Rest { after, mark, at }) => {
                    self.marks.push(mark);
                    let rests = self.rests.unwrap_or_else(|| {
                        now_or_never(&mut self.journal.rest(game_id(), after, mark, at)).unwrap()
                    });
                    if !self.holds_rest {
                        self.machine.handle(GameInput::Rested(rests), self.now, &mut effects);
                    }
                }
                GameEffect::Publish(Publication::Ended) => self.has_ended = true,
                GameEffect::Task(TaskRequest::Close(why)) => self.closed = Some(why),
                GameEffect::Publish(Publication::NotifySpectators | Publication::ClockStarted) => {}
            }
        }
        self.poll_journal();
    }

    fn poll_journal(&mut self) {
        if let Some(answer) = self.appending.as_mut().and_then(now_or_never) {
            self.appending = None;
            self.handle_input(GameInput::Appended(answer));
        }
        if let Some(tail) = self.reading.as_mut().and_then(now_or_never) {
            self.reading = None;
            self.handle_input(GameInput::TailRead(tail));
        }
    }

    fn audit(&mut self, effect: &GameEffect) {
        match effect {
            GameEffect::Task(TaskRequest::Append { .. }) if self.appending.is_some() => {
                self.violations.push("two appends in flight".to_owned());
            }
            GameEffect::Publish(Publication::Event(frame)) => {
                let durable = self.records().last().map_or(0, |record| record.last_seq());
                if frame.seq() > durable {
                    self.violations.push(format!("{frame:?} was published and is not durable"));
                }
                let previous = self.frames.last().map(Frame::seq);
                if previous.is_some_and(|previous| previous + 1 != frame.seq()) {
                    self.violations.push(format!("{frame:?} came after event {previous:?}"));
                }
            }
            GameEffect::Publish(Publication::Notice { after, kind, .. }) => {
                let published = self.frames.last().map_or(*after, Frame::seq);
                if *after > published {
                    self.violations.push(format!("{kind:?} came before event {after}"));
                }
            }
            _ => {}
        }
    }
}

/// The answer to a question, by a small search.
pub(super) fn verdict_on(question: &Question) -> GameInput {
    let outcome = question.answer(&Limits::nodes(5_000)).outcome;
    GameInput::Verdict(VerdictAnswer { about: question.about, outcome })
}

/// A future's output, if it is there.
pub(super) fn now_or_never<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    match Pin::new(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
