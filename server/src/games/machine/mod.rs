//! The machine of one game: an input and an instant in, effects out.
//!
//! An accepted input takes this way: `decide`, [`TaskRequest::Append`], and once
//! [`GameInput::Appended`] says that the record is durable, `evolve`, publish, notices. Later
//! commands wait for that with their stamps. On a new turn the player to move is notified first,
//! and [`GameInput::TurnQueued`] says when that was done: the clock runs from there.
//!
//! The task, or the simulation, carries out the effects in their order and gives
//! [`GameInput::Tick`] at [`GameMachine::wake`]. An input comes with the current service time; a
//! command also has the stamp of its reading, which is never later.
//!
//! Deliberately absent: tokio, channels, clock reading, randomness, and anything whose order
//! depends on a hash. `Game` decides everything about chess.
//!
//! Invariants: at most one append is in flight; only durable events are published; while an append
//! is in flight or its outcome is unknown, nothing is decided; a deadline is decided only after a
//! complete fence; nobody is told of a rejection before it is certain that no other process had taken
//! the game over when it was decided ([`TaskRequest::Confirm`]).

mod axis;
mod commit;
mod deadline;
mod lost_node;
mod presence;
mod release;
mod rest;
#[cfg(test)]
mod seeded_bugs;
mod timers;
mod verdict;

use std::collections::VecDeque;
use std::sync::Arc;

use zeitnot_protocol::{CommandId, GameId, Uci};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Fact, Game, GameInstant, Micros, Question, Seq};

use super::ClockReading;
use super::answers::Answers;
use super::board_summary::{BoardSummary, last_move};
use super::fence::Fence;
use super::inputs::{ActorEnd, GameInput, StampedCommand, VerdictAnswer};
use super::replay::ReplayedGame;
use super::snapshot::RatingChanges;
use crate::connections::{ConnectionId, Frame, NoticeKind};
use crate::seeded_bugs::bug;
use crate::storage::{JournalOffset, Record, RestMark, TurnTime};
use crate::time::ServiceInstant;
use axis::Axis;
use commit::Pending;
use deadline::Undelivered;
use lost_node::LostPlayers;
use presence::{Connection, SpectatorCount};
pub(crate) use timers::REST_AFTER;
use timers::{Timer, TimerTable};
use verdict::DeadPosition;

/// The most commands that wait inside the machine. While there are this many it takes no more from
/// the mailbox, which has its own bound.
const WAITING_MAX: usize = 256;

/// What is to be done, oldest first.
pub(crate) type GameEffects = VecDeque<GameEffect>;

/// What must be done, in order.
#[derive(Debug)]
pub(crate) enum GameEffect {
    /// Something becomes visible outside the actor; nothing comes back.
    Publish(Publication),
    /// Something only the actor's task can do.
    Task(TaskRequest),
}

/// What becomes visible outside the actor.
#[derive(Debug)]
pub(crate) enum Publication {
    /// The frame of a durable event.
    Event(Frame),
    /// The clocks and the board after the last event published.
    Summary { clock: ClockReading, board: Box<BoardSummary> },
    /// A notice to one player's session.
    Notice { connection: ConnectionId, after: Seq, kind: NoticeKind },
    /// The spectators are notified that the feed has something new.
    NotifySpectators,
    /// A clock began to run without an event: everybody is told by `clock`.
    ClockStarted,
    /// The number of spectators, of which they are notified.
    Watchers(u32),
    /// A snapshot for the spectators who asked, and who are notified.
    Snapshot(Frame),
    /// The frame of what the end has done to ratings, for the spectators, who are notified.
    Rated(Frame),
    /// The end is durable: the game is no longer live for its players.
    Ended,
}

