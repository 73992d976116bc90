//! What one node says on the bus and takes from it: its links, its heartbeat, and whom it hears. Payloads
//! and instants in, payloads and events out, no I/O.
//!
//! Deliberately absent: who is a member and who is dead. The database says that, and others tell this
//! machine by [`Machine::set_nodes`].
//!
//! Invariants: nothing is published while there is no connection; a datagram counts only from a node that
//! is known, by number and boot.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;

use crate::cluster::link::{Link, LinkEvent, NotSent, Role};
use crate::cluster::node::{Boot, Node};
use crate::cluster::wire::{Announcement, Envelope, Hint, Unreadable, payload, read_payload};
use crate::storage::NodeNumber;
use crate::time::ServiceInstant;

/// Between two heartbeats.
const HEARTBEAT_EVERY: Duration = Duration::from_millis(500);
/// The node's own heartbeat came back so lately: it reaches the bus.
const REACHES_WITHIN: Duration = Duration::from_millis(1_500);
/// Another node's heartbeat came so lately: it is heard.
const HEARD_WITHIN: Duration = Duration::from_secs(2);
/// The most hints that wait to be published. The oldest goes: looks at the database find the same.
pub(super) const HINTS_MAX: usize = 64;
/// The most dead nodes that a heartbeat names, the last ones: older ones have had their time to find out.
pub(in crate::cluster) const DEAD_MAX: usize = 16;

/// To whom a payload is published.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum To {
    Node(Boot),
    All,
}

/// What has come over the bus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BusEvent {
    /// On the link with this node.
    Link(NodeNumber, LinkEvent),
    /// A node does not live any more. Its link was closed before.
    Gone(NodeNumber),
    /// Something is new in the database.
    Hint(Node, Hint),
    /// Another node has seen this one declared dead.
    NamedDead,
}

/// Whom a node hears.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Heard {
    /// Its own heartbeat comes back.
    pub(crate) reaches_bus: bool,
    /// The others, in the order of their numbers.
    pub(crate) nodes: Vec<NodeNumber>,
}

#[derive(Debug)]
struct Peer {
    node: Node,
    link: Link,
    heard: Option<ServiceInstant>,
}

#[derive(Debug)]
pub(super) struct Machine {
    me: Node,
    /// All other nodes that live, by their numbers.
    peers: Vec<Peer>,
    /// The peer whose link is asked first for something to publish.
    turn: usize,
    is_connected: bool,
    own_heard: Option<ServiceInstant>,
    next_heartbeat: ServiceInstant,
    database_at: ServiceInstant,
    dead: Vec<Boot>,
    hints: VecDeque<Hint>,
    events: VecDeque<BusEvent>,
}

impl Machine {
    pub(super) fn new(me: Node) -> Self {
        Self {
            me,
            peers: Vec::new(),
            turn: 0,
            is_connected: false,
            own_heard: None,
            next_heartbeat: ServiceInstant::default(),
            database_at: ServiceInstant::default(),
            dead: Vec::new(),
            hints: VecDeque::new(),
            events: VecDeque::new(),
        }
    }

    /// These nodes live, this one perhaps among them. Links with others are closed.
    pub(super) fn set_nodes(&mut self, nodes: &[Node], at: ServiceInstant) {
        for mut peer in self.peers.extract_if(.., |peer| !nodes.contains(&peer.node)) {
            with_events(&mut peer, &mut self.events, |link, events| link.gone(at, events));
            self.events.push_back(BusEvent::Gone(peer.node.number));
        }
        for node in nodes.iter().filter(|node| **node != self.me) {
            if !self.peers.iter().any(|peer| peer.node == *node) {
                let role = if self.me.number < node.number { Role::Opener } else { Role::Answerer };
                self.peers.push(Peer { node: *node, link: Link::new(role, at), heard: None });
            }
        }
        self.peers.sort_by_key(|peer| peer.node.number);
    }

    /// The database has answered, and says that these nodes are dead.
    pub(super) fn database_answered(&mut self, at: ServiceInstant, dead: &[Boot]) {
        self.database_at = at;
        self.dead = dead[dead.len().saturating_sub(DEAD_MAX)..].to_vec();
    }

    /// When this node reached the database or the bus last.
    pub(super) fn last_contact(&self) -> ServiceInstant {
        self.own_heard.map_or(self.database_at, |heard| heard.max(self.database_at))
    }

    pub(super) fn announce(&mut self, hint: Hint) {
        if self.hints.len() == HINTS_MAX {
            self.hints.pop_front();
        }
        self.hints.push_back(hint);
    }

