//! Many games in an open loop: moves fall due at a fixed rate, whatever the server does. Or in a
//! closed loop, as fast as the server answers.
//!
//! Every move is timed from when it was due until its `ok`. A move whose predecessor is not
//! answered yet waits, and its wait counts (see [`crate::schedule`]). A game that has had all its
//! moves is resigned, and its players start another. Invariant: no command is rejected.

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use hdrhistogram::Histogram;
use zeitnot_protocol::{ChallengeCommand, ClientMessage, GameCommand, GameId, PlayMove, WireColor};

use super::incoming::Incoming;
use crate::endpoint::Endpoint;
use crate::report::{Latencies, Recorder};
use crate::schedule::{self, LOOK_EVERY, Schedule};
use crate::stopwatch::Stopwatch;
use crate::wire::{Opcode, Poll, Socket, client_frame, connect_all};
use crate::{long_game, player};

const SEED: u64 = 10;

/// How many games are started before their first moves: few enough that no first move comes too
/// late.
const WAVE: usize = 250;

/// How long the server may take to answer the last moves.
const PATIENCE_US: u64 = 15_000_000;

/// What the two players of a game are doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Playing,
    /// White has resigned.
    Ending,
    /// White has challenged Black to the next game.
    Starting,
    /// The last game of these players has ended.
    Over,
}

#[derive(Debug)]
struct Game {
    id: GameId,
    phase: Phase,
    made: usize,
    /// When the move in flight was due, and those that wait for it.
    due: VecDeque<u64>,
}

/// What came of a time at a schedule.
#[derive(Debug)]
pub(crate) struct Played {
    /// From due to `ok`, in microseconds.
    pub(crate) times: Histogram<u64>,
    /// From due to sent, in microseconds, of moves that waited for no other: the generator's own
    /// lateness.
    pub(super) late: Histogram<u64>,
    pub(super) seconds: f64,
    /// Games that were resigned and followed by another.
    pub(super) renewed: u64,
    /// As `times`, second by second.
    over_time: Option<Latencies>,
}

/// The players of all games: socket `2n` is White of game `n`, the next one Black.
pub(crate) struct Players {
    sockets: Vec<Socket>,
    games: Vec<Game>,
    moves: Vec<String>,
    poll: Poll,
    scratch: Vec<u8>,
    clock: Stopwatch,
    /// Whether the next move of a game is due as soon as the last one is answered.
    is_closed: bool,
    /// Whether a game that ends is followed by another.
    renews: bool,
    played: Played,
}

impl Players {
    /// Connects all players, starts their games and plays the first move of each side.
    pub(crate) fn begin(endpoint: &Endpoint, count: usize, plies: usize) -> Result<Self> {
        let connect = |index| player::connect(endpoint, index, true);
        let mut players = Self {
            sockets: connect_all(Vec::new(), (0..2 * count).map(connect))?,
            games: Vec::new(),
            moves: long_game::moves(SEED, plies),
            poll: Poll::new()?,
            scratch: vec![0; 64 * 1024],
            clock: Stopwatch::start(),
            is_closed: false,
            renews: true,
            played: Played::new()?,
        };
        for (token, socket) in players.sockets.iter().enumerate() {
            players.poll.add(socket, token)?;
        }
        for wave in (0..count).step_by(WAVE) {
            let numbers = wave..count.min(wave + WAVE);
            for number in numbers.clone() {
                players.start_game(number)?;
            }
            for number in numbers.clone().chain(numbers) {
                players.is_due(number, players.clock.micros())?;
            }
            players.drain()?;
        }
        Ok(players)
    }

    fn start_game(&mut self, number: usize) -> Result<()> {
        let [white, black] = &mut self.sockets[2 * number..2 * number + 2] else {
            unreachable!("every game has two sockets");
        };
        white.set_nonblocking(false)?;
        black.set_nonblocking(false)?;
        let id = player::start_game(white, black)?;
        for socket in [white, black] {
            socket.forget_waiting();
            socket.set_nonblocking(true)?;
        }
        self.games.push(Game { id, phase: Phase::Playing, made: 0, due: VecDeque::new() });
        // All other connections answer their pings from time to time.
        if number % 50 == 49 { self.listen(Duration::ZERO) } else { Ok(()) }
    }

    /// Plays for some seconds. `rate` is in moves per second over all games; 0 is as fast as they
    /// are answered. `condition` is what the latencies are recorded as.
    pub(crate) fn play(
        &mut self,
        rate: u32,
        seconds: f64,
        recorder: &Recorder,
        condition: &str,
    ) -> Result<Played> {
        self.played = Played { over_time: Some(recorder.latencies("moves")), ..Played::new()? };
        self.clock = Stopwatch::start();
        self.is_closed = rate == 0;
        let games = self.games.len();
        let mut schedule = Schedule::new(rate);
        if self.is_closed {
            (0..games).try_for_each(|number| self.is_due(number, 0))?;
        }
        while self.clock.seconds() < seconds {
            let mut pause = LOOK_EVERY;
            if !self.is_closed {
                while let Some((number, at_us)) = schedule.due(self.clock.micros()) {
                    self.is_due(number % games, at_us)?;
                }
                pause = schedule.pause(self.clock.micros());
            }
            self.listen(pause)?;
        }
        self.is_closed = false;
        self.played.seconds = self.clock.seconds();
        self.drain()?;
        let mut played = std::mem::replace(&mut self.played, Played::new()?);
        played.over_time.take().into_iter().for_each(|over_time| recorder.add_under(condition, over_time));
        Ok(played)
    }

