//! Everything that is no game: guests who log in, and requests over HTTP. Each comes on a connection of its own and is
//! answered once.
//!
//! Visits may be rejected or be late, as the server holds them back; only games must not be. They are counted. They have a
//! poll of their own, of which a few at a time are looked at, so that they do not make this program's moves late.
//!
//! Invariant: nothing here waits for the server, not even until a connection is open.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, Result};
use zeitnot_protocol::{ClientMessage, GameId, Hello};

use crate::endpoint::Endpoint;
use crate::wire::{Opcode, Poll, begin_to_connect, client_frame};

/// The number of the first socket: these have other addresses than the players.
const FIRST_INDEX: usize = 200_000;
/// The next socket with another address.
const NEXT_INDEX: usize = 8_000;
/// How many addresses they share: connections of one address are limited.
const ADDRESSES: usize = 64;

/// Visits that wait for their answer at once: a process may have 20,000 files on many machines. One more is not made.
const OPEN_MAX: usize = 16_000;

/// Seconds after which nobody waits any longer.
const PATIENCE: f64 = 2.5;
/// Seconds within which an answer is in time.
const IN_TIME: f64 = 1.0;

/// How many are looked at before moves are due again.
const LOOKED_AT_MAX: usize = 16;

/// What is in front of the first status of an answer.
const STATUS_AT: usize = "HTTP/1.1 ".len();

/// What became of visits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Those that fell due.
    pub(super) due: u64,
    pub(super) made: u64,
    /// A `welcome`, or an answer with 200.
    pub(super) served: u64,
    /// Served within a second.
    pub(super) in_time: u64,
    /// Told to come again, with another status.
    pub(super) rejected: u64,
}

impl Counts {
    pub(super) fn add(&mut self, more: Self) {
        self.due += more.due;
        self.made += more.made;
        self.served += more.served;
        self.in_time += more.in_time;
        self.rejected += more.rejected;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Login,
    Request,
}

struct Visit {
    stream: TcpStream,
    number: usize,
    kind: Kind,
    since: f64,
    is_sent: bool,
    /// What was answered.
    status: Vec<u8>,
    is_upgraded: bool,
}

/// The visits that wait. Their tokens are their places.
pub(super) struct Visits<'s> {
    endpoint: &'s Endpoint,
    pub(super) poll: Poll,
    login: Vec<u8>,
    requests: Vec<Vec<u8>>,
    open: Vec<Option<Visit>>,
    free: Vec<usize>,
    /// Their places and numbers, the oldest first; those that are over may still be in it.
    order: VecDeque<(usize, usize)>,
    next: usize,
    pub(super) logins: Counts,
    pub(super) http: Counts,
}

impl<'s> Visits<'s> {
    pub(super) fn new(endpoint: &'s Endpoint, ended: &[GameId]) -> Result<Self> {
        let host = &endpoint.host;
        let mut login = format!(
            "GET {} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
            endpoint.path
        )
        .into_bytes();
        let hello = ClientMessage::Hello(Hello { guest: true, token: None });
        login.extend_from_slice(&client_frame(Opcode::Text, hello.to_text().as_bytes()));
        let request = |path: String| {
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").into_bytes()
        };
        let requests = ended.iter().flat_map(|game| {
            [format!("/api/games/{game}/pgn"), format!("/api/games/{game}"), "/".to_owned()].map(request)
        });
        Ok(Self {
            endpoint,
            poll: Poll::of(LOOKED_AT_MAX)?,
            login,
            requests: requests.collect(),
            open: (0..OPEN_MAX).map(|_| None).collect(),
            free: (0..OPEN_MAX).rev().collect(),
            order: VecDeque::new(),
            next: 0,
            logins: Counts::default(),
            http: Counts::default(),
        })
    }

    fn counts(&mut self, kind: Kind) -> &mut Counts {
        match kind {
            Kind::Login => &mut self.logins,
            Kind::Request => &mut self.http,
        }
    }

