//! A player: connects and reconnects, plays its script, and sends unanswered commands again.
//!
//! In a cluster it meets its opponent on one node to begin a game, and then goes to a node by lot.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::sync::watch;
use zeitnot_protocol::{
    ChallengeCommand, ChallengeId, ClientMessage, Code, CommandId, CreateChallenge, GameCommand, GameId,
    Hello, OkAnswer, Phase, PlayMove, Rejected, ServerMessage, Snapshot, Turn, WireColor,
};

use super::game_history;
use super::history_checker::Cursor;
use super::script::Action;
use super::world::{Pending, World, ends_a_connection};
use crate::account_requests;
use crate::client::{Client, ClientError, ReceivedMessage};
use crate::rng::Rng;

/// How often a player checks what is due when nothing is received, in µs.
const LOOK_EVERY: u64 = 200_000;

/// How long after reconnecting a player waits to be shown its own challenge before it creates
/// another, in µs.
const WELCOME_TAKES: u64 = 400_000;

/// How long it waits for a game to start before it creates another challenge, in µs.
const CHALLENGE_TAKES: u64 = 3_000_000;

/// How long before a rejected command is sent again, in µs.
const AGAIN_AFTER: u64 = 100_000;

/// What a player in time trouble leaves on its clock, in ms: at least and at most.
const LEAVES_MS: (u64, u64) = (250, 450);

/// One player.
#[derive(Debug)]
pub(crate) struct Player {
    table: usize,
    /// 0 is White.
    color: usize,
    token: Option<String>,
    is_registered: bool,
    /// Where it wants to connect next.
    goes_to: Option<usize>,
    /// The game for which it has drawn where it plays.
    drawn_for: Option<GameId>,
    rng: Rng,
}

/// When a player moves.
#[derive(Clone, Copy, Debug)]
struct Plan {
    on: u32,
    due: u64,
}

/// One connection of a player.
#[derive(Debug)]
struct Session {
    place: usize,
    began: u64,
    plans: BTreeMap<GameId, Plan>,
    cursors: BTreeMap<GameId, Cursor>,
    /// Its own open challenge, if it knows of one.
    challenge: Option<ChallengeId>,
    asked: Option<u64>,
    again: Vec<(u64, ClientMessage)>,
    out: Vec<ClientMessage>,
    hurried: watch::Receiver<bool>,
    /// Whether the player goes to another node now.
    leaves: bool,
}

impl Player {
    pub(crate) fn new(table: usize, color: usize, rng: Rng) -> Self {
        let (goes_to, drawn_for) = (None, None);
        Self { table, color, token: None, is_registered: false, goes_to, drawn_for, rng }
    }

    /// Plays forever; ends only when the server sends something that is not valid.
    pub(crate) async fn play(mut self, world: &World) -> Result<Infallible> {
        let index = 2 * self.table + self.color;
        loop {
            let hello = || Hello { guest: self.token.is_none(), token: self.token.clone() };
            let mut goes_to = self.goes_to.take();
            let has_game = || world.tables.borrow()[self.table].game.is_some();
            let wanted = || if has_game() { goes_to.take() } else { Some(world.meets_at(self.table)) };
            let (place, client) = match world.places.connect(index, wanted, hello).await {
                Ok(connected) => connected,
                Err(error) => {
                    world.shut_out(self.table);
                    return Err(error).with_context(|| format!("player {index}"));
                }
            };
            if let Some(token) = &client.welcome().token {
                self.token = Some(token.clone());
            }
            if world.rated && !self.is_registered {
                self.register(world, place, index).await?;
            }
            world.tables.borrow_mut()[self.table].accounts[self.color] = client.welcome().account;
            self.enters(world, Some(place));
            let process = world.places.entered(place);
            let end = self.session(world, place, client).await;
            self.enters(world, None);
            world.places.left((place, process), end.as_ref(), world.was_late());
            if let Some(end) = end.filter(|end| !ends_a_connection(end)) {
                return Err(end).with_context(|| format!("player {index}"));
            }
        }
    }

    fn enters(&self, world: &World, place: Option<usize>) {
        world.tables.borrow_mut()[self.table].at[self.color] = place;
    }

    async fn register(&mut self, world: &World, place: usize, index: usize) -> Result<()> {
        let token = self.token.as_deref().context("a guest was given no token")?;
        let endpoint = world.places.endpoint(place);
        account_requests::register(endpoint, index, token, &format!("Loadtest{index}")).await?;
        self.is_registered = true;
        Ok(())
    }

