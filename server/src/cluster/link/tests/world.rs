//! Two nodes and a bus in virtual time. Each message names the link that it was sent on and its number
//! there, so the checker needs nothing of the machines but their events.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};

use super::super::{Datagram, Link, LinkEvent, LinkId, Role, SILENCE, State};
use crate::time::ServiceInstant;

/// How long the faults last, and the time after that in which everything must work again.
const FAULTS: Duration = Duration::from_secs(40);
const RECOVERY: Duration = Duration::from_secs(6);
/// The longest that the bus holds a datagram that is not late.
const DELAY_MAX: Duration = Duration::from_millis(400);
/// A datagram may come so late when the bus was frozen: the link that it belongs to is long gone.
const LATE_MAX: Duration = Duration::from_secs(8);
/// How late a machine may be driven.
const SLACK: Duration = Duration::from_millis(100);

/// How often the bus does what, in a thousand datagrams.
#[derive(Debug)]
struct Faults {
    lost: u32,
    doubled: u32,
    late: u32,
    /// In ten thousand steps.
    disconnected: u32,
    delay: Duration,
}

/// One node and what is known of it.
struct End {
    link: Link,
    /// The link that is open for it.
    id: Option<LinkId>,
    /// What it has sent and taken on that link.
    sent: Vec<ServiceInstant>,
    taken: usize,
    /// What it had sent on the link before, which the other one may still be taking.
    last: Option<(LinkId, Vec<ServiceInstant>)>,
}

/// A datagram on its way.
struct Flying {
    to: usize,
    at: ServiceInstant,
    datagram: Datagram,
}

pub(super) struct World {
    rng: StdRng,
    now: ServiceInstant,
    ends: [End; 2],
    bus: Vec<Flying>,
    /// The last datagram to each end arrives then; what is published later comes after it, unless it is late.
    in_order: [ServiceInstant; 2],
    faults: Faults,
    taken: u64,
}

