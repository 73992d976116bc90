//! Games at a pace of their own: so many moves a second whatever the server does, or as fast as it takes them.
//!
//! Every move is timed from when it was due to its `ok`. One that cannot be sent because the last one of its game is not
//! answered yet waits, and its wait counts: a server that stalls is not measured as one that is asked less (coordinated
//! omission). A game that has had all its moves is resigned and the same two play another. Invariant: no refusals.

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use hdrhistogram::Histogram;
use zeitnot_protocol::{ChallengeCommand, ClientMessage, GameCommand, GameId, PlayMove, WireColor};

use super::incoming::Incoming;
use crate::endpoint::Endpoint;
use crate::schedule::{self, LOOK_EVERY, Schedule};
use crate::stopwatch::Stopwatch;
use crate::wire::{Opcode, Poll, Socket, client_frame};
use crate::{long_game, player};

const SEED: u64 = 10;

/// Games that are made before their first moves: few enough that none comes too late.
const WAVE: usize = 500;

/// How long everybody may be silent.
const PATIENCE_US: u64 = 15_000_000;

/// What is between the two players of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Playing,
    /// White has resigned.
    Ending,
    /// White has asked for another game.
    Starting,
}

#[derive(Debug)]
struct Game {
    id: GameId,
    phase: Phase,
    made: usize,
    /// When the move was due that waits for its `ok`, and those behind it.
    due: VecDeque<u64>,
}

/// What came of a time at a pace.
#[derive(Debug)]
pub(super) struct Played {
    /// From due to `ok`, in microseconds.
    pub(super) times: Histogram<u64>,
    /// From due to sent, in microseconds, of moves that had no other before them: this generator's own part.
    pub(super) late: Histogram<u64>,
    pub(super) seconds: f64,
    /// Games that were ended and begun anew.
    pub(super) renewed: u64,
}

/// The players of all games: socket `2n` is White of game `n`, the next one Black.
pub(super) struct Players {
    sockets: Vec<Socket>,
    games: Vec<Game>,
    moves: Vec<String>,
    poll: Poll,
    scratch: Vec<u8>,
    clock: Stopwatch,
    /// Whether the next move of a game is due as soon as one is answered.
    is_closed: bool,
    played: Played,
}

impl Players {
    /// Connects everybody, and plays the first move of each side. Games have so many `plies`.
    pub(super) fn begin(endpoint: &Endpoint, count: usize, plies: usize) -> Result<Self> {
        let mut players = Self {
            sockets: Vec::new(),
            games: Vec::new(),
            moves: long_game::moves(SEED, plies),
            poll: Poll::new()?,
            scratch: vec![0; 64 * 1024],
            clock: Stopwatch::start(),
            is_closed: false,
            played: Played::new()?,
        };
        for wave in (0..count).step_by(WAVE) {
            let numbers = wave..count.min(wave + WAVE);
            for number in numbers.clone() {
                players.join(endpoint, number)?;
            }
            for number in numbers.clone().chain(numbers) {
                players.is_due(number, players.clock.micros())?;
            }
            players.drain()?;
        }
        Ok(players)
    }

    fn join(&mut self, endpoint: &Endpoint, number: usize) -> Result<()> {
        let mut white = player::connect(endpoint, 2 * number, true)?;
        let mut black = player::connect(endpoint, 2 * number + 1, true)?;
        let id = player::start_game(&mut white, &mut black)?;
        self.games.push(Game { id, phase: Phase::Playing, made: 0, due: VecDeque::new() });
        for mut socket in [white, black] {
            socket.forget_waiting();
            socket.set_nonblocking(true)?;
            self.poll.add(&socket, self.sockets.len())?;
            self.sockets.push(socket);
        }
        // Nobody is taken for dead while others are served.
        if number % 50 == 49 { self.listen(Duration::ZERO) } else { Ok(()) }
    }