/// What the actor's task has to do.
#[derive(Debug)]
pub(crate) enum TaskRequest {
    /// Append this record, then give [`GameInput::Appended`].
    Append { after: JournalOffset, record: Arc<Record> },
    /// Read the game's records from this seq on, then give [`GameInput::TailRead`].
    ReadTail { from: Seq },
    /// Note in storage what the turn that goes on had taken.
    NoteTurn(TurnTime),
    /// Give [`GameInput::TurnQueued`] at the instant at which this request is reached.
    StampTurn,
    /// Find the answer, then give [`GameInput::Verdict`]. Nothing waits for it, and a later
    /// question takes its place.
    AskVerdict(Box<Question>),
    /// Find out whether the state was the newest now, then give [`GameInput::Confirmed`].
    Confirm,
    /// Read what the end of the game has done to ratings, then give [`GameInput::RatingsRead`].
    ReadRatings,
    /// Give back what memory can be given back.
    Trim,
    /// Put the game to rest, then give [`GameInput::Rested`].
    Rest { after: JournalOffset, mark: RestMark, at: ServiceInstant },
    /// This machine has ended.
    Close(Closing),
}

impl From<Publication> for GameEffect {
    fn from(publication: Publication) -> Self {
        Self::Publish(publication)
    }
}

impl From<TaskRequest> for GameEffect {
    fn from(request: TaskRequest) -> Self {
        Self::Task(request)
    }
}

/// Why a machine has ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Closing {
    /// The game ended a while ago.
    Over,
    /// The server stops.
    Stopped,
    /// The game is at rest.
    Rests,
    /// Another node is to play the game on.
    Released,
    /// Somebody else wrote a record of this game.
    Conflict,
    /// The journal takes no records.
    JournalFailed(String),
}

impl Closing {
    /// What becomes of the game.
    pub(crate) fn end(&self) -> ActorEnd {
        match self {
            Self::Over | Self::Stopped => ActorEnd::Over,
            Self::Rests => ActorEnd::Rests,
            Self::Released => ActorEnd::Released,
            Self::Conflict | Self::JournalFailed(_) => ActorEnd::Recovers,
        }
    }
}

/// The connection that waits for `ok`, and the answer.
#[derive(Debug)]
struct Reply {
    connection: ConnectionId,
    id: Option<Box<CommandId>>,
    /// The first event of the record.
    seq: Seq,
}

/// What the machine is waiting for.
#[derive(Debug)]
enum GameStage {
    /// The next input.
    Open,
    /// The commit.
    Appending(Pending),
    /// The game's tail, because it is unknown whether the record was written.
    Reading(Pending),
    /// Another try to read the tail.
    ReadingLater(Pending),
    /// Whether the game has come to rest.
    Resting,
    /// Whether the state is the newest, in which a command is rejected.
    Rejecting(Undelivered),
    /// The instant at which the turn's message was queued.
    TurnStarting(Option<Reply>),
    /// Nothing any more.
    Closed,
}

/// The instant at which the deadline is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Deadline {
    game: GameInstant,
    service: ServiceInstant,
}

/// The state of one actor.
#[derive(Debug)]
pub(crate) struct GameMachine {
    id: GameId,
    game: Game,
    /// The last move on the board.
    last_move: Option<Uci>,
    axis: Axis,
    /// The offset of the game's last record.
    offset: JournalOffset,
    answers: Answers,
    stage: GameStage,
    connections: Vec<Connection>,
    /// Of other nodes.
    mirrors: Vec<ConnectionId>,
    /// Players of a new game who have a connection that has not joined yet.
    expected: ByColor<bool>,
    /// Players whose connections were on a node that is lost.
    lost: LostPlayers,
    waiting: VecDeque<StampedCommand>,
    /// Answers that came while an append was in flight: at most one for each kind of question.
    verdicts: Vec<VerdictAnswer>,
    dead_position: DeadPosition,
    fence: Option<Box<Fence>>,
    fence_number: u32,
    spectators: SpectatorCount,
    timers: TimerTable,
    /// The next deadline on both axes: `game`'s, worked out again whenever that can have changed.
    deadline: Option<Deadline>,
    is_stopping: bool,
    /// Another node is to play the game on.
    is_released: bool,
    /// What an interrupted turn had taken, until it goes on.
    interrupted: Option<Micros>,
    /// It does not go on before, unless its player acts.
    stands_until: ServiceInstant,
    /// Since when it stands. Known of a turn that began here.
    stands_since: ServiceInstant,
    /// When a turn began to run here last.
    runs_since: ServiceInstant,
    /// How long nobody may follow the game before it comes to rest, in microseconds.
    rest_after_us: u64,
    /// What its end has done to ratings, as far as that is known.
    ratings: Option<Box<RatingChanges>>,
}

