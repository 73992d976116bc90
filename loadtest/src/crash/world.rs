//! What all clients of a crash test share: the tables and their games, the checker, and the time.
//!
//! One thread, one task: everything is in cells, and none is borrowed across an await.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;
use tokio::sync::watch;
use zeitnot_protocol::{AccountId, ClientMessage, CommandId, GameId, Hello, Period, TimeControl};

use super::CrashOptions;
use super::finding::Finding;
use super::history_checker::HistoryChecker;
use super::script::Scripts;
use crate::client::{Client, ClientError};
use crate::endpoint::Endpoint;
use crate::report::Latencies;
use crate::rng::Rng;
use crate::stopwatch::Stopwatch;

/// How often this program checks whether it is late itself.
const LATENESS_EVERY: Duration = Duration::from_millis(10);

/// How long a lateness counts, in µs: longer than a turn in time trouble.
const LATENESS_COUNTS: u64 = 3_000_000;

/// From this lateness on, in µs, a flag may have fallen rightly: most of the time that is left when
/// a player moves.
const LATE: u64 = 100_000;

/// The longest wait for a first move that the histogram distinguishes, in µs.
const LONGEST: u64 = 600_000_000;

/// A command that is not answered yet.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) game: GameId,
    pub(super) on: u32,
    pub(super) id: CommandId,
    pub(super) message: ClientMessage,
    pub(super) is_move: bool,
    /// When it was first sent, in µs since the test began.
    pub(super) sent: u64,
    /// The run of the server in which it was first sent.
    pub(super) run: u64,
}

/// Two accounts that play each other, one game after another.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) accounts: [Option<AccountId>; 2],
    pub(super) game: Option<GameId>,
    pub(super) pending: [Vec<Pending>; 2],
    /// Whether its games are played in time trouble.
    pub(super) is_hurried: bool,
}

impl Table {
    pub(super) fn time_control(&self) -> TimeControl {
        let (base_ms, increment_ms) = if self.is_hurried { (1_000, 800) } else { (60_000, 2_000) };
        let period = Period { base_ms, increment_ms: Some(increment_ms), ..Period::default() };
        TimeControl::Clock { periods: vec![period], black_periods: None }
    }
}

/// How long the server has run, without downtime and pauses.
#[derive(Debug, Default)]
struct Service {
    before: u64,
    running: Option<Stopwatch>,
}

/// The shared state.
#[derive(Debug)]
pub(super) struct World {
    pub(super) endpoint: Endpoint,
    pub(super) checker: RefCell<HistoryChecker>,
    pub(super) scripts: RefCell<Scripts>,
    pub(super) tables: RefCell<Vec<Table>>,
    /// Whether all players are registered, and play rated games.
    pub(super) rated: bool,
    /// The mean time between two moves of one game, in µs.
    pub(super) pace: u64,
    pub(super) connected: Cell<usize>,
    /// Commands that were sent again after reconnecting.
    pub(super) sent_again: Cell<u64>,
    /// Completed cycles.
    pub(super) cycles: Cell<u64>,
    run: Cell<u64>,
    up: watch::Sender<bool>,
    service: RefCell<Service>,
    stopwatch: Stopwatch,
    lateness: RefCell<VecDeque<(u64, u64)>>,
    /// Runs from the restart of the server until the first accepted move.
    came_back: Cell<Option<Stopwatch>>,
    to_move: RefCell<Histogram<u64>>,
    /// Since that move was accepted.
    moved: Cell<Option<Stopwatch>>,
    /// From when a move was first sent until its `ok`, through all faults in between.
    over_time: RefCell<Option<Latencies>>,
}

impl World {
    pub(super) fn new(
        endpoint: Endpoint,
        checker: HistoryChecker,
        tables: Vec<Table>,
        options: &CrashOptions,
        rng: &Rng,
        over_time: Latencies,
    ) -> Result<Self> {
        Ok(Self {
            endpoint,
            checker: RefCell::new(checker),
            scripts: RefCell::new(Scripts::new(rng.branch(1 << 40), options.rated)),
            rated: options.rated,
            pace: tables.len() as u64 * 1_000_000 / options.rate.max(1),
            tables: RefCell::new(tables),
            connected: Cell::new(0),
            sent_again: Cell::new(0),
            cycles: Cell::new(0),
            run: Cell::new(0),
            up: watch::Sender::new(false),
            service: RefCell::default(),
            stopwatch: Stopwatch::start(),
            lateness: RefCell::default(),
            came_back: Cell::new(None),
            to_move: RefCell::new(Histogram::new_with_bounds(1, LONGEST, 3)?),
            moved: Cell::new(None),
            over_time: RefCell::new(Some(over_time)),
        })
    }

    /// µs since the test began.
    pub(super) fn now(&self) -> u64 {
        self.stopwatch.micros()
    }

    /// µs of service since the test began.
    pub(super) fn service(&self) -> u64 {
        let service = self.service.borrow();
        service.before + service.running.map_or(0, |running| running.micros())
    }