    /// Plays for so long. `rate` is in moves per second over all games; 0 is as fast as they are answered.
    pub(super) fn play(&mut self, rate: u32, seconds: f64) -> Result<Played> {
        self.played = Played::new()?;
        self.clock = Stopwatch::start();
        self.is_closed = rate == 0;
        let games = self.games.len();
        let mut pace = Schedule::new(rate);
        if self.is_closed {
            (0..games).try_for_each(|number| self.is_due(number, 0))?;
        }
        while self.clock.seconds() < seconds {
            let mut pause = LOOK_EVERY;
            if !self.is_closed {
                while let Some((number, at_us)) = pace.due(self.clock.micros()) {
                    self.is_due(number % games, at_us)?;
                }
                pause = pace.pause(self.clock.micros());
            }
            self.listen(pause)?;
        }
        self.is_closed = false;
        self.played.seconds = self.clock.seconds();
        self.drain()?;
        Ok(std::mem::replace(&mut self.played, Played::new()?))
    }

    /// Waits until every move that was due is answered: those that come late count too.
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
        ready.into_iter().try_for_each(|token| self.hear(token))
    }

    /// The next move of a game is due: it is sent now, or when the last one is answered.
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
        self.say(mover, &message)
    }

    fn say(&mut self, token: usize, message: &ClientMessage) -> Result<()> {
        Ok(self.sockets[token].write(&client_frame(Opcode::Text, message.to_text().as_bytes()))?)
    }

    fn hear(&mut self, token: usize) -> Result<()> {
        let mut words = Vec::new();
        self.sockets[token]
            .read_ready(&mut self.scratch, |text| words.extend(Incoming::of(text).transpose()))?;
        words.into_iter().try_for_each(|word| self.answer(token, word?))
    }

    fn answer(&mut self, token: usize, word: Incoming) -> Result<()> {
        let (number, is_white) = (token / 2, token.is_multiple_of(2));
        let game = &mut self.games[number];
        match (game.phase, word) {
            // Event 1 is `started`: the move of ply n is event n + 1. Other commands have an `ok` as well.
            (Phase::Playing, Incoming::Ok(Some(seq)))
                if seq == game.made + 2 && token % 2 == game.made % 2 =>
            {
                self.is_answered(number)
            }
            (Phase::Ending, Incoming::Ended(id)) if is_white && id == game.id => {
                game.phase = Phase::Starting;
                self.say(token, &ClientMessage::CreateChallenge(player::challenge(WireColor::White)))
            }
            (Phase::Starting, Incoming::Challenge(challenge)) if is_white => {
                let accept = ClientMessage::AcceptChallenge(ChallengeCommand { challenge, id: None });
                self.say(token + 1, &accept)
            }
            (Phase::Starting, Incoming::Turn(id)) if is_white && id != game.id => {
                (game.id, game.phase, game.made) = (id, Phase::Playing, 0);
                self.played.renewed += 1;
                if game.due.is_empty() { Ok(()) } else { self.send_move(number) }
            }
            (phase, Incoming::Ended(id)) => {
                ensure!(phase != Phase::Playing || id != game.id, "game {id} has ended by itself");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn is_answered(&mut self, number: usize) -> Result<()> {
        let game = &mut self.games[number];
        let due = game.due.pop_front().context("an ok that nobody waits for")?;
        game.made += 1;
        let now = self.clock.micros();
        self.played.times.saturating_record(now.saturating_sub(due));
        if self.is_closed {
            game.due.push_back(now);
        }
        if game.made == self.moves.len() {
            game.phase = Phase::Ending;
            let resign = ClientMessage::Resign(GameCommand { game: game.id, id: None });
            return self.say(2 * number, &resign);
        }
        if game.due.is_empty() { Ok(()) } else { self.send_move(number) }
    }
}

impl Played {
    fn new() -> Result<Self> {
        Ok(Self { times: schedule::times()?, late: schedule::times()?, seconds: 0.0, renewed: 0 })
    }
}
