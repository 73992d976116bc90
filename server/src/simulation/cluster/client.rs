//! People and their tabs: clients that follow docs/protocol.md, each tab on a node of its own.
//!
//! A person keeps what was not answered, and sends it again on any connection until it is, if that is safe. A tab keeps the
//! last event that it has.
//!
//! Deliberately absent: chat, histories, a client that reads slowly.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::sync::mpsc;
use zeitnot_protocol::{AccountId, Code, CommandId, GameId, ServerMessage, Turn, WireColor};

use super::lots::Lot;
use super::world::World;
use crate::session::tests::simulated::Up;
use crate::simulation::person::next_frame;
use crate::storage::NodeNumber;
use crate::sync::unpoisoned;
use crate::time::ServiceInstant;

/// Frames on their way.
const FLYING_MAX: usize = 4_096;
/// After so long without an answer a command is sent again, and after so long a connection is given up.
const SENT_AGAIN_AFTER: Duration = Duration::from_millis(900);
const GIVEN_UP_AFTER: Duration = Duration::from_secs(6);
/// A player whose game does not show itself connects anew.
const SHOWN_WITHIN: Duration = Duration::from_secs(3);

/// A connection: the node, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Connection {
    pub(super) node: NodeNumber,
    pub(super) number: u64,
}

impl fmt::Display for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connection {} of node {}", self.number, self.node)
    }
}

/// A node's end of a connection.
#[derive(Debug)]
pub(super) struct ServerEnd {
    pub(super) up: mpsc::Receiver<Up>,
    pub(super) down: mpsc::Sender<Vec<u8>>,
}

/// The client's end.
struct ClientEnd {
    up: mpsc::Sender<(ServiceInstant, Up)>,
    down: mpsc::Receiver<Vec<u8>>,
    /// What is on its way up is lost.
    is_lost: Arc<AtomicBool>,
}

/// A command that was not answered yet.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) game: GameId,
    pub(super) id: Option<CommandId>,
    pub(super) text: String,
    pub(super) first: ServiceInstant,
    pub(super) last: ServiceInstant,
    /// Sending it twice has one effect.
    pub(super) is_safe: bool,
}

/// What a person knows of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Board {
    pub(super) turn: Option<Turn>,
    /// When the person has thought about it.
    pub(super) thinks_until: ServiceInstant,
    pub(super) draw_offer: Option<(WireColor, u32)>,
    pub(super) takeback_offer: Option<(WireColor, u32)>,
    pub(super) has_ended: bool,
}

/// A player, or a spectator.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) number: usize,
    pub(super) account: Option<AccountId>,
    pub(super) state: Mutex<State>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) boards: BTreeMap<GameId, Board>,
    pub(super) unanswered: Vec<Sent>,
    pub(super) commands: u32,
}

/// A tab of a person.
pub(super) struct Tab {
    pub(super) world: Arc<World>,
    pub(super) person: Arc<Person>,
    pub(super) number: u32,
    pub(super) connected_at: ServiceInstant,
    pub(super) heard_at: ServiceInstant,
    /// The games that showed themselves on this connection.
    pub(super) shown: Vec<GameId>,
}

/// Why a tab leaves its connection.
struct Leaves;

impl Person {
    pub(super) fn new(number: usize, account: Option<AccountId>) -> Arc<Self> {
        Arc::new(Self { number, account, state: Mutex::default() })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }
}

/// The two ends of a connection on which what is said takes a while.
fn ends(world: &Arc<World>) -> (ClientEnd, ServerEnd) {
    let (up, mut flying) = mpsc::channel::<(ServiceInstant, Up)>(FLYING_MAX);
    let (arrive_up, arrived_up) = mpsc::channel(FLYING_MAX);
    let (down, mut flying_down) = mpsc::channel::<Vec<u8>>(FLYING_MAX);
    let (arrive_down, arrived_down) = mpsc::channel(FLYING_MAX);
    let is_lost = Arc::new(AtomicBool::new(false));
    let (clock, lost) = (world.clock.clone(), Arc::clone(&is_lost));
    world.tasks.spawn(async move {
        while let Some((at, up)) = flying.recv().await {
            clock.sleep_until(at).await;
            if lost.load(Ordering::Relaxed) || arrive_up.try_send(up).is_err() {
                return;
            }
        }
    });
    let lots = world.lots.clone();
    world.tasks.spawn(async move {
        while let Some(bytes) = flying_down.recv().await {
            lots.way(Lot::Client).await;
            if arrive_down.try_send(bytes).is_err() {
                return;
            }
        }
    });
    (ClientEnd { up, down: arrived_down, is_lost }, ServerEnd { up: arrived_up, down })
}

