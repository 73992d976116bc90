//! Games that need no search: opening moves at a fixed rate, each move timed.
//!
//! Few connections play them all, so that each is read often enough to answer its pings. One move
//! is in flight at a time.

use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use zeitnot_protocol::{ClientMessage, GameId, PlayMove, ServerMessage};

use crate::bench::openings;
use crate::endpoint::Endpoint;
use crate::player;
use crate::report::Latencies;
use crate::stopwatch::Stopwatch;
use crate::wire::Socket;

/// Games per pair of players: fewer than an account may have.
const PER_PAIR: usize = 25;

struct Game {
    id: GameId,
    pair: usize,
    ply: usize,
    on: u32,
}

/// The games, and which one is next.
pub(super) struct QuietGames {
    pairs: Vec<[Socket; 2]>,
    games: Vec<Game>,
    openings: Vec<Vec<String>>,
    next: usize,
}

impl QuietGames {
    pub(super) fn start(endpoint: &Endpoint, games: usize) -> Result<Self> {
        let open = |pair: usize| -> Result<[Socket; 2]> {
            Ok([player::connect(endpoint, 2 * pair, true)?, player::connect(endpoint, 2 * pair + 1, true)?])
        };
        let mut pairs = (0..games.div_ceil(PER_PAIR)).map(open).collect::<Result<Vec<_>>>()?;
        let count = pairs.len();
        let begin = |number: usize| {
            let pair = number % count;
            let started = super::start(pairs[pair].each_mut(), None)?;
            let (id, _, turn) =
                started.context("a game from the start position ended before the first move")?;
            Ok(Game { id, pair, ply: 0, on: turn.on })
        };
        let games = (0..games).map(begin).collect::<Result<Vec<_>>>()?;
        Ok(Self { pairs, games, openings: openings::read(None)?, next: 0 })
    }

    /// Plays `rate` moves a second, the games in turn. Returns the latency of each move in
    /// microseconds.
    pub(super) fn play(
        &mut self,
        rate: f64,
        seconds: f64,
        mut over_time: Option<&mut Latencies>,
    ) -> Result<Vec<u64>> {
        let mut times = Vec::with_capacity((rate * seconds) as usize + 1);
        let time = Stopwatch::start();
        loop {
            let due = times.len() as f64 / rate;
            if due >= seconds {
                return Ok(times);
            }
            thread::sleep(Duration::from_secs_f64((due - time.seconds()).max(0.0)));
            let took = self.make_move()?;
            over_time.iter_mut().for_each(|over_time| over_time.record(took));
            times.push(took);
        }
    }

    fn make_move(&mut self) -> Result<u64> {
        let number = self.next % self.games.len();
        self.next += 1;
        let game = &mut self.games[number];
        let line = &self.openings[number % self.openings.len()];
        let uci =
            line.get(game.ply).context("a game has no moves left: use fewer --seconds, or more --games")?;
        let players = &mut self.pairs[game.pair];
        let (mover, other) = (game.ply % 2, 1 - game.ply % 2);
        let (id, on) = (game.id, game.on);
        let play = PlayMove { game: id, on, uci: uci.parse().context("a move in UCI")?, id: None };
        let time = Stopwatch::start();
        player::send(&mut players[mover], &ClientMessage::Move(play))?;
        let is_turn = |message: &ServerMessage| matches!(message, ServerMessage::Turn(turn) if turn.game == id && turn.on > on);
        let turn = player::receive(&mut players[other], is_turn)?;
        let took = time.micros();
        player::receive(
            &mut players[mover],
            |message| matches!(message, ServerMessage::Ok(ok) if ok.game == Some(id)),
        )?;
        let ServerMessage::Turn(turn) = turn else { unreachable!("only a turn was wanted") };
        ensure!(turn.on == on + 1, "the move after event {on} is event {}", turn.on);
        game.on = turn.on;
        game.ply += 1;
        Ok(took)
    }
}
