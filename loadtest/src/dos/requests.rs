//! HTTP clients that ask for what costs the most, without a pause: PGN and snapshots of the longest games, players and
//! their games, the page, the metrics.
//!
//! Each connection sends some requests at once, reads what is answered, and asks again. The server closes it when its
//! address has used up what requests may cost; it connects again soon after. Every connection has an address of its own,
//! so each may cost as much as an address may.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;

use anyhow::{Context as _, Result};
use zeitnot_protocol::GameId;

use crate::endpoint::Endpoint;
use crate::wire::connect;

/// Requests that are sent at once.
const AT_ONCE: usize = 8;

/// How soon a closed connection is opened again, in seconds.
const AGAIN: f64 = 0.1;

/// The number of the first socket: its address differs from those of other attackers and of players.
const FIRST_INDEX: usize = 200_000;
/// The next socket with another address.
const NEXT_INDEX: usize = 8_000;

/// What every answer begins with; the status follows.
const ANSWER: &[u8] = b"HTTP/1.1 ";

/// Statuses that the document has for such requests.
const DOCUMENTED: [u16; 4] = [200, 404, 429, 503];

/// The connections, and what they were answered.
pub(super) struct Requests<'s> {
    endpoint: &'s Endpoint,
    paths: Vec<String>,
    connections: Vec<Connection>,
    answers: Answers,
}

/// How many answers had which status.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Answers(BTreeMap<u16, u64>);

impl Answers {
    pub(super) fn add(&mut self, other: &Self) {
        for (status, count) in &other.0 {
            *self.0.entry(*status).or_default() += count;
        }
    }

    /// How many had a status that such requests never get.
    pub(super) fn wrong(&self) -> u64 {
        self.outside(&DOCUMENTED)
    }

    /// How many had another status than these.
    pub(super) fn outside(&self, documented: &[u16]) -> u64 {
        self.0.iter().filter(|(status, _)| !documented.contains(status)).map(|(_, count)| count).sum()
    }

    /// One more answer has this status.
    pub(super) fn count(&mut self, status: u16) {
        *self.0.entry(status).or_default() += 1;
    }

    /// Such as `700 200, 90000 429`.
    pub(super) fn list(&self) -> String {
        let parts = self.0.iter().map(|(status, count)| format!("{count} {status}")).collect::<Vec<_>>();
        if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
    }
}

#[derive(Debug, Default)]
struct Connection {
    stream: Option<TcpStream>,
    /// When it is opened again.
    again: f64,
    /// Answers that are to come.
    waits_for: usize,
    /// The path of its next request.
    next: usize,
    /// The end of what was read, in which an answer may begin.
    tail: Vec<u8>,
}

impl<'s> Requests<'s> {
    pub(super) fn new(endpoint: &'s Endpoint, connections: usize, games: &[GameId]) -> Self {
        let games = games.iter().take(64);
        let paths = games.flat_map(|game| [format!("/api/games/{game}/pgn"), format!("/api/games/{game}")]);
        let others = ["/api/players/Nobody", "/api/players/Nobody/games", "/", "/metrics"];
        let paths = paths.chain(others.map(str::to_owned)).collect();
        let connections = (0..connections).map(|next| Connection { next, ..Connection::default() }).collect();
        Self { endpoint, paths, connections, answers: Answers::default() }
    }

    /// Opens, asks and reads whatever is due.
    pub(super) fn turn(&mut self, now: f64, scratch: &mut [u8]) -> Result<()> {
        let Self { endpoint, paths, connections, answers } = self;
        for (number, connection) in connections.iter_mut().enumerate() {
            if connection.stream.is_none() {
                if now < connection.again {
                    continue;
                }
                let index = FIRST_INDEX + number * NEXT_INDEX;
                connection.open(endpoint, index).context("an HTTP attacker")?;
            }
            if connection.waits_for == 0 {
                connection.ask(&endpoint.host, paths);
            }
            if !connection.read(scratch, answers) {
                *connection =
                    Connection { again: now + AGAIN, next: connection.next, ..Connection::default() };
            }
        }
        Ok(())
    }

    pub(super) fn into_answers(self) -> Answers {
        self.answers
    }
}

impl Connection {
    fn open(&mut self, endpoint: &Endpoint, index: usize) -> Result<()> {
        let stream = connect(endpoint, index, None)?;
        stream.set_nonblocking(true)?;
        self.stream = Some(stream);
        Ok(())
    }

    fn ask(&mut self, host: &str, paths: &[String]) {
        let mut requests = String::new();
        for _ in 0..AT_ONCE {
            let path = &paths[self.next % paths.len()];
            self.next += 1;
            requests.push_str(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        }
        let written =
            self.stream.as_mut().is_some_and(|stream| stream.write_all(requests.as_bytes()).is_ok());
        // A failure is seen by the next read.
        self.waits_for = if written { AT_ONCE } else { 1 };
    }

    /// Reads what came. `false`: the connection is gone.
    fn read(&mut self, scratch: &mut [u8], answers: &mut Answers) -> bool {
        let Some(stream) = &mut self.stream else { return false };
        loop {
            match stream.read(scratch) {
                Ok(0) => return false,
                Ok(count) => {
                    self.tail.extend_from_slice(&scratch[..count]);
                    let begun = take_statuses(&mut self.tail, answers);
                    self.waits_for = self.waits_for.saturating_sub(begun);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return true,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
        }
    }
}

/// Counts the answers that begin in these bytes, and leaves what may be the beginning of one.
fn take_statuses(bytes: &mut Vec<u8>, answers: &mut Answers) -> usize {
    let (mut begun, mut from) = (0, 0);
    let whole = ANSWER.len() + 3;
    while let Some(at) = bytes[from..].windows(ANSWER.len()).position(|window| window == ANSWER) {
        let Some(status) = bytes.get(from + at + ANSWER.len()..from + at + whole) else { break };
        let status = std::str::from_utf8(status).ok().and_then(|text| text.parse().ok()).unwrap_or_default();
        answers.count(status);
        begun += 1;
        from += at + whole;
    }
    bytes.drain(..from.max(bytes.len().saturating_sub(whole)));
    begun
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_found_however_the_bytes_are_cut() {
        let bytes = b"HTTP/1.1 200 OK\r\n\r\n1. e4 e5HTTP/1.1 429 Too Many\r\n\r\n{}HTTP/1.1 500 X\r\n\r\n";
        for piece in [1, 2, 7, bytes.len()] {
            let (mut tail, mut answers) = (Vec::new(), Answers::default());
            let begun: usize = bytes
                .chunks(piece)
                .map(|chunk| {
                    tail.extend_from_slice(chunk);
                    take_statuses(&mut tail, &mut answers)
                })
                .sum();
            assert_eq!((begun, answers.list().as_str()), (3, "1 200, 1 429, 1 500"), "{piece}");
            assert_eq!(answers.wrong(), 1);
        }
    }
}
