//! Sends invalid input: one connection per identity, reopened when a limit is reached or the server
//! has closed it.

use std::fmt;
use std::time::Duration;

use anyhow::{Context, Result};
use zeitnot_protocol::{Code, CommandId, Hello, Limits, SUBPROTOCOL, ServerMessage, decode_server};

use super::fixture::Fixture;
use crate::endpoint::Endpoint;
use crate::player;
use crate::wire::{Received, Socket};

/// Frames on one connection before it is reopened: fewer than `frames_burst`, after which frames
/// are delayed.
const FRAMES_MAX: u32 = 150;

/// The identity that sends an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sender {
    /// A spectator and an account in turns, for frames that are invalid from either.
    SpectatorOrAccount,
    /// White of the fixture's game.
    White,
    /// Black of the fixture's game.
    Black,
    /// An account that plays no game.
    Third,
    /// A spectator without an account.
    Spectator,
    /// A connection that has not sent `hello`.
    Unidentified,
}

/// How an input must be answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// With `rejected` without an id.
    Unreadable(Code),
    /// With `rejected` and the command's id.
    Rejected(Option<CommandId>, Code),
    /// By closing the connection with this code.
    Closed(u16),
}

/// A case of invalid input.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) sender: Sender,
    /// The bytes that are sent.
    pub(super) frame: Vec<u8>,
    pub(super) answer: Answer,
}

impl Case {
    pub(super) const fn new(name: &'static str, sender: Sender, frame: Vec<u8>, answer: Answer) -> Self {
        Self { name, sender, frame, answer }
    }
}

/// An answer that is not as documented.
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

/// A connection, and how much of its limits is used.
#[derive(Debug)]
struct Connection {
    socket: Socket,
    frames: u32,
    unreadable: u32,
    bad_tokens: u32,
}

/// The connections of all identities.
#[derive(Debug)]
pub(super) struct Senders<'s> {
    endpoint: &'s Endpoint,
    fixture: &'s Fixture,
    /// By identity, in the order of [`Senders::index`].
    connections_by_sender: [Option<Connection>; 5],
    connections: u64,
    is_spectators_turn: bool,
}

impl<'s> Senders<'s> {
    pub(super) fn new(endpoint: &'s Endpoint, fixture: &'s Fixture) -> Self {
        Self {
            endpoint,
            fixture,
            connections_by_sender: [const { None }; 5],
            connections: 0,
            is_spectators_turn: false,
        }
    }

    /// Connections opened so far.
    pub(super) fn connections(&self) -> u64 {
        self.connections
    }

    /// Sends an input and waits for the answer; `Some` when the answer is wrong.
    pub(super) fn send(&mut self, case: &Case) -> Result<Option<WrongAnswer>> {
        let sender = match case.sender {
            Sender::SpectatorOrAccount => {
                self.is_spectators_turn = !self.is_spectators_turn;
                if self.is_spectators_turn { Sender::Spectator } else { Sender::Third }
            }
            sender => sender,
        };
        let place = Self::index(sender);
        let fresh = case.answer == Answer::Closed(zeitnot_protocol::CloseCode::BadFrames.number());
        let connection = match self.connections_by_sender[place]
            .take()
            .filter(|connection| !fresh && connection.may_send(case.answer))
        {
            Some(connection) => connection,
            None => self.connect(sender)?,
        };
        let connection = self.connections_by_sender[place].insert(connection);
        connection.count(case.answer);
        connection.socket.write(&case.frame)?;
        let got = connection.receive(case.answer)?;
        if got.is_closed() {
            self.connections_by_sender[place] = None;
        }
        Ok((got != Got::Expected && got != Got::ExpectedClose).then(|| WrongAnswer {
            name: case.name,
            expected: case.answer,
            got: got.to_string(),
        }))
    }

    const fn index(sender: Sender) -> usize {
        match sender {
            Sender::White => 0,
            Sender::Black => 1,
            Sender::Third => 2,
            Sender::SpectatorOrAccount | Sender::Spectator => 3,
            Sender::Unidentified => 4,
        }
    }

    fn connect(&mut self, sender: Sender) -> Result<Connection> {
        let index = usize::try_from(self.connections).context("too many connections")?;
        self.connections += 1;
        let token = |player: usize| Hello { guest: false, token: Some(self.fixture.tokens[player].clone()) };
        let hello = match sender {
            Sender::White => token(0),
            Sender::Black => token(1),
            Sender::Third => token(2),
            Sender::SpectatorOrAccount | Sender::Spectator => Hello::default(),
            Sender::Unidentified => {
                let socket = Socket::open(self.endpoint, index, Some(SUBPROTOCOL))?;
                return Ok(Connection { socket, frames: 0, unreadable: 0, bad_tokens: 0 });
            }
        };
        // The server may not have noticed the end of the last connection yet, and an account may
        // have 8 at most.
        let mut tries = 0;
        loop {
            match player::connect_as(self.endpoint, index, hello.clone()) {
                Ok((socket, _)) => return Ok(Connection { socket, frames: 1, unreadable: 0, bad_tokens: 0 }),
                Err(_) if tries < 5 => {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// What was received.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Got {
    Expected,
    ExpectedClose,
    Rejection(String),
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
            Self::Rejection(text) => f.write_str(text),
            Self::Close(code, reason) => write!(f, "a close with {code} {reason}"),
            Self::Gone => f.write_str("the end of the connection without a close frame"),
        }
    }
}

impl Connection {
    /// Whether another input with this answer stays within the limits of the connection.
    fn may_send(&self, answer: Answer) -> bool {
        let limits = &Limits::STANDARD;
        let within_its_limit = match answer {
            Answer::Unreadable(_) => self.unreadable < limits.bad_frames,
            Answer::Rejected(_, Code::BadToken) => self.bad_tokens < limits.bad_tokens_per_connection,
            Answer::Rejected(..) | Answer::Closed(_) => true,
        };
        self.frames < FRAMES_MAX && within_its_limit
    }

    fn count(&mut self, answer: Answer) {
        self.frames += 1;
        self.unreadable += u32::from(matches!(answer, Answer::Unreadable(_)));
        self.bad_tokens += u32::from(matches!(answer, Answer::Rejected(_, Code::BadToken)));
    }

    /// Receives until `rejected` or the end of the connection. Other messages (a snapshot, a turn,
    /// presence) are skipped.
    fn receive(&mut self, answer: Answer) -> Result<Got> {
        loop {
            let text = match self.socket.receive()? {
                Received::Text(text) => text,
                Received::Close(code, _) if answer == Answer::Closed(code) => return Ok(Got::ExpectedClose),
                Received::Close(code, reason) => return Ok(Got::Close(code, reason)),
                Received::Gone => return Ok(Got::Gone),
            };
            let Ok(ServerMessage::Rejected(rejection)) = decode_server(&text) else { continue };
            match answer {
                Answer::Unreadable(code) if rejection.id.is_none() && rejection.code == code => {
                    return Ok(Got::Expected);
                }
                Answer::Rejected(id, code) if rejection.id == id && rejection.code == code => {
                    return Ok(Got::Expected);
                }
                // Ten frames are rejected before the eleventh closes the connection.
                Answer::Closed(_) => {}
                Answer::Unreadable(_) | Answer::Rejected(..) => return Ok(Got::Rejection(text)),
            }
        }
    }
}
