//! Single steps: what closes a link, what does not, and what is bounded.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;

use super::super::queue::MESSAGE_BYTES_MAX;
use super::super::{Datagram, Link, LinkEvent, LinkId, NotSent, Packet, Role, WhyClosed};
use crate::time::ServiceInstant;

fn at(ms: u64) -> ServiceInstant {
    ServiceInstant(ms * 1_000)
}

/// A link and what it said.
struct End {
    link: Link,
    events: VecDeque<LinkEvent>,
}

impl End {
    fn new(role: Role) -> Self {
        Self { link: Link::new(role, at(0)), events: VecDeque::new() }
    }

    fn receive(&mut self, datagram: Datagram, ms: u64) {
        self.link.receive(datagram, at(ms), &mut self.events);
    }

    fn send(&mut self, message: &'static str, ms: u64) {
        self.link.send(Bytes::from_static(message.as_bytes()), at(ms), &mut self.events).unwrap();
    }

    fn next(&mut self, ms: u64) -> Datagram {
        self.link.next(at(ms)).expect("there is something to send")
    }

    fn events(&mut self) -> Vec<LinkEvent> {
        self.events.drain(..).collect()
    }

    /// Why it was closed, if nothing else has happened.
    fn closings(&mut self) -> Vec<WhyClosed> {
        let why = |event| if let LinkEvent::Closed(why, _) = event { why } else { panic!("{event:?}") };
        self.events.drain(..).map(why).collect()
    }
}

fn message(text: &'static str) -> LinkEvent {
    LinkEvent::Message(Bytes::from_static(text.as_bytes()))
}

/// Two ends with a link that has just opened, and its id.
fn open() -> (End, End, LinkId) {
    let (mut opener, mut answerer) = (End::new(Role::Opener), End::new(Role::Answerer));
    answerer.receive(opener.next(0), 0);
    let opened = answerer.next(0);
    let Datagram::Opened(id) = opened else { panic!("{opened:?}") };
    opener.receive(opened, 0);
    answerer.receive(opener.next(0), 0);
    opener.receive(answerer.next(0), 0);
    assert_eq!((opener.events(), answerer.events()), (vec![LinkEvent::Opened], vec![LinkEvent::Opened]));
    (opener, answerer, id)
}

#[test]
fn one_packet_has_all_that_waits() {
    let (mut opener, mut answerer, _) = open();
    opener.send("one", 1);
    opener.send("two", 1);
    answerer.receive(opener.next(2), 2);
    assert_eq!(opener.link.next(at(2)), None);
    assert_eq!(answerer.events(), [message("one"), message("two")]);
}

#[test]
fn a_lost_tail_is_noticed_with_the_next_packet() {
    let (mut opener, mut answerer, id) = open();
    opener.send("lost", 1);
    drop(opener.next(1));
    assert_eq!(opener.link.wake(), Some(at(251)));
    answerer.receive(opener.next(251), 251);
    assert_eq!(answerer.closings(), [WhyClosed::Gap]);
    opener.receive(answerer.next(251), 251);
    assert_eq!(opener.closings(), [WhyClosed::ByOther]);
    // And the next link is another one.
    let Datagram::Open { opener: next } = opener.next(751) else { panic!("it asks again") };
    assert!(next > id.opener);
}

#[test]
fn a_packet_that_comes_twice_is_taken_once() {
    let (mut opener, mut answerer, _) = open();
    opener.send("one", 1);
    let packet = opener.next(1);
    answerer.receive(packet.clone(), 1);
    answerer.receive(packet, 2);
    assert_eq!(answerer.events(), [message("one")]);
}

#[test]
fn doubles_do_not_break_silence() {
    let (mut opener, mut answerer, _) = open();
    let packet = opener.next(250);
    for ms in (250..=1_749).step_by(100) {
        answerer.receive(packet.clone(), ms);
        answerer.link.tick(at(ms), &mut answerer.events);
    }
    assert_eq!(answerer.events(), []);
    answerer.link.tick(at(1_750), &mut answerer.events);
    assert_eq!(answerer.events(), [LinkEvent::Closed(WhyClosed::Silence, at(0))]);
}