    /// The server does not run from now on.
    pub(super) fn stands(&self) {
        let now = self.service();
        *self.service.borrow_mut() = Service { before: now, running: None };
    }

    /// The server runs since `since`.
    pub(super) fn runs(&self, since: Stopwatch) {
        self.service.borrow_mut().running = Some(since);
        self.came_back.set((self.run.get() > 0).then_some(since));
        self.run.set(self.run.get() + 1);
    }

    /// The number of the server's current run.
    pub(super) fn run(&self) -> u64 {
        self.run.get()
    }

    /// Allows or forbids connecting.
    pub(super) fn allow_connections(&self, is_up: bool) {
        self.up.send_replace(is_up);
    }

    /// Connects as soon as the server runs. `Err` only when it rejects the client.
    pub(super) async fn connect(
        &self,
        index: usize,
        hello: impl Fn() -> Hello,
    ) -> Result<Client, ClientError> {
        let mut up = self.up.subscribe();
        loop {
            if up.wait_for(|is_up| *is_up).await.is_err() {
                return Err(ClientError::Silence);
            }
            match Client::connect(&self.endpoint, index, hello()).await {
                Ok(client) => return Ok(client),
                Err(error) if ends_a_connection(&error) => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// A move was accepted as event `seq`. The first one after a restart is timed.
    pub(super) fn accepted(&self, game: GameId, seq: u32, sent: u64) {
        if let Some(over_time) = &mut *self.over_time.borrow_mut() {
            over_time.record(self.now().saturating_sub(sent));
        }
        if !self.checker.borrow().is_newer_than_crash(game, seq) {
            return;
        }
        if let Some(since) = self.came_back.take() {
            self.to_move.borrow_mut().saturating_record(since.micros());
            self.moved.set(Some(Stopwatch::start()));
        }
    }

    /// Whether no move has been accepted since the restart.
    pub(super) fn waits_for_move(&self) -> bool {
        self.came_back.get().is_some()
    }

    /// How long ago the first move after the restart was accepted.
    pub(super) fn moved_ago(&self) -> Duration {
        self.moved.get().map_or(Duration::ZERO, |moved| moved.elapsed())
    }

    /// How long moves took through all faults, at the end of the test.
    pub(super) fn take_times(&self) -> Option<Latencies> {
        self.over_time.take()
    }

    /// From the start of a server to the first accepted move, in µs.
    pub(super) fn to_move(&self) -> Histogram<u64> {
        self.to_move.borrow().clone()
    }

    /// A player cannot log in to the account that it was given, so its game is lost to it.
    pub(super) fn shut_out(&self, table: usize) {
        if let Some(game) = self.tables.borrow()[table].game {
            self.checker.borrow_mut().missing(game);
        }
    }

    /// How many commands of earlier runs are unanswered.
    pub(super) fn unanswered(&self) -> usize {
        let run = self.run();
        let tables = self.tables.borrow();
        let pending = tables.iter().flat_map(|table| table.pending.iter().flatten());
        pending.filter(|pending| pending.run < run).count()
    }

    /// How many tables have a live game.
    pub(super) fn live(&self) -> usize {
        self.tables.borrow().iter().filter(|table| table.game.is_some()).count()
    }

    /// How many players to move have less than a second left.
    pub(super) fn in_time_trouble(&self) -> u64 {
        let (checker, at) = (self.checker.borrow(), self.service());
        let tables = self.tables.borrow();
        let left = tables.iter().filter_map(|table| checker.left(table.game?, at));
        left.filter(|left_ms| *left_ms < 1_000).count() as u64
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        self.checker.borrow().findings().to_vec()
    }

    /// Measures forever how late this program is.
    pub(super) async fn watch_lateness(&self) {
        loop {
            let waiting = Stopwatch::start();
            tokio::time::sleep(LATENESS_EVERY).await;
            let late = waiting.micros().saturating_sub(LATENESS_EVERY.as_micros() as u64);
            let now = self.now();
            let mut lateness = self.lateness.borrow_mut();
            lateness.push_back((now, late));
            while lateness.front().is_some_and(|(at, _)| *at + LATENESS_COUNTS < now) {
                lateness.pop_front();
            }
        }
    }

    /// Whether this program was so late that it may have cost a player the game.
    pub(super) fn was_late(&self) -> bool {
        let now = self.now();
        let lateness = self.lateness.borrow();
        let since_last = lateness.back().map_or(0, |(at, _)| now.saturating_sub(*at));
        since_last > LATE || lateness.iter().any(|(_, late)| *late > LATE)
    }
}

/// Whether an error is a lost connection, rather than something that no server may send.
pub(super) fn ends_a_connection(error: &ClientError) -> bool {
    match error {
        ClientError::Connect(_) | ClientError::Socket(_) | ClientError::Closed(_) | ClientError::Silence => {
            true
        }
        ClientError::NotText | ClientError::TooLong(_) | ClientError::Unreadable { .. } => false,
        ClientError::NoWelcome(text) => text.contains("\"unavailable\"") || text.contains("\"not_ready\""),
    }
}