    /// Why the connection has ended; `None` when the player goes elsewhere.
    async fn session(&mut self, world: &World, place: usize, mut client: Client) -> Option<ClientError> {
        let mut session = Session::new(world, place);
        let pending = world.tables.borrow()[self.table].pending[self.color].clone();
        world.sent_again.set(world.sent_again.get() + pending.len() as u64);
        session.out.extend(pending.into_iter().map(|pending| pending.message));
        loop {
            for message in std::mem::take(&mut session.out) {
                if let Err(error) = client.send(&message).await {
                    return Some(error);
                }
            }
            if session.leaves {
                // It may have been lost meanwhile.
                drop(client.close().await);
                return None;
            }
            let wait = session.wait(world.now());
            tokio::select! {
                biased;
                received = client.next() => match received {
                    Ok(received) => self.receive(world, &mut session, &received),
                    Err(error) => return Some(error),
                },
                Ok(()) = session.hurried.changed() => {
                    session.hurry(world.now());
                    self.look(world, &mut session);
                }
                () = tokio::time::sleep(wait) => self.look(world, &mut session),
            }
        }
    }

    fn receive(&mut self, world: &World, session: &mut Session, received: &ReceivedMessage) {
        match &received.message {
            ServerMessage::Snapshot(snapshot) => self.snapshot(world, session, snapshot),
            ServerMessage::Turn(turn) => self.turn(world, session, turn),
            ServerMessage::Clock(clock) => {
                let (game, seq) = (clock.game, clock.seq);
                let at = world.service();
                world.checker.borrow_mut().shown(game, seq, clock.white_ms, clock.black_ms, at);
            }
            ServerMessage::Ok(ok) => self.answered(world, ok),
            ServerMessage::Rejected(rejected) => self.rejected(world, session, rejected),
            ServerMessage::Challenge(challenge) => {
                let by_me =
                    Some(challenge.by.account) == world.tables.borrow()[self.table].accounts[self.color];
                if by_me {
                    session.challenge = Some(challenge.challenge);
                } else if world.tables.borrow()[self.table].game.is_none() {
                    let accept = ChallengeCommand { challenge: challenge.challenge, id: None };
                    session.out.push(ClientMessage::AcceptChallenge(accept));
                }
            }
            ServerMessage::ChallengeGone(gone) if session.challenge == Some(gone.challenge) => {
                session.challenge = None;
            }
            _ => event(world, session, received),
        }
    }

    fn snapshot(&self, world: &World, session: &mut Session, snapshot: &Snapshot) {
        let cursor = session.cursors.entry(snapshot.game).or_default();
        world.checker.borrow_mut().snapshot(cursor, snapshot, world.service(), world.was_late());
        if snapshot.state.phase != Phase::Ended {
            world.tables.borrow_mut()[self.table].game = Some(snapshot.game);
        }
    }

    /// Plans a move, unless one is in flight already.
    fn turn(&mut self, world: &World, session: &mut Session, turn: &Turn) {
        let Turn { game, on, white_ms, black_ms, .. } = *turn;
        world.checker.borrow_mut().shown(game, on, white_ms, black_ms, world.service());
        let tables = world.tables.borrow();
        let table = &tables[self.table];
        if table.pending[self.color].iter().any(|pending| pending.game == game && pending.on == on) {
            return;
        }
        let wait = if table.is_hurried {
            let left = [white_ms, black_ms][self.color].unwrap_or(0);
            u64::from(left).saturating_sub(self.rng.between(LEAVES_MS.0, LEAVES_MS.1)) * 1_000
        } else if world.is_urgent(game) {
            0
        } else if let Some(thinks) = world.probes(game) {
            thinks
        } else {
            self.rng.below(2 * world.pace)
        };
        session.plans.insert(game, Plan { on, due: world.now() + wait });
    }

    fn answered(&self, world: &World, ok: &OkAnswer) {
        let Some(pending) = self.take(world, ok.game, ok.id) else { return };
        if pending.is_move {
            world.checker.borrow_mut().acked(pending.game, pending.on, ok.seq);
            world.accepted(pending.game, pending.on + 1, pending.sent);
        }
    }

    fn rejected(&self, world: &World, session: &mut Session, rejected: &Rejected) {
        let Some(pending) = self.take(world, rejected.game, rejected.id) else { return };
        match rejected.code {
            Code::Unavailable => {
                session.again.push((world.now() + AGAIN_AFTER, pending.message.clone()));
                world.tables.borrow_mut()[self.table].pending[self.color].push(pending);
            }
            // Whether the flag fell rightly is checked when its event is received.
            Code::TimeIsUp => {}
            Code::GameOver if world.checker.borrow().fell(pending.game) => {}
            code => world.checker.borrow_mut().rejected(pending.game, pending.on, &code.to_string()),
        }
    }

    /// Removes and returns the command that was answered.
    fn take(&self, world: &World, game: Option<GameId>, id: Option<CommandId>) -> Option<Pending> {
        let pending = &mut world.tables.borrow_mut()[self.table].pending[self.color];
        let found = pending.iter().position(|one| Some(one.id) == id && Some(one.game) == game)?;
        Some(pending.remove(found))
    }