impl GameMachine {
    /// A game that has just been created, at `at`: its first record is durable. The first turn
    /// starts here, since nobody is there yet. The players of `here` have a connection: it is on
    /// its way.
    pub(crate) fn created(stored: ReplayedGame, at: ServiceInstant, here: ByColor<bool>) -> Self {
        let left_at = ByColor::both(stored.left_at());
        let mut machine = Self::new(stored, at, left_at);
        machine.expect(here, at);
        machine.start_turn(at);
        machine
    }

    /// A recovered game. Its turn goes on when the player to move has joined, or after a while.
    pub(crate) fn recovered(stored: ReplayedGame, at: ServiceInstant) -> Self {
        let (spent, left_at) = (stored.spent, ByColor::both(stored.left_at()));
        let mut machine = Self::new(stored, at, left_at);
        if machine.game.awaits_turn_start() {
            machine.game.observe(Fact::TurnCarried { spent });
            bug!(DowntimeCharged => machine.charge_downtime());
            machine.interrupted = Some(spent);
            machine.timers.arm(Timer::StartTurn, at + timers::RECOVERY_PATIENCE);
        }
        if machine.game.has_ended() {
            machine.timers.arm(Timer::Linger, at + timers::LINGER);
        }
        machine
    }

    /// A game that was claimed while its players may be connected to other nodes: as a recovered one, but its turn does not
    /// go on before all of them can have attached, and whoever may have been with the owner before is awaited.
    pub(crate) fn claimed(stored: ReplayedGame, at: ServiceInstant) -> Self {
        let mut machine = Self::recovered(stored, at);
        machine.await_other_nodes(at);
        machine.owner_lost(at);
        machine
    }

    /// The game as it was left; its players are away since then.
    fn new(stored: ReplayedGame, at: ServiceInstant, away_since: ByColor<GameInstant>) -> Self {
        let left_at = stored.left_at();
        let ReplayedGame { id, mut game, offset, answers, .. } = stored;
        let axis = Axis::new(at, left_at);
        bug!(AnswersOnlyInMemory => let answers = { drop(answers); Answers::default() });
        for seat in Color::ALL {
            game.observe(Fact::Absent { seat, at: away_since[seat] });
        }
        Self {
            id,
            last_move: last_move(&game),
            game,
            axis,
            offset,
            answers,
            stage: GameStage::Open,
            connections: Vec::new(),
            mirrors: Vec::new(),
            expected: ByColor::default(),
            lost: LostPlayers::default(),
            waiting: VecDeque::new(),
            verdicts: Vec::new(),
            dead_position: DeadPosition::default(),
            fence: None,
            fence_number: 0,
            spectators: SpectatorCount::default(),
            timers: TimerTable::default(),
            deadline: None,
            is_stopping: false,
            is_released: false,
            interrupted: None,
            stands_until: ServiceInstant::default(),
            stands_since: ServiceInstant::default(),
            runs_since: ServiceInstant::default(),
            rest_after_us: timers::REST_AFTER.as_micros() as u64,
            ratings: None,
        }
    }

    /// Effects before the first input: questions about the start, or those that a recovered game
    /// has open.
    pub(crate) fn begin(&mut self, effects: &mut GameEffects) {
        self.ask_verdicts(effects);
        if self.game.has_ended() {
            self.ask_ratings(effects);
        }
    }

    /// Which game.
    pub(crate) fn id(&self) -> GameId {
        self.id
    }

