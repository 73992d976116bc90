//! The link between two nodes: on a bus that loses, doubles and delays, messages that arrive in order
//! and once, or a close that both nodes see.
//!
//! A plain state machine: datagrams, messages and instants in, datagrams and [`LinkEvent`]s out. One of
//! the two nodes opens links and the other answers. A link opens in three steps (`Open`, `Opened`, the
//! first packet), so an old `Open` that arrives late opens nothing. On it, packets are numbered, and one
//! is sent at least every 250 ms. It closes for ever on a gap in the numbers, on silence, when too much
//! waits to be sent, and when the connection to the bus is lost; then the opener opens the next one.
//!
//! Deliberately absent: sending again. Whoever uses a link starts over when it opens.
//!
//! Invariants: what a node has taken on a link is the beginning of what the other has sent on it, message
//! by message; a message that is not taken in [`SILENCE`] and the time of a datagram closes the link;
//! what waits is at most `QUEUE_BYTES_MAX`; no datagram is answered by more than one.

mod datagram;
mod queue;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;

use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;
pub(crate) use datagram::{Datagram, LinkId, Packet};
use queue::{NoRoom, Queue};

/// How often a link is asked for.
const OPEN_EVERY: Duration = Duration::from_millis(500);
/// At least so often a packet is sent, so that a lost one is noticed soon.
const PACKET_EVERY: Duration = Duration::from_millis(250);
/// A link on which no packet was taken for so long is closed: six were due.
const SILENCE: Duration = Duration::from_millis(1_500);

/// What a node does when there is no link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It asks for one: the node with the lower number.
    Opener,
    /// It waits to be asked.
    Answerer,
}

/// What has become of a link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LinkEvent {
    /// Messages may be sent from now on.
    Opened,
    /// The other node has sent this, after all that came before it on this link.
    Message(Bytes),
    /// Of what was sent, the end may be lost. All that the other node had sent before this instant has come.
    Closed(WhyClosed, ServiceInstant),
}

/// Why a link was closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhyClosed {
    /// A packet is missing.
    Gap,
    /// Nothing was heard for a while.
    Silence,
    /// Too much waits to be sent.
    Full,
    /// The other node has closed it, or asks for another one.
    ByOther,
    /// This node has lost its connection to the bus.
    Disconnected,
    /// The other node does not live any more.
    NodeGone,
}

/// A message was not taken: there is no link, or it is too long for a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotSent;

#[derive(Debug)]
enum State {
    /// The answerer waits for an `Open`.
    Waiting,
    /// The opener asks for a link since then, next time at `next`.
    Opening {
        since: ServiceInstant,
        next: ServiceInstant,
    },
    /// The answerer has said `Opened` at `since`.
    Agreed {
        id: LinkId,
        since: ServiceInstant,
    },
    Open(Numbers),
}

/// Where an open link stands.
#[derive(Debug)]
struct Numbers {
    id: LinkId,
    /// The last packet sent, and when the next one is due.
    sent: u64,
    next: ServiceInstant,
    /// The last packet taken, when that was, and its `sent_us`.
    taken: u64,
    heard: ServiceInstant,
    heard_us: u64,
    /// What is echoed: the `heard_us` when nothing waited to be sent any more.
    echo_us: u64,
    /// All that the other node had sent before this instant is taken, however long it was on its way.
    complete: ServiceInstant,
}

/// One node's end of all its links with one other node, which come one after the other.
#[derive(Debug)]
pub(crate) struct Link {
    role: Role,
    state: State,
    /// The highest numbers so far.
    opener: u32,
    answerer: u32,
    queue: Queue,
    /// A step of the handshake, and a close, that are to be sent. Later ones take their places.
    step: Option<Datagram>,
    close: Option<LinkId>,
}

impl Link {
    /// No link yet.
    pub(crate) fn new(role: Role, at: ServiceInstant) -> Self {
        let state = match role {
            Role::Opener => State::Opening { since: at, next: at },
            Role::Answerer => State::Waiting,
        };
        let opener = u32::from(role == Role::Opener);
        Self { role, state, opener, answerer: 0, queue: Queue::default(), step: None, close: None }
    }

