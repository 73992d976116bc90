//! What is published when, and from whom something counts.

use std::time::Duration;

use bytes::Bytes;

use super::super::machine::{DEAD_MAX, HINTS_MAX, Machine, To};
use super::super::{BusEvent, Heard};
use crate::cluster::link::{Datagram, LinkEvent, LinkId};
use crate::cluster::node::Node;
use crate::cluster::wire::samples::node;
use crate::cluster::wire::{Announcement, Envelope, Hint, payload, read_payload};
use crate::storage::NodeNumber;
use crate::time::ServiceInstant;

fn at(ms: u64) -> ServiceInstant {
    ServiceInstant(ms * 1_000)
}

/// A connected node that knows these.
fn connected(me: u32, others: &[u32]) -> Machine {
    let mut machine = Machine::new(node(me));
    let others: Vec<Node> = others.iter().map(|number| node(*number)).collect();
    machine.set_nodes(&others, at(0));
    machine.connected(at(0));
    machine
}

fn published(machine: &mut Machine, ms: u64) -> Vec<(To, Bytes)> {
    std::iter::from_fn(|| machine.next(at(ms))).collect()
}

fn heartbeat(from: u32) -> Bytes {
    payload(&Announcement::Heartbeat { from: node(from), database_ms: 0, dead: Vec::new() })
}

/// Hands what one has published to those it is for.
fn exchange(machines: &mut [Machine], ms: u64) {
    for from in 0..machines.len() {
        for (to, payload) in published(&mut machines[from], ms) {
            for (number, machine) in (1..).zip(machines.iter_mut()) {
                match to {
                    To::All => machine.announcement(&payload, at(ms)).unwrap(),
                    To::Node(boot) if boot == node(number).boot => {
                        machine.datagram(&payload, at(ms)).unwrap();
                    }
                    To::Node(_) => {}
                }
            }
        }
    }
}

#[test]
fn nodes_that_know_each_other_have_links_and_hear_each_other() {
    let mut machines = [connected(1, &[1, 2, 3]), connected(2, &[1, 2, 3]), connected(3, &[1, 2, 3])];
    (0..3).for_each(|_| exchange(&mut machines, 0));
    for (number, machine) in (1..).zip(&mut machines) {
        let others: Vec<_> = (1..=3).filter(|other| *other != number).map(NodeNumber).collect();
        let opened = |node| BusEvent::Link(node, LinkEvent::Opened);
        let mut events = Vec::from(machine.take_events());
        events.sort_by_key(|event| matches!(event, BusEvent::Link(NodeNumber(other), _) if *other > 2));
        assert_eq!(events.len(), 2);
        assert!(others.iter().all(|other| events.contains(&opened(*other))), "{events:?}");
        assert_eq!(machine.heard(at(1)), Heard { reaches_bus: true, nodes: others });
    }
    let [one, two, _] = &mut machines;
    one.send(NodeNumber(2), Bytes::from_static(b"hello"), at(1)).unwrap();
    for (_, payload) in published(one, 1) {
        two.datagram(&payload, at(1)).unwrap();
    }
    let message = LinkEvent::Message(Bytes::from_static(b"hello"));
    assert_eq!(two.take_events(), [BusEvent::Link(NodeNumber(1), message)]);
}

#[test]
fn who_is_silent_is_not_heard() {
    let mut machine = connected(1, &[2]);
    machine.announcement(&heartbeat(1), at(100)).unwrap();
    machine.announcement(&heartbeat(2), at(100)).unwrap();
    machine.announcement(&heartbeat(7), at(100)).unwrap();
    let both = Heard { reaches_bus: true, nodes: vec![NodeNumber(2)] };
    assert_eq!(machine.heard(at(1_600)), both);
    assert_eq!(machine.heard(at(2_100)), Heard { reaches_bus: false, ..both });
    assert_eq!(machine.heard(at(2_101)), Heard::default());
}

