//! The games of the measurement: moves fall due at a rate that changes from window to window, each in the next game.
//!
//! A move that is due while its game's last one is in flight waits for it, and is timed from when it was due.
//!
//! Invariant: every move is accepted; `rejected` or the end of a game is an error.

use std::collections::VecDeque;

use anyhow::{Context as _, Result};
use hdrhistogram::Histogram;
use zeitnot_protocol::{GameId, ServerMessage};

use crate::endpoint::Endpoint;
use crate::report::{Latencies, Recorder};
use crate::wire::{Poll, Socket, connect_all};
use crate::{long_game, measured_moves, player, schedule};

const SEED: u64 = 13;

/// The most half-moves of a game: some twenty a second, for minutes.
const PLIES_MAX: usize = 6_000;

/// How many games are over, and how many half-moves each has.
const ENDED: usize = 16;
const ENDED_PLIES: usize = 80;

struct Game {
    id: GameId,
    made: usize,
    /// When the move in flight fell due, and those that wait for it.
    due: VecDeque<u64>,
}

/// All players, and a spectator of each game. The tokens of their sockets are their numbers.
pub(super) struct Players {
    sockets: Vec<Socket>,
    /// Where the sockets of the spectators begin.
    spectators: usize,
    /// Games that are over, for those who ask for one.
    pub(super) ended: Vec<GameId>,
    games: Vec<Game>,
    moves: Vec<String>,
    next: usize,
    pub(super) counts: Counts,
    pub(super) over_time: Latencies,
}

/// What happened in a window.
pub(super) struct Counts {
    pub(super) due: u64,
    pub(super) accepted: u64,
    /// From due to `ok`, in microseconds.
    pub(super) times: Histogram<u64>,
    /// From due to sent, of moves that waited for no other: the generator's own lateness.
    pub(super) late: Histogram<u64>,
}

impl Counts {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { due: 0, accepted: 0, times: schedule::times()?, late: schedule::times()? })
    }
}

impl Players {
    pub(super) fn begin(endpoint: &Endpoint, count: usize, poll: &Poll, recorder: &Recorder) -> Result<Self> {
        let moves = long_game::moves(SEED, PLIES_MAX);
        let mut sockets =
            connect_all(Vec::new(), (0..2 * count).map(|index| player::connect(endpoint, index, true)))?;
        let (mut games, mut ended) = (Vec::with_capacity(count), Vec::new());
        for (number, pair) in sockets.chunks_exact_mut(2).enumerate() {
            let [white, black] = pair else { unreachable!("every game has two sockets") };
            white.set_nonblocking(false)?;
            black.set_nonblocking(false)?;
            if number < ENDED {
                ended.push(play(white, black, &moves[..ENDED_PLIES])?);
            }
            games.push(Game { id: player::start_game(white, black)?, made: 0, due: VecDeque::new() });
        }
        let spectators = sockets.len();
        let ids: Vec<GameId> = games.iter().map(|game| game.id).collect();
        let watching = ids.into_iter().enumerate().map(|(number, game)| {
            let mut socket = player::connect(endpoint, spectators + number, false)?;
            player::watch(&mut socket, game)?;
            Ok(socket)
        });
        let mut sockets = connect_all(sockets, watching)?;
        for (token, socket) in sockets.iter_mut().enumerate() {
            socket.forget_waiting();
            socket.set_nonblocking(true)?;
            poll.add(&*socket, token)?;
        }
        let (counts, over_time) = (Counts::new()?, recorder.latencies("moves"));
        Ok(Self { sockets, spectators, ended, games, moves, next: 0, counts, over_time })
    }

    /// Whether no move is in flight.
    pub(super) fn is_idle(&self) -> bool {
        self.games.iter().all(|game| game.due.is_empty())
    }

    /// A move is due in the next game. It is sent at once, or when the last one is answered.
    pub(super) fn is_due(&mut self, at_us: u64, now_us: u64) -> Result<()> {
        let number = self.next;
        self.next = (number + 1) % self.games.len();
        let game = &mut self.games[number];
        game.due.push_back(at_us);
        self.counts.due += 1;
        if game.due.len() > 1 {
            return Ok(());
        }
        self.counts.late.saturating_record(now_us.saturating_sub(at_us));
        self.send(number)
    }

    fn send(&mut self, number: usize) -> Result<()> {
        let game = &mut self.games[number];
        let frame = measured_moves::next_frame(game.id, game.made, &self.moves)?;
        let mover = 2 * number + game.made % 2;
        Ok(self.sockets[mover].write(&frame)?)
    }

    /// Reads a socket; `now_us` is asked when a move was accepted.
    pub(super) fn read(&mut self, token: usize, scratch: &mut [u8], now_us: impl Fn() -> u64) -> Result<()> {
        let oks = measured_moves::read_oks(&mut self.sockets[token], scratch)?;
        // A spectator's answers were read when it began to watch.
        for _ in 0..if token < self.spectators { oks } else { 0 } {
            let number = token / 2;
            let game = &mut self.games[number];
            let at_us = game.due.pop_front().context("an ok without a move in flight")?;
            game.made += 1;
            let waits = !game.due.is_empty();
            self.counts.accepted += 1;
            let took = now_us().saturating_sub(at_us);
            self.counts.times.saturating_record(took);
            self.over_time.record(took);
            if waits {
                self.send(number)?;
            }
        }
        Ok(())
    }
}

/// Plays a game of these moves; then White resigns.
fn play(white: &mut Socket, black: &mut Socket, moves: &[String]) -> Result<GameId> {
    let game = player::start_game(white, black)?;
    for made in 0..moves.len() {
        let mover = if made.is_multiple_of(2) { &mut *white } else { &mut *black };
        mover.write(&measured_moves::next_frame(game, made, moves)?)?;
        player::receive(mover, |message| matches!(message, ServerMessage::Ok(_)))?;
    }
    player::end_game(white, black, game)?;
    Ok(game)
}
