//! Players at a mirror, a link over a bus with faults, and the owner. The checker sees what players have
//! sent, what they were answered, and what the owner has acted on.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use zeitnot_protocol::CommandId;
use zeitnot_rules::board::{Color, Move, Square};
use zeitnot_rules::game::{Command, Micros, Seq};

use super::super::commands::OPEN_MAX;
use super::super::{Mirror, MirrorEffect, MirrorInput};
use super::owner::Owner;
use crate::cluster::link::{Datagram, Link, LinkEvent, Role};
use crate::cluster::wire::{message, read};
use crate::connections::{ConnectionId, NoticeKind};
use crate::time::ServiceInstant;

const FAULTS: Duration = Duration::from_secs(30);
/// After the faults: a link opens, and everything is answered.
const QUIET: Duration = Duration::from_secs(10);
/// How long a datagram is on its way.
const DELAY: Duration = Duration::from_millis(5);

pub(super) struct World {
    rng: StdRng,
    now: ServiceInstant,
    mirror: Mirror,
    owner: Owner,
    /// The mirror's end of the link, and the owner's.
    links: [Link; 2],
    flying: VecDeque<(usize, ServiceInstant, Datagram)>,
    are_faulty: bool,
    /// The ids of the commands of each connection that wait for an answer.
    waiting: HashMap<ConnectionId, VecDeque<Option<CommandId>>>,
    connections: u64,
    numbers: u32,
    head: Seq,
    answers: u64,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let at = ServiceInstant::default();
        Self {
            rng: StdRng::seed_from_u64(seed),
            now: at,
            mirror: Mirror::new(0),
            owner: Owner::default(),
            links: [Link::new(Role::Opener, at), Link::new(Role::Answerer, at)],
            flying: VecDeque::new(),
            are_faulty: true,
            waiting: HashMap::new(),
            connections: 0,
            numbers: 0,
            head: 0,
            answers: 0,
        }
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.rng.random_range(0..count) == 0
    }

    /// Runs to the end: how many commands were answered.
    pub(super) fn run(mut self) -> Result<u64, String> {
        let end = self.now + FAULTS;
        while self.now < end {
            self.players()?;
            self.step()?;
        }
        self.are_faulty = false;
        let end = self.now + QUIET;
        while self.now < end {
            self.step()?;
        }
        if let Some((connection, _)) = self.waiting.iter().find(|(_, waiting)| !waiting.is_empty()) {
            return Err(format!("{connection:?} waits for an answer"));
        }
        let mut once = HashSet::new();
        match self.owner.effects.iter().find(|number| !once.insert(**number)) {
            Some(number) => Err(format!("command {number} was acted on twice")),
            None => Ok(self.answers),
        }
    }

    fn players(&mut self) -> Result<(), String> {
        if self.waiting.len() < 3 && self.one_in(20) {
            self.connections += 1;
            let connection = ConnectionId(self.connections);
            self.waiting.insert(connection, VecDeque::new());
            self.drive(MirrorInput::Join { connection, seat: Color::White, round_trip: None })?;
        }
        if self.one_in(300)
            && let Some(connection) = self.waiting.keys().min().copied()
        {
            self.waiting.remove(&connection);
            self.drive(MirrorInput::Leave { connection })?;
        }
        let mut connections: Vec<_> = self.waiting.keys().copied().collect();
        connections.sort_unstable();
        for connection in connections {
            if self.waiting[&connection].len() < OPEN_MAX && self.one_in(8) {
                self.command(connection)?;
            }
        }
        Ok(())
    }

    fn command(&mut self, connection: ConnectionId) -> Result<(), String> {
        self.numbers += 1;
        let number = self.numbers;
        let command = if self.one_in(2) {
            Command::PlayMove { on: number, mv: Move::new(Square::from_index(0), Square::from_index(1)) }
        } else {
            Command::GiveTime { amount: Micros(number.into()) }
        };
        let id = |letter| format!("{letter}{number}").parse().expect("it is an id");
        let of_client = self.one_in(2).then(|| id('c'));
        self.waiting.get_mut(&connection).expect("it is here").push_back(of_client);
        let (stamp, fresh) = (self.now, id('m'));
        self.drive(MirrorInput::Command { connection, stamp, id: of_client, command, fresh })
    }

    fn step(&mut self) -> Result<(), String> {
        self.now = self.now + Duration::from_millis(self.rng.random_range(1..20));
        while self.flying.front().is_some_and(|(_, at, _)| *at <= self.now) {
            let (to, _, datagram) = self.flying.pop_front().expect("it is there");
            self.link(to, |link, at, events| link.receive(datagram, at, events))?;
        }
        if self.are_faulty && self.one_in(400) {
            let side = self.rng.random_range(0..2);
            self.link(side, |link, at, events| link.disconnected(at, events))?;
        }
        if self.are_faulty && self.one_in(1_000) {
            self.link(1, |link, at, events| link.disconnected(at, events))?;
            self.owner.claimed();
        }
        for side in 0..2 {
            self.link(side, Link::tick)?;
            while let Some(datagram) = self.links[side].next(self.now) {
                if !self.are_faulty || !self.one_in(100) {
                    self.flying.push_back((1 - side, self.now + DELAY, datagram));
                }
            }
        }
        Ok(())
    }

    fn link(
        &mut self,
        side: usize,
        act: impl FnOnce(&mut Link, ServiceInstant, &mut VecDeque<LinkEvent>),
    ) -> Result<(), String> {
        let mut events = VecDeque::new();
        act(&mut self.links[side], self.now, &mut events);
        for event in events {
            match (side, event) {
                (0, LinkEvent::Opened) => self.drive(MirrorInput::LinkOpened)?,
                (0, LinkEvent::Closed(..)) => self.drive(MirrorInput::LinkClosed)?,
                (0, LinkEvent::Message(bytes)) => {
                    let said = read(&bytes).map_err(|error| error.to_string())?;
                    self.drive(MirrorInput::Owner(said))?;
                }
                (_, LinkEvent::Opened) => {}
                (_, LinkEvent::Closed(..)) => self.owner.link_closed(),
                (_, LinkEvent::Message(bytes)) => {
                    let said = read(&bytes).map_err(|error| error.to_string())?;
                    for answer in self.owner.handle(said) {
                        self.send(1, message(&answer));
                    }
                }
            }
        }
        Ok(())
    }

    fn send(&mut self, side: usize, message: bytes::Bytes) {
        let mut events = VecDeque::new();
        // Without a link it is lost, and attaching makes up for it.
        self.links[side].send(message, self.now, &mut events).ok();
        assert!(events.is_empty(), "so little never fills a link");
    }

    /// Gives the mirror an input, and looks at what comes of it.
    fn drive(&mut self, input: MirrorInput) -> Result<(), String> {
        let mut effects = VecDeque::new();
        self.mirror.handle(input, self.now, &mut effects);
        for effect in effects {
            match effect {
                MirrorEffect::Send(said) => self.send(0, message(&said)),
                MirrorEffect::Frame(frame) if frame.seq() == self.head + 1 => self.head += 1,
                MirrorEffect::Frame(frame) => return Err(format!("{frame:?} after event {}", self.head)),
                MirrorEffect::Skipped(to) if to > self.head => self.head = to,
                MirrorEffect::Skipped(to) => return Err(format!("a skip from {} to {to}", self.head)),
                MirrorEffect::Tell { connection, kind, .. } => self.told(connection, kind)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn told(&mut self, connection: ConnectionId, kind: NoticeKind) -> Result<(), String> {
        let NoticeKind::Done { id, .. } = kind else { return Err(format!("told {kind:?}")) };
        let waiting = self.waiting.get_mut(&connection).ok_or("an answer for nobody")?;
        let asked = waiting.pop_front().ok_or("an answer to nothing")?;
        if id.as_deref() != asked.as_ref() {
            return Err(format!("an answer to {id:?}, and {asked:?} was asked"));
        }
        self.answers += 1;
        Ok(())
    }
}
