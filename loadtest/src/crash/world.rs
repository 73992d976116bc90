//! What all clients of a crash test share: where they connect, the tables and their games, the checker,
//! and the time. The clients of a cluster share the same.
//!
//! One thread, one task: everything is in cells, and none is borrowed across an await.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;
use tokio::sync::watch;
use zeitnot_protocol::{AccountId, ClientMessage, CommandId, GameId, Period, TimeControl};

use super::finding::Finding;
use super::history_checker::HistoryChecker;
use super::pauses::Pauses;
use super::places::Places;
use super::script::Scripts;
use crate::client::ClientError;
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
pub(crate) struct Pending {
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
pub(crate) struct Table {
    pub(super) accounts: [Option<AccountId>; 2],
    pub(crate) game: Option<GameId>,
    pub(super) pending: [Vec<Pending>; 2],
    /// Whether its games are played in time trouble.
    pub(super) is_hurried: bool,
    /// Where the players meet to begin a game: a challenge reaches the players of one node.
    pub(crate) meets_at: usize,
    /// Where they are connected.
    pub(crate) at: [Option<usize>; 2],
}

impl Table {
    /// Whose players meet at this place.
    pub(crate) fn meeting_at(place: usize) -> Self {
        Self { meets_at: place, ..Self::default() }
    }

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

/// How the games are played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Play {
    /// Whether all players are registered, and play rated games.
    pub(crate) rated: bool,
    /// Moves per second in all games together.
    pub(crate) rate: u64,
}

/// The shared state.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) places: Places,
    pub(crate) checker: RefCell<HistoryChecker>,
    pub(super) scripts: RefCell<Scripts>,
    pub(crate) tables: RefCell<Vec<Table>>,
    pub(super) rated: bool,
    /// The mean time between two moves of one game, in µs.
    pub(crate) pace: u64,
    /// Commands that were sent again after reconnecting.
    pub(crate) sent_again: Cell<u64>,
    /// Completed cycles.
    pub(super) cycles: Cell<u64>,
    /// Which games have not gone on since the last fault of a cluster.
    pub(crate) pauses: RefCell<Pauses>,
    /// Whether nobody thinks, and what tells those who do.
    hurried: watch::Sender<bool>,
    run: Cell<u64>,
    service: RefCell<Service>,
    stopwatch: Stopwatch,
    lateness: RefCell<VecDeque<(u64, u64)>>,
    all_lateness: RefCell<Histogram<u64>>,
    /// Runs from the restart of the server until the first accepted move.
    came_back: Cell<Option<Stopwatch>>,
    to_move: RefCell<Histogram<u64>>,
    /// Since that move was accepted.
    moved: Cell<Option<Stopwatch>>,
    /// From when a move was first sent until its `ok`, through all faults in between.
    over_time: RefCell<Option<Latencies>>,
}

impl World {
    pub(crate) fn new(
        places: Places,
        checker: HistoryChecker,
        tables: Vec<Table>,
        play: Play,
        rng: &Rng,
        over_time: Latencies,
    ) -> Result<Self> {
        Ok(Self {
            places,
            checker: RefCell::new(checker),
            scripts: RefCell::new(Scripts::new(rng.branch(1 << 40), play.rated)),
            rated: play.rated,
            pace: tables.len() as u64 * 1_000_000 / play.rate.max(1),
            tables: RefCell::new(tables),
            sent_again: Cell::new(0),
            cycles: Cell::new(0),
            pauses: RefCell::default(),
            hurried: watch::Sender::new(false),
            run: Cell::new(0),
            service: RefCell::default(),
            stopwatch: Stopwatch::start(),
            lateness: RefCell::default(),
            all_lateness: RefCell::new(Histogram::new_with_bounds(1, LONGEST, 2)?),
            came_back: Cell::new(None),
            to_move: RefCell::new(Histogram::new_with_bounds(1, LONGEST, 3)?),
            moved: Cell::new(None),
            over_time: RefCell::new(Some(over_time)),
        })
    }

    /// µs since the test began.
    pub(crate) fn now(&self) -> u64 {
        self.stopwatch.micros()
    }

    /// µs of service since the test began.
    pub(crate) fn service(&self) -> u64 {
        let service = self.service.borrow();
        service.before + service.running.map_or(0, |running| running.micros())
    }

