//! What all bots share: the checker of moves, what each player was told of each game, and the time.
//!
//! One thread, one task: everything is in cells, and none is borrowed across an await.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use zeitnot_protocol::{GameId, Uci, WireColor, WireScore};

use super::{LINGER, LOOK_EVERY};
use crate::crash::history_checker::HistoryChecker;
use crate::endpoint::Endpoint;
use crate::report::{Latencies, Recorder};
use crate::stopwatch::Stopwatch;

/// What a bot speaks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Api {
    /// The Lichess API over HTTP.
    Lichess,
    /// Our own protocol over a WebSocket.
    Own,
}

/// A game as a player was told it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Told {
    pub(super) api: Api,
    pub(super) name: String,
    pub(super) color: WireColor,
    pub(super) moves: Vec<Uci>,
    pub(super) score: WireScore,
}

pub(super) struct World<'e> {
    pub(super) endpoint: &'e Endpoint,
    pub(super) checker: RefCell<HistoryChecker>,
    pub(super) told: RefCell<BTreeMap<GameId, Vec<Told>>>,
    /// What is wrong beside the moves.
    pub(super) wrong: RefCell<Vec<String>>,
    pub(super) clock: Stopwatch,
    pub(super) ready: Cell<u32>,
    pub(super) is_over: Cell<bool>,
    /// Bots that play or look for a game.
    busy: Cell<u32>,
    /// Calls and moves that were made a second time, on purpose or because there was no answer.
    pub(super) again: Cell<u64>,
    /// From when a move is sent until it is answered, by what the bot speaks.
    times: RefCell<BTreeMap<Api, Latencies>>,
}

impl<'e> World<'e> {
    pub(super) fn new(endpoint: &'e Endpoint, recorder: &Recorder) -> Self {
        let times = [(Api::Lichess, "moves over HTTP"), (Api::Own, "moves over WebSockets")];
        Self {
            endpoint,
            checker: RefCell::new(HistoryChecker::new(0)),
            told: RefCell::default(),
            wrong: RefCell::default(),
            clock: Stopwatch::start(),
            ready: Cell::new(0),
            is_over: Cell::new(false),
            busy: Cell::new(0),
            again: Cell::new(0),
            times: RefCell::new(times.map(|(api, what)| (api, recorder.latencies(what))).into()),
        }
    }

    pub(super) fn now(&self) -> u64 {
        self.clock.micros()
    }

    /// A move that was sent at `sent` is answered.
    pub(super) fn answered(&self, api: Api, sent: u64) {
        let took = self.now().saturating_sub(sent);
        self.times.borrow_mut().entry(api).and_modify(|times| times.record(took));
    }

    /// Records how long moves took. No bot plays any more.
    pub(super) fn record(&self, recorder: &Recorder) {
        self.times.take().into_values().for_each(|times| recorder.add_under("all bots", times));
    }

    /// A bot begins to look for a game.
    pub(super) fn begins(&self) {
        self.busy.set(self.busy.get() + 1);
    }

    /// A bot looks for no game any more, and plays none.
    pub(super) fn rests(&self) {
        self.busy.set(self.busy.get() - 1);
    }

    /// Waits until no bot has played or looked for a game for so long that none begins any more.
    pub(super) async fn quiet(&self) {
        let mut since = self.now();
        while self.now() - since < LINGER.as_micros() as u64 {
            tokio::time::sleep(LOOK_EVERY).await;
            if self.busy.get() > 0 {
                since = self.now();
            }
        }
    }

    /// A bot is about to send a move.
    pub(super) fn sends(&self, game: GameId, on: u32, uci: Uci) {
        self.checker.borrow_mut().sent(game, on, uci, self.now());
    }

    pub(super) fn ended(&self, game: GameId, told: Told) {
        self.told.borrow_mut().entry(game).or_default().push(told);
    }

    pub(super) fn complain(&self, what: String) {
        self.wrong.borrow_mut().push(what);
    }

    pub(super) fn sent_again(&self, times: u64) {
        self.again.set(self.again.get() + times);
    }
}