fn text(id: LinkId, number: usize) -> Bytes {
    Bytes::from(format!("{} {} {number}", id.opener, id.answerer))
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let at = ServiceInstant::default();
        let end = |role| End { link: Link::new(role, at), id: None, sent: Vec::new(), taken: 0, last: None };
        let mut some = |most: u32| if rng.random() { rng.random_range(0..most) } else { 0 };
        let faults = Faults {
            lost: some(60),
            doubled: some(200),
            late: some(60),
            disconnected: some(20),
            delay: DELAY_MAX.mul_f64(f64::from(some(1_000)) / 1_000.0),
        };
        let ends = [end(Role::Opener), end(Role::Answerer)];
        Self { rng, now: at, ends, bus: Vec::new(), in_order: [at; 2], faults, taken: 0 }
    }

    fn permille(&mut self, chance: u32) -> bool {
        self.rng.random_range(0..1_000) < chance
    }

    /// Runs to the end: how many messages were taken.
    pub(super) fn run(mut self) -> Result<u64, String> {
        let end = ServiceInstant::default() + FAULTS;
        while self.now < end {
            self.step()?;
        }
        self.faults = Faults { lost: 0, doubled: 0, late: 0, disconnected: 0, delay: self.faults.delay };
        let end = self.now + LATE_MAX + RECOVERY;
        while self.now < end {
            self.step()?;
        }
        let before = self.taken;
        let end = self.now + RECOVERY;
        while self.now < end {
            self.step()?;
        }
        if self.ends.iter().any(|end| end.id.is_none()) || self.taken == before {
            return Err("the bus works, and nothing arrives".to_owned());
        }
        Ok(self.taken)
    }

    fn step(&mut self) -> Result<(), String> {
        self.now = self.now + Duration::from_micros(self.rng.random_range(0..40_000));
        self.deliver()?;
        for side in 0..2 {
            if self.rng.random_range(0..10_000) < self.faults.disconnected {
                self.drive(side, |link, at, events| link.disconnected(at, events))?;
            }
            if self.permille(300) {
                self.send(side)?;
            }
            self.drive(side, Link::tick)?;
            self.publish(side);
        }
        self.check_tails()
    }

    /// Queues up to three messages.
    fn send(&mut self, side: usize) -> Result<(), String> {
        for _ in 0..self.rng.random_range(1..4) {
            let Some(id) = self.ends[side].id else { return Ok(()) };
            let (message, now) = (text(id, self.ends[side].sent.len()), self.now);
            self.ends[side].sent.push(now);
            self.drive(side, |link, at, events| {
                link.send(message, at, events).expect("an open link takes a message");
            })?;
        }
        Ok(())
    }

    fn publish(&mut self, side: usize) {
        while let Some(datagram) = self.ends[side].link.next(self.now) {
            if self.permille(self.faults.lost) {
                continue;
            }
            let copies = if self.permille(self.faults.doubled) { 2 } else { 1 };
            for _ in 0..copies {
                let at = self.arrival(1 - side);
                self.bus.push(Flying { to: 1 - side, at, datagram: datagram.clone() });
            }
        }
    }

    /// When something that is published now arrives.
    fn arrival(&mut self, to: usize) -> ServiceInstant {
        if self.permille(self.faults.late) {
            return self.now + LATE_MAX.mul_f64(self.rng.random::<f64>().powi(4));
        }
        let at = self.now + self.faults.delay.mul_f64(self.rng.random());
        self.in_order[to] = self.in_order[to].max(at);
        self.in_order[to]
    }

    /// Hands over what is due, in the order of its time.
    fn deliver(&mut self) -> Result<(), String> {
        let now = self.now;
        let mut due: Vec<Flying> = self.bus.extract_if(.., |flying| flying.at <= now).collect();
        due.sort_by_key(|flying| flying.at);
        for Flying { to, datagram, .. } in due {
            self.drive(to, |link, at, events| link.receive(datagram, at, events))?;
        }
        Ok(())
    }

    /// Lets a machine do something, and checks what comes of it.
    fn drive(
        &mut self,
        side: usize,
        act: impl FnOnce(&mut Link, ServiceInstant, &mut VecDeque<LinkEvent>),
    ) -> Result<(), String> {
        let mut events = VecDeque::new();
        act(&mut self.ends[side].link, self.now, &mut events);
        for event in events {
            match event {
                LinkEvent::Opened => self.opened(side)?,
                LinkEvent::Closed(_, complete) => self.closed(side, complete)?,
                LinkEvent::Message(message) => self.message(side, &message)?,
            }
        }
        Ok(())
    }

    fn opened(&mut self, side: usize) -> Result<(), String> {
        let end = &mut self.ends[side];
        if end.id.is_some() {
            return Err("a link opened while another one was open".to_owned());
        }
        // When the same input closes it again, the id is not there any more; nothing can be sent on it then.
        let State::Open(numbers) = &end.link.state else { return Ok(()) };
        let id = numbers.id;
        if end.last.as_ref().is_some_and(|(last, _)| last.opener >= id.opener) {
            return Err(format!("{id:?} opened after {:?}", end.last));
        }
        (end.id, end.taken) = (Some(id), 0);
        end.sent.clear();
        Ok(())
    }

    /// What the other end had sent before the link was complete for this one is taken.
    fn closed(&mut self, side: usize, complete: ServiceInstant) -> Result<(), String> {
        let end = &mut self.ends[side];
        let Some(id) = end.id.take() else { return Ok(()) };
        end.last = Some((id, std::mem::take(&mut end.sent)));
        let taken = end.taken;
        match self.sent_on(1 - side, id).get(taken) {
            Some(sent) if *sent < complete => Err(format!(
                "number {taken} of {id:?} was sent at {sent:?}, before {complete:?}, and is lost"
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// What an end has sent on a link.
    fn sent_on(&self, side: usize, id: LinkId) -> &[ServiceInstant] {
        let end = &self.ends[side];
        match &end.last {
            _ if end.id == Some(id) => &end.sent,
            Some((last, sent)) if *last == id => sent,
            Some(_) | None => &[],
        }
    }

    /// What one end takes is the next of what the other has sent on the same link.
    fn message(&mut self, side: usize, message: &Bytes) -> Result<(), String> {
        let id = self.ends[side].id.ok_or("a message without a link")?;
        let number = self.ends[side].taken;
        if *message != text(id, number) {
            return Err(format!("{message:?} was taken as number {number} of {id:?}"));
        }
        if number >= self.sent_on(1 - side, id).len() {
            return Err(format!("{message:?} was never sent"));
        }
        self.ends[side].taken += 1;
        self.taken += 1;
        Ok(())
    }

    /// While both ends have the same link, what was sent a while ago has arrived.
    fn check_tails(&self) -> Result<(), String> {
        let [one, other] = &self.ends;
        if one.id.is_none() || one.id != other.id {
            return Ok(());
        }
        let patience = SILENCE + LATE_MAX + SLACK;
        for (from, to) in [(one, other), (other, one)] {
            if let Some(sent) = from.sent.get(to.taken)
                && self.now.since(*sent) > patience
            {
                return Err(format!("number {} of {:?} is lost, and nobody notices", to.taken, from.id));
            }
        }
        Ok(())
    }
}
