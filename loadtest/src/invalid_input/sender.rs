//! Those who send abuse: one connection for each identity, made anew where a limit or a close says so.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use zeitnot_protocol::{Code, CommandId, Hello, Limits, SUBPROTOCOL, ServerMessage, decode_server};

use super::fixture::Fixture;
use crate::endpoint::Endpoint;
use crate::player;
use crate::wire::{Received, Socket};

/// Frames on one connection before it is made anew: below `frames_burst`, after which frames wait.
const FRAMES_MAX: u32 = 150;

/// In whose name a piece of abuse is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sender {
    /// One who only watches and one with an account, by turns: for frames that nobody may send.
    Anybody,
    /// The stage's White.
    White,
    /// The stage's Black.
    Black,
    /// An account that plays in no game.
    Other,
    /// One who only watches.
    Nobody,
    /// One who has not said `hello`.
    Stranger,
}

/// What a piece of abuse must be answered with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// `rejected` without an id.
    Unreadable(Code),
    /// `rejected` with the command's id.
    Refused(Option<CommandId>, Code),
    /// The connection is closed with this code.
    Closed(u16),
}

/// A kind of abuse.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) who: Sender,
    /// What is sent, on the wire.
    pub(super) frame: Vec<u8>,
    pub(super) answer: Answer,
}

impl Case {
    pub(super) const fn new(name: &'static str, who: Sender, frame: Vec<u8>, answer: Answer) -> Self {
        Self { name, who, frame, answer }
    }
}

/// An answer that was not as documented.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongAnswer {
    name: &'static str,
    expected: Answer,
    got: String,
}

impl fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wrong answer to {}: expected {:?}, got {}", self.name, self.expected, self.got)
    }
}

/// A connection, and what it may still be used for.
#[derive(Debug)]
struct Connection {
    socket: Socket,
    frames: u32,
    unreadable: u32,
}

/// The connections of all who send abuse.
#[derive(Debug)]
pub(super) struct Senders<'s> {
    endpoint: &'s Endpoint,
    fixture: &'s Fixture,
    /// By identity, in the order of [`Senders::place`].
    connections_by_sender: [Option<Connection>; 5],
    connections: u64,
    anybody: bool,
}

impl<'s> Senders<'s> {
    pub(super) fn new(endpoint: &'s Endpoint, fixture: &'s Fixture) -> Self {
        Self { endpoint, fixture, connections_by_sender: [const { None }; 5], connections: 0, anybody: false }
    }

    /// Connections made so far.
    pub(super) fn connections(&self) -> u64 {
        self.connections
    }

    /// Sends a piece of abuse and hears what comes of it; `Some` when it is not what must come.
    pub(super) fn send(&mut self, kind: &Case) -> Result<Option<WrongAnswer>> {
        let who = match kind.who {
            Sender::Anybody => {
                self.anybody = !self.anybody;
                if self.anybody { Sender::Nobody } else { Sender::Other }
            }
            who => who,
        };
        let place = Self::place(who);
        let fresh = kind.answer == Answer::Closed(zeitnot_protocol::CloseCode::BadFrames.number());
        let line = match self.connections_by_sender[place]
            .take()
            .filter(|line| !fresh && line.may_send(kind.answer))
        {
            Some(line) => line,
            None => self.connect(who)?,
        };
        let line = self.connections_by_sender[place].insert(line);
        line.count(kind.answer);
        line.socket.write(&kind.frame)?;
        let got = line.hear(kind.answer)?;
        if got.is_closed() {
            self.connections_by_sender[place] = None;
        }
        Ok((got != Got::Expected && got != Got::ExpectedClose).then(|| WrongAnswer {
            name: kind.name,
            expected: kind.answer,
            got: got.to_string(),
        }))
    }

    const fn place(who: Sender) -> usize {
        match who {
            Sender::White => 0,
            Sender::Black => 1,
            Sender::Other => 2,
            Sender::Anybody | Sender::Nobody => 3,
            Sender::Stranger => 4,
        }
    }

    fn connect(&mut self, who: Sender) -> Result<Connection> {
        let index = usize::try_from(self.connections).context("too many connections")?;
        self.connections += 1;
        let token = |player: usize| Hello { guest: false, token: Some(self.fixture.tokens[player].clone()) };
        let hello = match who {
            Sender::White => token(0),
            Sender::Black => token(1),
            Sender::Other => token(2),
            Sender::Anybody | Sender::Nobody => Hello::default(),
            Sender::Stranger => {
                let socket = Socket::open(self.endpoint, index, Some(SUBPROTOCOL))?;
                return Ok(Connection { socket, frames: 0, unreadable: 0 });
            }
        };
        // The server may not have seen the end of the connection before this one yet: an account has 8 at most.
        let mut tries = 0;
        loop {
            match player::connect_as(self.endpoint, index, hello.clone()) {
                Ok((socket, _)) => return Ok(Connection { socket, frames: 1, unreadable: 0 }),
                Err(_) if tries < 5 => {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// What came.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Got {
    Expected,
    ExpectedClose,
    Refusal(String),
    Close(u16, String),
    Gone,
}

impl Got {
    const fn is_closed(&self) -> bool {
        matches!(self, Self::ExpectedClose | Self::Close(..) | Self::Gone)
    }
}

impl fmt::Display for Got {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected | Self::ExpectedClose => f.write_str("what was expected"),
            Self::Refusal(text) => f.write_str(text),
            Self::Close(code, reason) => write!(f, "a close with {code} {reason}"),
            Self::Gone => f.write_str("the end of the connection without a close"),
        }
    }
}

impl Connection {
    /// Whether another piece with that answer keeps within the limits of the connection.
    fn may_send(&self, answer: Answer) -> bool {
        let unreadable = matches!(answer, Answer::Unreadable(_));
        self.frames < FRAMES_MAX && !(unreadable && self.unreadable == Limits::STANDARD.bad_frames)
    }

    fn count(&mut self, answer: Answer) {
        self.frames += 1;
        self.unreadable += u32::from(matches!(answer, Answer::Unreadable(_)));
    }

    /// Hears until a refusal or the end; what else comes (a snapshot, a turn, presence) passes.
    fn hear(&mut self, answer: Answer) -> Result<Got> {
        loop {
            let text = match self.socket.receive()? {
                Received::Text(text) => text,
                Received::Close(code, _) if answer == Answer::Closed(code) => return Ok(Got::ExpectedClose),
                Received::Close(code, reason) => return Ok(Got::Close(code, reason)),
                Received::Gone => return Ok(Got::Gone),
            };
            let Ok(ServerMessage::Rejected(refusal)) = decode_server(&text) else { continue };
            match answer {
                Answer::Unreadable(code) if refusal.id.is_none() && refusal.code == code => {
                    return Ok(Got::Expected);
                }
                Answer::Refused(id, code) if refusal.id == id && refusal.code == code => {
                    return Ok(Got::Expected);
                }
                // Ten refusals come before the close of the eleventh.
                Answer::Closed(_) => {}
                Answer::Unreadable(_) | Answer::Refused(..) => return Ok(Got::Refusal(text)),
            }
        }
    }
}
