//! What nodes take on links: on each, the beginning of what the other node has sent on it, message by message.
//!
//! And what owners of games say on them: no rejection of what they have accepted.
//!
//! Which link a message came on is not told: there must be one on which it was sent next.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use zeitnot_protocol::{AccountId, Code, GameId};
use zeitnot_rules::game::Seq;

use super::{Checker, Connection, Fault, Look, holds};
use crate::cluster::by_hand::Published;
use crate::cluster::wire::{self, Envelope, FromMirror, FromOwner, GameMessage, LinkMessage, SentNotice};
use crate::cluster::{Datagram, LinkEvent, LinkId, Node, Packet};
use crate::storage::{NodeNumber, Record};
use crate::time::ServiceInstant;

/// From a node to another one.
type Way = (NodeNumber, String);

/// What was sent on each link of each way, and what was taken on the present one.
#[derive(Debug, Default)]
pub(super) struct LinkBook {
    sent: BTreeMap<Way, BTreeMap<(u32, u32), Vec<Bytes>>>,
    taken: BTreeMap<Way, Taken>,
    /// The games that are followed on the second node, as the first one has been told on their present link.
    followed: BTreeSet<(NodeNumber, NodeNumber, GameId)>,
    /// The same, on any of their links.
    once_followed: BTreeSet<(NodeNumber, NodeNumber, GameId)>,
    /// The nodes that the owner of a game had not lost when it decided what begins with this event.
    asked: BTreeMap<(NodeNumber, GameId, Seq), BTreeSet<NodeNumber>>,
    /// When the link of the first node with the second one was closed last, as the first one saw it.
    closed: BTreeMap<(NodeNumber, NodeNumber), ServiceInstant>,
}

impl LinkBook {
    /// Whether what is said of a game on another node comes to its owner: its mirror there has attached. An open link is not
    /// enough, since what was not answered comes with the `Attach`.
    pub(super) fn is_followed(&self, owner: NodeNumber, other: NodeNumber, game: GameId) -> bool {
        owner == other || self.followed.contains(&(owner, other, game))
    }

    /// Whether the owner of a game has ever been told of its followers on another node.
    pub(super) fn was_followed(&self, owner: NodeNumber, other: NodeNumber, game: GameId) -> bool {
        owner == other || self.once_followed.contains(&(owner, other, game))
    }

    /// Whether what another node has said came to the owner of a game before it decided what begins with this event.
    pub(super) fn was_asked(&self, owner: NodeNumber, other: NodeNumber, game: GameId, first: Seq) -> bool {
        owner == other || self.asked.get(&(owner, game, first)).is_some_and(|asked| asked.contains(&other))
    }

    /// What a mirror has told the owner of its game.
    fn told(&mut self, owner: NodeNumber, from: NodeNumber, game: GameId, said: &FromMirror) {
        match said {
            FromMirror::Attach(_) => {
                self.once_followed.insert((owner, from, game));
                self.followed.insert((owner, from, game));
            }
            FromMirror::Detach => {
                self.followed.remove(&(owner, from, game));
            }
            _ => {}
        }
    }

    /// When a node has lost another one last.
    pub(super) fn lost_at(&self, node: NodeNumber, other: NodeNumber) -> Option<ServiceInstant> {
        self.closed.get(&(node, other)).copied()
    }
}

/// What a node has taken since its link opened.
#[derive(Debug, Default)]
struct Taken {
    messages: usize,
    /// The links on which that was sent; all before the first message.
    links: Option<Vec<(u32, u32)>>,
}

impl Checker {
    /// A node has decided something of a game that it owns. What reaches it from here on comes too late for that, however
    /// often it is tried to write it.
    pub(in crate::simulation::cluster) fn decided(&mut self, owner: NodeNumber, record: &Record) {
        let LinkBook { followed, asked, .. } = &mut self.links;
        asked.entry((owner, record.game, record.first_seq)).or_insert_with(|| {
            let of_game = followed.iter().filter(|(of, _, game)| (*of, *game) == (owner, record.game));
            of_game.map(|(_, node, _)| *node).collect()
        });
    }

    /// A node publishes something.
    pub(in crate::simulation::cluster) fn published(&mut self, from: NodeNumber, published: &Published) {
        let Some(to) = published.to else { return };
        let Envelope { datagram, .. } =
            wire::read_payload(&published.payload).expect("the server writes payloads");
        if let Datagram::Packet(Packet { id: LinkId { opener, answerer }, messages, .. }) = datagram {
            for message in &messages {
                let looked = self.is_no_late_rejection(&to.to_string(), message);
                self.keep(looked, &format!("node {from} says"));
            }
            let links = self.links.sent.entry((from, to.to_string())).or_default();
            links.entry((opener, answerer)).or_default().extend(messages);
        }
    }

    /// Whoever knows the event with which a command was accepted does not reject that command while its answer is kept.
    fn is_no_late_rejection(&self, to: &str, message: &Bytes) -> Look {
        let Ok(LinkMessage::Game(GameMessage::ToMirror(game, FromOwner::Tell { connection, after, notice }))) =
            wire::read(message)
        else {
            return Ok(());
        };
        let SentNotice::Rejected { id: Some(id), code } = notice else { return Ok(()) };
        let node = to.parse().ok().and_then(|boot: uuid::Uuid| self.boots.get(&boot));
        let connection = node.map(|node| Connection { node: *node, number: connection });
        let account = connection.and_then(|connection| self.accounts.get(&connection));
        let accepted = account.and_then(|account| self.commands.get(&(game, *account, id.to_string())));
        let is_known = |(account, accepted): (AccountId, &Seq)| {
            *accepted <= after && self.is_kept(game, account, *accepted)
        };
        let is_late = account.copied().zip(accepted).is_some_and(is_known);
        holds(!is_late || code == Code::Unavailable, Fault::RejectedAfterOk, || {
            format!("{code:?} to {id} after event {after} of {game}, and it was accepted with {accepted:?}")
        })
    }

    /// Something happens on the link of a node with another one.
    pub(in crate::simulation::cluster) fn taken(
        &mut self,
        from: NodeNumber,
        to: Node,
        event: &LinkEvent,
        at: ServiceInstant,
    ) {
        let way = (from, to.boot.to_string());
        let message = match event {
            LinkEvent::Message(message) => message,
            LinkEvent::Opened | LinkEvent::Closed(..) => {
                self.links.taken.remove(&way);
                if matches!(event, LinkEvent::Closed(..)) {
                    self.links.closed.insert((to.number, from), at);
                }
                self.links.followed.retain(|(node, other, _)| (*node, *other) != (to.number, from));
                return;
            }
        };
        if let Ok(LinkMessage::Game(GameMessage::ToOwner(game, said))) = wire::read(message) {
            self.links.told(to.number, from, game, &said);
        }
        let LinkBook { sent, taken, .. } = &mut self.links;
        let (sent, taken) = (sent.entry(way.clone()).or_default(), taken.entry(way).or_default());
        let candidates = taken.links.take().unwrap_or_else(|| sent.keys().copied().collect());
        let is_next =
            |link: &(u32, u32)| sent.get(link).and_then(|sent| sent.get(taken.messages)) == Some(message);
        let links: Vec<_> = candidates.into_iter().filter(is_next).collect();
        let is_broken = links.is_empty();
        (taken.messages, taken.links) = (taken.messages + 1, Some(links));
        if is_broken {
            let what = wire::read::<LinkMessage>(message);
            self.complain(Fault::BrokenLink, format!("node {} takes {what:?} of node {from}", to.number));
        }
    }
}