    /// Sends what is due.
    fn look(&mut self, world: &World, session: &mut Session) {
        let now = world.now();
        let due: Vec<(GameId, Plan)> = session
            .plans
            .iter()
            .filter(|(_, plan)| plan.due <= now)
            .map(|(game, plan)| (*game, *plan))
            .collect();
        for (game, plan) in due {
            session.plans.remove(&game);
            let pending = command(world, game, plan.on);
            session.out.push(pending.message.clone());
            world.tables.borrow_mut()[self.table].pending[self.color].push(pending);
        }
        let (again, later) = std::mem::take(&mut session.again).into_iter().partition(|(due, _)| *due <= now);
        session.again = later;
        session.out.extend(Vec::into_iter(again).map(|(_, message)| message));
        self.keep_a_game_going(world, session, now);
        self.choose_place(world, session);
    }

    /// Without a game the player goes where it meets its opponent; with a new one, where the lot says.
    fn choose_place(&mut self, world: &World, session: &mut Session) {
        let game = world.tables.borrow()[self.table].game;
        let place = match game {
            None => Some(world.meets_at(self.table)),
            Some(_) if self.drawn_for == game => return,
            Some(_) => {
                self.drawn_for = game;
                world.places.draw()
            }
        };
        if place.is_some_and(|place| place != session.place) {
            (self.goes_to, session.leaves) = (place, true);
        }
    }

    /// White challenges Black when there is no game, and cancels its challenge when there is one.
    fn keep_a_game_going(&self, world: &World, session: &mut Session, now: u64) {
        let mut tables = world.tables.borrow_mut();
        let table = &mut tables[self.table];
        if table.game.take_if(|game| world.checker.borrow().is_over(*game)).is_some() {
            table.meets_at = world.places.draw().unwrap_or(table.meets_at);
        }
        if self.color != 0 {
            return;
        }
        if table.game.is_some() {
            if let Some(challenge) = session.challenge.take() {
                let cancel = ChallengeCommand { challenge, id: None };
                session.out.push(ClientMessage::CancelChallenge(cancel));
            }
            return;
        }
        let is_too_early = now < session.began + WELCOME_TAKES
            || session.asked.is_some_and(|asked| now < asked + CHALLENGE_TAKES);
        let Some(opponent) = table.accounts[1].filter(|_| !is_too_early) else { return };
        session.asked = Some(now);
        session.out.push(ClientMessage::CreateChallenge(CreateChallenge {
            color: Some(WireColor::White),
            to: Some(opponent),
            rated: world.rated,
            ..CreateChallenge::with(table.time_control())
        }));
    }
}

impl Session {
    fn new(world: &World, place: usize) -> Self {
        Self {
            place,
            began: world.now(),
            plans: BTreeMap::new(),
            cursors: BTreeMap::new(),
            challenge: None,
            asked: None,
            again: Vec::new(),
            out: Vec::new(),
            hurried: world.hurried(),
            leaves: false,
        }
    }

    /// Whatever is planned is due now.
    fn hurry(&mut self, now: u64) {
        self.plans.values_mut().for_each(|plan| plan.due = plan.due.min(now));
    }

    fn wait(&self, now: u64) -> Duration {
        let due = self.plans.values().map(|plan| plan.due).min().unwrap_or(u64::MAX);
        Duration::from_micros(due.saturating_sub(now).min(LOOK_EVERY))
    }
}

/// Handles a public event; one after the planned position cancels the plan.
fn event(world: &World, session: &mut Session, received: &ReceivedMessage) {
    let Some(event) = game_history::event(&received.message) else { return };
    let cursor = session.cursors.entry(event.game).or_default();
    world.checker.borrow_mut().received(cursor, received, world.service(), world.was_late());
    if session.plans.get(&event.game).is_some_and(|plan| plan.on < event.seq) {
        session.plans.remove(&event.game);
    }
}

/// The command of the player to move in the position after event `on`.
fn command(world: &World, game: GameId, on: u32) -> Pending {
    let (run, sent) = (world.run(), world.now());
    match world.scripts.borrow_mut().action(game, on) {
        Action::Move(uci) => {
            world.checker.borrow_mut().sent(game, on, uci, world.service());
            let id = command_id(&format!("m{on}"));
            let message = ClientMessage::Move(PlayMove { game, on, uci, id: Some(id) });
            Pending { game, on, id, message, is_move: true, sent, run }
        }
        Action::Resign => {
            let id = command_id("resign");
            let message = ClientMessage::Resign(GameCommand { game, id: Some(id) });
            Pending { game, on, id, message, is_move: false, sent, run }
        }
    }
}

/// A command id.
fn command_id(name: &str) -> CommandId {
    name.parse().expect("our ids are at most 32 ASCII characters")
}