#[test]
fn nothing_is_published_without_a_connection() {
    let mut machine = connected(1, &[2]);
    assert_eq!(published(&mut machine, 0).len(), 2, "a heartbeat, and a link is asked for");
    machine.announce(Hint::Claimed(Vec::new()));
    machine.disconnected(at(10));
    assert_eq!(published(&mut machine, 10_000), []);
    assert_eq!(machine.wake(), ServiceInstant::NEVER);
    machine.connected(at(10_001));
    machine.tick(at(10_001));
    assert_eq!(published(&mut machine, 10_001).len(), 2, "a heartbeat and the hint");
    assert_eq!(machine.wake(), at(10_501));
}

#[test]
fn a_datagram_counts_only_from_a_node_that_is_known() {
    let mut machine = connected(2, &[1]);
    published(&mut machine, 0);
    let open = |from| payload(&Envelope { from, datagram: Datagram::Open { opener: 1 } });
    machine.datagram(&open(node(3)), at(1)).unwrap();
    machine.datagram(&open(Node { boot: node(3).boot, ..node(1) }), at(1)).unwrap();
    assert_eq!(published(&mut machine, 1), [], "an unknown number, and another boot");
    machine.datagram(&open(node(1)), at(1)).unwrap();
    let answers = published(&mut machine, 1);
    let [(To::Node(boot), answer)] = answers.as_slice() else { panic!("{answers:?}") };
    let opened = Datagram::Opened(LinkId { opener: 1, answerer: 1 });
    assert_eq!(*boot, node(1).boot);
    assert_eq!(read_payload(answer), Ok(Envelope { from: node(2), datagram: opened }));
}

#[test]
fn a_node_learns_that_it_was_declared_dead_and_says_who_was() {
    let mut machine = connected(1, &[2]);
    let dead: Vec<_> = (10..40).map(|number| node(number).boot).collect();
    machine.database_answered(at(900), &dead);
    let (_, heartbeat) = machine.next(at(1_000)).unwrap();
    let last = dead[dead.len() - DEAD_MAX..].to_vec();
    let expected = Announcement::Heartbeat { from: node(1), database_ms: 100, dead: last };
    assert_eq!(read_payload(&heartbeat), Ok(expected));
    machine.announcement(&heartbeat, at(1_000)).unwrap();
    assert_eq!(machine.take_events(), []);
    let mut named = connected(39, &[1]);
    named.announcement(&heartbeat, at(1_000)).unwrap();
    assert_eq!(named.take_events(), [BusEvent::NamedDead]);
}

#[test]
fn only_so_many_hints_wait() {
    let mut machine = connected(1, &[]);
    (0..HINTS_MAX + 5).for_each(|_| machine.announce(Hint::Released(Vec::new())));
    machine.announce(Hint::Claimed(Vec::new()));
    let published = published(&mut machine, 0);
    assert_eq!(published.len(), 1 + HINTS_MAX);
    let last = Announcement::Hint { from: node(1), hint: Hint::Claimed(Vec::new()) };
    assert_eq!(read_payload(&published[HINTS_MAX].1), Ok(last), "the oldest went");
}

#[test]
fn a_node_that_is_gone_has_no_link() {
    let mut machine = connected(1, &[2]);
    machine.set_nodes(&[node(1), node(3)], at(1));
    assert_eq!(machine.take_events(), [BusEvent::Gone(NodeNumber(2))]);
    let to: Vec<_> = published(&mut machine, 1).into_iter().map(|(to, _)| to).collect();
    assert_eq!(to, [To::All, To::Node(node(3).boot)]);
    assert!(machine.send(NodeNumber(2), Bytes::new(), at(1)).is_err());
    assert_eq!(machine.wake().since(at(1)), Duration::from_millis(500));
}

#[test]
fn a_payload_that_cannot_be_read_changes_nothing() {
    let mut machine = connected(1, &[2]);
    assert!(machine.datagram(b"", at(1)).is_err());
    assert!(machine.datagram(&heartbeat(2), at(1)).is_err());
    assert!(machine.announcement(b"\x01\xff", at(1)).is_err());
    assert_eq!(machine.take_events(), []);
}