    /// The server does not run from now on.
    pub(super) fn stands(&self) {
        let now = self.service();
        *self.service.borrow_mut() = Service { before: now, running: None };
    }

    /// The server runs since `since`.
    pub(crate) fn runs(&self, since: Stopwatch) {
        self.service.borrow_mut().running = Some(since);
        self.came_back.set((self.run.get() > 0).then_some(since));
        self.run.set(self.run.get() + 1);
    }

    /// The number of the server's current run.
    pub(super) fn run(&self) -> u64 {
        self.run.get()
    }

    /// A fault comes now: what is known by now must be there afterwards, and commands that are
    /// unanswered now must be answered.
    pub(crate) fn breaks(&self) {
        self.run.set(self.run.get() + 1);
        self.checker.borrow_mut().crashed();
    }

    /// From now on nobody thinks before a move, or everybody does again. Who is thinking now moves.
    pub(crate) fn hurry(&self, is_hurried: bool) {
        self.hurried.send_replace(is_hurried);
    }

    /// What tells that nobody thinks.
    pub(super) fn hurried(&self) -> watch::Receiver<bool> {
        self.hurried.subscribe()
    }

    /// Whether a player moves without thinking, so that it is known how long the game stands.
    pub(super) fn is_urgent(&self, game: GameId) -> bool {
        *self.hurried.borrow() || self.waits_for_move() || self.pauses.borrow().is_urgent(game)
    }

    /// For how long a player thinks so that it is known when the game stands.
    pub(super) fn probes(&self, game: GameId) -> Option<u64> {
        self.pauses.borrow().thinks(game)
    }

    /// Where the players of a table meet. If it cannot be there, it is elsewhere from now on.
    pub(super) fn meets_at(&self, table: usize) -> usize {
        let place = self.tables.borrow()[table].meets_at;
        if self.places.is_good(place) {
            return place;
        }
        let other = self.places.draw().unwrap_or(place);
        self.tables.borrow_mut()[table].meets_at = other;
        other
    }

    /// A move was accepted as event `seq`. The first one after a restart is timed.
    pub(super) fn accepted(&self, game: GameId, seq: u32, sent: u64) {
        if let Some(over_time) = &mut *self.over_time.borrow_mut() {
            over_time.record(self.now().saturating_sub(sent));
        }
        self.pauses.borrow_mut().accepted(game, sent, self.now());
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
    pub(crate) fn take_times(&self) -> Option<Latencies> {
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
    pub(crate) fn unanswered(&self) -> usize {
        let run = self.run();
        let tables = self.tables.borrow();
        let pending = tables.iter().flat_map(|table| table.pending.iter().flatten());
        pending.filter(|pending| pending.run < run).count()
    }

    /// How many tables have a live game.
    pub(crate) fn live(&self) -> usize {
        self.tables.borrow().iter().filter(|table| table.game.is_some()).count()
    }

    /// How many players to move have less than a second left.
    pub(super) fn in_time_trouble(&self) -> u64 {
        let (checker, at) = (self.checker.borrow(), self.service());
        let tables = self.tables.borrow();
        let left = tables.iter().filter_map(|table| checker.left(table.game?, at));
        left.filter(|left_ms| *left_ms < 1_000).count() as u64
    }

    pub(crate) fn findings(&self) -> Vec<Finding> {
        self.checker.borrow().findings().to_vec()
    }

    /// Measures forever how late this program is.
    pub(crate) async fn watch_lateness(&self) {
        loop {
            let waiting = Stopwatch::start();
            tokio::time::sleep(LATENESS_EVERY).await;
            let late = waiting.micros().saturating_sub(LATENESS_EVERY.as_micros() as u64);
            let now = self.now();
            self.all_lateness.borrow_mut().saturating_record(late);
            let mut lateness = self.lateness.borrow_mut();
            lateness.push_back((now, late));
            while lateness.front().is_some_and(|(at, _)| *at + LATENESS_COUNTS < now) {
                lateness.pop_front();
            }
        }
    }

    /// How late this program was in one case of a hundred, in ms.
    pub(crate) fn lateness_ms(&self) -> f64 {
        self.all_lateness.borrow().value_at_quantile(0.99) as f64 / 1e3
    }

    /// Whether this program was so late that it may have cost a player the game.
    pub(crate) fn was_late(&self) -> bool {
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