#[test]
fn a_packet_of_another_link_is_answered_by_its_close() {
    let (mut opener, mut answerer, id) = open();
    let old = LinkId { opener: id.opener - 1, answerer: 0 };
    let messages = vec![Bytes::from_static(b"late")];
    let packet = Packet { id: old, number: 2, sent_us: 0, echo_us: 0, messages };
    answerer.receive(Datagram::Packet(packet), 1);
    assert_eq!(answerer.next(1), Datagram::Close(old));
    assert_eq!(answerer.events(), []);
    opener.receive(Datagram::Close(old), 1);
    assert!(opener.link.is_open() && answerer.link.is_open());
}

#[test]
fn an_open_that_comes_late_opens_nothing() {
    let (mut opener, mut answerer, id) = open();
    answerer.receive(Datagram::Open { opener: id.opener }, 5);
    assert!(answerer.link.is_open() && answerer.link.next(at(5)).is_none());
    answerer.receive(Datagram::Close(id), 6);
    answerer.receive(Datagram::Open { opener: id.opener }, 7);
    assert_eq!(answerer.next(7), Datagram::Close(id));
    // The next one is answered, and one before that is not.
    opener.receive(Datagram::Close(id), 8);
    answerer.receive(opener.next(508), 508);
    assert!(matches!(answerer.next(508), Datagram::Opened(next) if next.opener > id.opener));
    answerer.receive(Datagram::Open { opener: id.opener }, 509);
    assert_eq!(answerer.link.next(at(509)), None);
}

#[test]
fn a_message_that_is_too_long_is_rejected_and_the_link_stays() {
    let (mut opener, mut answerer, _) = open();
    let long = Bytes::from(vec![0; MESSAGE_BYTES_MAX]);
    let longer = Bytes::from(vec![0; MESSAGE_BYTES_MAX + 1]);
    assert_eq!(opener.link.send(longer, at(1), &mut opener.events), Err(NotSent));
    opener.send("before", 1);
    assert_eq!(opener.link.send(long.clone(), at(1), &mut opener.events), Ok(()));
    opener.send("after", 1);
    for _ in 0..3 {
        answerer.receive(opener.next(1), 1);
    }
    assert_eq!(answerer.events(), [message("before"), LinkEvent::Message(long), message("after")]);
    assert_eq!(opener.events(), []);
}

#[test]
fn too_much_that_waits_closes_the_link() {
    let (mut opener, _, id) = open();
    let long = Bytes::from(vec![0; MESSAGE_BYTES_MAX]);
    let sent =
        (0..100).take_while(|_| opener.link.send(long.clone(), at(1), &mut opener.events).is_ok()).count();
    assert_eq!(sent, 15, "8 MiB with what each message counts for beside its bytes");
    assert_eq!(opener.closings(), [WhyClosed::Full]);
    assert_eq!(opener.next(1), Datagram::Close(id));
    assert_eq!(opener.link.next(at(1)), None, "nothing of it is sent");
}

#[test]
fn after_a_lost_connection_both_ends_start_over() {
    let (mut opener, mut answerer, id) = open();
    answerer.link.disconnected(at(5), &mut answerer.events);
    assert_eq!(answerer.closings(), [WhyClosed::Disconnected]);
    assert_eq!(answerer.next(900), Datagram::Close(id));
    opener.receive(Datagram::Close(id), 900);
    assert_eq!(opener.closings(), [WhyClosed::ByOther]);
    assert_eq!(opener.link.next(at(1_399)), None);
    assert!(matches!(opener.next(1_400), Datagram::Open { .. }));
    assert_eq!(opener.link.wake().map(|wake| wake.since(at(1_400))), Some(Duration::from_millis(500)));
}