impl Tab {
    /// Connects, again and again, until the run is over.
    pub(super) async fn run(mut self) {
        let mut until = 0;
        loop {
            let wait =
                if self.world.lots.is_healing() { 100_000 } else { self.world.lots.dice().span(1_500_000) };
            tokio::time::sleep(Duration::from_micros(wait.max(until))).await;
            until = 1_000;
            let Some(process) = self.world.some_process() else { continue };
            let (mut own, end) = ends(&self.world);
            let Some(connection) = process.accept(&self.world, self.person.account, end) else { continue };
            drop(process);
            self.world.trace(&format!("tab {} is {connection}", self.number));
            self.world.checker().connected(self.number, connection);
            (self.connected_at, self.heard_at) = (self.world.clock.now(), self.world.clock.now());
            self.shown.clear();
            // However it ends, it is over.
            self.stay(&mut own).await.ok();
            self.world.checker().disconnected(self.number);
            let is_lost = self.world.lots.dice().one_in(2);
            own.is_lost.store(is_lost, Ordering::Relaxed);
        }
    }

    async fn stay(&mut self, end: &mut ClientEnd) -> Result<(), Leaves> {
        if self.person.account.is_none() {
            self.say(end, r#"{"t":"hello","d":{}}"#)?;
        }
        let mut bytes = Vec::new();
        loop {
            let wait = self.world.lots.dice().within(5_000, 300_000);
            let next = self.world.clock.now() + Duration::from_micros(wait);
            let clock = self.world.clock.clone();
            loop {
                tokio::select! {
                    biased;
                    came = end.down.recv() => {
                        bytes.extend(came.ok_or(Leaves)?);
                        self.heard_at = self.world.clock.now();
                        self.take_frames(&mut bytes, end)?;
                    }
                    () = clock.sleep_until(next) => break,
                }
            }
            self.act(end)?;
        }
    }

    fn take_frames(&mut self, bytes: &mut Vec<u8>, end: &mut ClientEnd) -> Result<(), Leaves> {
        while let Some((is_ping, payload)) = next_frame(bytes) {
            if is_ping {
                self.send(end, Up::Pong(payload.try_into().map_or(0, u32::from_be_bytes)))?;
            } else {
                let text = String::from_utf8(payload).expect("the server writes UTF-8");
                self.take_in(&text, end)?;
            }
        }
        Ok(())
    }

    fn send(&mut self, end: &mut ClientEnd, up: Up) -> Result<(), Leaves> {
        let at = self.world.clock.now() + self.world.lots.span(Lot::Client);
        end.up.try_send((at, up)).map_err(|_| Leaves)?;
        if self.world.lots.strikes(self.world.lots.faults().client_cut) { Err(Leaves) } else { Ok(()) }
    }

    fn say(&mut self, end: &mut ClientEnd, text: &str) -> Result<(), Leaves> {
        self.world.trace(&format!("tab {} says {text}", self.number));
        self.send(end, Up::Text(text.to_owned()))
    }

    fn take_in(&mut self, text: &str, end: &mut ClientEnd) -> Result<(), Leaves> {
        self.world.trace(&format!("tab {} hears {text}", self.number));
        let message = zeitnot_protocol::decode_server(text).expect("the server writes what can be read");
        self.world.checker().heard(self.number, self.person.account, &message, text);
        if let Some(game) = super::checker::game_of(&message)
            && !self.shown.contains(&game)
        {
            self.shown.push(game);
        }
        match message {
            ServerMessage::Welcome(_) => self.comes_back(end)?,
            ServerMessage::Ok(ok) => self.answered(ok.id, ok.game, None),
            ServerMessage::Rejected(no) => self.answered(no.id, no.game, Some(no.code)),
            message => self.sees(message),
        }
        Ok(())
    }

    fn comes_back(&mut self, end: &mut ClientEnd) -> Result<(), Leaves> {
        let unanswered = self.person.state().unanswered.clone();
        for sent in unanswered.iter().filter(|sent| sent.is_safe) {
            self.say(end, &sent.text)?;
        }
        Ok(())
    }

    fn answered(&mut self, id: Option<CommandId>, game: Option<GameId>, no: Option<Code>) {
        // It cannot be done now: later, again.
        if no == Some(Code::Unavailable) {
            return;
        }
        let unanswered = &mut self.person.state().unanswered;
        if let Some(index) = unanswered.iter().position(|sent| sent.id == id && Some(sent.game) == game) {
            unanswered.remove(index);
        }
    }

    fn sees(&mut self, message: ServerMessage) {
        let now = self.world.clock.now();
        let think = self.think_time(&message);
        let boards = &mut self.person.state().boards;
        match message {
            ServerMessage::Turn(turn) => {
                let board = boards.entry(turn.game).or_default();
                if board.turn.as_ref().is_none_or(|known| known.on != turn.on) {
                    board.thinks_until = now + think;
                }
                board.turn = Some(turn);
            }
            ServerMessage::Snapshot(snapshot) => {
                let board = boards.entry(snapshot.game).or_default();
                let state = &snapshot.state;
                board.draw_offer = state.draw_offer.map(|offer| (offer.by, offer.seq));
                board.takeback_offer = state.takeback_offer.map(|offer| (offer.by, offer.seq));
                board.has_ended |= state.outcome.is_some();
            }
            ServerMessage::DrawOffered(event) => {
                boards.entry(event.game).or_default().draw_offer = Some((event.by, event.seq));
            }
            ServerMessage::TakebackOffered(event) => {
                boards.entry(event.game).or_default().takeback_offer = Some((event.by, event.seq));
            }
            ServerMessage::Move(event) => {
                let board = boards.entry(event.game).or_default();
                (board.draw_offer, board.takeback_offer) = (None, None);
            }
            ServerMessage::Ended(event) => boards.entry(event.game).or_default().has_ended = true,
            _ => {}
        }
    }

    /// How long the person thinks about a turn. Some wait until the flag is about to fall.
    fn think_time(&self, message: &ServerMessage) -> Duration {
        let ServerMessage::Turn(turn) = message else { return Duration::ZERO };
        let mut dice = self.world.lots.dice();
        let own =
            if self.world.is_white(self.person.account, turn.game) { turn.white_ms } else { turn.black_ms };
        let us = match own {
            _ if self.world.lots.is_healing() => dice.below(50_000),
            Some(ms) if ms < 20_000 && dice.one_in(6) => {
                (u64::from(ms) * 1_000).saturating_sub(dice.span(400_000))
            }
            _ if dice.one_in(12) => dice.below(6_000_000),
            _ => dice.span(900_000),
        };
        Duration::from_micros(us)
    }

    fn act(&mut self, end: &mut ClientEnd) -> Result<(), Leaves> {
        let now = self.world.clock.now();
        let waits = self.person.state().unanswered.iter().map(|sent| sent.first).min();
        let waits = waits.map(|first| first.max(self.connected_at));
        if waits.is_some_and(|first| now.since(first) > GIVEN_UP_AFTER)
            || now.since(self.heard_at) > 3 * GIVEN_UP_AFTER
        {
            return Err(Leaves);
        }
        self.send_again(end)?;
        for game in self.world.games_of(self.person.account) {
            if !self.shown.contains(&game) {
                if self.person.account.is_none() || self.world.has_ended_game(game) {
                    self.watch(end, game)?;
                } else if now.since(self.connected_at) > SHOWN_WITHIN {
                    return Err(Leaves);
                }
            } else if self.person.account.is_some() {
                self.play(end, game)?;
            }
        }
        Ok(())
    }

    fn send_again(&mut self, end: &mut ClientEnd) -> Result<(), Leaves> {
        let now = self.world.clock.now();
        let mut again = Vec::new();
        for sent in &mut self.person.state().unanswered {
            if sent.is_safe && now.since(sent.last) > SENT_AGAIN_AFTER {
                sent.last = now;
                again.push(sent.text.clone());
            }
        }
        again.iter().try_for_each(|text| self.say(end, text))?;
        // What cannot be sent again is not waited for.
        self.person.state().unanswered.retain(|sent| sent.is_safe || now.since(sent.first) < GIVEN_UP_AFTER);
        Ok(())
    }

    /// Sends a new command.
    pub(super) fn command(
        &mut self,
        game: GameId,
        text: String,
        id: Option<CommandId>,
        is_safe: bool,
    ) -> Sent {
        let now = self.world.clock.now();
        let sent = Sent { game, id, text, first: now, last: now, is_safe };
        self.person.state().unanswered.push(sent.clone());
        self.world.checker().sends(self.person.account, game, &sent.text);
        sent
    }

    fn play(&mut self, end: &mut ClientEnd, game: GameId) -> Result<(), Leaves> {
        match self.wants(game) {
            Some(sent) => self.say(end, &sent.text),
            None => Ok(()),
        }
    }

    fn watch(&mut self, end: &mut ClientEnd, game: GameId) -> Result<(), Leaves> {
        if !self.world.lots.is_healing() && !self.world.lots.dice().one_in(4) {
            return Ok(());
        }
        let id: CommandId = "w".parse().expect("one letter is an id");
        let watch = zeitnot_protocol::Watch { game, after: None, id: Some(id) };
        let text = zeitnot_protocol::ClientMessage::Watch(watch).to_text();
        self.say(end, &text)
    }
}
