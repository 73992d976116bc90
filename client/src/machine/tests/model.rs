//! A model of the server: what it knows, and what it answers by the protocol.
//!
//! One main game is played against an opponent of the model. Challenges and places in the pool become further games, in
//! which nothing happens. Everything that took effect is durable; which id a challenge had that became a game is
//! forgotten at a kill, as the protocol says.

use std::collections::{BTreeMap, VecDeque};

use rand::Rng as _;
use rand::rngs::StdRng;
use zeitnot_protocol::{
    ChallengeGone, ChallengeId, ClientMessage, Code, CommandId, GameId, Limits, Period, Pong, PoolId,
    Rejected, ServerMessage, TimeControl, Waiting, WireColor,
};

use super::messages as m;
use crate::time::Moment;

/// The plies of the main game.
const PLIES: u32 = 30;

#[derive(Debug)]
pub(super) struct Model {
    pub(super) boot: u32,
    pub(super) epoch: u32,
    next_id: u32,
    /// The main game's events, from seq 1 on. The first one is not told.
    pub(super) events: Vec<ServerMessage>,
    pub(super) plies: u32,
    pub(super) on: u32,
    /// The last answers to the client about the main game: the move's `on` or the command's id, and the seq.
    answers: VecDeque<(Named, u32)>,
    challenges: BTreeMap<ChallengeId, (Option<CommandId>, TimeControl)>,
    /// Games that came of challenges and the pool.
    games: BTreeMap<GameId, (TimeControl, u32)>,
    /// Which challenge had which id, until a kill.
    became: BTreeMap<CommandId, GameId>,
    pub(super) waits: Option<PoolId>,
    /// What took effect.
    pub(super) moves: u32,
    pub(super) offers: u32,
    pub(super) challenges_made: u32,
    pub(super) paired: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Named {
    On(u32),
    Id(Option<CommandId>),
}

impl Model {
    pub(super) fn new() -> Self {
        Self {
            boot: 1,
            epoch: 1,
            next_id: 100,
            events: vec![m::move_event(m::id(7), 1, 0)],
            plies: 0,
            on: 1,
            answers: VecDeque::new(),
            challenges: BTreeMap::new(),
            games: BTreeMap::new(),
            became: BTreeMap::new(),
            waits: None,
            moves: 0,
            offers: 0,
            challenges_made: 0,
            paired: 0,
        }
    }

    /// The main game.
    pub(super) fn main() -> GameId {
        m::id(7)
    }

    pub(super) fn seq(&self) -> u32 {
        self.events.len() as u32
    }

    pub(super) fn is_over(&self) -> bool {
        matches!(self.events.last(), Some(ServerMessage::Ended(_)))
    }

    fn is_whites_turn(&self) -> bool {
        self.plies.is_multiple_of(2) && !self.is_over()
    }

    /// It is the opponent's move.
    pub(super) fn is_opponents_turn(&self) -> bool {
        !self.plies.is_multiple_of(2) && !self.is_over()
    }

    /// A kill: it starts again.
    pub(super) fn kill(&mut self) {
        self.boot += 1;
        self.became.clear();
        self.waits = None;
    }

    /// The account's last connection is gone.
    pub(super) fn left(&mut self) {
        self.waits = None;
    }

    pub(super) fn snapshot(&self) -> ServerMessage {
        m::snapshot(Self::main(), self.seq(), self.on, self.plies, self.is_over(), three_minutes(), 0)
    }

    fn turn(&self) -> Option<ServerMessage> {
        self.is_whites_turn().then(|| m::turn(Self::main(), self.on, self.plies))
    }

    /// `welcome` and what follows it.
    pub(super) fn hello(&self) -> Vec<ServerMessage> {
        let mut out = vec![m::welcome(self.boot, self.epoch)];
        for (challenge, (_, time_control)) in &self.challenges {
            out.push(m::challenge(*challenge, None, time_control.clone()));
        }
        for (game, (time_control, began)) in &self.games {
            out.push(m::snapshot(*game, 1, 1, 0, false, time_control.clone(), *began));
        }
        if !self.is_over() {
            out.extend([self.snapshot(), m::clock(Self::main(), self.seq(), None)]);
            out.extend(self.turn());
        }
        out
    }

    /// The opponent moves, or offers a draw. What everybody is told.
    pub(super) fn opponent(&mut self, rng: &mut StdRng) -> Vec<ServerMessage> {
        if self.is_over() {
            return Vec::new();
        }
        let offers = self.seq() < 4 * PLIES && rng.random_bool(0.3);
        if !self.is_opponents_turn() && !offers {
            return Vec::new();
        }
        if offers {
            let event = m::draw_offered(Self::main(), self.seq() + 1, WireColor::Black);
            self.events.push(event.clone());
            return vec![event];
        }
        let mut out = self.play();
        out.extend(self.turn());
        out
    }