    pub(super) fn send(&mut self, to: NodeNumber, message: Bytes, at: ServiceInstant) -> Result<(), NotSent> {
        let peer = self.peers.iter_mut().find(|peer| peer.node.number == to).ok_or(NotSent)?;
        with_events(peer, &mut self.events, |link, events| link.send(message, at, events))
    }

    /// Whom this node hears now.
    pub(super) fn heard(&self, at: ServiceInstant) -> Heard {
        let is_new =
            |heard: Option<ServiceInstant>, within| heard.is_some_and(|heard| at.since(heard) <= within);
        let heard = self.peers.iter().filter(|peer| is_new(peer.heard, HEARD_WITHIN));
        Heard {
            reaches_bus: self.is_connected && is_new(self.own_heard, REACHES_WITHIN),
            nodes: heard.map(|peer| peer.node.number).collect(),
        }
    }

    pub(super) fn connected(&mut self, at: ServiceInstant) {
        self.is_connected = true;
        self.next_heartbeat = at;
    }

    pub(super) fn disconnected(&mut self, at: ServiceInstant) {
        self.is_connected = false;
        for peer in &mut self.peers {
            with_events(peer, &mut self.events, |link, events| link.disconnected(at, events));
        }
    }

    /// Takes what came for this node.
    pub(super) fn datagram(&mut self, payload: &[u8], at: ServiceInstant) -> Result<(), Unreadable> {
        let Envelope { from, datagram } = read_payload(payload)?;
        if let Some(peer) = self.peers.iter_mut().find(|peer| peer.node == from) {
            with_events(peer, &mut self.events, |link, events| link.receive(datagram, at, events));
        }
        Ok(())
    }

    /// Takes what came for all.
    pub(super) fn announcement(&mut self, payload: &[u8], at: ServiceInstant) -> Result<(), Unreadable> {
        match read_payload(payload)? {
            Announcement::Heartbeat { from, .. } if from == self.me => self.own_heard = Some(at),
            Announcement::Heartbeat { from, dead, .. } => {
                if let Some(peer) = self.peers.iter_mut().find(|peer| peer.node == from) {
                    peer.heard = Some(at);
                }
                if dead.contains(&self.me.boot) {
                    self.events.push_back(BusEvent::NamedDead);
                }
            }
            Announcement::Hint { from, .. } if from == self.me => {}
            Announcement::Hint { from, hint } => self.events.push_back(BusEvent::Hint(from, hint)),
        }
        Ok(())
    }

    /// What time alone brings about.
    pub(super) fn tick(&mut self, at: ServiceInstant) {
        for peer in &mut self.peers {
            with_events(peer, &mut self.events, |link, events| link.tick(at, events));
        }
    }

    /// The next payload to publish now. The nodes take turns.
    pub(super) fn next(&mut self, at: ServiceInstant) -> Option<(To, Bytes)> {
        if !self.is_connected {
            return None;
        }
        if self.next_heartbeat <= at {
            self.next_heartbeat = at + HEARTBEAT_EVERY;
            let since = at.since(self.database_at).as_millis();
            let database_ms = u32::try_from(since).unwrap_or(u32::MAX);
            let heartbeat = Announcement::Heartbeat { from: self.me, database_ms, dead: self.dead.clone() };
            return Some((To::All, payload(&heartbeat)));
        }
        if let Some(hint) = self.hints.pop_front() {
            return Some((To::All, payload(&Announcement::Hint { from: self.me, hint })));
        }
        for _ in 0..self.peers.len() {
            self.turn = (self.turn + 1) % self.peers.len();
            let peer = &mut self.peers[self.turn];
            if let Some(datagram) = peer.link.next(at) {
                return Some((To::Node(peer.node.boot), payload(&Envelope { from: self.me, datagram })));
            }
        }
        None
    }

    /// When there is something to do at the latest, if nothing comes.
    pub(super) fn wake(&self) -> ServiceInstant {
        let links = self.peers.iter().filter_map(|peer| peer.link.wake());
        if !self.is_connected {
            return ServiceInstant::NEVER;
        }
        let hint = self.hints.front().map(|_| ServiceInstant::default());
        links.chain(hint).fold(self.next_heartbeat, ServiceInstant::min)
    }

    pub(super) fn take_events(&mut self) -> VecDeque<BusEvent> {
        std::mem::take(&mut self.events)
    }
}

/// Lets a link do something, and says whose link its events are of.
fn with_events<T>(
    peer: &mut Peer,
    all: &mut VecDeque<BusEvent>,
    act: impl FnOnce(&mut Link, &mut VecDeque<LinkEvent>) -> T,
) -> T {
    let mut events = VecDeque::new();
    let done = act(&mut peer.link, &mut events);
    all.extend(events.into_iter().map(|event| BusEvent::Link(peer.node.number, event)));
    done
}
