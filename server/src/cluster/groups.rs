//! Which nodes may go on when they do not all hear each other over the bus, as each of them finds out from what all say in the
//! database.
//!
//! Nodes that hear each other are in a group, and so is whoever is heard by one of it. One group is the first: one that reaches
//! the bus before one that does not, then the one with more nodes, then the one with the lowest. A node that is outside it takes
//! nothing on, as a new one is until it is heard; one that is outside it for a while gives up: its games go to the others, and its
//! sockets too. While no node reaches the bus, nobody is outside: games whose players are all on the owner's node go on. What a
//! node has said counts while it goes on saying something, and until it is found dead: one that has died reached the bus to the
//! last.
//!
//! Deliberately absent: who is dead (`members`), and what giving up is (`server`).
//!
//! Invariants: two nodes that have read the same never both take their group for the first, unless it is one; while the nodes do
//! not change, so does nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::seeded_bugs::bug;
use crate::storage::{Hearing, NodeBeat, NodeNumber, Polled};
use crate::time::ServiceInstant;

/// For how long a node is outside the first group before it gives up.
const OUTSIDE_FOR: Duration = Duration::from_secs(5);
/// For how long two nodes of the first group do not hear each other before the higher one gives up.
const DEAF_FOR: Duration = Duration::from_secs(10);
/// Looks that are further apart say nothing of the time between them: the database was away.
const LOOKS_APART: Duration = Duration::from_secs(3);
/// What a node says counts until it may be so old: three of its polls are missing.
const SAID_FOR: Duration = Duration::from_secs(3);

/// What this node knows of that.
#[derive(Debug)]
pub(super) struct Groups {
    own: NodeNumber,
    looked: ServiceInstant,
    /// Since when it is outside the first group.
    outside_since: Option<ServiceInstant>,
    /// Since when it does not hear lower nodes of the first group, or they do not hear it.
    deaf_since: BTreeMap<NodeNumber, ServiceInstant>,
    /// Where the beats of the living stand, and since when they may have.
    beats: BTreeMap<NodeNumber, (u64, ServiceInstant)>,
}

impl Groups {
    /// Of this node.
    pub(super) fn new(own: NodeNumber) -> Self {
        let (looked, deaf_since, beats) = (ServiceInstant::default(), BTreeMap::new(), BTreeMap::new());
        Self { own, looked, outside_since: None, deaf_since, beats }
    }

    /// What those say who say something, as a poll found it at `at`.
    pub(super) fn said(&mut self, at: ServiceInstant, polled: &Polled) -> Vec<Hearing> {
        let beats = polled.living.iter().map(|&NodeBeat { node, beat, .. }| {
            let stands = match self.beats.get(&node) {
                Some(&(before, since)) if before == beat => (before, since),
                // It may have moved right after the look before: the database may have been away since.
                Some(_) => (beat, self.looked),
                None => (beat, at),
            };
            (node, stands)
        });
        self.beats = beats.collect();
        let counts = |node: NodeNumber| {
            let stands_since = self.beats.get(&node).map_or(at, |(_, since)| *since);
            node == self.own || at.since(stands_since) < SAID_FOR
        };
        polled.hearing.iter().filter(|said| counts(said.node)).cloned().collect()
    }

    /// Whether this node gives up, or stays so, when the living nodes say this at `at`.
    pub(super) fn look(&mut self, at: ServiceInstant, nodes: &[Hearing]) -> bool {
        if at.since(self.looked) > LOOKS_APART {
            self.outside_since = None;
            self.deaf_since.clear();
        }
        self.looked = at;
        let first = first_group(nodes);
        let own = nodes.iter().find(|node| node.node == self.own);
        let Some(own) = own.filter(|_| !first.is_empty()) else {
            self.outside_since = None;
            self.deaf_since.clear();
            return false;
        };
        if !first.contains(&self.own) {
            self.deaf_since.clear();
            return at.since(*self.outside_since.get_or_insert(at)) >= OUTSIDE_FOR;
        }
        self.outside_since = None;
        let is_deaf_to = |node: &&Hearing| {
            node.node < self.own && first.contains(&node.node) && !hear_each_other(own, node)
        };
        let deaf_to: BTreeSet<NodeNumber> = nodes.iter().filter(is_deaf_to).map(|node| node.node).collect();
        self.deaf_since.retain(|node, _| deaf_to.contains(node));
        deaf_to.into_iter().for_each(|node| {
            self.deaf_since.entry(node).or_insert(at);
        });
        self.deaf_since.values().any(|since| at.since(*since) >= DEAF_FOR)
    }