    fn play(&mut self) -> Vec<ServerMessage> {
        self.plies += 1;
        self.on = self.seq() + 1;
        self.events.push(m::move_event(Self::main(), self.on, self.plies));
        let from = self.events.len() - 1;
        if self.plies == PLIES {
            self.events.push(m::ended(Self::main(), self.seq() + 1));
        }
        self.events[from..].to_vec()
    }

    /// An open challenge is accepted, or an opponent is found in the pool.
    pub(super) fn begin(&mut self, now: Moment) -> Vec<ServerMessage> {
        let (mut out, began) = (Vec::new(), now.as_secs() as u32);
        if let Some((challenge, (id, time_control))) = self.challenges.pop_first() {
            let game = GameId::from(challenge);
            self.became.extend(id.map(|id| (id, game)));
            let gone = ChallengeGone { challenge, game: Some(game), declined: None };
            out.push(ServerMessage::ChallengeGone(gone));
            out.push(m::snapshot(game, 1, 1, 0, false, time_control.clone(), began));
            self.games.insert(game, (time_control, began));
        } else if self.waits.take().is_some() {
            self.next_id += 1;
            let game = m::id(self.next_id);
            self.paired += 1;
            self.games.insert(game, (three_minutes(), began));
            out.push(m::snapshot(game, 1, 1, 0, false, three_minutes(), began));
            out.push(ServerMessage::Waiting(Waiting { pool: None, game: Some(game) }));
        }
        out
    }

    /// A message of the client. What it is answered; the events among it are for everybody.
    pub(super) fn answer(&mut self, message: &ClientMessage, now: Moment) -> Vec<ServerMessage> {
        let id = message.id();
        match message {
            ClientMessage::Ping(ping) => {
                let ms = now.subsec_millis();
                vec![ServerMessage::Pong(Pong { n: ping.n, at: now.as_secs() as u32, ms })]
            }
            ClientMessage::Watch(watch) => {
                let mut out = match watch.after {
                    Some(after) if after <= self.seq() => self.events[after as usize..].to_vec(),
                    _ => vec![self.snapshot()],
                };
                out.push(m::clock(watch.game, self.seq(), id));
                out
            }
            ClientMessage::Move(mv) => {
                let named = Named::On(mv.on);
                if let Some(known) = self.known(named) {
                    return vec![m::ok(id, Some(mv.game), Some(known))];
                }
                if mv.on != self.on || !self.is_whites_turn() {
                    return vec![rejected(id, Code::Stale)];
                }
                self.moves += 1;
                let mut out = self.play();
                self.keep(named, self.on);
                out.push(m::ok(id, Some(mv.game), Some(self.on)));
                out
            }
            ClientMessage::OfferDraw(command) => {
                if let Some(known) = self.known(Named::Id(id)) {
                    return vec![m::ok(id, Some(command.game), Some(known))];
                }
                if self.is_over() {
                    return vec![rejected(id, Code::GameOver)];
                }
                self.offers += 1;
                let seq = self.seq() + 1;
                let event = m::draw_offered(command.game, seq, WireColor::White);
                self.events.push(event.clone());
                self.keep(Named::Id(id), seq);
                vec![event, m::ok(id, Some(command.game), Some(seq))]
            }
            ClientMessage::CreateChallenge(wanted) => {
                if let Some(game) = id.and_then(|id| self.became.get(&id)) {
                    return vec![m::ok(id, Some(*game), None)];
                }
                let open = self.challenges.iter().find(|(_, (made, _))| *made == id);
                let open = open.map(|(challenge, _)| *challenge);
                let challenge = match open {
                    Some(challenge) => challenge,
                    None => {
                        self.next_id += 1;
                        self.challenges_made += 1;
                        let challenge = m::challenge_id(self.next_id);
                        self.challenges.insert(challenge, (id, wanted.time_control.clone()));
                        challenge
                    }
                };
                vec![m::challenge(challenge, id, wanted.time_control.clone())]
            }
            ClientMessage::JoinPool(join) => {
                self.waits = Some(join.pool);
                let waiting = Waiting { pool: Some(join.pool), game: None };
                vec![m::ok(id, None, None), ServerMessage::Waiting(waiting)]
            }
            ClientMessage::Unwatch(_) => Vec::new(),
            other => panic!("the model does not know {other:?}"),
        }
    }

    fn known(&self, named: Named) -> Option<u32> {
        self.answers.iter().find(|(kept, _)| *kept == named).map(|(_, seq)| *seq)
    }

    fn keep(&mut self, named: Named, seq: u32) {
        if self.answers.len() == Limits::STANDARD.answers_kept as usize {
            self.answers.pop_front();
        }
        self.answers.push_back((named, seq));
    }
}

pub(super) fn rejected(id: Option<CommandId>, code: Code) -> ServerMessage {
    ServerMessage::Rejected(Rejected { id, game: None, code, message: String::new() })
}

pub(super) fn three_minutes() -> TimeControl {
    let period = Period { base_ms: 180_000, ..Period::default() };
    TimeControl::Clock { periods: vec![period], black_periods: None }
}