    /// Whether messages can be sent.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state, State::Open(_))
    }

    /// Queues a message. When too much waits, the link is closed.
    ///
    /// # Errors
    /// When the message will not arrive.
    pub(crate) fn send(
        &mut self,
        message: Bytes,
        at: ServiceInstant,
        events: &mut VecDeque<LinkEvent>,
    ) -> Result<(), NotSent> {
        if !self.is_open() {
            return Err(NotSent);
        }
        self.queue.push(message).map_err(|no_room| {
            if no_room == NoRoom::Full {
                self.shut(WhyClosed::Full, at, events);
            }
            NotSent
        })
    }

    /// The connection to the bus is lost, and with it an unknown part of what was published.
    pub(crate) fn disconnected(&mut self, at: ServiceInstant, events: &mut VecDeque<LinkEvent>) {
        self.shut(WhyClosed::Disconnected, at, events);
    }

    /// The other node does not live any more.
    pub(crate) fn gone(&mut self, at: ServiceInstant, events: &mut VecDeque<LinkEvent>) {
        self.shut(WhyClosed::NodeGone, at, events);
    }

    /// Takes what the other node has sent.
    pub(crate) fn receive(
        &mut self,
        datagram: Datagram,
        at: ServiceInstant,
        events: &mut VecDeque<LinkEvent>,
    ) {
        match (datagram, self.role) {
            (Datagram::Open { opener }, Role::Answerer) => self.asked(opener, at, events),
            (Datagram::Opened(id), Role::Opener) => self.agreed(id, at, events),
            // Only a node that is out of its mind sends these.
            (Datagram::Open { .. }, Role::Opener) | (Datagram::Opened(_), Role::Answerer) => {}
            (Datagram::Close(id), _) => self.closed_by_other(id, at, events),
            (Datagram::Packet(packet), _) => self.packet(packet, at, events),
        }
    }

    fn asked(&mut self, opener: u32, at: ServiceInstant, events: &mut VecDeque<LinkEvent>) {
        if opener > self.opener {
            self.shut(WhyClosed::ByOther, at, events);
            self.opener = opener;
            self.answerer += 1;
            let id = LinkId { opener, answerer: self.answerer };
            self.state = State::Agreed { id, since: at };
            self.step = Some(Datagram::Opened(id));
        } else if opener == self.opener {
            let id = LinkId { opener, answerer: self.answerer };
            match self.state {
                State::Agreed { .. } => self.step = Some(Datagram::Opened(id)),
                // It was open for a while, or never: the opener is to try the next number.
                State::Waiting => self.close = Some(id),
                State::Open(_) | State::Opening { .. } => {}
            }
        }
    }

    fn agreed(&mut self, id: LinkId, at: ServiceInstant, events: &mut VecDeque<LinkEvent>) {
        if let State::Opening { since, .. } = self.state
            && id.opener == self.opener
        {
            self.open(id, since, at, events);
        }
    }

    /// This node has asked for the link, or agreed, `since` then: the other one has sent nothing on it before.
    fn open(
        &mut self,
        id: LinkId,
        since: ServiceInstant,
        at: ServiceInstant,
        events: &mut VecDeque<LinkEvent>,
    ) {
        self.state = State::Open(Numbers {
            id,
            sent: 0,
            // The first packet goes at once: it opens the link for the other node.
            next: at,
            taken: 0,
            heard: at,
            heard_us: 0,
            echo_us: 0,
            complete: since,
        });
        events.push_back(LinkEvent::Opened);
    }

    fn closed_by_other(&mut self, id: LinkId, at: ServiceInstant, events: &mut VecDeque<LinkEvent>) {
        let is_current = match self.state {
            State::Opening { .. } => id.opener == self.opener,
            State::Agreed { id: current, .. } | State::Open(Numbers { id: current, .. }) => id == current,
            State::Waiting => false,
        };
        if is_current {
            self.end(WhyClosed::ByOther, at, events);
        }
    }

    fn packet(&mut self, packet: Packet, at: ServiceInstant, events: &mut VecDeque<LinkEvent>) {
        let Packet { id, number, sent_us, echo_us, messages } = packet;
        if let State::Agreed { id: agreed, since } = self.state
            && agreed == id
        {
            self.open(id, since, at, events);
        }
        let State::Open(numbers) = &mut self.state else {
            self.close = Some(id);
            return;
        };
        let (is_current, next) = (id == numbers.id, numbers.taken + 1);
        bug!(OldLinkIdTaken => let is_current = true);
        bug!(PacketAcrossGap => let next = next.max(number));
        if !is_current {
            self.close = Some(id);
        } else if number == next {
            (numbers.taken, numbers.heard, numbers.heard_us) = (number, at, sent_us);
            numbers.complete = numbers.complete.max(ServiceInstant(echo_us));
            events.extend(messages.into_iter().map(LinkEvent::Message));
        } else if number > next {
            self.shut(WhyClosed::Gap, at, events);
        }
    }

    /// What time alone brings about. To be called when [`Link::wake`] has come.
    pub(crate) fn tick(&mut self, at: ServiceInstant, events: &mut VecDeque<LinkEvent>) {
        if self.silent_at().is_some_and(|silent| silent <= at) {
            self.shut(WhyClosed::Silence, at, events);
        }
    }

    /// When nothing has come for too long.
    fn silent_at(&self) -> Option<ServiceInstant> {
        match self.state {
            State::Waiting => None,
            State::Opening { since, .. } | State::Agreed { since, .. } => Some(since + SILENCE),
            State::Open(Numbers { heard, .. }) => Some(heard + SILENCE),
        }
    }

    /// The next datagram that is to be published now, if there is one.
    pub(crate) fn next(&mut self, at: ServiceInstant) -> Option<Datagram> {
        if let Some(id) = self.close.take() {
            return Some(Datagram::Close(id));
        }
        if let Some(step) = self.step.take() {
            return Some(step);
        }
        match &mut self.state {
            State::Opening { next, .. } if *next <= at => {
                *next = at + OPEN_EVERY;
                Some(Datagram::Open { opener: self.opener })
            }
            State::Open(numbers) if !self.queue.is_empty() || numbers.next <= at => {
                numbers.sent += 1;
                numbers.next = at + PACKET_EVERY;
                let messages = self.queue.take_packet();
                if self.queue.is_empty() {
                    numbers.echo_us = numbers.heard_us;
                }
                let Numbers { id, sent: number, echo_us, .. } = *numbers;
                Some(Datagram::Packet(Packet { id, number, sent_us: at.0, echo_us, messages }))
            }
            State::Waiting | State::Opening { .. } | State::Agreed { .. } | State::Open(_) => None,
        }
    }

    /// When there is something to do at the latest. `None` until a datagram comes.
    pub(crate) fn wake(&self) -> Option<ServiceInstant> {
        if self.close.is_some() || self.step.is_some() || !self.queue.is_empty() {
            return Some(ServiceInstant::default());
        }
        let next = match self.state {
            State::Opening { next, .. } | State::Open(Numbers { next, .. }) => Some(next),
            State::Waiting | State::Agreed { .. } => None,
        };
        self.silent_at().into_iter().chain(next).min()
    }

    /// Ends what there is of a link, and tells the other node.
    fn shut(&mut self, why: WhyClosed, at: ServiceInstant, events: &mut VecDeque<LinkEvent>) {
        if let State::Agreed { id, .. } | State::Open(Numbers { id, .. }) = self.state {
            self.close = Some(id);
        }
        self.end(why, at, events);
    }

    fn end(&mut self, why: WhyClosed, at: ServiceInstant, events: &mut VecDeque<LinkEvent>) {
        if let State::Open(Numbers { complete, .. }) = self.state {
            events.push_back(LinkEvent::Closed(why, complete));
        }
        self.queue = Queue::default();
        self.step = None;
        self.state = match self.role {
            Role::Opener => {
                self.opener += 1;
                // Not at once: whatever closed this one may close the next.
                State::Opening { since: at, next: at + OPEN_EVERY }
            }
            Role::Answerer => State::Waiting,
        };
    }
}