    /// Whether it was outside the first group at the last look, for however short a time.
    pub(super) fn is_outside(&self) -> bool {
        self.outside_since.is_some()
    }
}

fn hear_each_other(one: &Hearing, other: &Hearing) -> bool {
    one.hears.contains(&other.node) && other.hears.contains(&one.node)
}

/// The nodes of the first group; none while no node reaches the bus.
fn first_group(nodes: &[Hearing]) -> BTreeSet<NodeNumber> {
    let (mut left, mut first) = (nodes.iter().collect::<Vec<_>>(), Vec::new());
    while let Some(one) = left.pop() {
        let mut group = vec![one];
        let mut looked = 0;
        while looked < group.len() {
            let near = group[looked];
            group.extend(left.extract_if(.., |other| hear_each_other(near, other)));
            looked += 1;
        }
        first = better(first, group);
    }
    let is_reached = first.iter().any(|node| node.reaches_bus);
    bug!(AllLostTheBusAndGiveUp => let is_reached = true);
    if !is_reached {
        return BTreeSet::new();
    }
    first.iter().map(|node| node.node).collect()
}

fn better<'a>(one: Vec<&'a Hearing>, other: Vec<&'a Hearing>) -> Vec<&'a Hearing> {
    let rank = |group: &[&Hearing]| {
        let lowest = group.iter().map(|node| node.node).min();
        (group.iter().any(|node| node.reaches_bus), group.len(), std::cmp::Reverse(lowest))
    };
    if rank(&one) > rank(&other) { one } else { other }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> ServiceInstant {
        ServiceInstant(ms * 1_000)
    }

    /// Nodes 1 to 4 of which these reach the bus and these pairs hear each other, as the bits of two numbers.
    fn four(bus: u32, pairs: u32) -> Vec<Hearing> {
        let edges = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
        let hears = |node: u32| {
            let others = edges.iter().enumerate().filter(|(bit, _)| pairs >> bit & 1 == 1);
            let others = others.filter_map(|(_, &(one, other))| match node {
                _ if node == one => Some(NodeNumber(other)),
                _ if node == other => Some(NodeNumber(one)),
                _ => None,
            });
            others.collect()
        };
        (1..=4)
            .map(|node| Hearing {
                node: NodeNumber(node),
                reaches_bus: bus >> (node - 1) & 1 == 1,
                hears: hears(node),
            })
            .collect()
    }

    /// What node 2 reads while it and node 1 do not hear each other, node 1 says that it reaches the bus, and their beats stand
    /// there.
    fn polled(beats: [u64; 2]) -> Polled {
        let beat = |(node, beat)| NodeBeat {
            node: NodeNumber(node),
            boot: uuid::Uuid::from_u128(node.into()),
            beat,
        };
        Polled {
            living: (1..).zip(beats).map(beat).collect(),
            hearing: four(0b0001, 0)[..2].to_vec(),
            has_free_games: false,
            has_free_lobby: false,
            is_reconnected: false,
        }
    }

    /// Which of them have given up after this has been so for a while.
    fn given_up(nodes: &[Hearing]) -> Vec<NodeNumber> {
        let gives_up = |node: NodeNumber| {
            let mut groups = Groups::new(node);
            let looks = (0..20).map(|look| groups.look(at(1_000_000 + look * 700), nodes));
            looks.last().unwrap()
        };
        nodes.iter().map(|node| node.node).filter(|node| gives_up(*node)).collect()
    }

    #[test]
    fn of_four_nodes_those_that_go_on_hear_each_other_and_there_are_some() {
        for (bus, pairs) in (0..16).flat_map(|bus| (0..64).map(move |pairs| (bus, pairs))) {
            let nodes = four(bus, pairs);
            let up = given_up(&nodes);
            let stay: Vec<&Hearing> = nodes.iter().filter(|node| !up.contains(&node.node)).collect();
            if bus == 0 {
                assert_eq!(stay.len(), 4, "{nodes:?}");
                continue;
            }
            assert!(!stay.is_empty(), "{nodes:?}");
            let among = stay.iter().flat_map(|one| stay.iter().map(move |other| (one, other)));
            for (one, other) in among.filter(|(one, other)| one.node != other.node) {
                assert!(hear_each_other(one, other), "{nodes:?}");
            }
            assert!(first_group(&nodes).contains(&stay[0].node));
            let mut turned = nodes.clone();
            turned.reverse();
            assert_eq!(first_group(&nodes), first_group(&turned), "whatever the order");
        }
    }

    #[test]
    fn more_nodes_go_before_the_lowest_and_the_bus_before_both() {
        let numbers = |nodes: &[u32]| nodes.iter().map(|node| NodeNumber(*node)).collect::<Vec<_>>();
        // 1 is cut off, the others hear each other.
        assert_eq!(given_up(&four(0b1111, 0b11_1000)), numbers(&[1]));
        assert_eq!(given_up(&four(0b0001, 0b11_1000)), numbers(&[2, 3, 4]));
        // 1 and 2, 3 and 4.
        assert_eq!(given_up(&four(0b1111, 0b10_0001)), numbers(&[3, 4]));
    }

    #[test]
    fn a_node_gives_up_after_5_s_and_goes_on_once_it_is_heard_again() {
        let (apart, together) = (four(0b1111, 0), four(0b1111, 0b11_1111));
        let mut groups = Groups::new(NodeNumber(2));
        assert!((0..8).all(|look| !groups.look(at(10_000 + look * 700), &apart) && groups.is_outside()));
        assert!(groups.look(at(15_600), &apart));
        assert!(!groups.look(at(16_300), &together) && !groups.is_outside());
        assert!(!groups.look(at(17_000), &apart), "from the beginning");
    }

    #[test]
    fn what_a_node_has_said_counts_until_its_beat_has_stood_for_a_while() {
        let mut groups = Groups::new(NodeNumber(2));
        let gives_up = (0..20).any(|beat| {
            let now = at(10_000 + beat * 700);
            // The first node has died.
            let said = groups.said(now, &polled([7, beat]));
            assert_eq!(said.len(), if beat < 5 { 2 } else { 1 }, "after beat {beat}");
            groups.look(now, &said)
        });
        assert!(!gives_up, "nobody who lives reaches the bus");
    }

    #[test]
    fn what_a_node_said_before_the_database_was_away_is_as_old_as_the_look_before() {
        let mut groups = Groups::new(NodeNumber(2));
        let mut said = |ms, beat| {
            let said = groups.said(at(ms), &polled([beat, beat])).len();
            groups.look(at(ms), &[]);
            said
        };
        assert_eq!([said(10_000, 7), said(10_700, 8)], [2, 2]);
        // It moved once more, and nobody could read that for a while.
        assert_eq!([said(13_600, 9), said(14_300, 9)], [2, 1]);
    }

    #[test]
    fn what_was_before_the_database_was_away_does_not_count() {
        let apart = four(0b1111, 0);
        let mut groups = Groups::new(NodeNumber(2));
        assert!(!groups.look(at(10_000), &apart));
        assert!(!groups.look(at(30_000), &apart));
        assert!(!groups.look(at(34_000), &apart));
    }
}
