//! Everything that is no game: guests who log in, and requests over HTTP. Each comes on a connection of its own and is
//! answered once.
//!
//! Visits may be rejected or be late, as the server holds them back; only games must not be. They are counted.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;

use anyhow::{Context as _, Result};
use zeitnot_protocol::{ClientMessage, GameId, Hello};

use crate::endpoint::Endpoint;
use crate::wire::{Opcode, Poll, client_frame, connect};

/// The number of the first socket: these have other addresses than the players.
const FIRST_INDEX: usize = 200_000;
/// The next socket with another address.
const NEXT_INDEX: usize = 8_000;
/// How many addresses they share: connections of one address are limited.
const ADDRESSES: usize = 64;

/// Visits that wait for their answer at once. One more is not made, and counts as not answered.
const OPEN_MAX: usize = 4_000;

/// Seconds after which nobody waits any longer.
const PATIENCE: f64 = 5.0;

/// Between two looks who has waited too long, in seconds.
const LOOK_EVERY: f64 = 0.2;

/// What is in front of the first status of an answer.
const STATUS_AT: usize = "HTTP/1.1 ".len();

/// What became of visits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) made: u64,
    /// A `welcome`, or an answer with 200.
    pub(super) served: u64,
    /// Told to come again, with another status.
    pub(super) rejected: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Login,
    Request,
}

struct Visit {
    stream: TcpStream,
    kind: Kind,
    since: f64,
    /// What was answered.
    status: Vec<u8>,
    is_upgraded: bool,
}

/// The visits that wait. Their tokens begin at `first_token`.
pub(super) struct Visits<'s> {
    endpoint: &'s Endpoint,
    first_token: usize,
    login: Vec<u8>,
    requests: Vec<String>,
    open: Vec<Option<Visit>>,
    free: Vec<usize>,
    next: usize,
    looked_at: f64,
    pub(super) logins: Counts,
    pub(super) http: Counts,
}

impl<'s> Visits<'s> {
    pub(super) fn new(
        endpoint: &'s Endpoint,
        first_token: usize,
        games: impl Iterator<Item = GameId>,
    ) -> Self {
        let host = &endpoint.host;
        let mut login = format!(
            "GET {} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
            endpoint.path
        )
        .into_bytes();
        let hello = ClientMessage::Hello(Hello { guest: true, token: None });
        login.extend_from_slice(&client_frame(Opcode::Text, hello.to_text().as_bytes()));
        let request =
            |path: String| format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let requests = games
            .take(16)
            .flat_map(|game| {
                [format!("/api/games/{game}/pgn"), format!("/api/games/{game}"), "/".to_owned()].map(request)
            })
            .collect();
        let free = (0..OPEN_MAX).rev().collect();
        let open = (0..OPEN_MAX).map(|_| None).collect();
        let (logins, http) = (Counts::default(), Counts::default());
        Self { endpoint, first_token, login, requests, open, free, next: 0, looked_at: 0.0, logins, http }
    }

    fn counts(&mut self, kind: Kind) -> &mut Counts {
        match kind {
            Kind::Login => &mut self.logins,
            Kind::Request => &mut self.http,
        }
    }

    /// Makes a visit: every third one is a login.
    pub(super) fn is_due(&mut self, poll: &Poll, now: f64) -> Result<()> {
        let number = self.next;
        self.next += 1;
        let kind = if number.is_multiple_of(3) { Kind::Login } else { Kind::Request };
        self.counts(kind).made += 1;
        let Some(place) = self.free.pop() else { return Ok(()) };
        let index = FIRST_INDEX + number % ADDRESSES * NEXT_INDEX;
        let mut stream = connect(self.endpoint, index, None).context("a visitor")?;
        stream.set_nonblocking(true)?;
        let said = match kind {
            Kind::Login => self.login.as_slice(),
            Kind::Request => self.requests[number % self.requests.len()].as_bytes(),
        };
        // A failure is seen by the first read.
        drop(stream.write(said));
        poll.add(&stream, self.first_token + place)?;
        self.open[place] = Some(Visit { stream, kind, since: now, status: Vec::new(), is_upgraded: false });
        Ok(())
    }

    /// Reads the answer of a visit.
    pub(super) fn read(&mut self, token: usize, scratch: &mut [u8]) {
        let place = token - self.first_token;
        let Some(visit) = &mut self.open[place] else { return };
        let Some(is_served) = visit.read(scratch) else { return };
        let kind = visit.kind;
        self.end(place);
        let counts = self.counts(kind);
        if is_served { counts.served += 1 } else { counts.rejected += 1 }
    }

    fn end(&mut self, place: usize) {
        self.open[place] = None;
        self.free.push(place);
    }

    /// Gives up those that have waited too long. It looks at all of them, so it does so rarely.
    pub(super) fn give_up(&mut self, now: f64) {
        if now < self.looked_at + LOOK_EVERY {
            return;
        }
        self.looked_at = now;
        for place in 0..self.open.len() {
            if self.open[place].as_ref().is_some_and(|visit| now - visit.since > PATIENCE) {
                self.end(place);
            }
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.free.len() == OPEN_MAX
    }
}

impl Visit {
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
