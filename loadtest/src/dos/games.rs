//! The games that must not notice: many at a time, at a steady rate, each move timed from when it was due to its `ok`.
//!
//! One thread with epoll. A move that cannot be sent in time because the last one of its game is not answered yet
//! waits, and its wait counts: a server that stalls is not measured as one that is asked less (coordinated omission).
//!
//! Invariant: every move is accepted; a refusal or the end of a game is an error.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;

use anyhow::{Context, Result, bail};
use hdrhistogram::Histogram;
use zeitnot_protocol::{ClientMessage, GameId, Limits, PlayMove};

use super::Plan;
use crate::endpoint::Endpoint;
use crate::schedule::{self, Schedule};
use crate::stopwatch::Stopwatch;
use crate::wire::{Opcode, Poll, Socket, client_frame};
use crate::{long_game, player};

/// The source addresses of the players: not those of the attackers.
const FIRST_INDEX: usize = 90_000;

const SEED: u64 = 11;

/// The most half-moves of a game: ten minutes with ten a second.
const PLIES_MAX: usize = 6_000;

/// What the thread of the games is told.
#[derive(Debug, Default)]
pub(super) struct Orders {
    /// Which window of measurement a move belongs to that is due now; 0 is none.
    pub(super) window: AtomicUsize,
    /// The end.
    pub(super) stop: AtomicBool,
}

/// What it tells when the games have begun.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) games: Vec<GameId>,
    pub(super) limits: Limits,
}

/// A move that is due: when, and for which window.
#[derive(Clone, Copy, Debug)]
struct Due {
    at_us: u64,
    window: usize,
}

#[derive(Debug)]
struct Game {
    id: GameId,
    made: usize,
    /// The move that waits for its `ok`, and those behind it.
    due: VecDeque<Due>,
}

struct Games {
    sockets: Vec<Socket>,
    games: Vec<Game>,
    moves: Vec<String>,
    /// The times of each window, in microseconds.
    windows: Vec<Histogram<u64>>,
}

/// Plays until told to stop: the times from due to `ok`, a histogram for each of `windows` windows.
pub(super) fn play(
    endpoint: &Endpoint,
    plan: &Plan,
    windows: usize,
    orders: &Orders,
    begun: &SyncSender<Begun>,
) -> Result<Vec<Histogram<u64>>> {
    let (mut games, limits) = Games::begin(endpoint, plan.games, windows)?;
    let ids = games.games.iter().map(|game| game.id).collect();
    begun.send(Begun { games: ids, limits }).context("nobody waits for the games")?;
    let mut poll = Poll::new()?;
    for (token, socket) in games.sockets.iter().enumerate() {
        socket.set_nonblocking(true)?;
        poll.add(socket, token)?;
    }
    let mut scratch = vec![0; 64 * 1024];
    let (clock, mut pace) = (Stopwatch::start(), Schedule::new(plan.moves_per_second));
    while !orders.stop.load(Ordering::Relaxed) {
        let now = clock.micros();
        while let Some((number, at_us)) = pace.due(now) {
            let due = Due { at_us, window: orders.window.load(Ordering::Relaxed) };
            games.is_due(number % plan.games, due)?;
        }
        for &token in poll.wait(pace.pause(clock.micros()))? {
            games.hear(token, &mut scratch, &clock)?;
        }
    }
    Ok(games.windows)
}

impl Games {
    fn begin(endpoint: &Endpoint, count: usize, windows: usize) -> Result<(Self, Limits)> {
        // Made first: a game's first move must not come late.
        let moves = long_game::moves(SEED, PLIES_MAX);
        let (mut sockets, mut games, mut limits) = (Vec::new(), Vec::new(), Limits::STANDARD);
        for number in 0..count {
            let guest = || zeitnot_protocol::Hello { guest: true, token: None };
            let (mut white, welcome) = player::connect_as(endpoint, FIRST_INDEX + 2 * number, guest())?;
            let (mut black, _) = player::connect_as(endpoint, FIRST_INDEX + 2 * number + 1, guest())?;
            limits = welcome.limits;
            let id = player::start_game(&mut white, &mut black)?;
            games.push(Game { id, made: 0, due: VecDeque::new() });
            sockets.extend([white, black]);
        }
        let windows = (0..windows).map(|_| schedule::times()).collect::<Result<_>>()?;
        Ok((Self { sockets, games, moves, windows }, limits))
    }

    /// The next move of a game is due: it is sent now, or when the last one is answered.
    fn is_due(&mut self, number: usize, due: Due) -> Result<()> {
        let game = &mut self.games[number];
        game.due.push_back(due);
        if game.due.len() == 1 { self.send(number) } else { Ok(()) }
    }

    fn send(&mut self, number: usize) -> Result<()> {
        let game = &mut self.games[number];
        let text = self.moves.get(game.made).context("the games have no moves left: fewer rounds, please")?;
        let on = u32::try_from(game.made + 1)?;
        let uci = text.parse().context("a move in UCI")?;
        let message = ClientMessage::Move(PlayMove { game: game.id, on, uci, id: None }).to_text();
        let mover = 2 * number + game.made % 2;
        Ok(self.sockets[mover].write(&client_frame(Opcode::Text, message.as_bytes()))?)
    }

    fn hear(&mut self, token: usize, scratch: &mut [u8], clock: &Stopwatch) -> Result<()> {
        let (mut oks, mut refusal) = (0, None);
        self.sockets[token].read_ready(scratch, |text| {
            if text.starts_with(br#"{"t":"ok""#) {
                oks += 1;
            } else if text.starts_with(br#"{"t":"rejected""#) || text.starts_with(br#"{"t":"ended""#) {
                refusal = Some(String::from_utf8_lossy(text).into_owned());
            }
        })?;
        if let Some(refusal) = refusal {
            bail!("a game beside the attack was told {refusal}");
        }
        for _ in 0..oks {
            let number = token / 2;
            let game = &mut self.games[number];
            let due = game.due.pop_front().context("an ok that nobody waits for")?;
            game.made += 1;
            self.windows[due.window].saturating_record(clock.micros().saturating_sub(due.at_us));
            if !self.games[number].due.is_empty() {
                self.send(number)?;
            }
        }
        Ok(())
    }
}
