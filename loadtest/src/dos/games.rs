//! The games that must not become slower: an open loop over many games, each move timed from when
//! it was due until its `ok` (see [`crate::schedule`]). One thread with epoll.
//!
//! Invariant: every move is accepted; `rejected` or the end of a game is an error.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;

use anyhow::{Context, Result};
use hdrhistogram::Histogram;
use zeitnot_protocol::{GameId, Hello, Limits};

use super::Plan;
use crate::endpoint::Endpoint;
use crate::report::{Latencies, Recorder};
use crate::schedule::{self, Schedule};
use crate::stopwatch::Stopwatch;
use crate::wire::{Poll, Socket, connect_all};
use crate::{long_game, measured_moves, player};

/// The players' source addresses differ from those of the attackers.
const FIRST_INDEX: usize = 90_000;

const SEED: u64 = 11;

/// The most half-moves of a game: ten a second for ten minutes.
const PLIES_MAX: usize = 6_000;

/// Controls the thread of the games.
#[derive(Debug, Default)]
pub(super) struct Control {
    /// The window of measurement of the moves that fall due now; 0 is none.
    pub(super) window: AtomicUsize,
    /// Whether to stop.
    pub(super) stop: AtomicBool,
}

/// What the thread reports when the games have started.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) games: Vec<GameId>,
    pub(super) limits: Limits,
}

/// A move that is due: since when, and in which window.
#[derive(Clone, Copy, Debug)]
struct Due {
    at_us: u64,
    window: usize,
}

#[derive(Debug)]
struct Game {
    id: GameId,
    made: usize,
    /// The move in flight, and those that wait for it.
    due: VecDeque<Due>,
}

struct Games {
    sockets: Vec<Socket>,
    games: Vec<Game>,
    moves: Vec<String>,
    times: Times,
    over_time: Latencies,
}

/// How long moves took, in microseconds.
pub(super) struct Times {
    /// From due to `ok`, for each window of measurement.
    pub(super) windows: Vec<Histogram<u64>>,
    /// From due to sent, of moves that waited for no other: the generator's own lateness.
    pub(super) late: Histogram<u64>,
}

/// Plays until it is stopped. Returns the latencies, one histogram for each of `windows` windows.
pub(super) fn play(
    endpoint: &Endpoint,
    plan: &Plan,
    windows: usize,
    control: &Control,
    recorder: &Recorder,
    started: &SyncSender<Started>,
) -> Result<Times> {
    let (mut games, limits) = Games::begin(endpoint, plan.games, windows, recorder)?;
    let ids = games.games.iter().map(|game| game.id).collect();
    started.send(Started { games: ids, limits }).context("nobody waits for the start of the games")?;
    let mut poll = Poll::new()?;
    for (token, socket) in games.sockets.iter().enumerate() {
        socket.set_nonblocking(true)?;
        poll.add(socket, token)?;
    }
    let mut scratch = vec![0; 64 * 1024];
    let (clock, mut schedule) = (Stopwatch::start(), Schedule::new(plan.moves_per_second));
    while !control.stop.load(Ordering::Relaxed) {
        let now = clock.micros();
        while let Some((number, at_us)) = schedule.due(now) {
            let due = Due { at_us, window: control.window.load(Ordering::Relaxed) };
            games.is_due(number % plan.games, due, &clock)?;
        }
        for &token in poll.wait(schedule.pause(clock.micros()))? {
            games.receive(token, &mut scratch, &clock)?;
        }
    }
    recorder.add(games.over_time);
    Ok(games.times)
}

impl Games {
    fn begin(
        endpoint: &Endpoint,
        count: usize,
        windows: usize,
        recorder: &Recorder,
    ) -> Result<(Self, Limits)> {
        // Generated first, because a game's first move must not be late.
        let moves = long_game::moves(SEED, PLIES_MAX);
        let mut limits = Limits::STANDARD;
        let connect = |number| {
            let guest = Hello { guest: true, token: None };
            let (socket, welcome) = player::connect_as(endpoint, FIRST_INDEX + number, guest)?;
            limits = welcome.limits;
            Ok(socket)
        };
        let mut sockets = connect_all(Vec::new(), (0..2 * count).map(connect))?;
        let mut games = Vec::with_capacity(count);
        for pair in sockets.chunks_exact_mut(2) {
            let [white, black] = pair else { unreachable!("every game has two sockets") };
            white.set_nonblocking(false)?;
            black.set_nonblocking(false)?;
            games.push(Game { id: player::start_game(white, black)?, made: 0, due: VecDeque::new() });
        }
        let windows = (0..windows).map(|_| schedule::times()).collect::<Result<_>>()?;
        let times = Times { windows, late: schedule::times()? };
        let over_time = recorder.latencies("moves");
        Ok((Self { sockets, games, moves, times, over_time }, limits))
    }

    /// The next move of a game is due. It is sent immediately, or when the last one is answered.
    fn is_due(&mut self, number: usize, due: Due, clock: &Stopwatch) -> Result<()> {
        let game = &mut self.games[number];
        game.due.push_back(due);
        if game.due.len() > 1 {
            return Ok(());
        }
        self.times.late.saturating_record(clock.micros().saturating_sub(due.at_us));
        self.send(number)
    }

    fn send(&mut self, number: usize) -> Result<()> {
        let game = &mut self.games[number];
        let frame = measured_moves::next_frame(game.id, game.made, &self.moves)?;
        let mover = 2 * number + game.made % 2;
        Ok(self.sockets[mover].write(&frame)?)
    }

    fn receive(&mut self, token: usize, scratch: &mut [u8], clock: &Stopwatch) -> Result<()> {
        for _ in 0..measured_moves::read_oks(&mut self.sockets[token], scratch)? {
            let number = token / 2;
            let game = &mut self.games[number];
            let due = game.due.pop_front().context("an ok without a move in flight")?;
            game.made += 1;
            let took = clock.micros().saturating_sub(due.at_us);
            self.times.windows[due.window].saturating_record(took);
            self.over_time.record(took);
            if !self.games[number].due.is_empty() {
                self.send(number)?;
            }
        }
        Ok(())
    }
}