    /// Makes a visit: every third one is a login.
    pub(super) fn is_due(&mut self, now: f64) -> Result<()> {
        let (number, kind) = (self.next, self.next_kind());
        self.next += 1;
        self.counts(kind).due += 1;
        let Some(place) = self.free.pop() else { return Ok(()) };
        let index = FIRST_INDEX + number % ADDRESSES * NEXT_INDEX;
        let stream = begin_to_connect(self.endpoint, index).context("a visitor")?;
        self.counts(kind).made += 1;
        let mut visit = Visit {
            stream,
            number,
            kind,
            since: now,
            is_sent: false,
            status: Vec::new(),
            is_upgraded: false,
        };
        visit.send(said(&self.login, &self.requests, kind, number));
        if visit.is_sent {
            self.poll.add(&visit.stream, place)?;
        } else {
            self.poll.add_to_write(&visit.stream, place)?;
        }
        self.open[place] = Some(visit);
        self.order.push_back((place, number));
        Ok(())
    }

    /// One was due that this program had no time to make.
    pub(super) fn is_left_out(&mut self) {
        let kind = self.next_kind();
        self.counts(kind).due += 1;
        self.next += 1;
    }

    fn next_kind(&self) -> Kind {
        if self.next.is_multiple_of(3) { Kind::Login } else { Kind::Request }
    }

    /// Looks at a few of those that were answered.
    pub(super) fn look(&mut self, scratch: &mut [u8], now: f64) -> Result<()> {
        let ready = self.poll.wait(Duration::ZERO)?.to_vec();
        for place in ready {
            let Some(visit) = &mut self.open[place] else { continue };
            if !visit.is_sent {
                visit.send(said(&self.login, &self.requests, visit.kind, visit.number));
                if visit.is_sent {
                    self.poll.only_read(&visit.stream, place)?;
                }
            }
            if let Some(is_served) = visit.read(scratch) {
                self.answered(place, is_served, now);
            }
        }
        Ok(())
    }

    fn answered(&mut self, place: usize, is_served: bool, now: f64) {
        let Some(Visit { kind, since, .. }) = self.open[place].take() else { return };
        self.free.push(place);
        let counts = self.counts(kind);
        if is_served {
            counts.served += 1;
            counts.in_time += u64::from(now - since <= IN_TIME);
        } else {
            counts.rejected += 1;
        }
    }

    /// Gives up those that have waited too long.
    pub(super) fn give_up(&mut self, now: f64) {
        while let Some(&(place, number)) = self.order.front() {
            let waits = self.open[place].as_ref().filter(|visit| visit.number == number);
            if waits.is_some_and(|visit| now - visit.since <= PATIENCE) {
                return;
            }
            if waits.is_some() {
                self.open[place] = None;
                self.free.push(place);
            }
            self.order.pop_front();
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.free.len() == OPEN_MAX
    }
}

/// What a visitor sends.
fn said<'v>(login: &'v [u8], requests: &'v [Vec<u8>], kind: Kind, number: usize) -> &'v [u8] {
    match kind {
        Kind::Login => login,
        Kind::Request => &requests[number % requests.len()],
    }
}

impl Visit {
    /// Sends all at once, if the connection is open. Any other failure is seen by the first read.
    fn send(&mut self, said: &[u8]) {
        self.is_sent = match self.stream.write(said) {
            Err(error) => error.kind() != ErrorKind::WouldBlock,
            Ok(_) => true,
        };
    }

    /// Reads what came. `Some` when the visit is over: whether it was served.
    fn read(&mut self, scratch: &mut [u8]) -> Option<bool> {
        loop {
            match self.stream.read(scratch) {
                Ok(0) => return Some(self.is(b"200")),
                Ok(count) => {
                    let came = &scratch[..count];
                    let room = STATUS_AT + 3 - self.status.len().min(STATUS_AT + 3);
                    self.status.extend_from_slice(&came[..count.min(room)]);
                    self.is_upgraded |= self.kind == Kind::Login && self.is(b"101");
                    if self.is_upgraded && came.windows(9).any(|window| window == br#""welcome""#) {
                        return Some(true);
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return None,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Some(self.is(b"200")),
            }
        }
    }

    fn is(&self, status: &[u8]) -> bool {
        self.status.get(STATUS_AT..) == Some(status)
    }
}