    /// The state as it is durable.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Whether the task may take more from the mailbox. It may not while storage is asked for something, so the number
    /// of waiting commands is bounded and the mailbox can reject.
    pub(crate) fn takes_more(&self) -> bool {
        match self.stage {
            GameStage::Open | GameStage::TurnStarting(_) | GameStage::Closed => {
                self.waiting.len() < WAITING_MAX
            }
            GameStage::Appending(_)
            | GameStage::Reading(_)
            | GameStage::ReadingLater(_)
            | GameStage::Resting
            | GameStage::Rejecting(_) => false,
        }
    }

    /// Takes one input, at the service clock's `at`.
    pub(crate) fn handle(&mut self, input: GameInput, at: ServiceInstant, effects: &mut GameEffects) {
        if matches!(self.stage, GameStage::Closed) {
            return;
        }
        match input {
            GameInput::Command(command) => self.command(command),
            GameInput::Appended(answer) => self.appended(answer, at, effects),
            GameInput::TurnQueued => self.turn_queued(at, effects),
            GameInput::Join(join) => self.join(join, at, effects),
            GameInput::Leave { connection } => self.leave(connection, at, effects),
            GameInput::Fenced { connection, fence } => self.fenced(connection, fence),
            GameInput::RoundTrip { connection, smoothed } => self.round_trip(connection, smoothed),
            GameInput::Resync { connection } => self.resync(connection, effects),
            GameInput::SnapshotWanted => self.make_snapshot(at, effects),
            GameInput::Watchers(count) => self.watchers(count, at, effects),
            GameInput::NodeLost { node, complete } => self.node_lost(node, complete, at, effects),
            GameInput::NodeSettled(node) => self.node_settled(node, at, effects),
            GameInput::Mirrored { mirror } => self.mirrored(mirror, at, effects),
            GameInput::TailRead(tail) => self.tail_read(tail, at, effects),
            GameInput::Rested(rests) => self.rested(rests, at, effects),
            GameInput::Confirmed(answer) => self.confirmed(answer, effects),
            GameInput::RatingsRead(changes) => self.ratings_read(changes, effects),
            GameInput::Verdict(answer) => self.verdicts.push(answer),
            GameInput::Tick => self.tick(at, effects),
            GameInput::LetGo if self.game.has_ended() => self.timers.arm(Timer::Linger, at),
            // Its end is not durable.
            GameInput::LetGo => {}
            GameInput::Stop => self.is_stopping = true,
            GameInput::Release => self.is_released = true,
        }
        self.decide_waiting(at, effects);
    }

    /// What both clocks show, for a reader at any later instant.
    pub(crate) fn clock_reading(&self) -> ClockReading {
        let flag = self.game.turn_deadline().map(|flag| self.axis.service(flag));
        let running = self.game.running().zip(flag);
        // A turn that has a deadline while no clock runs is a first move.
        let first_move = if running.is_none() { flag } else { None };
        // A turn that waits to go on has taken the same at every instant.
        let waits = self.game.awaits_turn_start();
        ClockReading {
            seq: self.game.seq(),
            clocks: if waits { self.game.clocks_at(GameInstant::START) } else { self.game.clocks() },
            running,
            base: self.game.position_seq(),
            began: self.game.turn_began().map(|began| self.axis.service(began)),
            first_move,
        }
    }

    /// What a small board shows.
    pub(crate) fn board_summary(&self) -> BoardSummary {
        BoardSummary::of(&self.game, self.last_move)
    }

    fn summary(&self) -> GameEffect {
        let board = Box::new(self.board_summary());
        Publication::Summary { clock: self.clock_reading(), board }.into()
    }

    /// To be called whenever the game was evolved, or a turn was started.
    fn find_deadline(&mut self) {
        let deadline = self.game.deadline();
        bug!(DeadlineAfterTheEnd => if self.game.is_over() { return });
        self.deadline = deadline.map(|game| Deadline { game, service: self.axis.service(game) });
        self.timers.set(Timer::Deadline, self.deadline.map(|deadline| deadline.service));
    }

    fn close(&mut self, why: Closing, effects: &mut GameEffects) {
        self.stage = GameStage::Closed;
        self.waiting = VecDeque::new();
        effects.push_back(TaskRequest::Close(why).into());
    }
}