    /// Ends all games, by White's resignation, so that the server has none to go on with.
    pub(crate) fn end(mut self) -> Result<()> {
        self.renews = false;
        (0..self.games.len()).try_for_each(|number| self.resign(number))?;
        let limit = self.clock.micros() + PATIENCE_US;
        while self.games.iter().any(|game| game.phase != Phase::Over) {
            ensure!(self.clock.micros() < limit, "games have not ended for 15 s after White resigned");
            self.listen(LOOK_EVERY)?;
        }
        Ok(())
    }

    /// Waits until every move that was due is answered; late answers count too.
    fn drain(&mut self) -> Result<()> {
        let limit = self.clock.micros() + PATIENCE_US;
        while self.games.iter().any(|game| !game.due.is_empty() || game.phase != Phase::Playing) {
            ensure!(self.clock.micros() < limit, "moves have not been answered for 15 s");
            self.listen(LOOK_EVERY)?;
        }
        Ok(())
    }

    fn listen(&mut self, pause: Duration) -> Result<()> {
        let ready = self.poll.wait(pause)?.to_vec();
        ready.into_iter().try_for_each(|token| self.receive(token))
    }

    /// The next move of a game is due. It is sent immediately, or when the last one is answered.
    fn is_due(&mut self, number: usize, at_us: u64) -> Result<()> {
        let game = &mut self.games[number];
        game.due.push_back(at_us);
        if game.due.len() > 1 || game.phase != Phase::Playing {
            return Ok(());
        }
        self.played.late.saturating_record(self.clock.micros().saturating_sub(at_us));
        self.send_move(number)
    }

    fn send_move(&mut self, number: usize) -> Result<()> {
        let game = &self.games[number];
        let on = u32::try_from(game.made + 1)?;
        let uci = self.moves[game.made].parse().context("a move in UCI")?;
        let message = ClientMessage::Move(PlayMove { game: game.id, on, uci, id: None });
        let mover = 2 * number + game.made % 2;
        self.send(mover, &message)
    }

    fn send(&mut self, token: usize, message: &ClientMessage) -> Result<()> {
        Ok(self.sockets[token].write(&client_frame(Opcode::Text, message.to_text().as_bytes()))?)
    }

    fn receive(&mut self, token: usize) -> Result<()> {
        let mut messages = Vec::new();
        self.sockets[token]
            .read_ready(&mut self.scratch, |text| messages.extend(Incoming::of(text).transpose()))?;
        messages.into_iter().try_for_each(|message| self.answer(token, message?))
    }

    fn answer(&mut self, token: usize, message: Incoming) -> Result<()> {
        let (number, is_white) = (token / 2, token.is_multiple_of(2));
        let game = &mut self.games[number];
        match (game.phase, message) {
            // Event 1 is `started`, so the move of ply n is event n + 1. Other commands are
            // answered with `ok` too.
            (Phase::Playing, Incoming::Ok(Some(seq)))
                if seq == game.made + 2 && token % 2 == game.made % 2 =>
            {
                self.is_answered(number)
            }
            (Phase::Ending, Incoming::Ended(id)) if is_white && id == game.id => {
                if !self.renews {
                    game.phase = Phase::Over;
                    return Ok(());
                }
                game.phase = Phase::Starting;
                self.send(token, &ClientMessage::CreateChallenge(player::challenge(WireColor::White)))
            }
            (Phase::Starting, Incoming::Challenge(challenge)) if is_white => {
                let accept = ClientMessage::AcceptChallenge(ChallengeCommand { challenge, id: None });
                self.send(token + 1, &accept)
            }
            (Phase::Starting, Incoming::Turn(id)) if is_white && id != game.id => {
                (game.id, game.phase, game.made) = (id, Phase::Playing, 0);
                self.played.renewed += 1;
                if game.due.is_empty() { Ok(()) } else { self.send_move(number) }
            }
            (phase, Incoming::Ended(id)) => {
                ensure!(phase != Phase::Playing || id != game.id, "game {id} ended unexpectedly");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn is_answered(&mut self, number: usize) -> Result<()> {
        let game = &mut self.games[number];
        let due = game.due.pop_front().context("an ok without a move in flight")?;
        game.made += 1;
        let now = self.clock.micros();
        let took = now.saturating_sub(due);
        self.played.times.saturating_record(took);
        if let Some(over_time) = &mut self.played.over_time {
            over_time.record(took);
        }
        if self.is_closed {
            game.due.push_back(now);
        }
        if game.made == self.moves.len() {
            return self.resign(number);
        }
        if game.due.is_empty() { Ok(()) } else { self.send_move(number) }
    }

    fn resign(&mut self, number: usize) -> Result<()> {
        let game = &mut self.games[number];
        game.phase = Phase::Ending;
        let resign = ClientMessage::Resign(GameCommand { game: game.id, id: None });
        self.send(2 * number, &resign)
    }
}

impl Played {
    fn new() -> Result<Self> {
        let (times, late) = (schedule::times()?, schedule::times()?);
        Ok(Self { times, late, seconds: 0.0, renewed: 0, over_time: None })
    }
}
